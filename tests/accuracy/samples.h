// The operands of a sweep, each computed from its number.
#pragma once

#include "functions.h"

#include <cstdint>

namespace xlac::accuracy {

/// Values of the type, stored as double.
struct Operands {
  double x, y;
};

/// f16 and bf16 are always swept completely. f32 is swept at one value in
/// `every`, with additional samples between -32 and 32. f64 and pairs are
/// always sampled, with more samples if `dense`.
struct Density {
  unsigned every = 9001; ///< odd, so that the low bits of mantissas vary
  bool dense = false;
};

class Samples {
public:
  Samples(Domain domain, Type type, Density density);
  uint64_t count() const { return count_; }
  Operands at(uint64_t number) const;
  /// Computes unary f32 operands from number `begin` on.
  void fill(uint64_t begin, std::span<float> operands) const;

private:
  double unary(uint64_t number) const;
  Operands pair(uint64_t number) const;

  Domain domain_;
  Type type_;
  uint64_t count_;
  uint64_t grid_;   ///< number of swept bit patterns
  uint64_t stride_; ///< the distance of these patterns
};

/// Rounds `value` to `type`: f16 and bf16 to nearest, f32 and f64 by C++
/// conversion.
double rounded(Type type, double value);
/// Returns the value with the bits `bits`.
double decoded(Type type, uint64_t bits);
/// Returns the value of `type` next to x in the direction of y.
double neighbour(Type type, double x, double y);

} // namespace xlac::accuracy
