#include "LaneSums.h"

#include "llvm/IR/DerivedTypes.h"

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace xlac::codegen {

/// Registers hold `held` sums of `each` lanes. Returns those of `low`, then
/// those of `high`, if there is one, with half as many lanes each.
static Value *addHalves(IRBuilder<> &ir, Value *low, Value *high, unsigned held,
                        unsigned each) {
  unsigned all = high ? 2 * held : held;
  SmallVector<int> first, second;
  for (unsigned sum = 0; sum < all; ++sum)
    for (unsigned lane = 0; lane < each / 2; ++lane) {
      first.push_back(int(sum * each + lane));
      second.push_back(int(sum * each + each / 2 + lane));
    }
  if (!high)
    high = PoisonValue::get(low->getType());
  Value *left = ir.CreateShuffleVector(low, high, first);
  Value *right = ir.CreateShuffleVector(low, high, second);
  return low->getType()->isIntOrIntVectorTy() ? ir.CreateAdd(left, right)
                                              : ir.CreateFAdd(left, right);
}

Value *addLanes(IRBuilder<> &ir, ArrayRef<Value *> registers) {
  unsigned lanes =
      cast<FixedVectorType>(registers[0]->getType())->getNumElements();
  assert(registers.size() <= lanes && "the sums fit in one register");
  SmallVector<Value *> parts(registers);
  unsigned held = 1; // sums in each register
  for (; parts.size() > 1; held *= 2) {
    SmallVector<Value *> joined;
    for (size_t i = 0; i < parts.size(); i += 2)
      joined.push_back(addHalves(ir, parts[i],
                                 parts[std::min(i + 1, parts.size() - 1)], held,
                                 lanes / held));
    parts = joined;
  }
  for (unsigned each = lanes / held; each > 1; each /= 2)
    parts[0] = addHalves(ir, parts[0], nullptr, held, each);
  return parts[0];
}

} // namespace xlac::codegen
