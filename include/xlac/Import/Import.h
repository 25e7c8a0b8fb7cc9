// Converts programs to MLIR and back: StableHLO text and bytecode to a verified
// module, and the traced graph to a module and from one. All dialects must be
// registered in the context (registerAllDialects). Threading may be on or off.
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

/// Parses and verifies `source`, and converts vhlo to StableHLO. On failure,
/// returns null and sets `error` to one line for each problem: "file:line:col:
/// error: message". Text with more than kMaxNesting nested brackets is rejected
/// before parsing.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const Source &source,
                                              mlir::MLIRContext &context,
                                              std::string &error);
inline constexpr int kMaxNesting = 1000;
/// Tensors of a higher rank, or of more than kMaxElements elements, are
/// rejected too.
inline constexpr int kMaxRank = 255;

/// Returns "file:line:col" of the source, or an empty string if `location` has
/// none.
std::string placeOf(mlir::Location location);

/// Checks that `module` has a function `entry` with a body, and returns its
/// types.
llvm::Expected<Signature> signatureOf(mlir::ModuleOp module,
                                      llvm::StringRef entry);

/// As signatureOf, with what else a caller of the program has to know.
llvm::Expected<ProgramDescription> describeProgram(mlir::ModuleOp module,
                                                   llvm::StringRef entry);

/// Converts the graph to a verified module whose public function is the entry.
/// With `debugInfo`, each op has its origin, a return address, as the location
/// "origin:<hex>". Otherwise locations are unknown.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importGraph(const graph::Program &program, mlir::MLIRContext &context,
            bool debugInfo);

/// Converts the module to a graph. The entry is `main`, or the only public
/// function. Fails, naming op and location, if a graph cannot represent an op.
llvm::Expected<graph::Program> exportGraph(mlir::ModuleOp module);
llvm::Expected<graph::Program> exportGraph(mlir::ModuleOp module,
                                           llvm::StringRef entry);

/// Returns the key of the module's graph, and that of its family: 64 hex
/// digits.
llvm::Expected<std::string> programKey(mlir::ModuleOp module,
                                       llvm::StringRef entry);
llvm::Expected<std::string> familyKey(mlir::ModuleOp module,
                                      llvm::StringRef entry);

} // namespace xlac

#endif
