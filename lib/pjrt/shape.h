// Element types, shapes and layouts of the interface, and copies between
// layouts. The elements of a device's buffer follow each other without gaps;
// each has at least one byte.
#pragma once

#include "c_api.h"

#include "xlac/support/element_type.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// A layout as hosts handle it: XLA's text, such as "{1,0}".
struct PJRT_Layouts_MemoryLayout {
  std::string text;
};

namespace xlac::pjrt {

/// Returns the corresponding element type; throws Error if there is none.
ElementType element_type_of(PJRT_Buffer_Type type);
/// Returns the corresponding buffer type; throws Error if there is none.
PJRT_Buffer_Type buffer_type_of(ElementType type);

/// A valid shape with the layout of its elements on devices. Tokens have no
/// bytes.
struct Shape {
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims;
  /// The dimensions from the one whose elements are next to each other on.
  std::vector<int64_t> minor_to_major;
  int64_t element_bytes = 1, bytes = 0;
};
/// Returns the shape in row-major layout. Throws Error for unknown types,
/// negative sizes, and byte counts that do not fit in int64_t.
Shape make_shape(PJRT_Buffer_Type type, std::span<const int64_t> dims);
/// Gives the shape that layout; row-major if `layout` is null. Throws Error for
/// layouts with tiles or gaps and for layouts that do not match the shape.
void set_layout(Shape &shape, const PJRT_Buffer_MemoryLayout *layout);
/// Returns the layout as XLA's text.
std::string layout_text(const Shape &shape);

/// The distance in bytes between consecutive indices of each dimension. Strides
/// of host memory may be zero or negative.
using Strides = std::vector<int64_t>;

/// Returns the strides of a row-major array.
Strides row_major_strides(const Shape &shape);
/// Returns the strides on devices.
Strides device_strides(const Shape &shape);
/// Returns the strides of a layout. Throws Error for layouts with tiles and for
/// layouts that do not match the shape. Reads the whole struct: versions of XLA
/// such as that of PyTorch/XLA 2.9 leave its struct_size uninitialized.
Strides strides_of(const Shape &shape, const PJRT_Buffer_MemoryLayout &layout);
/// Whether the strides place all elements alike. Strides of dimensions of size
/// 1 and of empty arrays are ignored.
bool are_equal(const Shape &shape, const Strides &a, const Strides &b);

/// Copies all elements of an array. `from` and `to` are the addresses of
/// element 0. The arrays must not overlap, and one of them has no gaps.
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
