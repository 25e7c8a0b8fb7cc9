// Access to host memory through strides. Offsets and strides count elements.
// Callers ensure that all positions are within the memory.
#pragma once

#include "xlac/host/literal.h"

#include <vector>

namespace xlac::host {

/// Strides of dense row-major elements; sizes of 0 count as 1.
std::vector<int64_t> dense_strides(const std::vector<int64_t> &dims);

/// The elements of `memory` at offset + position · strides, in row-major order.
/// Strides of 0 and overlaps are allowed. Dense ranges share the memory; others
/// are copied.
Result<Literal> read_strided(const Literal &memory, const TensorType &type,
                             const std::vector<int64_t> &strides,
                             int64_t offset);

/// Writes the elements of `from` to `memory`, which has the same element size,
/// at offset + position · strides, in ascending order of positions.
void write_strided(Literal &memory, const Literal &from,
                   const std::vector<int64_t> &strides, int64_t offset);

/// A position in a dense row-major array of sizes `dims`.
struct DenseIndex {
  const std::vector<int64_t> &dims, &begin;
};

/// Copies a box of `size` elements of `element_size` bytes, which lies within
/// both arrays, row by row. Copies nothing if a size is 0.
void copy_box(std::byte *to, const DenseIndex &target, const std::byte *from,
              const DenseIndex &source, const std::vector<int64_t> &size,
              int64_t element_size);

} // namespace xlac::host
