// A rough cost estimate of a kernel, accurate enough to divide its work. It
// depends only on shapes and the profile, so that a program is always divided
// in the same way.
#ifndef XLAC_LIB_CODEGEN_KERNELCOST_H
#define XLAC_LIB_CODEGEN_KERNELCOST_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

namespace xlac::codegen {

struct KernelCost {
  int64_t flops = 0;    ///< arithmetic; slow functions are weighted
  int64_t products = 0; ///< those of `flops` in products of matrices
  int64_t bytes = 0;    ///< operands and results, each counted once

  int64_t nanoseconds(const TargetProfile &profile) const;
};

KernelCost costOf(ir::KernelOp kernel);

/// Returns the number of equal tasks in a piece, for a phase with `tasks` tasks
/// and this cost. It is `tasks` if distributing the work costs more than it
/// saves. If there are few pieces for each core of the profile, the cores get
/// equally many tasks as far as possible.
int64_t grainOf(int64_t tasks, int64_t nanoseconds,
                const TargetProfile &profile);

/// Returns the lanes of a kernel's values: one full vector of its widest type.
unsigned laneCountOf(ir::KernelOp kernel, const TargetProfile &profile);

/// Returns whether computing an element of `value` takes at least as long as an
/// exponential.
bool takesLong(mlir::Value value);

/// Returns the number of vectors of `lanes` that a loop over `extent` elements
/// of `values` computes at a time, their instructions interleaved. It is more
/// than one in a long loop whose elements each need a long sequence of
/// instructions, of which the processor cannot look far enough ahead to overlap
/// two by itself.
unsigned vectorsAtOnce(mlir::ValueRange values, int64_t extent, unsigned lanes,
                       const TargetProfile &profile);

/// Returns the number of elements: 1 for rank 0, INT64_MAX on overflow.
int64_t elementCount(llvm::ArrayRef<int64_t> sizes);

/// Returns the elements of a tensor and the bytes of its buffer: 0 without a
/// static shape, a large number on overflow.
int64_t elementsOf(mlir::Type type);
int64_t bytesOf(mlir::Type type);

} // namespace xlac::codegen

#endif
