// Gradients of golden cases: against PyTorch's, and against differences.
#pragma once

#include "golden_run.h"

namespace xlac::golden {

/// The gradients of a case's operands, pending or there.
class GradientRun {
public:
  GradientRun(const Case &each, Device device);
  /// What differs from PyTorch's, a line each.
  std::vector<std::string> check();

private:
  void complain(const std::string &what);

  const Case &case_;
  const Device device_;
  std::vector<Tensor> gradients_;
  std::vector<std::string> complaints_;
};

/// First, and where the case is smooth enough second, derivatives on the cpu in
/// f64 against central differences.
std::vector<std::string> check_differences(const Case &each);

} // namespace xlac::golden
