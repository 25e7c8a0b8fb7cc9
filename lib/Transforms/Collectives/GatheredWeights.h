// What the passes on gathers and reduce_scatters of weights have in common.
#ifndef XLAC_LIB_TRANSFORMS_GATHEREDWEIGHTS_H
#define XLAC_LIB_TRANSFORMS_GATHEREDWEIGHTS_H

#include "Buffers/BufferPlanner.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

namespace xlac::transforms {

/// Least and most bytes of a full bucket of gathers or reduce_scatters. Through
/// shared memory a collective has a fixed cost of about 10 us, and 4 GB/s. The
/// fixed cost is a seventh of the time of the smaller bucket and a hundredth of
/// that of the larger one.
constexpr int64_t kLeastBucketBytes = 256 << 10;
constexpr int64_t kMostBucketBytes = 4 << 20;

/// Returns true for an all_gather or reduce_scatter that is not started.
bool isGatherOrScatter(ir::TensorCollectiveOp collective,
                       ir::CollectiveKind kind);

/// Returns true for ops of one operand that only change its shape or element
/// type, and that may be repeated or moved.
bool isViewLike(mlir::Operation *op);

/// Returns true if `shard` exists for the whole program: it is an argument of
/// the function, possibly in another shape or type.
bool isOfArgument(mlir::Value shard);

/// Returns the bytes of whole tensors, per device of a group, that the
/// collectives `found` gather or scatter: what one device holds of them.
int64_t bytesPerDevice(mlir::ArrayRef<ir::TensorCollectiveOp> found);

} // namespace xlac::transforms

#endif
