// The functions whose accuracy is kept on paper, each with what it ought to
// give and the bounds that the short test holds.
#pragma once

#include "references.h"

#include <span>

namespace xlac::accuracy {

enum class Type { F16, BF16, F32, F64 };
inline constexpr Type kTypes[] = {Type::F16, Type::BF16, Type::F32, Type::F64};

/// Where the second operand of a function of two is taken from, and on which
/// operands it has a meaning.
enum class Domain {
  Unary,     ///< one operand: every value
  Any,       ///< every pair
  Power,     ///< every pair, most with a result that is finite
  Zeta,      ///< x > 1 and q > 0
  Polygamma, ///< whole n from 1 to 12 and x > 0
  Neighbour, ///< every pair; the result is a value of the type next to x
};

/// One or two operands; the second is not looked at where there is one.
using Narrow = double (*)(double, double);
using WideFunction = Wide (*)(Wide, Wide);

struct Function {
  const char *op;
  Domain domain;
  Narrow narrow;     ///< for f16, bf16 and f32; null for neighbours
  WideFunction wide; ///< for f64
  /// Largest errors in ULP that a sweep may find: those of the op table.
  double boundHalf, bound32, bound64;
  /// f64 results below it are measured in its ULP: for zeros between others.
  double floor64;
  /// What is aimed at in f32; the table has larger figures in bold.
  double aim32;
  const char *note = ""; ///< what a reader of the table ought to know
};

/// Every function that rounds, by the order of the op table.
std::span<const Function> functions();

/// The bound of `function` for `type`.
double boundOf(const Function &function, Type type);

} // namespace xlac::accuracy
