// Gradients of golden cases: compared with PyTorch's, and with differences.
#pragma once

#include "golden_run.h"

namespace xlac::golden {

/// The gradients of a case's operands, pending or computed.
class GradientRun {
public:
  GradientRun(const Case &each, Device device);
  /// Returns the differences from PyTorch's, one per line.
  std::vector<std::string> check();

private:
  void complain(const std::string &what);

  const Case &case_;
  const Device device_;
  std::vector<Tensor> gradients_;
  std::vector<std::string> complaints_;
};

/// Compares first and, if the case is smooth enough, second derivatives on the
/// cpu in f64 with central differences.
std::vector<std::string> check_differences(const Case &each);

} // namespace xlac::golden
