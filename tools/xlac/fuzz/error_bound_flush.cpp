// bf16 GEMMs on tile registers: denormal operands, products and partial sums
// are flushed to zero there.
#include "fuzz/error_bound_parts.h"

#include <algorithm>
#include <cmath>

namespace xlac::fuzz {

using host::Literal;

namespace {

/// The least normal number, in bf16 and f32.
constexpr double kLeastNormal = 0x1p-126;

bool is_bf16_product(const OpUse &use) {
  if (use.operands.size() < 2)
    return false;
  return std::all_of(use.operands.begin(), use.operands.begin() + 2,
                     [](const Checked &operand) {
                       return operand.data.type().element == ElementType::BF16;
                     });
}

/// Magnitudes of elements that may be flushed.
Literal vanishing(const Checked &operand) {
  Numbers size = magnitudes(operand.data), radius = radius_of(operand);
  for (size_t i = 0; i < size.size(); ++i) {
    bool vanishes = size[i] - radius[i] < kLeastNormal;
    size[i] = vanishes ? std::min(size[i] + radius[i], kLeastNormal) : 0;
  }
  return literal_of(operand.data.type(), size);
}

/// Magnitudes of all elements. Non-finite elements become large finite numbers:
/// they must not be multiplied with zero, and leave no bound when multiplied
/// with a denormal number.
Literal whole(const Checked &operand) {
  Numbers size = magnitudes(operand.data), radius = radius_of(operand);
  for (size_t i = 0; i < size.size(); ++i) {
    size[i] += radius[i];
    if (!std::isfinite(size[i]))
      size[i] = 1e300;
  }
  return literal_of(operand.data.type(), size);
}

/// Sums of the products of `a` and `b`; the other operands of the op are
/// unchanged.
std::optional<Numbers> products(const OpUse &use, Literal a, Literal b) {
  std::vector<Literal> operands{std::move(a), std::move(b)};
  for (const Checked &operand : use.operands.subspan(2))
    operands.push_back(operand.data);
  return shadow(use, operands);
}

} // namespace

bool add_flushed(const OpUse &use, double terms, Numbers &spread) {
  if (!is_bf16_product(use))
    return true;
  const Checked &a = use.operands[0], &b = use.operands[1];
  auto left = products(use, vanishing(a), whole(b));
  auto right = products(use, whole(a), vanishing(b));
  if (!left || !right)
    return false;
  for (size_t i = 0; i < spread.size(); ++i)
    spread[i] += (*left)[i] + (*right)[i] + 2 * terms * kLeastNormal;
  return true;
}

} // namespace xlac::fuzz
