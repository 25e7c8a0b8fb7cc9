#include "shape.h"

#include "errors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace xlac::pjrt {
namespace {

struct TypePair {
  PJRT_Buffer_Type theirs;
  ElementType ours;
};

constexpr TypePair kTypes[] = {
    {PJRT_Buffer_Type_PRED, ElementType::I1},
    {PJRT_Buffer_Type_S2, ElementType::I2},
    {PJRT_Buffer_Type_S4, ElementType::I4},
    {PJRT_Buffer_Type_S8, ElementType::I8},
    {PJRT_Buffer_Type_S16, ElementType::I16},
    {PJRT_Buffer_Type_S32, ElementType::I32},
    {PJRT_Buffer_Type_S64, ElementType::I64},
    {PJRT_Buffer_Type_U2, ElementType::UI2},
    {PJRT_Buffer_Type_U4, ElementType::UI4},
    {PJRT_Buffer_Type_U8, ElementType::UI8},
    {PJRT_Buffer_Type_U16, ElementType::UI16},
    {PJRT_Buffer_Type_U32, ElementType::UI32},
    {PJRT_Buffer_Type_U64, ElementType::UI64},
    {PJRT_Buffer_Type_F16, ElementType::F16},
    {PJRT_Buffer_Type_F32, ElementType::F32},
    {PJRT_Buffer_Type_F64, ElementType::F64},
    {PJRT_Buffer_Type_BF16, ElementType::BF16},
    {PJRT_Buffer_Type_C64, ElementType::Complex64},
    {PJRT_Buffer_Type_C128, ElementType::Complex128},
    {PJRT_Buffer_Type_F8E5M2, ElementType::F8E5M2},
    {PJRT_Buffer_Type_F8E4M3FN, ElementType::F8E4M3FN},
    {PJRT_Buffer_Type_F8E4M3B11FNUZ, ElementType::F8E4M3B11FNUZ},
    {PJRT_Buffer_Type_F8E5M2FNUZ, ElementType::F8E5M2FNUZ},
    {PJRT_Buffer_Type_F8E4M3FNUZ, ElementType::F8E4M3FNUZ},
    {PJRT_Buffer_Type_F8E4M3, ElementType::F8E4M3},
    {PJRT_Buffer_Type_F8E3M4, ElementType::F8E3M4},
    {PJRT_Buffer_Type_F8E8M0FNU, ElementType::F8E8M0FNU},
    {PJRT_Buffer_Type_F4E2M1FN, ElementType::F4E2M1FN},
};

void copy_dimension(const Shape &shape, size_t dimension, const std::byte *from,
                    const Strides &from_strides, std::byte *to,
                    const Strides &to_strides) {
  if (dimension == shape.dims.size()) {
    std::memcpy(to, from, shape.element_bytes);
    return;
  }
  int64_t size = shape.dims[dimension];
  int64_t step_from = from_strides[dimension], step_to = to_strides[dimension];
  if (dimension + 1 == shape.dims.size() && step_from == shape.element_bytes &&
      step_to == shape.element_bytes) {
    std::memcpy(to, from, size * shape.element_bytes);
    return;
  }
  for (int64_t i = 0; i < size; ++i)
    copy_dimension(shape, dimension + 1, from + i * step_from, from_strides,
                   to + i * step_to, to_strides);
}

} // namespace

ElementType element_type_of(PJRT_Buffer_Type type) {
  for (const TypePair &pair : kTypes)
    if (pair.theirs == type)
      return pair.ours;
  throw_unimplemented("no element type for PJRT's buffer type " +
                      std::to_string(type));
}

PJRT_Buffer_Type buffer_type_of(ElementType type) {
  for (const TypePair &pair : kTypes)
    if (pair.ours == type)
      return pair.theirs;
  throw_unimplemented("PJRT has no buffers of " +
                      std::string(element_type_name(type)));
}

Shape make_shape(PJRT_Buffer_Type type, std::span<const int64_t> dims) {
  Shape shape;
  shape.type = type;
  shape.dims.assign(dims.begin(), dims.end());
  shape.minor_to_major.resize(dims.size());
  std::iota(shape.minor_to_major.rbegin(), shape.minor_to_major.rend(), 0);
  if (type == PJRT_Buffer_Type_TOKEN)
    return shape;
  shape.element_bytes = byte_size(element_type_of(type));
  TensorType tensor;
  tensor.element = element_type_of(type);
  tensor.dims = shape.dims;
  for (int64_t size : dims)
    if (size < 0)
      throw_invalid("got a dimension of size " + std::to_string(size));
  std::optional<int64_t> bytes = tensor.byte_count();
  if (!bytes)
    throw_invalid("a buffer of this shape has more than 2^63 bytes");
  shape.bytes = *bytes;
  return shape;
}

Strides row_major_strides(const Shape &shape) {
  Strides strides(shape.dims.size());
  int64_t step = shape.element_bytes;
  for (size_t i = shape.dims.size(); i-- > 0; step *= shape.dims[i])
    strides[i] = step;
  return strides;
}

Strides device_strides(const Shape &shape) {
  Strides strides(shape.dims.size());
  int64_t step = shape.element_bytes;
  for (int64_t dimension : shape.minor_to_major) {
    strides[dimension] = step;
    step *= shape.dims[dimension];
  }
  return strides;
}

Strides strides_of(const Shape &shape, const PJRT_Buffer_MemoryLayout &layout) {
  size_t rank = shape.dims.size();
  if (layout.type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    if (layout.strides.num_byte_strides != rank)
      throw_invalid("the layout's strides do not fit the shape");
    return Strides(layout.strides.byte_strides,
                   layout.strides.byte_strides + rank);
  }
  const PJRT_Buffer_MemoryLayout_Tiled &tiled = layout.tiled;
  if (tiled.num_tiles > 0)
    throw_unimplemented("tiled layouts are not supported");
  if (tiled.minor_to_major_size != rank)
    throw_invalid("the layout's order does not fit the shape");
  Shape ordered = shape;
  ordered.minor_to_major.assign(tiled.minor_to_major,
                                tiled.minor_to_major + rank);
  std::vector<bool> seen(rank, false);
  for (int64_t dimension : ordered.minor_to_major) {
    if (dimension < 0 || dimension >= static_cast<int64_t>(rank) ||
        seen[dimension])
      throw_invalid("the layout's order is not a permutation");
    seen[dimension] = true;
  }
  return device_strides(ordered);
}

void set_layout(Shape &shape, const PJRT_Buffer_MemoryLayout *layout) {
  if (!layout)
    return;
  Strides strides = strides_of(shape, *layout);
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled)
    shape.minor_to_major.assign(layout->tiled.minor_to_major,
                                layout->tiled.minor_to_major +
                                    shape.dims.size());
  else
    std::ranges::stable_sort(shape.minor_to_major, {},
                             [&](int64_t i) { return strides[i]; });
  if (!are_equal(shape, strides, device_strides(shape)))
    throw_unimplemented("the layout of a device's buffer has gaps");
}

std::string layout_text(const Shape &shape) {
  return fmt::format("{{{}}}", fmt::join(shape.minor_to_major, ","));
}

bool are_equal(const Shape &shape, const Strides &a, const Strides &b) {
  if (shape.bytes == 0)
    return true;
  for (size_t i = 0; i < shape.dims.size(); ++i)
    if (shape.dims[i] != 1 && a[i] != b[i])
      return false;
  return true;
}

void copy_elements(const Shape &shape, const std::byte *from,
                   const Strides &from_strides, std::byte *to,
                   const Strides &to_strides) {
  if (shape.bytes == 0)
    return;
  if (are_equal(shape, from_strides, to_strides))
    std::memcpy(to, from, shape.bytes);
  else
    copy_dimension(shape, 0, from, from_strides, to, to_strides);
}

bool is_narrow(PJRT_Buffer_Type type) {
  return type != PJRT_Buffer_Type_TOKEN && type != PJRT_Buffer_Type_PRED &&
         bit_width(element_type_of(type)) < 8;
}

void normalize(const Shape &shape, std::byte *data) {
  if (!is_narrow(shape.type))
    return;
  ElementType element = element_type_of(shape.type);
  int spare = 8 - bit_width(element);
  bool is_signed = is_signed_integer(element);
  for (int64_t i = 0; i < shape.bytes; ++i) {
    auto bits = static_cast<uint8_t>(static_cast<uint8_t>(data[i]) << spare);
    data[i] = is_signed ? std::byte(static_cast<int8_t>(bits) >> spare)
                        : std::byte(bits >> spare);
  }
}

} // namespace xlac::pjrt
