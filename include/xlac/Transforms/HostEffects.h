// Side effects of a program on the host: prints of a test, callbacks of JAX.
#ifndef XLAC_TRANSFORMS_HOSTEFFECTS_H
#define XLAC_TRANSFORMS_HOSTEFFECTS_H

#include "mlir/IR/BuiltinOps.h"

namespace xlac::transforms {

/// Replaces every `interpreter.print` by a custom call of the target
/// names::kPrintCall. Its configuration stores the operand's name in the
/// function's text as `label`, such as "%0". Must run before values are
/// renamed.
void writePrintsAsCalls(mlir::ModuleOp module);

/// Removes the custom calls with which JAX calls Python functions, such as
/// `jax.debug.print`, unless they have results other than tokens. Returns the
/// locations of the removed calls.
llvm::SmallVector<mlir::Location> dropCallbacks(mlir::ModuleOp module);

} // namespace xlac::transforms

#endif
