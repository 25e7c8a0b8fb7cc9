// Reads the files of jax.export: a FlatBuffers container around a portable
// artifact. `jax_export.fbs` has the fields.
#ifndef XLAC_LIB_IMPORT_JAXEXPORT_H
#define XLAC_LIB_IMPORT_JAXEXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace xlac {

/// What a container says about its module.
struct JaxExport {
  llvm::ArrayRef<uint8_t> module; ///< bytecode, inside the container's bytes
  /// Position of "cpu" among the platforms of the export.
  unsigned platform = 0;
  /// If there are several platforms, the position is the first argument of the
  /// module's entry.
  bool takesPlatform = false;
  /// An argument of the exported function that the module's entry lacks because
  /// no result depends on it.
  struct Unused {
    unsigned number; ///< among all arguments of the exported function
    mlir::Type type;
  };
  std::vector<Unused> unused; ///< by number
  unsigned argumentCount = 0; ///< of the exported function
};

/// Reads a container with MLIR bytecode in it; returns nothing for other bytes.
/// Containers have no magic number, so their structure is verified. Fails if
/// the function was exported for other platforms only, unless the export
/// disabled this check, if it has ordered side effects, or if the container is
/// inconsistent. `bytes` must outlive the result.
llvm::Expected<std::optional<JaxExport>>
readJaxExport(llvm::ArrayRef<uint8_t> bytes, mlir::MLIRContext &context);

/// Gives the entry of `module`, which comes from `container`, the arguments of
/// the exported function: replaces the platform by its number and inserts the
/// unused arguments. Emits an error on the entry if they do not match.
mlir::LogicalResult completeArguments(mlir::ModuleOp module,
                                      const JaxExport &container);

} // namespace xlac

#endif
