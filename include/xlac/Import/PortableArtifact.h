// Portable artifacts: StableHLO as MLIR bytecode in the vhlo dialect, which
// every version of StableHLO since can read.
#ifndef XLAC_IMPORT_PORTABLE_ARTIFACT_H
#define XLAC_IMPORT_PORTABLE_ARTIFACT_H

#include "xlac/Dialect/Vhlo/Version.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace xlac {

/// True if an op of `module` is of the vhlo dialect.
bool holdsVhlo(mlir::ModuleOp module);

/// The vhlo module in StableHLO, every op in its newest form; ops of other
/// dialects stay. Expects a module that verifies. Null, with errors emitted,
/// where an op makes no sense; what comes back is not verified.
mlir::OwningOpRef<mlir::ModuleOp> vhloToStablehlo(mlir::ModuleOp module);

/// The StableHLO module in the forms of `target`; ops of other dialects than
/// stablehlo and func stay, between casts. Null, with errors emitted that name
/// op or type, where `target` lacks something.
mlir::OwningOpRef<mlir::ModuleOp> stablehloToVhlo(mlir::ModuleOp module,
                                                  vhlo::Version target);

/// The module as a portable artifact of `target`. Fails as stablehloToVhlo.
llvm::Expected<std::string> writePortableArtifact(mlir::ModuleOp module,
                                                  vhlo::Version target);

} // namespace xlac

#endif
