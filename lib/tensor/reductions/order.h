// Sorting as other functions use it.
#pragma once

#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// A tensor's value with rank 1 at least, and the dim that is sorted.
struct Row {
  Device device;
  Dtype dtype;
  Shape sizes;
  int64_t dim;
  Value value;

  int64_t length() const { return value.tensor().dims[dim]; }
};
/// DtypeError for complex numbers.
Row prepare_row(const Tensor &self, int64_t dim);

/// Elements in order and where each stood.
struct Sorted {
  Value values, indices;
};
Sorted sort_row(const Row &row, bool descending);

/// Where the elements of one part of a row lie: values and indices as two
/// tensors, `dim` having `size` elements, or none where `size` is 0.
std::tuple<Tensor, Tensor> finish_row(const Row &row, Value values,
                                      Value indices);

} // namespace xlac::frontend
