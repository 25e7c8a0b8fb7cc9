// Comparison of results with expected arrays, within tolerances.
#pragma once

#include "npy.h"

#include <cstdint>
#include <optional>
#include <string>

namespace xlac::cli {

/// An element matches if |got - expected| <= absolute + relative * |expected|.
/// NaN matches NaN, and an infinity matches the same infinity. Complex numbers
/// are compared by the modulus of their difference. Unset tolerances are those
/// of the element type: see default_tolerance.
struct Tolerances {
  std::optional<double> absolute, relative;
};

struct Tolerance {
  double absolute = 0, relative = 0;
};

/// The tolerances that PyTorch's assert_close has for the type; for types that
/// it lacks, a relative one of one unit in the last place. 0 for integers and
/// booleans.
Tolerance default_tolerance(ElementType type);

/// The elements that do not match.
struct Mismatch {
  int64_t count = 0, elements = 0; ///< that differ, and in all
  int64_t worst = 0;               ///< the flat index of the worst one
  std::string index;               ///< the same as "[1, 2]"
  std::string got, expected;       ///< its values
  double error = 0;                ///< |got - expected|; NaN if undefined
  double allowed = 0;              ///< the tolerance at this element
  Tolerance tolerance;
};

/// Compares arrays of the same type. The worst element is the one whose error
/// is the largest multiple of its tolerance. Nothing if all elements match.
std::optional<Mismatch> find_mismatch(const HostArray &got,
                                      const HostArray &expected,
                                      const Tolerances &tolerances);

/// "2 of 6 elements differ, worst at [1, 2]: got 1.5, expected 1 (error 0.5,
/// allowed 1.1e-05)".
std::string to_string(const Mismatch &mismatch);

} // namespace xlac::cli
