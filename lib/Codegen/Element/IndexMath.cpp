#include "IndexMath.h"

#include "llvm/IR/Constants.h"

#include <numeric>

using namespace llvm;

namespace xlac::codegen {

namespace {
enum Operation { Add, Sub, Mul, Div, Rem, Min, Max, Splat, Lanes };
} // namespace

template <class Make>
Value *IndexMath::once(int operation, Value *left, Value *right, Make make) {
  Key key{operation, left, right};
  auto found = made.find(key);
  if (found != made.end())
    return found->second;
  Value *value = make();
  made.emplace(key, value);
  order.push_back(key);
  return value;
}

void IndexMath::release(Mark mark) {
  for (; order.size() > mark; order.pop_back())
    made.erase(order.back());
}

int64_t IndexMath::multipleOf(Value *value) const {
  if (auto *number = dyn_cast<ConstantInt>(value))
    return std::abs(number->getSExtValue());
  auto found = multiples.find(value);
  return found == multiples.end() ? 1 : found->second;
}

void IndexMath::setMultiple(Value *value, int64_t multiple) {
  if (!isa<Constant>(value) && multiple > 1)
    multiples[value] = multiple;
}

std::optional<IndexMath::Range> IndexMath::rangeOf(Value *value) const {
  if (!tracksRanges)
    return std::nullopt;
  if (auto *number = dyn_cast<ConstantInt>(value))
    return Range{number->getSExtValue(), number->getSExtValue()};
  auto found = ranges.find(value);
  return found == ranges.end() ? std::nullopt : std::optional(found->second);
}

void IndexMath::setRange(Value *value, int64_t low, int64_t high) {
  assert(low <= high && "a range is not empty");
  if (tracksRanges && !isa<Constant>(value))
    ranges[value] = {low, high};
}

static bool isNumber(Value *value, int64_t number) {
  auto *constant = dyn_cast<ConstantInt>(value);
  return constant && constant->getSExtValue() == number;
}

Value *IndexMath::add(Value *left, Value *right) {
  if (isNumber(left, 0))
    return right;
  if (isNumber(right, 0))
    return left;
  // Addresses order the operands of the key alone, so that the code does not
  // depend on them.
  bool swaps = std::less<Value *>()(right, left);
  return once(Add, swaps ? right : left, swaps ? left : right, [&] {
    Value *sum = ir.CreateAdd(left, right, "", false, true);
    setMultiple(sum, std::gcd(multipleOf(left), multipleOf(right)));
    // Sums of indices and sizes are far from overflow.
    auto a = rangeOf(left), b = rangeOf(right);
    if (a && b)
      setRange(sum, a->low + b->low, a->high + b->high);
    return sum;
  });
}

Value *IndexMath::add(Value *left, int64_t right) {
  return add(left, constant(right));
}

Value *IndexMath::sub(Value *left, Value *right) {
  if (isNumber(right, 0))
    return left;
  return once(Sub, left, right, [&] {
    Value *difference = ir.CreateSub(left, right, "", false, true);
    setMultiple(difference, std::gcd(multipleOf(left), multipleOf(right)));
    auto a = rangeOf(left), b = rangeOf(right);
    if (a && b)
      setRange(difference, a->low - b->high, a->high - b->low);
    return difference;
  });
}

Value *IndexMath::mul(Value *left, int64_t right) {
  if (right == 1)
    return left;
  if (right == 0)
    return constant(0);
  return once(Mul, left, constant(right), [&] {
    Value *product = ir.CreateMul(left, constant(right), "", false, true);
    int64_t multiple = 1;
    if (!__builtin_mul_overflow(multipleOf(left), std::abs(right), &multiple))
      setMultiple(product, multiple);
    int64_t low, high;
    if (auto range = rangeOf(left);
        range && !__builtin_mul_overflow(range->low, right, &low) &&
        !__builtin_mul_overflow(range->high, right, &high))
      setRange(product, std::min(low, high), std::max(low, high));
    return product;
  });
}

Value *IndexMath::div(Value *left, int64_t right) {
  assert(right > 0 && "indices are divided by sizes");
  if (right == 1)
    return left;
  return once(Div, left, constant(right), [&] {
    bool exact = multipleOf(left) % right == 0;
    Value *quotient = ir.CreateUDiv(left, constant(right), "", exact);
    if (exact)
      setMultiple(quotient, multipleOf(left) / right);
    if (auto range = rangeOf(left); range && range->low >= 0)
      setRange(quotient, range->low / right, range->high / right);
    return quotient;
  });
}

Value *IndexMath::rem(Value *left, int64_t right) {
  assert(right > 0 && "indices are divided by sizes");
  if (right == 1 || multipleOf(left) % right == 0)
    return constant(0);
  return once(Rem, left, constant(right), [&] {
    Value *remainder = ir.CreateURem(left, constant(right));
    setMultiple(remainder, std::gcd(multipleOf(left), right));
    setRange(remainder, 0, right - 1);
    return remainder;
  });
}

Value *IndexMath::min(Value *left, Value *right) {
  auto a = rangeOf(left), b = rangeOf(right);
  if (left == right || (a && b && a->high <= b->low))
    return left;
  if (a && b && b->high <= a->low)
    return right;
  return once(Min, left, right, [&] {
    return ir.CreateBinaryIntrinsic(Intrinsic::smin, left, right);
  });
}

Value *IndexMath::max(Value *left, Value *right) {
  auto a = rangeOf(left), b = rangeOf(right);
  if (left == right || (a && b && a->low >= b->high))
    return left;
  if (a && b && b->low >= a->high)
    return right;
  return once(Max, left, right, [&] {
    return ir.CreateBinaryIntrinsic(Intrinsic::smax, left, right);
  });
}

Value *IndexMath::splat(Value *scalar, unsigned width) {
  assert(!scalar->getType()->isVectorTy() && width > 1 &&
         "one index becomes one a lane");
  return once(Splat, scalar, constant(width),
              [&] { return ir.CreateVectorSplat(width, scalar); });
}

Value *IndexMath::lanes(Value *base, int64_t stride, unsigned width) {
  Value *bases = splat(base, width);
  SmallVector<Constant *> offsets;
  for (unsigned lane = 0; lane < width; ++lane)
    offsets.push_back(
        ConstantInt::getSigned(base->getType(), stride * int64_t(lane)));
  return once(Lanes, bases, constant(stride), [&] {
    return ir.CreateAdd(bases, ConstantVector::get(offsets), "", false, true);
  });
}

} // namespace xlac::codegen
