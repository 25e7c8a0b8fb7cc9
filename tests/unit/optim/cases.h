// The optimizers of make_expected.py and the steps that they take there.
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

/// What tests of a case are called.
template <class Case>
std::string test_name(const testing::TestParamInfo<Case> &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// The optimizer that make_expected.py has by this name.
std::unique_ptr<Optimizer> make(const std::string &name,
                                std::vector<Tensor> params);

/// The two parameters at their start.
std::vector<Tensor> start(Dtype dtype, Device device);

/// Sets the gradients of step `step`, which depend on the parameters.
void set_gradients(const std::vector<Tensor> &params, int step);

/// Both parameters in a row.
std::vector<double> values(const std::vector<Tensor> &params);

} // namespace xlac::optim::cases
