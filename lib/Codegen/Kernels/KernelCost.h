// What a kernel costs, roughly: enough to cut its work into pieces. Depends on
// shapes and profile alone, so that the same program is always cut the same.
#ifndef XLAC_LIB_CODEGEN_KERNELCOST_H
#define XLAC_LIB_CODEGEN_KERNELCOST_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

namespace xlac::codegen {

struct KernelCost {
  int64_t flops = 0; ///< arithmetic, long functions weighed by their length
  int64_t bytes = 0; ///< operands and results, each once

  int64_t nanoseconds(const TargetProfile &profile) const;
};

KernelCost costOf(ir::KernelOp kernel);

/// How many of `tasks` equal tasks make a piece, for a phase of that cost: one
/// piece where handing out work costs more than it saves.
int64_t grainOf(int64_t tasks, int64_t nanoseconds);

/// Lanes for a kernel's values: a whole vector of the widest type it computes.
unsigned laneCountOf(ir::KernelOp kernel, const TargetProfile &profile);

/// Number of elements; 1 for rank 0, INT64_MAX where it would overflow.
int64_t elementCount(llvm::ArrayRef<int64_t> sizes);

} // namespace xlac::codegen

#endif
