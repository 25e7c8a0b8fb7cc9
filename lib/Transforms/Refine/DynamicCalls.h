// Custom calls of StableHLO's experimental ops that take their sizes as
// operands, which `jax.export` writes for programs with symbolic dimensions.
#ifndef XLAC_LIB_TRANSFORMS_DYNAMICCALLS_H
#define XLAC_LIB_TRANSFORMS_DYNAMICCALLS_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include <optional>

namespace xlac::transforms {

/// Larger constants are data, not sizes.
inline constexpr int64_t kMostSizeElements = 1024;

/// Returns the integers of a small constant; nothing for other values.
std::optional<llvm::SmallVector<int64_t>> sizesOf(mlir::Value value);

/// Returns true for calls of "stablehlo.dynamic_reduce_window" and
/// "stablehlo.dynamic_rng_bit_generator".
bool isDynamicCall(stablehlo::CustomCallOp call);

/// Replaces such a call by the op with constant sizes, which it returns.
/// Returns null and leaves the call if its sizes are not constant. Fails, with
/// an error on the call, if operands, attributes or the computation are not
/// those of the op. The result types of the new op may have dimensions of
/// unknown size.
mlir::FailureOr<mlir::Operation *>
writeDynamicCall(stablehlo::CustomCallOp call);

} // namespace xlac::transforms

#endif
