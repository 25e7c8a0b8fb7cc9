#include "comparison.h"

#include "values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace xlac::cli {
namespace {

using Kind = CheckCase::Comparison::Kind;

/// Converts the bits of a float to an integer that counts representable values.
/// So a difference is a distance in units in the last place; +0 and -0 are
/// equal.
int64_t ordered_bits(ElementType type, const std::byte *at) {
  int size = byte_size(type);
  uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  if (type == ElementType::F8E8M0FNU) // has no sign
    return static_cast<int64_t>(bits);
  uint64_t sign = 1ull << (bit_width(type) - 1);
  return bits & sign ? -static_cast<int64_t>(bits & (sign - 1))
                     : static_cast<int64_t>(bits);
}

bool part_almost_equal(ElementType type, const std::byte *a, const std::byte *b,
                       double tolerance) {
  double x = element_value(type, a), y = element_value(type, b);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  if (std::isinf(x) || std::isinf(y))
    return x == y;
  return std::fabs(x - y) <= tolerance;
}

bool part_close(ElementType type, const std::byte *a, const std::byte *b,
                int64_t min_ulp, int64_t max_ulp) {
  double x = element_value(type, a), y = element_value(type, b);
  if (!std::isfinite(x) || !std::isfinite(y))
    return (std::isnan(x) && std::isnan(y)) ||
           std::memcmp(a, b, byte_size(type)) == 0;
  int64_t from = ordered_bits(type, a), to = ordered_bits(type, b);
  uint64_t distance =
      from < to ? static_cast<uint64_t>(to) - static_cast<uint64_t>(from)
                : static_cast<uint64_t>(from) - static_cast<uint64_t>(to);
  return distance >= static_cast<uint64_t>(min_ulp) &&
         distance <= static_cast<uint64_t>(max_ulp);
}

bool element_passes(const CheckCase::Comparison &comparison, ElementType type,
                    const std::byte *a, const std::byte *b) {
  ElementType part = real_part_type(type);
  int parts = is_complex(type) ? 2 : 1, size = byte_size(part);
  if (comparison.kind == Kind::Equal || !is_float(part))
    return std::memcmp(a, b, byte_size(type)) == 0;
  for (int i = 0; i < parts; ++i, a += size, b += size) {
    bool passes =
        comparison.kind == Kind::AlmostEqual
            ? part_almost_equal(part, a, b, comparison.tolerance)
            : part_close(part, a, b, comparison.min_ulp, comparison.max_ulp);
    if (!passes)
      return false;
  }
  return true;
}

} // namespace

std::optional<std::string> compare(const CheckCase::Comparison &comparison,
                                   const HostArray &actual,
                                   const HostArray &expected) {
  if (!(actual.type.dims == expected.type.dims &&
        actual.type.element == expected.type.element))
    return fmt::format("got {}, wanted {}", to_string(actual.type),
                       to_string(expected.type));
  int size = byte_size(actual.type.element);
  int64_t count = *actual.type.element_count(), wrong = 0, first = 0;
  for (int64_t i = count - 1; i >= 0; --i) {
    if (!element_passes(comparison, actual.type.element,
                        actual.bytes.data() + i * size,
                        expected.bytes.data() + i * size)) {
      ++wrong;
      first = i;
    }
  }
  if (wrong == 0)
    return std::nullopt;
  std::string index;
  int64_t rest = first;
  for (size_t d = actual.type.dims.size(); d-- > 0;) {
    index = fmt::format("{}{}{}", rest % actual.type.dims[d],
                        index.empty() ? "" : ", ", index);
    rest /= actual.type.dims[d];
  }
  return fmt::format("{} of {} elements differ, first at [{}]: got {}, "
                     "wanted {}",
                     wrong, count, index, element_text(actual, first),
                     element_text(expected, first));
}

bool mutate(HostArray &array) {
  if (array.bytes.empty())
    return false;
  ElementType part = real_part_type(array.type.element);
  int size = byte_size(part);
  // Flipping the highest exponent bit changes a float by orders of magnitude
  // (and a NaN to a number), which no tolerance hides. For integers the lowest
  // bit suffices.
  int has_sign = part == ElementType::F8E8M0FNU ? 0 : 1;
  int exponent = (bit_width(part) - 1 - has_sign) % 8;
  if (is_float(part))
    array.bytes[size - 1] ^= std::byte(1 << exponent);
  else
    array.bytes[0] ^= std::byte{1};
  return true;
}

} // namespace xlac::cli
