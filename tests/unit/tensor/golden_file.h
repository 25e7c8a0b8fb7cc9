// The cases of tests/golden/<family>.txt: calls with the results and gradients
// that PyTorch gives. A case is
//
//   = name flags…        flags: cpu or xla (on that device only), tolerance=x,
//                        smooth=n (differences tell the first n derivatives)
//   p argument           by place; k name argument: by name
//   r tensor             a result
//   g number tensor      gradient of the operand of that number, for weights
//                        of the results that weight_of() gives
//   e ExceptionClass     instead of results
//
// with arguments of one letter and its values: n None, b bool, i and f numbers,
// c complex number, s string, d dtype, I and F lists, T tensor, L a list of as
// many tensors as it says, each on a line "- T …". A tensor is its dtype,
// layout (of operands: c contiguous, t transposed, s every second column of a
// wider one), sizes ("-" for none), and elements.
#pragma once

#include "dispatch.h"

#include <string>
#include <vector>

namespace xlac::golden {

/// A tensor as the file has it; complex elements are two numbers.
struct TensorText {
  Dtype dtype = kFloat32;
  char layout = 'c';
  Shape sizes;
  std::vector<double> reals;
  std::vector<int64_t> integers; ///< of integer and bool dtypes

  /// A new tensor with these elements in this layout. `dtype` replaces the
  /// file's.
  Tensor make(Device device, std::optional<Dtype> dtype = {}) const;
};

/// A tensor operand, or several; else `other`.
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

  /// "pointwise.txt:12 add", for messages.
  std::string place() const;
};

/// Names of the files, in order.
std::vector<std::string> families();
/// Throws std::runtime_error with the place of a line that cannot be read.
std::vector<Case> read_cases(const std::string &family);

/// The weight of element `index` of result `number` in what gradients are of;
/// of a complex result, w + 0.5 w i.
double weight_of(size_t number, size_t index);

} // namespace xlac::golden
