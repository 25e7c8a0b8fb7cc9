// Triangular solves whose kind of matrix is known only at run time.
#pragma once

#include <Eigen/Core>

namespace xlac::library {

/// Solves with `a` as it is; `Mode` selects the triangle of `a` to read.
template <unsigned Mode, class A, class X>
void solve_side(const A &a, X &x, bool left) {
  if (left)
    a.template triangularView<Mode>().solveInPlace(x);
  else
    a.template triangularView<Mode>().template solveInPlace<Eigen::OnTheRight>(
        x);
}

/// Overwrites x with the solution y of a y = x if `left`, else of y a = x. With
/// `unit` the diagonal of `a` is taken as ones.
template <class A, class X>
void solve_triangle(const A &a, X &x, bool left, bool lower, bool unit) {
  // Eigen forms references into an empty matrix.
  if (x.size() == 0)
    return;
  if (lower && unit)
    solve_side<Eigen::UnitLower>(a, x, left);
  else if (lower)
    solve_side<Eigen::Lower>(a, x, left);
  else if (unit)
    solve_side<Eigen::UnitUpper>(a, x, left);
  else
    solve_side<Eigen::Upper>(a, x, left);
}

} // namespace xlac::library
