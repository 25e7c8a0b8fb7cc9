// Estimates of functions of one operand, accurate to a few ULP of double and
// much cheaper than the references. They process blocks with glibc's libmvec
// where this machine has it. An estimate never decides a test; it only selects
// the operands for which the reference is evaluated.
#pragma once

#include "functions.h"

#include <functional>
#include <span>

namespace xlac::accuracy {

struct Estimator {
  /// Computes the function at each operand.
  std::function<void(std::span<const double> operands, double *results)> many;
  /// The maximum error besides a relative one of 2^-43, which is negligible in
  /// a sweep of f32.
  double slack = 0;
};

/// Returns the estimator of `function`, or its double reference if it has none.
Estimator estimatorOf(const Function &function);

} // namespace xlac::accuracy
