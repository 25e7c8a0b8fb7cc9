#include "scalar_math.h"

#include "special_functions.h"
#include "xlac/host/literal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

//===- Floats -------------------------------------------------------------===//

static double sign(double x) {
  if (x > 0)
    return 1;
  return x < 0 ? -1 : x; // keeps zeros and NaN
}

FloatUnary float_unary(OpKind op) {
  switch (op) {
#define XLAC_REAL_VALUE_1(kind, ...)                                           \
  case OpKind::kind:                                                           \
    return [](double x) -> double { return __VA_ARGS__; };
#include "xlac/ops/elementwise_functions.inc"
  default:
    return nullptr;
  }
}

FloatPredicate float_predicate(OpKind op) {
  switch (op) {
#define XLAC_PREDICATE(kind, ...)                                              \
  case OpKind::kind:                                                           \
    return [](double x) -> int64_t { return __VA_ARGS__; };
#include "xlac/ops/elementwise_functions.inc"
  default:
    return nullptr;
  }
}

static double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

static double minimum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y)
    return std::signbit(x) ? x : y;
  return x < y ? x : y;
}

FloatBinary float_binary(OpKind op) {
  switch (op) {
#define XLAC_REAL_VALUE_2(kind, ...)                                           \
  case OpKind::kind:                                                           \
    return [](double x, double y) -> double { return __VA_ARGS__; };
#include "xlac/ops/elementwise_functions.inc"
  default:
    return nullptr;
  }
}

double reduced_precision(ElementType type, double x, int exponent_bits,
                         int mantissa_bits) {
  // Without mantissa bits there is no NaN: its bit pattern means infinity.
  if (std::isnan(x) && mantissa_bits == 0)
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  if (!std::isfinite(x) || x == 0)
    return x;
  FloatShape own = float_shape(type);
  // The last mantissa bit of denormals has the value of that of the smallest
  // normal number.
  int exponent = std::max(std::ilogb(x), own.least_exponent);
  if (mantissa_bits < own.mantissa_bits) {
    // Ties round to an even last bit; without mantissa bits that is the last
    // bit of the exponent.
    bool odd_exponent = (exponent - own.least_exponent) & 1;
    double offset = mantissa_bits == 0 && odd_exponent ? 1 : 0;
    double steps = std::ldexp(std::fabs(x), mantissa_bits - exponent);
    double rounded = std::nearbyint(steps + offset) - offset;
    x = std::copysign(std::ldexp(rounded, exponent - mantissa_bits), x);
  }
  if (exponent_bits >= own.exponent_bits || x == 0)
    return x;
  int bias = (1 << (exponent_bits - 1)) - 1;
  if (std::ilogb(x) < 1 - bias)
    return std::copysign(0.0, x); // denormals are flushed to zero
  if (std::ilogb(x) > bias)
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  return x;
}

double next_after(ElementType type, double x, double y) {
  if (type == ElementType::F64)
    return std::nextafter(x, y);
  if (type == ElementType::F32)
    return std::nextafter(static_cast<float>(x), static_cast<float>(y));
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y)
    return y;
  uint16_t bits = encode_small_float(type, x);
  if (x == 0)
    return std::copysign(decode_small_float(type, 1), y);
  bool away = (y > x) == (x > 0);
  return decode_small_float(type, away ? bits + 1 : bits - 1);
}

//===- Complex numbers ----------------------------------------------------===//

static Complex complex_log1p(Complex x) {
  // 1+x|² - 1, computed from the parts, is accurate for small x.
  double a = x.real(), b = x.imag();
  if (std::abs(x) < 0.5)
    return {0.5 * std::log1p(a * (2 + a) + b * b), std::atan2(b, 1 + a)};
  return std::log(1.0 + x);
}

static Complex complex_expm1(Complex x) {
  double half = std::sin(x.imag() / 2);
  double real = std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half;
  return {real, std::exp(x.real()) * std::sin(x.imag())};
}

static Complex complex_logistic(Complex x) {
  Complex power = std::exp(-x);
  if (!(std::fabs(x.real()) < 1))
    return 1.0 / (1.0 + power);
  // Near the poles 1 + e^-x cancels unless it is computed from the parts.
  double half = std::cos(x.imag() / 2);
  double real = 2 * half * half + std::cos(x.imag()) * std::expm1(-x.real());
  return 1.0 / Complex(real, power.imag());
}

static Complex complex_sign(Complex x) {
  double size = std::abs(x);
  return size == 0 ? Complex(0, 0) : x / size;
}

ComplexUnary complex_unary(OpKind op) {
  switch (op) {
#define XLAC_COMPLEX_VALUE_1(kind, ...)                                        \
  case OpKind::kind:                                                           \
    return [](Complex x) -> Complex { return __VA_ARGS__; };
#include "xlac/ops/elementwise_functions.inc"
  default:
    return nullptr;
  }
}

static bool is_nan(Complex x) {
  return std::isnan(x.real()) || std::isnan(x.imag());
}

/// Compares real parts, then imaginary parts if they are equal.
static bool at_least(Complex a, Complex b) {
  return a.real() > b.real() || (a.real() == b.real() && a.imag() >= b.imag());
}

static bool at_most(Complex a, Complex b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag());
}

static Complex complex_maximum(Complex x, Complex y) {
  return is_nan(x) || at_least(x, y) ? x : y;
}

static Complex complex_minimum(Complex x, Complex y) {
  return is_nan(x) || at_most(x, y) ? x : y;
}

static Complex complex_power(Complex x, Complex y) {
  return y == Complex(0) ? Complex(1) : std::pow(x, y);
}

static Complex complex_atan2(Complex y, Complex x) {
  Complex i(0, 1);
  return -i * std::log((x + i * y) / std::sqrt(y * y + x * x));
}

ComplexBinary complex_binary(OpKind op) {
  switch (op) {
#define XLAC_COMPLEX_VALUE_2(kind, ...)                                        \
  case OpKind::kind:                                                           \
    return [](Complex x, Complex y) -> Complex { return __VA_ARGS__; };
#include "xlac/ops/elementwise_functions.inc"
  default:
    return nullptr;
  }
}

//===- Integers -----------------------------------------------------------===//

static uint64_t bits(int64_t x) { return static_cast<uint64_t>(x); }
static int64_t number(uint64_t x) { return static_cast<int64_t>(x); }

static int64_t power(int64_t base, int64_t exponent, bool is_signed) {
  if (is_signed && exponent < 0) {
    if (base == 1)
      return 1;
    if (base == -1)
      return exponent & 1 ? -1 : 1;
    return 0;
  }
  uint64_t result = 1, factor = bits(base);
  for (uint64_t left = bits(exponent); left != 0; left >>= 1) {
    if (left & 1)
      result *= factor;
    factor *= factor;
  }
  return number(result);
}

static int64_t high_half(int64_t x, int64_t y, int width, bool is_signed) {
  if (is_signed)
    return static_cast<int64_t>((static_cast<__int128>(x) * y) >> width);
  return number(static_cast<uint64_t>(
      (static_cast<unsigned __int128>(bits(x)) * bits(y)) >> width));
}

static IntegerBinary boolean_binary(OpKind op) {
  switch (op) {
  case OpKind::Add:
  case OpKind::Maximum:
  case OpKind::Or:
    return [](int64_t x, int64_t y, int) { return x | y; };
  case OpKind::Multiply:
  case OpKind::Minimum:
  case OpKind::And:
    return [](int64_t x, int64_t y, int) { return x & y; };
  case OpKind::Subtract:
  case OpKind::Xor:
    return [](int64_t x, int64_t y, int) { return x ^ y; };
  default:
    return nullptr;
  }
}

/// Ops that depend on signedness, for unsigned numbers.
static IntegerBinary unsigned_binary(OpKind op) {
  switch (op) {
  case OpKind::Divide:
    return [](int64_t x, int64_t y, int) {
      return y == 0 ? int64_t{-1} : number(bits(x) / bits(y));
    };
  case OpKind::Remainder:
    return [](int64_t x, int64_t y, int) {
      return y == 0 ? x : number(bits(x) % bits(y));
    };
  case OpKind::Maximum:
    return [](int64_t x, int64_t y, int) { return bits(x) > bits(y) ? x : y; };
  case OpKind::Minimum:
    return [](int64_t x, int64_t y, int) { return bits(x) < bits(y) ? x : y; };
  case OpKind::Power:
    return [](int64_t x, int64_t y, int) { return power(x, y, false); };
  case OpKind::ChloMulhi:
    return
        [](int64_t x, int64_t y, int w) { return high_half(x, y, w, false); };
  default:
    return nullptr;
  }
}

static IntegerBinary signed_binary(OpKind op) {
  switch (op) {
  case OpKind::Divide:
    return [](int64_t x, int64_t y, int) {
      if (y == 0)
        return int64_t{-1};
      return y == -1 ? number(0 - bits(x)) : x / y;
    };
  case OpKind::Remainder:
    return [](int64_t x, int64_t y, int) {
      if (y == 0)
        return x;
      return y == -1 ? int64_t{0} : x % y;
    };
  case OpKind::Maximum:
    return [](int64_t x, int64_t y, int) { return x > y ? x : y; };
  case OpKind::Minimum:
    return [](int64_t x, int64_t y, int) { return x < y ? x : y; };
  case OpKind::Power:
    return [](int64_t x, int64_t y, int) { return power(x, y, true); };
  case OpKind::ChloMulhi:
    return [](int64_t x, int64_t y, int w) { return high_half(x, y, w, true); };
  default:
    return nullptr;
  }
}

/// The low `width` bits, as shifts interpret a number.
static uint64_t low_bits(int64_t x, int width) {
  return width == 64 ? bits(x) : bits(x) & ((uint64_t{1} << width) - 1);
}

IntegerBinary integer_binary(OpKind op, ElementType type) {
  if (is_boolean(type))
    return boolean_binary(op);
  switch (op) {
  case OpKind::Add:
    return [](int64_t x, int64_t y, int) { return number(bits(x) + bits(y)); };
  case OpKind::Subtract:
    return [](int64_t x, int64_t y, int) { return number(bits(x) - bits(y)); };
  case OpKind::Multiply:
    return [](int64_t x, int64_t y, int) { return number(bits(x) * bits(y)); };
  case OpKind::And:
    return [](int64_t x, int64_t y, int) { return x & y; };
  case OpKind::Or:
    return [](int64_t x, int64_t y, int) { return x | y; };
  case OpKind::Xor:
    return [](int64_t x, int64_t y, int) { return x ^ y; };
  case OpKind::ShiftLeft:
    return [](int64_t x, int64_t y, int w) {
      uint64_t by = low_bits(y, w);
      return by >= static_cast<uint64_t>(w) ? int64_t{0}
                                            : number(bits(x) << by);
    };
  case OpKind::ShiftRightLogical:
    return [](int64_t x, int64_t y, int w) {
      uint64_t by = low_bits(y, w);
      return by >= static_cast<uint64_t>(w) ? int64_t{0}
                                            : number(low_bits(x, w) >> by);
    };
  case OpKind::ShiftRightArithmetic:
    return [](int64_t x, int64_t y, int w) {
      uint64_t by = std::min<uint64_t>(low_bits(y, w), w - 1);
      auto signed_x = number(low_bits(x, w) << (64 - w)) >> (64 - w);
      return signed_x >> by;
    };
  default:
    return is_unsigned_integer(type) ? unsigned_binary(op) : signed_binary(op);
  }
}

} // namespace xlac::host
