// Launches that run slice by slice (see xlac.call).
#ifndef XLAC_DIALECT_XLAC_SLICEDLAUNCHES_H
#define XLAC_DIALECT_XLAC_SLICEDLAUNCHES_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

namespace xlac::ir {

/// Returns `first` and the launches after it that are joined with it.
inline llvm::SmallVector<LaunchOp> slicedFrom(LaunchOp first) {
  llvm::SmallVector<LaunchOp> launches = {first};
  if (!first.getSlices())
    return launches;
  auto after = [](LaunchOp launch) {
    return mlir::dyn_cast_if_present<LaunchOp>(launch->getNextNode());
  };
  for (LaunchOp next = after(first);
       next && next.getJoined() && next.getSlices() == first.getSlices();
       next = after(next))
    launches.push_back(next);
  return launches;
}

} // namespace xlac::ir

#endif
