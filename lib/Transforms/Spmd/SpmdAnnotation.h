// A sharding annotation of a value.
#ifndef XLAC_LIB_TRANSFORMS_SPMDANNOTATION_H
#define XLAC_LIB_TRANSFORMS_SPMDANNOTATION_H

#include "SpmdMesh.h"

#include "llvm/ADT/SmallVector.h"

namespace xlac::transforms {

/// A sharding from an annotation.
struct SpmdAnnotation {
  Sharding sharding;
  llvm::SmallVector<int64_t> open; ///< dimensions that may be sharded further
  /// The round in which each dimension is propagated; empty for the first.
  llvm::SmallVector<int64_t> priorities = {};
  /// The devices along some mesh axes hold operands of a reduction other than a
  /// sum. `sharding` does not contain these axes.
  bool otherReduction = false;
};

} // namespace xlac::transforms

#endif
