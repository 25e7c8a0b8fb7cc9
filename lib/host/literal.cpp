#include "xlac/host/literal.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace xlac::host {

//===- Memory -------------------------------------------------------------===//

static constexpr std::align_val_t kAlignment{64};

Result<Literal> Literal::allocate(TensorType type) {
  std::optional<int64_t> count = type.element_count();
  std::optional<int64_t> bytes = type.byte_count();
  if (!count || !bytes)
    return failure(FailureKind::Shape,
                   "cannot hold " + to_string(type) + " in memory");
  void *memory =
      ::operator new(static_cast<size_t>(std::max<int64_t>(*bytes, 1)),
                     kAlignment, std::nothrow);
  if (!memory)
    return failure(FailureKind::OutOfMemory, "Out of memory allocating " +
                                                 std::to_string(*bytes) +
                                                 " bytes");
  Literal literal;
  literal.type_ = std::move(type);
  literal.count_ = *count;
  literal.bytes_ = std::shared_ptr<std::byte>(
      static_cast<std::byte *>(memory),
      [](std::byte *p) { ::operator delete(p, kAlignment); });
  return literal;
}

Result<Literal> Literal::copy_of(TensorType type, const void *data) {
  Result<Literal> literal = allocate(std::move(type));
  if (literal && literal->byte_count() > 0)
    std::memcpy(literal->mutable_data(), data, literal->byte_count());
  return literal;
}

Literal Literal::borrow(TensorType type, std::shared_ptr<std::byte> owner) {
  Literal literal;
  literal.count_ = type.element_count().value_or(0);
  literal.type_ = std::move(type);
  literal.bytes_ = std::move(owner);
  return literal;
}

Result<Literal> Literal::from(const ops::DenseElements &elements) {
  Result<Literal> literal = allocate(elements.type);
  if (!literal)
    return literal;
  size_t size = byte_size(elements.type.element);
  std::span<const std::byte> bytes = elements.bytes;
  if (!elements.splat) {
    std::copy_n(bytes.data(),
                std::min<size_t>(bytes.size(), literal->byte_count()),
                literal->mutable_data());
    return literal;
  }
  for (int64_t i = 0; i < literal->count(); ++i)
    std::memcpy(literal->mutable_data() + i * size, bytes.data(), size);
  return literal;
}

Literal Literal::with_type(TensorType type) const {
  return borrow(std::move(type), bytes_);
}

//===- Narrow floats ------------------------------------------------------===//

namespace {

enum class Specials { Ieee, NanAllOnes, NanNegativeZero, FiniteOnly };

struct FloatFormat {
  int exponent_bits, mantissa_bits, bias;
  Specials specials;
};

FloatFormat format_of(ElementType type) {
  switch (type) {
  case ElementType::F4E2M1FN:
    return {2, 1, 1, Specials::FiniteOnly};
  case ElementType::F6E2M3FN:
    return {2, 3, 1, Specials::FiniteOnly};
  case ElementType::F6E3M2FN:
    return {3, 2, 3, Specials::FiniteOnly};
  case ElementType::F8E3M4:
    return {3, 4, 3, Specials::Ieee};
  case ElementType::F8E4M3:
    return {4, 3, 7, Specials::Ieee};
  case ElementType::F8E4M3FN:
    return {4, 3, 7, Specials::NanAllOnes};
  case ElementType::F8E4M3FNUZ:
    return {4, 3, 8, Specials::NanNegativeZero};
  case ElementType::F8E4M3B11FNUZ:
    return {4, 3, 11, Specials::NanNegativeZero};
  case ElementType::F8E5M2:
    return {5, 2, 15, Specials::Ieee};
  case ElementType::F8E5M2FNUZ:
    return {5, 2, 16, Specials::NanNegativeZero};
  case ElementType::BF16:
    return {8, 7, 127, Specials::Ieee};
  default:
    return {5, 10, 15, Specials::Ieee};
  }
}

struct Patterns {
  uint16_t sign, max_finite, nan, infinity;
};

Patterns patterns_of(const FloatFormat &f) {
  int width = f.exponent_bits + f.mantissa_bits;
  auto ones = static_cast<uint16_t>((1u << width) - 1);
  auto sign = static_cast<uint16_t>(1u << width);
  auto top =
      static_cast<uint16_t>(((1u << f.exponent_bits) - 1) << f.mantissa_bits);
  switch (f.specials) {
  case Specials::Ieee:
    return {sign, static_cast<uint16_t>(top - 1),
            static_cast<uint16_t>(top | (1u << (f.mantissa_bits - 1))), top};
  case Specials::NanAllOnes:
    return {sign, static_cast<uint16_t>(ones - 1), ones, ones};
  case Specials::NanNegativeZero:
    return {sign, ones, sign, sign};
  case Specials::FiniteOnly:
    return {sign, ones, sign, ones};
  }
  return {};
}

uint16_t encode_e8m0(double value) {
  if (!(value >= 0) || std::isinf(value))
    return 0xFF;
  if (value == 0)
    return 0; // there is no zero; the smallest number represents it
  int exponent = 0;
  double fraction = std::frexp(value, &exponent); // in [0.5, 1)
  --exponent;
  // Ties round up: the significand, always 1, is odd.
  int field = exponent + 127;
  if (fraction * 2 >= 1.5)
    ++field;
  if (field < 0)
    field = 0;
  return field > 0xFE ? 0xFF : static_cast<uint16_t>(field);
}

} // namespace

FloatShape float_shape(ElementType type) {
  type = real_part_type(type);
  if (type == ElementType::F64)
    return {11, 52, -1022};
  if (type == ElementType::F32)
    return {8, 23, -126};
  if (type == ElementType::F8E8M0FNU)
    return {8, 0, -127};
  FloatFormat f = format_of(type);
  return {f.exponent_bits, f.mantissa_bits, 1 - f.bias};
}

uint16_t encode_small_float(ElementType type, double value) {
  if (type == ElementType::F8E8M0FNU)
    return encode_e8m0(value);
  FloatFormat f = format_of(type);
  Patterns p = patterns_of(f);
  uint16_t sign = std::signbit(value) ? p.sign : 0;
  bool no_negative_nan = f.specials == Specials::NanNegativeZero;
  if (std::isnan(value))
    return no_negative_nan ? p.nan : p.nan | sign;
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return no_negative_nan ? p.nan : p.infinity | sign;
  if (magnitude == 0)
    return no_negative_nan ? 0 : sign;
  int lowest = 1 - f.bias;
  int exponent = std::max(std::ilogb(magnitude), lowest);
  double steps =
      std::nearbyint(std::ldexp(magnitude, f.mantissa_bits - exponent));
  int64_t bits =
      (static_cast<int64_t>(exponent + f.bias - 1) << f.mantissa_bits) +
      static_cast<int64_t>(steps);
  if (bits > p.max_finite) {
    if (f.specials == Specials::FiniteOnly)
      return p.max_finite | sign;
    return no_negative_nan ? p.nan : p.infinity | sign;
  }
  if (bits == 0 && no_negative_nan)
    return 0;
  return static_cast<uint16_t>(bits) | sign;
}

double decode_small_float(ElementType type, uint16_t bits) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (type == ElementType::F8E8M0FNU)
    return (bits & 0xFF) == 0xFF ? nan : std::ldexp(1.0, (bits & 0xFF) - 127);
  FloatFormat f = format_of(type);
  Patterns p = patterns_of(f);
  bool negative = bits & p.sign;
  uint16_t magnitude = bits & (p.sign - 1);
  if (f.specials == Specials::NanNegativeZero && negative && magnitude == 0)
    return nan;
  if (f.specials != Specials::FiniteOnly && magnitude > p.max_finite) {
    if (f.specials == Specials::Ieee && magnitude == p.infinity)
      return negative ? -std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::infinity();
    return nan;
  }
  int field = magnitude >> f.mantissa_bits;
  int mantissa = magnitude & ((1 << f.mantissa_bits) - 1);
  double value = field == 0 ? std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits)
                            : std::ldexp(mantissa + (1 << f.mantissa_bits),
                                         field - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

//===- Elements in wide form ----------------------------------------------===//

namespace {

template <class Storage, class Wide>
void load_as(const std::byte *from, int64_t count, Wide *to) {
  for (int64_t i = 0; i < count; ++i) {
    Storage value;
    std::memcpy(&value, from + i * sizeof(Storage), sizeof(Storage));
    to[i] = static_cast<Wide>(value);
  }
}

template <class Storage, class Wide>
void store_as(std::byte *to, int64_t count, const Wide *from) {
  for (int64_t i = 0; i < count; ++i) {
    auto value = static_cast<Storage>(from[i]);
    std::memcpy(to + i * sizeof(Storage), &value, sizeof(Storage));
  }
}

template <class Wide>
void load_complex_real(const std::byte *from, ElementType type, int64_t count,
                       Wide *to) {
  for (int64_t i = 0; i < count; ++i) {
    if (type == ElementType::Complex64) {
      float part;
      std::memcpy(&part, from + i * 8, 4);
      to[i] = static_cast<Wide>(part);
    } else {
      double part;
      std::memcpy(&part, from + i * 16, 8);
      to[i] = static_cast<Wide>(part);
    }
  }
}

template <class Wide>
void load_real(const Literal &from, int64_t begin, int64_t count, Wide *to) {
  ElementType type = from.type().element;
  const std::byte *data = from.data() + begin * byte_size(type);
  switch (type) {
  case ElementType::I1:
  case ElementType::UI2:
  case ElementType::UI4:
  case ElementType::UI8:
    return load_as<uint8_t>(data, count, to);
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::I8:
    return load_as<int8_t>(data, count, to);
  case ElementType::I16:
    return load_as<int16_t>(data, count, to);
  case ElementType::I32:
    return load_as<int32_t>(data, count, to);
  case ElementType::I64:
    return load_as<int64_t>(data, count, to);
  case ElementType::UI16:
    return load_as<uint16_t>(data, count, to);
  case ElementType::UI32:
    return load_as<uint32_t>(data, count, to);
  case ElementType::UI64:
    return load_as<uint64_t>(data, count, to);
  case ElementType::F32:
    return load_as<float>(data, count, to);
  case ElementType::F64:
    return load_as<double>(data, count, to);
  case ElementType::Complex64:
  case ElementType::Complex128:
    return load_complex_real(data, type, count, to);
  default:
    break;
  }
  bool wide = byte_size(type) == 2;
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, data + i * (wide ? 2 : 1), wide ? 2 : 1);
    to[i] = static_cast<Wide>(decode_small_float(type, bits));
  }
}

} // namespace

void load(const Literal &from, int64_t begin, int64_t count, double *to) {
  load_real(from, begin, count, to);
}

void load(const Literal &from, int64_t begin, int64_t count, int64_t *to) {
  load_real(from, begin, count, to);
}

void load(const Literal &from, int64_t begin, int64_t count,
          std::complex<double> *to) {
  ElementType type = from.type().element;
  for (int64_t i = 0; i < count; ++i) {
    if (type == ElementType::Complex64) {
      std::complex<float> value;
      std::memcpy(&value, from.data() + (begin + i) * 8, 8);
      to[i] = value;
    } else if (type == ElementType::Complex128) {
      std::memcpy(&to[i], from.data() + (begin + i) * 16, 16);
    } else {
      double real;
      load_real(from, begin + i, 1, &real);
      to[i] = real;
    }
  }
}

double round_to(ElementType type, double value) {
  if (type == ElementType::F64)
    return value;
  if (type == ElementType::F32)
    return static_cast<float>(value);
  return decode_small_float(type, encode_small_float(type, value));
}

int64_t wrap_to(ElementType type, int64_t value) {
  if (type == ElementType::I1)
    return value != 0;
  int unused = 64 - bit_width(type);
  auto shifted = static_cast<uint64_t>(value) << unused;
  return is_signed_integer(type) ? static_cast<int64_t>(shifted) >> unused
                                 : static_cast<int64_t>(shifted >> unused);
}

void store(Literal &to, int64_t begin, int64_t count, const double *from) {
  ElementType type = to.type().element;
  std::byte *data = to.mutable_data() + begin * byte_size(type);
  if (type == ElementType::F32)
    return store_as<float>(data, count, from);
  if (type == ElementType::F64)
    return store_as<double>(data, count, from);
  bool wide = byte_size(type) == 2;
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits = encode_small_float(type, from[i]);
    std::memcpy(data + i * (wide ? 2 : 1), &bits, wide ? 2 : 1);
  }
}

void store(Literal &to, int64_t begin, int64_t count, const int64_t *from) {
  ElementType type = to.type().element;
  std::byte *data = to.mutable_data() + begin * byte_size(type);
  switch (byte_size(type)) {
  case 1:
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<std::byte>(wrap_to(type, from[i]));
    return;
  case 2:
    return store_as<int16_t>(data, count, from);
  case 4:
    return store_as<int32_t>(data, count, from);
  default:
    return store_as<int64_t>(data, count, from);
  }
}

void store(Literal &to, int64_t begin, int64_t count,
           const std::complex<double> *from) {
  bool single = to.type().element == ElementType::Complex64;
  for (int64_t i = 0; i < count; ++i) {
    if (single) {
      std::complex<float> value(from[i]);
      std::memcpy(to.mutable_data() + (begin + i) * 8, &value, 8);
    } else {
      std::memcpy(to.mutable_data() + (begin + i) * 16, &from[i], 16);
    }
  }
}

int64_t as_index(const Literal &literal, int64_t index) {
  int64_t value = as_integer(literal, index);
  bool wrapped = literal.type().element == ElementType::UI64 && value < 0;
  return wrapped ? std::numeric_limits<int64_t>::max() : value;
}

int64_t as_integer(const Literal &literal, int64_t index) {
  int64_t value = 0;
  load(literal, index, 1, &value);
  return value;
}

double as_double(const Literal &literal, int64_t index) {
  double value = 0;
  load(literal, index, 1, &value);
  return value;
}

} // namespace xlac::host
