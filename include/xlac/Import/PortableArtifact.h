// Portable artifacts: StableHLO as MLIR bytecode in the vhlo dialect. Every
// later version of StableHLO can read them.
#ifndef XLAC_IMPORT_PORTABLE_ARTIFACT_H
#define XLAC_IMPORT_PORTABLE_ARTIFACT_H

#include "xlac/Dialect/Vhlo/Version.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace xlac {

/// Returns whether `module` contains an op of the vhlo dialect.
bool holdsVhlo(mlir::ModuleOp module);

/// Converts a vhlo module to StableHLO, every op in its newest form. Ops of
/// other dialects stay. `module` must verify. Returns null, with errors
/// emitted, if an op is invalid. The result is not verified.
mlir::OwningOpRef<mlir::ModuleOp> vhloToStablehlo(mlir::ModuleOp module);

/// Converts a StableHLO module to the forms of `target`. Ops of other dialects
/// than stablehlo and func stay, between casts. Returns null, with errors
/// emitted that name the op or type, if `target` lacks one.
mlir::OwningOpRef<mlir::ModuleOp> stablehloToVhlo(mlir::ModuleOp module,
                                                  vhlo::Version target);

/// Returns the module as a portable artifact of `target`. Fails like
/// stablehloToVhlo.
llvm::Expected<std::string> writePortableArtifact(mlir::ModuleOp module,
                                                  vhlo::Version target);

} // namespace xlac

#endif
