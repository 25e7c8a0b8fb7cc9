// Element types, shapes and layouts of the interface, and copies between
// layouts. Buffers of devices are row-major; each element has at least one
// byte.
#pragma once

#include "c_api.h"

#include "xlac/support/element_type.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xlac::pjrt {

/// Returns the corresponding element type; throws Error if there is none.
ElementType element_type_of(PJRT_Buffer_Type type);
/// Returns the corresponding buffer type; throws Error if there is none.
PJRT_Buffer_Type buffer_type_of(ElementType type);

/// A valid shape. Tokens have no bytes.
struct Shape {
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims;
  int64_t element_bytes = 1, bytes = 0;
};
/// Returns the shape. Throws Error for unknown types, negative sizes, and byte
/// counts that do not fit in int64_t.
Shape make_shape(PJRT_Buffer_Type type, std::span<const int64_t> dims);

/// The distance in bytes between consecutive indices of each dimension. Strides
/// of host memory may be zero or negative.
using Strides = std::vector<int64_t>;

/// Returns the strides of a row-major array.
Strides row_major_strides(const Shape &shape);
/// Returns the strides of a layout; row-major ones if `layout` is null. Throws
/// Error for layouts with tiles and for layouts that do not match the shape.
Strides strides_of(const Shape &shape, const PJRT_Buffer_MemoryLayout *layout);
/// Whether elements with these strides are stored as in a row-major array.
/// Strides of dimensions of size 1 and of empty arrays are ignored.
bool is_row_major(const Shape &shape, const Strides &strides);

/// Copies all elements of an array. `from` and `to` are the addresses of
/// element 0. The arrays must not overlap.
void copy_elements(const Shape &shape, const std::byte *from,
                   const Strides &from_strides, std::byte *to,
                   const Strides &to_strides);

/// Sign- or zero-extends each element of fewer than 8 bits to its byte, as
/// devices require. Hosts may pass any values in the unused bits.
void normalize(const Shape &shape, std::byte *data);
/// Whether elements have fewer than 8 bits, so that normalize() may change
/// them. False for booleans and tokens.
bool is_narrow(PJRT_Buffer_Type type);

} // namespace xlac::pjrt
