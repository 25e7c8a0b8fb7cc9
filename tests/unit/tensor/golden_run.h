// Runs golden cases on one device and compares the results.
#pragma once

#include "golden_file.h"

namespace xlac::golden {

/// The operands of a call, newly made, in the order of the file.
struct Prepared {
  dispatch::Call call;
  std::vector<Tensor> operands;
};

/// Maps the dtypes of the file to those of the test.
using Retype = std::function<Dtype(Dtype)>;
Prepared prepare(const Case &each, Device device, const Retype &retype = {});
/// Returns f64 for floating dtypes and complex128 for complex ones.
Dtype widened(Dtype dtype);

/// Makes the call of `prepared`. A function that writes to its operand gets a
/// copy of it.
dispatch::Results evaluate(const Prepared &prepared);

/// Returns the elements as reals; a complex one is two.
std::vector<double> reals_of(const Tensor &tensor);

/// Returns "" or the difference of `actual` from `expected`. `tolerance` is
/// relative to the largest element; 0 means that of the dtype.
std::string difference(const Tensor &actual, const TensorText &expected,
                       double tolerance);
std::string difference(const Tensor &actual, const Tensor &expected,
                       double tolerance);

/// A case whose results, including those of its other forms, are pending or
/// computed.
class Run {
public:
  Run(const Case &each, Device device);
  /// Returns the failures, one per line.
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

/// Returns the class of the current exception, such as "ShapeError".
std::string exception_class();
/// Whether the class `thrown` is or derives from `wanted`.
bool is_kind_of(const std::string &thrown, const std::string &wanted);

} // namespace xlac::golden
