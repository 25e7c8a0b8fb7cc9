// Runs golden cases on one device and compares what comes out.
#pragma once

#include "golden_file.h"

namespace xlac::golden {

/// The operands of a call, made anew, in the order of the file.
struct Prepared {
  dispatch::Call call;
  std::vector<Tensor> operands;
};

/// The dtype that a test wants in place of the file's.
using Retype = std::function<Dtype(Dtype)>;
Prepared prepare(const Case &each, Device device, const Retype &retype = {});
/// f64 for floating dtypes, complex128 for complex ones.
Dtype widened(Dtype dtype);

/// Calls what `prepared` says. A function that writes into its operand gets a
/// copy of it.
dispatch::Results evaluate(const Prepared &prepared);

/// Elements as reals; a complex one is two.
std::vector<double> reals_of(const Tensor &tensor);

/// Empty, or how `actual` differs from `expected`; `tolerance` is relative to
/// the largest element, 0 stands for the dtype's.
std::string difference(const Tensor &actual, const TensorText &expected,
                       double tolerance);
std::string difference(const Tensor &actual, const Tensor &expected,
                       double tolerance);

/// A case whose results, also of its other forms, are pending or there.
class Run {
public:
  Run(const Case &each, Device device);
  /// What went wrong, a line each.
  std::vector<std::string> check();

private:
  void run_in_place();
  void run_out();
  void check_error();
  void complain(const std::string &what);

  const Case &case_;
  const Device device_;
  dispatch::Results results_, in_place_, out_;
  std::string error_;
  std::vector<std::string> complaints_;
};

/// "ShapeError" and the like: the class of the exception being handled.
std::string exception_class();
/// Whether an exception of class `thrown` is one of class `wanted`.
bool is_kind_of(const std::string &thrown, const std::string &wanted);

} // namespace xlac::golden
