// The functions whose accuracy is documented, each with its reference and the
// bounds of the short test.
#pragma once

#include "references.h"

#include <span>

namespace xlac::accuracy {

enum class Type { F16, BF16, F32, F64 };
inline constexpr Type kTypes[] = {Type::F16, Type::BF16, Type::F32, Type::F64};

/// The source of the second operand, and the domain of the function.
enum class Domain {
  Unary,     ///< one operand: every value
  Any,       ///< every pair
  Power,     ///< every pair, mostly with a finite result
  Zeta,      ///< x > 1 and q > 0
  Polygamma, ///< integers n from 1 to 12 and x > 0
  Neighbour, ///< every pair; the result is the value of the type next to x
};

/// One or two operands; unary functions ignore the second.
using Narrow = double (*)(double, double);
using WideFunction = Wide (*)(Wide, Wide);

struct Function {
  const char *op;
  Domain domain;
  Narrow narrow;     ///< for f16, bf16 and f32; null for Neighbour
  WideFunction wide; ///< for f64
  /// The largest allowed errors in ULP, from the op table.
  double boundHalf, bound32, bound64;
  /// Smaller f64 results are measured in the ULP of this number, since relative
  /// errors are large near zeros.
  double floor64;
  /// The target in f32; the table prints larger errors in bold.
  double aim32;
  const char *note = ""; ///< a remark for the table
};

/// Returns every function that rounds, in the order of the op table.
std::span<const Function> functions();

/// Returns the bound of `function` for `type`.
double boundOf(const Function &function, Type type);

} // namespace xlac::accuracy
