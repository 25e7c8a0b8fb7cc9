// The cases of tests/golden/<family>.txt: calls with PyTorch's results and
// gradients. A case is
//
//   = name flags…        flags: cpu or xla (on that device only), tolerance=x,
//                        smooth=n (differences check the first n derivatives)
//   p argument           positional; k name argument: by name
//   r tensor             a result
//   g number tensor      gradient of the operand of that number, for the result
//                        weights of weight_of()
//   e ExceptionClass     instead of results
//
// with arguments of one letter and a value: n None, b bool, i and f numbers,
// c complex number, s string, d dtype, I and F lists, T tensor, L a list of the
// given number of tensors, each on a line "- T …". A tensor is its dtype,
// layout (for operands: c contiguous, t transposed, s every second column of a
// wider one), sizes ("-" for none), and elements.
#pragma once

#include "dispatch.h"

#include <string>
#include <vector>

namespace xlac::golden {

/// A tensor of the file; complex elements are two numbers.
struct TensorText {
  Dtype dtype = kFloat32;
  char layout = 'c';
  Shape sizes;
  std::vector<double> reals;
  std::vector<int64_t> integers; ///< for integer and bool dtypes

  /// Makes a new tensor with these elements in this layout. `dtype` replaces
  /// the file's.
  Tensor make(Device device, std::optional<Dtype> dtype = {}) const;
};

/// A tensor operand, or several; otherwise `other`.
struct ArgumentText {
  std::vector<TensorText> tensors;
  bool is_list = false;
  dispatch::Argument other;
};

struct Case {
  std::string family, name;
  int line = 0;
  std::vector<ArgumentText> positional;
  std::vector<std::pair<std::string, ArgumentText>> named;
  std::vector<TensorText> results;
  std::vector<std::pair<size_t, TensorText>> gradients;
  std::string error, only_device;
  double tolerance = 0; ///< 0: the dtype's
  int smooth = 0;

  /// Returns "pointwise.txt:12 add", for messages.
  std::string place() const;
};

/// Returns the names of the files in order.
std::vector<std::string> families();
/// Throws std::runtime_error with the location of an invalid line.
std::vector<Case> read_cases(const std::string &family);

/// Returns the weight of element `index` of result `number` in the sum whose
/// gradients are checked. For a complex result it is w + 0.5 w i.
double weight_of(size_t number, size_t index);

} // namespace xlac::golden
