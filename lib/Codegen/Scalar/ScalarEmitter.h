// The insertion point and the width of code on lanes.
#ifndef XLAC_LIB_CODEGEN_SCALAREMITTER_H
#define XLAC_LIB_CODEGEN_SCALAREMITTER_H

#include "xlac/support/target_profile.h"

#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

/// State for emitting code on lanes. The insertion point must be in a function.
/// It stays in its block unless a rare path needs a separate block; it then
/// moves to the following block.
struct ScalarEmitter {
  llvm::IRBuilder<> &ir;
  unsigned width; ///< lanes; 1 means LLVM scalars
  const TargetProfile &profile;
};

} // namespace xlac::codegen

#endif
