// Reads which arguments of a function a caller may donate. The attributes of
// arguments are slow to look up, and planning buffers asks for them often.
#ifndef XLAC_LIB_TRANSFORMS_DONATIONS_H
#define XLAC_LIB_TRANSFORMS_DONATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace xlac::transforms {

/// What may take the memory of an argument.
struct Donation {
  std::optional<int64_t> result; ///< this result
  bool toAny = false;            ///< any result of the argument's type

  bool isPossible() const { return result || toAny; }
};

/// Returns the donations of all arguments.
llvm::SmallVector<Donation> donationsOf(mlir::func::FuncOp function);

} // namespace xlac::transforms

#endif
