// Where code on lanes is emitted.
#ifndef XLAC_LIB_CODEGEN_SCALAREMITTER_H
#define XLAC_LIB_CODEGEN_SCALAREMITTER_H

#include "xlac/support/target_profile.h"

#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

/// Where and for how many lanes code is emitted. The insertion point must lie
/// in a function; it stays in its block unless a rare path needs one of its
/// own, and then moves to the block that follows.
struct ScalarEmitter {
  llvm::IRBuilder<> &ir;
  unsigned width; ///< lanes; 1 means LLVM scalars
  const TargetProfile &profile;
};

} // namespace xlac::codegen

#endif
