// An annotation of where a value lies on the devices.
#ifndef XLAC_LIB_TRANSFORMS_SPMDANNOTATION_H
#define XLAC_LIB_TRANSFORMS_SPMDANNOTATION_H

#include "SpmdMesh.h"

#include "llvm/ADT/SmallVector.h"

namespace xlac::transforms {

/// A sharding as an annotation gives it.
struct SpmdAnnotation {
  Sharding sharding;
  llvm::SmallVector<int64_t> open; ///< dimensions that may be cut further
  /// The devices of some mesh axes hold summands of the value.
  bool unreduced = false;
};

} // namespace xlac::transforms

#endif
