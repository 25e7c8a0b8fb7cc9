#include "xlac/lazy/dtypes.h"

#include "xlac/host/literal.h"
#include "xlac/support/call_scope.h"
#include "xlac/support/raise.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cmath>

namespace xlac {

//===- Facts --------------------------------------------------------------===//

namespace {
struct DtypeFacts {
  std::string_view name, legacy;
  ElementType element;
  int category;
};
constexpr std::array<DtypeFacts, 20> kFacts{{
    {"bool", "Bool", ElementType::I1, 0},
    {"int8", "Char", ElementType::I8, 1},
    {"int16", "Short", ElementType::I16, 1},
    {"int32", "Int", ElementType::I32, 1},
    {"int64", "Long", ElementType::I64, 1},
    {"uint8", "Byte", ElementType::UI8, 1},
    {"uint16", "UInt16", ElementType::UI16, 1},
    {"uint32", "UInt32", ElementType::UI32, 1},
    {"uint64", "UInt64", ElementType::UI64, 1},
    {"float16", "Half", ElementType::F16, 2},
    {"bfloat16", "BFloat16", ElementType::BF16, 2},
    {"float32", "Float", ElementType::F32, 2},
    {"float64", "Double", ElementType::F64, 2},
    {"complex64", "ComplexFloat", ElementType::Complex64, 3},
    {"complex128", "ComplexDouble", ElementType::Complex128, 3},
    {"float8_e5m2", "Float8_e5m2", ElementType::F8E5M2, 2},
    {"float8_e4m3fn", "Float8_e4m3fn", ElementType::F8E4M3FN, 2},
    {"float8_e5m2fnuz", "Float8_e5m2fnuz", ElementType::F8E5M2FNUZ, 2},
    {"float8_e4m3fnuz", "Float8_e4m3fnuz", ElementType::F8E4M3FNUZ, 2},
    {"float8_e8m0fnu", "Float8_e8m0fnu", ElementType::F8E8M0FNU, 2},
}};
const DtypeFacts &facts(Dtype dtype) {
  return kFacts[static_cast<size_t>(dtype)];
}
std::atomic<Dtype> default_dtype = kFloat32;

bool is_float8(Dtype dtype) { return dtype >= kFloat8_e5m2; }
} // namespace

std::string_view name(Dtype dtype) { return facts(dtype).name; }
int64_t element_size(Dtype dtype) { return byte_size(facts(dtype).element); }
bool is_floating_point(Dtype dtype) { return facts(dtype).category == 2; }
bool is_complex(Dtype dtype) { return facts(dtype).category == 3; }
bool is_signed(Dtype dtype) {
  return is_floating_point(dtype) || is_complex(dtype) ||
         is_signed_integer(facts(dtype).element);
}

Dtype get_default_dtype() { return default_dtype; }

void set_default_dtype(Dtype dtype) {
  CallScope call("set_default_dtype", __builtin_return_address(0));
  if (!is_floating_point(dtype) || is_float8(dtype))
    raise<DtypeError>("only floating-point types are supported as the default "
                      "type, got torch." +
                      std::string(name(dtype)));
  default_dtype = dtype;
}

bool can_cast(Dtype from, Dtype to) {
  int a = facts(from).category, b = facts(to).category;
  return a <= b;
}

/// The maxima of 8-bit floats do not follow a common rule.
void finfo::set_float8(Dtype dtype) {
  host::FloatShape shape = host::float_shape(facts(dtype).element);
  eps = std::ldexp(1.0, -shape.mantissa_bits);
  tiny = std::ldexp(1.0, shape.least_exponent);
  max = dtype == kFloat8_e4m3fn     ? 448
        : dtype == kFloat8_e4m3fnuz ? 240
        : dtype == kFloat8_e8m0fnu  ? std::ldexp(1.0, 127)
                                    : 57344;
  // e8m0 contains only powers of two and no negative numbers.
  min = dtype == kFloat8_e8m0fnu ? tiny : -max;
}

finfo::finfo(Dtype dtype) {
  CallScope call("finfo", __builtin_return_address(0));
  if (is_float8(dtype)) {
    set_float8(dtype);
    return;
  }
  struct Format {
    int mantissa_bits, greatest_exponent;
  } format;
  if (dtype == kFloat16)
    format = {10, 15};
  else if (dtype == kBFloat16)
    format = {7, 127};
  else if (dtype == kFloat32 || dtype == kComplex64)
    format = {23, 127};
  else if (dtype == kFloat64 || dtype == kComplex128)
    format = {52, 1023};
  else
    raise<DtypeError>("requires a floating point input type, got torch." +
                      std::string(name(dtype)));
  eps = std::ldexp(1.0, -format.mantissa_bits);
  max = std::ldexp(2 - eps, format.greatest_exponent);
  min = -max;
  tiny = std::ldexp(1.0, 1 - format.greatest_exponent);
}

iinfo::iinfo(Dtype dtype) {
  CallScope call("iinfo", __builtin_return_address(0));
  if (facts(dtype).category != 1)
    raise<DtypeError>("requires an integer input type, got torch." +
                      std::string(name(dtype)));
  auto bits = static_cast<int>(8 * element_size(dtype));
  uint64_t all = ~uint64_t{0} >> (64 - bits);
  max = is_signed(dtype) ? all >> 1 : all;
  min = is_signed(dtype) ? -static_cast<int64_t>(max) - 1 : 0;
}

//===- Promotion ----------------------------------------------------------===//

static bool is_wide_unsigned(Dtype dtype) {
  return dtype == kUInt16 || dtype == kUInt32 || dtype == kUInt64;
}

static Dtype promote_integers(Dtype a, Dtype b) {
  if (is_wide_unsigned(a) || is_wide_unsigned(b))
    raise<DtypeError>("Promotion for uint16, uint32, uint64 types is not "
                      "supported, attempted to promote torch." +
                      std::string(name(a)) + " and torch." +
                      std::string(name(b)));
  if (a == kUInt8 || b == kUInt8) {
    Dtype other = a == kUInt8 ? b : a;
    return other == kInt8 ? kInt16 : other;
  }
  return std::max(a, b);
}

static Dtype promote_complex(Dtype a, Dtype b) {
  auto wide = [](Dtype d) { return d == kComplex128 || d == kFloat64; };
  return wide(a) || wide(b) ? kComplex128 : kComplex64;
}

Dtype promote_types(Dtype a, Dtype b) {
  if (a == b)
    return a;
  if (is_float8(a) || is_float8(b))
    raise<DtypeError>("Promotion for Float8 Types is not supported, attempted "
                      "to promote torch." +
                      std::string(name(a)) + " and torch." +
                      std::string(name(b)));
  int first = facts(a).category, second = facts(b).category;
  if (std::max(first, second) == 3)
    return promote_complex(a, b);
  if (first != second)
    return first > second ? a : b;
  if (first == 2)
    return (a == kFloat16 && b == kBFloat16) ||
                   (a == kBFloat16 && b == kFloat16)
               ? kFloat32
               : std::max(a, b);
  return promote_integers(a, b);
}

namespace lazy {

ElementType element_type(Dtype dtype) { return facts(dtype).element; }

std::optional<Dtype> dtype_of_element(ElementType type) {
  for (size_t i = 0; i < kFacts.size(); ++i)
    if (kFacts[i].element == type)
      return static_cast<Dtype>(i);
  return std::nullopt;
}

std::string legacy_name(Dtype dtype) {
  return std::string(facts(dtype).legacy);
}

int category(Dtype dtype) { return facts(dtype).category; }

Dtype dtype_of_number(const Scalar &number) {
  const auto &held = detail::ScalarAccess::held(number);
  switch (held.index()) {
  case 0:
    return kBool;
  case 1:
  case 2:
    return kInt64;
  case 3:
    return get_default_dtype();
  default:
    return get_default_dtype() == kFloat64 ? kComplex128 : kComplex64;
  }
}

static void join(std::optional<Dtype> &into, Dtype dtype) {
  into = into ? promote_types(*into, dtype) : dtype;
}

void ResultType::add(Dtype dtype, bool has_dimensions) {
  join(has_dimensions ? dimensional_ : zero_dimensional_, dtype);
}

void ResultType::add(const Scalar &number) {
  join(number_, dtype_of_number(number));
}

/// `higher` determines the type unless `lower` has a higher category.
static std::optional<Dtype> combine(std::optional<Dtype> higher,
                                    std::optional<Dtype> lower) {
  if (!higher || !lower)
    return higher ? higher : lower;
  if (category(*lower) <= category(*higher))
    return higher;
  // A complex number combined with doubles must keep their precision.
  return category(*lower) == 3 ? promote_types(*higher, *lower) : *lower;
}

Dtype ResultType::get() const {
  return combine(combine(dimensional_, zero_dimensional_), number_)
      .value_or(get_default_dtype());
}

} // namespace lazy

//===- 16-bit floats ------------------------------------------------------===//

half::half(float value)
    : bits(host::encode_small_float(ElementType::F16, value)) {}
half::operator float() const {
  return static_cast<float>(host::decode_small_float(ElementType::F16, bits));
}
bfloat16::bfloat16(float value)
    : bits(host::encode_small_float(ElementType::BF16, value)) {}
bfloat16::operator float() const {
  return static_cast<float>(host::decode_small_float(ElementType::BF16, bits));
}

//===- Devices ------------------------------------------------------------===//

Device::Device(std::string_view text) {
  std::string_view kind = text.substr(0, text.find(':'));
  bool known = kind == "cpu" || kind == "xla";
  type = kind == "xla" ? kXLA : kCPU;
  if (known && kind.size() < text.size()) {
    std::string_view digits = text.substr(kind.size() + 1);
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), index);
    known = error == std::errc() && end == digits.data() + digits.size() &&
            index >= 0 && (type == kXLA || index == 0);
  }
  if (!known)
    raise<ValueError>("Invalid device string: '" + std::string(text) +
                      "', expected cpu, xla or xla:N");
  if (type == kCPU)
    index = -1;
}

std::string Device::str() const {
  std::string text = type == kCPU ? "cpu" : "xla";
  return index >= 0 ? text + ":" + std::to_string(index) : text;
}

std::ostream &operator<<(std::ostream &os, Dtype dtype) {
  return os << "torch." << name(dtype);
}

std::ostream &operator<<(std::ostream &os, const Shape &sizes) {
  os << '[';
  for (size_t i = 0; i < sizes.size(); ++i)
    os << (i ? ", " : "") << sizes[i];
  return os << ']';
}

std::ostream &operator<<(std::ostream &os, const Device &device) {
  return os << device.str();
}

namespace {
thread_local std::optional<Device> default_device;
} // namespace

Device get_default_device() { return default_device.value_or(Device(kCPU)); }
void set_default_device(Device device) { default_device = device; }
Device TensorOptions::device() const {
  return device_.value_or(get_default_device());
}

} // namespace xlac
