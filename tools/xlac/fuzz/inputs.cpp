#include "fuzz/inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace xlac::fuzz {

static double find_largest(ElementType type) {
  if (type == ElementType::F64)
    return std::numeric_limits<double>::max();
  if (type == ElementType::F32)
    return std::numeric_limits<float>::max();
  double largest = 0;
  int width = bit_width(type);
  for (uint32_t bits = 0; bits < (1u << width); ++bits) {
    double value = host::decode_small_float(type, static_cast<uint16_t>(bits));
    if (std::isfinite(value))
      largest = std::max(largest, value);
  }
  return largest;
}

double largest_finite(ElementType type) {
  static const std::array<double, kElementTypeCount> table = [] {
    std::array<double, kElementTypeCount> values{};
    for (int i = 0; i < kElementTypeCount; ++i)
      if (is_float(static_cast<ElementType>(i)))
        values[i] = find_largest(static_cast<ElementType>(i));
    return values;
  }();
  return table[static_cast<size_t>(real_part_type(type))];
}

double ulp_at(ElementType type, double value) {
  host::FloatShape shape = host::float_shape(type);
  int least = shape.least_exponent;
  int exponent = value == 0 ? least : std::max(std::ilogb(value), least);
  return std::ldexp(1.0, exponent - shape.mantissa_bits);
}

namespace {

double moderate(Stream &stream) {
  double fraction = 1 + static_cast<double>(stream.next() >> 12) * 0x1p-52;
  double sign = stream.below(2) ? -1 : 1;
  return sign * std::ldexp(fraction, static_cast<int>(stream.below(9)) - 5);
}

double edge_float(ElementType type, Stream &stream) {
  double infinity = std::numeric_limits<double>::infinity();
  double tiny = ulp_at(type, 0), large = largest_finite(type);
  double normal = std::ldexp(1.0, host::float_shape(type).least_exponent);
  double values[] = {
      0.0,          -0.0,          1.0,
      -1.0,         0.5,           -0.5,
      infinity,     -infinity,     std::numeric_limits<double>::quiet_NaN(),
      tiny,         -tiny,         normal,
      -normal,      normal - tiny, large,
      -large,       2.5,           3.5,
      1.5,          127.5,         2147483648.0,
      4294967296.0, 1e-3};
  uint64_t at = stream.below(2 * std::size(values));
  return at < std::size(values) ? values[at] : moderate(stream);
}

int64_t edge_integer(ElementType type, Stream &stream) {
  int width = bit_width(type);
  auto lowest = static_cast<int64_t>(uint64_t{1} << (width - 1));
  auto highest = static_cast<int64_t>((uint64_t{1} << (width - 1)) - 1);
  int64_t values[] = {0,         1,         -1, lowest, highest, width,
                      width - 1, width + 1, 2,  -2,     7,       100};
  uint64_t at = stream.below(2 * std::size(values));
  if (at < std::size(values))
    return values[at];
  return static_cast<int64_t>(stream.next());
}

double make_float(ElementType type, ValueKind kind, Stream &stream) {
  switch (kind) {
  case ValueKind::SmallIntegers:
    return static_cast<double>(stream.below(9)) - 4;
  case ValueKind::Eighths:
    return (static_cast<double>(stream.below(33)) - 16) / 8;
  case ValueKind::Moderate:
    return moderate(stream);
  default:
    return edge_float(type, stream);
  }
}

int64_t make_integer(ElementType type, ValueKind kind, Stream &stream) {
  switch (kind) {
  case ValueKind::SmallIntegers: {
    auto value = static_cast<int64_t>(stream.below(9)) - 4;
    return is_signed_integer(type) ? value : std::abs(value);
  }
  case ValueKind::Eighths:
    return static_cast<int64_t>(stream.below(128));
  case ValueKind::Edges:
    return edge_integer(type, stream);
  default:
    return static_cast<int64_t>(stream.next());
  }
}

/// Writes one element of random bits.
void put_bits(ElementType type, Stream &stream, std::byte *at) {
  uint64_t bits = stream.next();
  int size = byte_size(type), width = bit_width(type);
  if (width < 8)
    bits &= (1u << width) - 1;
  std::memcpy(at, &bits, std::min(size, 8));
}

} // namespace

Result<host::Literal> random_literal(const TensorType &type, ValueKind kind,
                                     uint64_t seed) {
  Result<host::Literal> literal = host::Literal::allocate(type);
  if (!literal)
    return literal;
  Stream stream(seed * 0x2545F4914F6CDD1Du + 1);
  ElementType element = type.element, part = real_part_type(element);
  for (int64_t i = 0; i < literal->count(); ++i) {
    std::byte *at = literal->mutable_data() + i * byte_size(element);
    if (is_boolean(element)) {
      *at = static_cast<std::byte>(stream.below(2));
    } else if (is_integer(element)) {
      int64_t value = make_integer(element, kind, stream);
      host::store(*literal, i, 1, &value);
    } else if (kind == ValueKind::Bits) {
      put_bits(part, stream, at);
      if (is_complex(element))
        put_bits(part, stream, at + byte_size(part));
    } else if (is_complex(element)) {
      double real = make_float(part, kind, stream);
      std::complex<double> value(real, make_float(part, kind, stream));
      host::store(*literal, i, 1, &value);
    } else {
      double value = host::round_to(element, make_float(element, kind, stream));
      // The bits of a NaN are undefined for formats without one, so they may
      // differ.
      if (std::isnan(value) && bit_width(element) < 8)
        value = 1;
      host::store(*literal, i, 1, &value);
    }
  }
  return literal;
}

} // namespace xlac::fuzz
