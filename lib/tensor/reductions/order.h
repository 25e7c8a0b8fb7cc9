// Sorting of graph values.
#pragma once

#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// A tensor's value of rank 1 at least, and the dim that is sorted.
struct Row {
  Device device;
  Dtype dtype;
  Shape sizes;
  int64_t dim;
  Value value;

  int64_t length() const { return value.tensor().dims[dim]; }
};
/// Throws DtypeError for complex numbers.
Row prepare_row(const Tensor &self, int64_t dim);

/// Sorted elements and their original indices.
struct Sorted {
  Value values, indices;
};
Sorted sort_row(const Row &row, bool descending);

/// Makes the two result tensors from values and int64 indices.
std::tuple<Tensor, Tensor> finish_row(const Row &row, Value values,
                                      Value indices);

} // namespace xlac::frontend
