// The optimizers of make_expected.py and the same steps.
#pragma once

#include "expected.h"

#include "xlac/optim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace xlac::optim::expected {
inline void PrintTo(const OptimizerCase &shown, std::ostream *os) {
  *os << shown.name;
}
inline void PrintTo(const ScheduleCase &shown, std::ostream *os) {
  *os << shown.name;
}
} // namespace xlac::optim::expected

namespace xlac::optim::cases {

/// Returns the name of a test case.
template <class Case>
std::string test_name(const testing::TestParamInfo<Case> &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// Makes the optimizer of make_expected.py with this name.
std::unique_ptr<Optimizer> make(const std::string &name,
                                std::vector<Tensor> params);

/// Returns the initial values of the two parameters.
std::vector<Tensor> start(Dtype dtype, Device device);

/// Sets the gradients of step `step`, which depend on the parameters.
void set_gradients(const std::vector<Tensor> &params, int step);

/// Returns the values of both parameters.
std::vector<double> values(const std::vector<Tensor> &params);

} // namespace xlac::optim::cases
