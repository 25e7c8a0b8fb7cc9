// What functions of one operand give, to within a few ULP of double and many
// times cheaper than the references: whole blocks at a time, in the vectors of
// glibc's libmvec where this machine has it. An estimate never decides; it
// tells of which operands the reference need not be asked.
#pragma once

#include "functions.h"

#include <functional>
#include <span>

namespace xlac::accuracy {

struct Estimator {
  /// Writes what the function gives at each operand.
  std::function<void(std::span<const double> operands, double *results)> many;
  /// How far off it may be besides a part in 2^43 of the result, which a sweep
  /// of f32 cannot tell from nothing.
  double slack = 0;
};

/// That of `function`; where there is none, its reference for doubles.
Estimator estimatorOf(const Function &function);

} // namespace xlac::accuracy
