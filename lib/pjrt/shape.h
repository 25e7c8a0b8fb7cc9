// Element types, shapes and layouts of the interface, and copies between
// layouts. Memory of devices is row-major, one element a byte at least.
#pragma once

#include "c_api.h"

#include "xlac/support/element_type.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xlac::pjrt {

/// Throws for types that the other side does not have.
ElementType element_type_of(PJRT_Buffer_Type type);
PJRT_Buffer_Type buffer_type_of(ElementType type);

/// A shape of the interface, checked: sizes are not negative, and the whole
/// fits into memory's address range. Tokens are arrays of no elements.
struct Shape {
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims;
  int64_t element_bytes = 1, bytes = 0;
};
Shape make_shape(PJRT_Buffer_Type type, std::span<const int64_t> dims);

using Strides = std::vector<int64_t>;

Strides row_major_strides(const Shape &shape);
/// Distances in bytes that a layout says; row-major without one. Throws for
/// tiles and for what does not fit the shape.
Strides strides_of(const Shape &shape, const PJRT_Buffer_MemoryLayout *layout);
/// True if elements lie in memory as row-major ones do.
bool is_row_major(const Shape &shape, const Strides &strides);

/// Copies elements from one arrangement to another, which do not overlap.
void copy_elements(const Shape &shape, const std::byte *from,
                   const Strides &from_strides, std::byte *to,
                   const Strides &to_strides);

/// Brings elements narrower than a byte into the form that devices keep, from
/// whatever the host has in the other bits.
void normalize(const Shape &shape, std::byte *data);
/// True if normalize() may change something.
bool is_narrow(PJRT_Buffer_Type type);

} // namespace xlac::pjrt
