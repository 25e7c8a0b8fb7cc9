// Line search for a point that satisfies the strong Wolfe conditions (Nocedal
// and Wright, Numerical Optimization, 3.5), with the same steps as PyTorch.
#pragma once

#include <functional>

namespace xlac::optim {

/// A point on the line: its distance from the start, and loss and slope there.
struct Along {
  double length = 0, loss = 0, slope = 0;
};

/// Returns one of the points that `evaluate` returned, or `start`, which has
/// length 0. Tries `first` first, and does not divide brackets shorter than
/// `least`.
Along strong_wolfe(const Along &start, double first, double least,
                   const std::function<Along(double)> &evaluate);

} // namespace xlac::optim
