#include "Donations.h"

#include "xlac/support/program_names.h"

using namespace mlir;

namespace xlac::transforms {

SmallVector<Donation> donationsOf(func::FuncOp function) {
  SmallVector<Donation> donations(function.getNumArguments());
  for (auto [number, donation] : llvm::enumerate(donations)) {
    if (auto fixed = function.getArgAttrOfType<IntegerAttr>(
            number, names::kAliasingOutput))
      donation.result = fixed.getInt();
    donation.toAny =
        function.getArgAttr(number, names::kBufferDonor) != nullptr;
  }
  return donations;
}

} // namespace xlac::transforms
