// Triangular solves with what a matrix is like known only at run time.
#pragma once

#include <Eigen/Core>

namespace xlac::library {

/// Solves with `a` as it stands; `Mode` names the triangle of `a` to read.
template <unsigned Mode, class A, class X>
void solve_side(const A &a, X &x, bool left) {
  if (left)
    a.template triangularView<Mode>().solveInPlace(x);
  else
    a.template triangularView<Mode>().template solveInPlace<Eigen::OnTheRight>(
        x);
}

/// x becomes the solution y of a y = x with `left`, of y a = x without; `unit`
/// takes the diagonal of `a` for ones.
template <class A, class X>
void solve_triangle(const A &a, X &x, bool left, bool lower, bool unit) {
  // Eigen forms references into a matrix without memory.
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
