// Programs into MLIR and back: StableHLO text to a verified module, and the
// traced graph to a module and from one. The context must have every dialect of
// the project registered (registerAllDialects); threading may be on or off.
#ifndef XLAC_IMPORT_IMPORT_H
#define XLAC_IMPORT_IMPORT_H

#include "xlac/compiler.h"
#include "xlac/support/size_limit.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace xlac {
namespace graph {
struct Program;
}

/// Parses and verifies `source`; what is in vhlo becomes StableHLO. On failure
/// returns null and sets `error` to one line a problem, "file:line:col: error:
/// message". Text that nests deeper than kMaxNesting brackets is refused before
/// parsing.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const Source &source,
                                              mlir::MLIRContext &context,
                                              std::string &error);
inline constexpr int kMaxNesting = 1000;
/// Tensors of a higher rank or of more than kMaxElements are refused, too.
inline constexpr int kMaxRank = 255;

/// "file:line:col" of the source, or nothing where the location has none.
std::string placeOf(mlir::Location location);

/// Checks that `module` has a function `entry` with a body and gives its types.
llvm::Expected<Signature> signatureOf(mlir::ModuleOp module,
                                      llvm::StringRef entry);

/// The graph as a verified module whose public function is the entry. With
/// `debugInfo` each op carries its origin, a return address, as the location
/// "origin:<hex>"; otherwise locations are unknown.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importGraph(const graph::Program &program, mlir::MLIRContext &context,
            bool debugInfo);

/// The module as a graph with the entry `main`, or the only public function.
/// Fails, naming op and location, on what a graph cannot hold.
llvm::Expected<graph::Program> exportGraph(mlir::ModuleOp module);
llvm::Expected<graph::Program> exportGraph(mlir::ModuleOp module,
                                           llvm::StringRef entry);

/// 64 hex digits: the key of the graph that the module is.
llvm::Expected<std::string> programKey(mlir::ModuleOp module,
                                       llvm::StringRef entry);

} // namespace xlac

#endif
