// Recognizes the weights of a program among its arguments.
#ifndef XLAC_LIB_TRANSFORMS_FINDWEIGHTS_H
#define XLAC_LIB_TRANSFORMS_FINDWEIGHTS_H

#include "mlir/IR/Value.h"

namespace xlac::transforms {

/// Returns whether the program uses an argument of the entry function as
/// weights: a convolution reads it as its window, or a product without batch
/// dimensions reads it and a computed value. Conversions, movement ops and
/// lookups are its only other uses. So an argument that is updated, as a
/// parameter in a training step or a cache of keys, is none.
bool isWeight(mlir::BlockArgument argument);

} // namespace xlac::transforms

#endif
