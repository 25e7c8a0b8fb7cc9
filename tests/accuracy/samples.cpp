#include "samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace xlac::accuracy {

static const double kSpecial[] = {
    0.0,    -0.0,   1.0,      -1.0,      0.5,    -0.5,      2.0,    -2.0,
    3.0,    -3.0,   HUGE_VAL, -HUGE_VAL, NAN,    88.72,     -103.9, 709.7,
    -745.0, -708.5, 5e-324,   1e-45,     -1e-45, 1.7e308,   3.4e38, -3.4e38,
    65504,  33.3,   1.0001,   0.99999,   6.5e-5, 1e7 + 1.0, 1e30,   -1e30};

/// Hashes a number (the finalizer of SplitMix64).
static uint64_t mixed(uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Converts to [0, 1).
static double fraction(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

static bool isHalf(Type type) {
  return type == Type::F16 || type == Type::BF16;
}

Samples::Samples(Domain domain, Type type, Density density)
    : domain_(domain), type_(type), stride_(1) {
  if (domain != Domain::Unary) {
    grid_ = count_ = density.dense ? 1 << 21 : 1 << 17;
  } else if (isHalf(type)) {
    grid_ = count_ = 1 << 16;
  } else if (type == Type::F32) {
    stride_ = density.every;
    grid_ = ((1ull << 32) + stride_ - 1) / stride_;
    count_ = grid_ + (1 << 18);
  } else {
    stride_ = density.dense ? 1099511627791ull : 92233720368547ull;
    grid_ = ~0ull / stride_;
    count_ = grid_ + grid_ / 2;
  }
}

double Samples::unary(uint64_t number) const {
  if (number < grid_)
    return decoded(type_, number * stride_);
  number -= grid_;
  if (number < std::size(kSpecial))
    return rounded(type_, kSpecial[number]);
  // Additional samples where functions vary: half of them in [-32, 32), a
  // quarter near 0 and ±1, and the rest with magnitudes of 2^-30 to 2^10.
  uint64_t bits = mixed(number);
  switch (number % 4) {
  case 0:
  case 1:
    return rounded(type_, fraction(bits) * 64 - 32);
  case 2:
    return rounded(type_, fraction(bits) * 2.5 - 1.25);
  default:
    return rounded(type_, std::copysign(std::exp2(fraction(bits) * 40 - 30),
                                        bits & 1 ? 1 : -1));
  }
}

Operands Samples::pair(uint64_t number) const {
  uint64_t first = mixed(2 * number), second = mixed(2 * number + 1);
  double x = decoded(type_, first), y = decoded(type_, second);
  uint64_t special = std::size(kSpecial);
  if (number < special * special) {
    x = kSpecial[number / special], y = kSpecial[number % special];
  } else if (number % 3 == 1) {
    x = fraction(first) * 64 - 32, y = fraction(second) * 64 - 32;
  } else if (number % 3 == 2) {
    x = std::exp2(fraction(first) * 24 - 12);
    y = (fraction(second) - 0.5) * 24;
  }
  switch (domain_) {
  case Domain::Power:
    // The logarithms of the results cover the range of the type.
    if (number % 3 == 2) {
      double reach = type_ == Type::F64 ? 1080 : type_ == Type::F16 ? 26 : 150;
      y = (fraction(second) * 2 - 1) * reach / std::fabs(std::log2(x));
    }
    break;
  case Domain::Zeta:
    x = 1 + std::exp2(fraction(first) * 12 - 6);
    y = std::exp2(fraction(second) * 16 - 6);
    break;
  case Domain::Polygamma:
    x = double(1 + first % 12);
    y = std::exp2(fraction(second) * 16 - 6);
    break;
  default:
    break;
  }
  return {rounded(type_, x), rounded(type_, y)};
}

Operands Samples::at(uint64_t number) const {
  if (domain_ == Domain::Unary)
    return {unary(number), 0};
  return pair(number);
}

void Samples::fill(uint64_t begin, std::span<float> operands) const {
  size_t i = 0;
  if (type_ == Type::F32 && begin < grid_) {
    // Consecutive bit patterns need no case distinction.
    size_t plain = std::min<uint64_t>(operands.size(), grid_ - begin);
    for (; i < plain; ++i)
      operands[i] =
          std::bit_cast<float>(static_cast<uint32_t>((begin + i) * stride_));
  }
  for (; i < operands.size(); ++i)
    operands[i] = static_cast<float>(unary(begin + i));
}

double decoded(Type type, uint64_t bits) {
  switch (type) {
  case Type::F16:
    return double(std::bit_cast<_Float16>(uint16_t(bits)));
  case Type::BF16:
    return std::bit_cast<float>(uint32_t(bits & 0xffff) << 16);
  case Type::F32:
    return std::bit_cast<float>(uint32_t(bits));
  case Type::F64:
    return std::bit_cast<double>(bits);
  }
  return 0;
}

double rounded(Type type, double value) {
  switch (type) {
  case Type::F16:
    return double(_Float16(value));
  case Type::BF16: {
    // Rounds to f32, then to nearest even with 16 bits.
    float single = static_cast<float>(value);
    if (!std::isfinite(single))
      return single;
    uint32_t bits = std::bit_cast<uint32_t>(single);
    bits += 0x7fff + ((bits >> 16) & 1);
    return std::bit_cast<float>(bits & 0xffff0000u);
  }
  case Type::F32:
    return static_cast<float>(value);
  case Type::F64:
    return value;
  }
  return value;
}

/// Returns the next bit pattern of the type.
template <class Bits>
static Bits stepped(Bits pattern, Bits signOfZero, bool isZero, bool away) {
  if (isZero)
    return signOfZero | 1;
  return static_cast<Bits>(away ? pattern + 1 : pattern - 1);
}

double neighbour(Type type, double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  if (x == y)
    return y;
  bool away = (y > x) == (x > 0);
  switch (type) {
  case Type::F16: {
    auto bits = std::bit_cast<uint16_t>(_Float16(x));
    uint16_t sign = std::signbit(y) ? 0x8000 : 0;
    return decoded(type, stepped<uint16_t>(bits, sign, x == 0, away));
  }
  case Type::BF16: {
    auto bits = uint16_t(std::bit_cast<uint32_t>(float(x)) >> 16);
    uint16_t sign = std::signbit(y) ? 0x8000 : 0;
    return decoded(type, stepped<uint16_t>(bits, sign, x == 0, away));
  }
  case Type::F32:
    return std::nextafter(float(x), float(y));
  case Type::F64:
    return std::nextafter(x, y);
  }
  return x;
}

} // namespace xlac::accuracy
