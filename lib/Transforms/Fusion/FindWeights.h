// Recognizes the weights of a program among its arguments.
#ifndef XLAC_LIB_TRANSFORMS_FINDWEIGHTS_H
#define XLAC_LIB_TRANSFORMS_FINDWEIGHTS_H

#include "mlir/IR/Value.h"

namespace xlac::transforms {

/// Returns whether the program uses an argument of the entry function as
/// weights: as the window of a convolution, or as an operand of a product
/// without batch dimensions. The other operand must have a product,
/// convolution, reduction, look-up or loop behind it, as activations have.
/// Conversions, movement ops and look-ups are the argument's only other uses,
/// so an argument that is updated, as a parameter in a training step or a cache
/// of keys, is not a weight.
bool isWeight(mlir::BlockArgument argument);

} // namespace xlac::transforms

#endif
