// Searches along a line for a point that satisfies the strong Wolfe conditions
// (Nocedal and Wright, Numerical Optimization, 3.5), by the steps that PyTorch
// takes.
#pragma once

#include <functional>

namespace xlac::optim {

/// A point of the line: how far along it is, and loss and slope there.
struct Along {
  double length = 0, loss = 0, slope = 0;
};

/// One of the points that `evaluate` gave, or `start`, from which lengths
/// count. `first` is tried first; brackets shorter than `least` are not divided
/// further.
Along strong_wolfe(const Along &start, double first, double least,
                   const std::function<Along(double)> &evaluate);

} // namespace xlac::optim
