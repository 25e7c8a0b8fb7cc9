// What a program does beside its results: prints of a test, callbacks of JAX.
#ifndef XLAC_TRANSFORMS_HOSTEFFECTS_H
#define XLAC_TRANSFORMS_HOSTEFFECTS_H

#include "mlir/IR/BuiltinOps.h"

namespace xlac::transforms {

/// Writes every `interpreter.print` as a custom call of the target of that
/// name, whose configuration has the operand's name in its function: `label`,
/// as "%0". To be called before values get other names.
void writePrintsAsCalls(mlir::ModuleOp module);

/// Removes the custom calls by which JAX calls Python functions, as
/// `jax.debug.print` does, if they have no results but tokens, and gives their
/// places. Calls with other results stay.
llvm::SmallVector<mlir::Location> dropCallbacks(mlir::ModuleOp module);

} // namespace xlac::transforms

#endif
