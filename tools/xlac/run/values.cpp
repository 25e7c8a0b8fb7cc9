#include "values.h"

#include "xlac/host/literal.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace xlac::cli {
namespace {

/// The finalizer of SplitMix64.
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void encode_random(ElementType type, uint64_t z, std::byte *at) {
  double unit = static_cast<double>(z >> 40) * 0x1p-24 * 2 - 1;
  auto store = [&](auto value) { std::memcpy(at, &value, sizeof value); };
  switch (type) {
  case ElementType::F32:
    return store(static_cast<float>(unit));
  case ElementType::F64:
    return store(unit);
  case ElementType::BF16: {
    auto value = static_cast<float>(unit);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return store(static_cast<uint16_t>(bits >> 16));
  }
  case ElementType::F16:
    // A sign, an exponent of 2^-1 to 2^-4, and any mantissa: finite normal
    // numbers.
    return store(
        static_cast<uint16_t>((z & 0x83ff) | (11 + (z >> 20 & 3)) << 10));
  case ElementType::I1:
    return store(static_cast<uint8_t>(z & 1));
  case ElementType::I2:
    return store(static_cast<int8_t>((z & 3) - 2));
  case ElementType::UI2:
    return store(static_cast<uint8_t>(z & 3));
  case ElementType::I4:
    return store(static_cast<int8_t>((z & 15) - 8));
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
  case ElementType::UI4:
  case ElementType::UI8:
  case ElementType::UI16:
  case ElementType::UI32:
  case ElementType::UI64: {
    uint64_t small = z % 10;
    std::memcpy(at, &small, byte_size(type));
    return;
  }
  default: {
    uint8_t bits = z & 7;
    return store(bits);
  }
  }
}

void print_dimension(const HostArray &array, size_t dim, int64_t &at,
                     std::string &out) {
  const auto &dims = array.type.dims;
  if (dim == dims.size()) {
    out += element_text(array, at++);
    return;
  }
  constexpr int64_t kEnds = 3;
  int64_t inner = 1;
  for (size_t d = dim + 1; d < dims.size(); ++d)
    inner *= dims[d];
  out += '[';
  for (int64_t i = 0; i < dims[dim]; ++i) {
    if (dims[dim] > 2 * kEnds && i == kEnds) {
      int64_t skipped = dims[dim] - 2 * kEnds;
      at += skipped * inner;
      i += skipped;
      out += ", ...";
    }
    if (i > 0)
      out += ", ";
    print_dimension(array, dim + 1, at, out);
  }
  out += ']';
}

} // namespace

HostArray make_random(const TensorType &type, uint64_t seed) {
  HostArray array{type, make_bytes(*type.byte_count())};
  bool complex = is_complex(type.element);
  ElementType part = real_part_type(type.element);
  int size = byte_size(part);
  int64_t count = *type.element_count() * (complex ? 2 : 1);
  for (int64_t k = 0; k < count; ++k)
    encode_random(part,
                  mix(seed * 0x9E3779B97F4A7C15u +
                      static_cast<uint64_t>(k + 1) * 0xBF58476D1CE4E5B9u),
                  array.bytes.data() + k * size);
  return array;
}

bool is_bit_pattern_of(ElementType file, ElementType wanted) {
  if (wanted == ElementType::BF16)
    return file == ElementType::UI16 || file == ElementType::I16;
  bool small_integer = wanted == ElementType::I2 || wanted == ElementType::I4;
  if (small_integer)
    return file == ElementType::I8;
  return byte_size(wanted) == 1 && file == ElementType::UI8 &&
         wanted != ElementType::I1 && wanted != ElementType::I8;
}

std::optional<int64_t> find_beyond_width(const TensorType &type,
                                         std::span<const std::byte> bytes) {
  int width = bit_width(type.element);
  if (width >= 8)
    return std::nullopt;
  bool is_signed = is_signed_integer(type.element);
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto value = load<int8_t>(&bytes[i]);
    bool fits = is_signed ? value >> (width - 1) == (value < 0 ? -1 : 0)
                          : load<uint8_t>(&bytes[i]) >> width == 0;
    if (!fits)
      return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

double element_value(ElementType type, const std::byte *at) {
  switch (type) {
  case ElementType::I1:
    return load<uint8_t>(at) != 0;
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::I8:
    return load<int8_t>(at);
  case ElementType::I16:
    return load<int16_t>(at);
  case ElementType::I32:
    return load<int32_t>(at);
  case ElementType::I64:
    return static_cast<double>(load<int64_t>(at));
  case ElementType::UI16:
    return load<uint16_t>(at);
  case ElementType::UI32:
    return load<uint32_t>(at);
  case ElementType::UI64:
    return static_cast<double>(load<uint64_t>(at));
  case ElementType::F16:
  case ElementType::BF16:
    return host::decode_small_float(type, load<uint16_t>(at));
  case ElementType::F32:
  case ElementType::Complex64:
    return load<float>(at);
  case ElementType::F64:
  case ElementType::Complex128:
    return load<double>(at);
  default:
    return is_float(type) ? host::decode_small_float(type, load<uint8_t>(at))
                          : load<uint8_t>(at);
  }
}

std::string element_text(const HostArray &array, int64_t at) {
  ElementType type = array.type.element;
  const std::byte *data = array.bytes.data() + at * byte_size(type);
  if (type == ElementType::I64)
    return fmt::format("{}", load<int64_t>(data));
  if (type == ElementType::UI64)
    return fmt::format("{}", load<uint64_t>(data));
  if (type == ElementType::I1)
    return load<uint8_t>(data) ? "true" : "false";
  if (is_complex(type)) {
    ElementType part = real_part_type(type);
    return fmt::format("({:.9g}, {:.9g})", element_value(part, data),
                       element_value(part, data + byte_size(part)));
  }
  return fmt::format("{:.9g}", element_value(type, data));
}

std::string shortened(const HostArray &array) {
  std::string out = to_string(array.type) + " ";
  int64_t at = 0;
  print_dimension(array, 0, at, out);
  return out;
}

} // namespace xlac::cli
