// The operands of a sweep, each made from its number.
#pragma once

#include "functions.h"

#include <cstdint>

namespace xlac::accuracy {

/// `x` and `y` are values of the type, held as double.
struct Operands {
  double x, y;
};

/// f16 and bf16 are always swept in full; one in `every` of f32 is, besides a
/// sample of what lies between -32 and 32; f64 and pairs always in samples,
/// large ones where `dense`.
struct Density {
  unsigned every = 9001; ///< odd, so that the low bits of mantissas vary
  bool dense = false;
};

class Samples {
public:
  Samples(Domain domain, Type type, Density density);
  uint64_t count() const { return count_; }
  Operands at(uint64_t number) const;
  /// Those from `begin` on, one operand each, in f32.
  void fill(uint64_t begin, std::span<float> operands) const;

private:
  double unary(uint64_t number) const;
  Operands pair(uint64_t number) const;

  Domain domain_;
  Type type_;
  uint64_t count_;
  uint64_t grid_;   ///< how many stand for all bit patterns
  uint64_t stride_; ///< between those patterns
};

/// The value of `type` nearest to `value`, for f16 and bf16; f32 and f64 by the
/// language's conversion.
double rounded(Type type, double value);
/// The value whose bits are `bits`.
double decoded(Type type, uint64_t bits);
/// The value of `type` next to x in the direction of y.
double neighbour(Type type, double x, double y);

} // namespace xlac::accuracy
