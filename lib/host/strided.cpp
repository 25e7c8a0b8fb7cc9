#include "xlac/host/strided.h"

#include "op_context.h"

#include <algorithm>
#include <cstring>

namespace xlac::host {

std::vector<int64_t> dense_strides(const std::vector<int64_t> &dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(dims[i], 1);
  return strides;
}

/// Whether positions of `dims` are contiguous.
static bool is_dense(const Dims &dims, const Dims &strides) {
  int64_t expected = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1 && strides[i] != expected)
      return false;
    expected *= dims[i];
  }
  return true;
}

Result<Literal> read_strided(const Literal &memory, const TensorType &type,
                             const std::vector<int64_t> &strides,
                             int64_t offset) {
  int64_t count = product(type.dims);
  if (count == 0)
    return Literal::allocate(type);
  size_t size = byte_size(type.element);
  auto *base = const_cast<std::byte *>(memory.data());
  if (is_dense(type.dims, strides))
    return Literal::borrow(
        type, std::shared_ptr<std::byte>(memory.owner(), base + offset * size));
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to;
  std::byte *target = to->mutable_data();
  with_element_size(type.element, [&](auto width) {
    for_each_strided(type.dims, strides, offset, [&](int64_t t, int64_t f) {
      std::memcpy(target + t * width(), base + f * width(), width());
    });
  });
  return to;
}

void write_strided(Literal &memory, const Literal &from,
                   const std::vector<int64_t> &strides, int64_t offset) {
  std::byte *target = memory.mutable_data();
  const std::byte *source = from.data();
  with_element_size(from.type().element, [&](auto width) {
    for_each_strided(
        from.type().dims, strides, offset, [&](int64_t f, int64_t t) {
          std::memcpy(target + t * width(), source + f * width(), width());
        });
  });
}

static int64_t offset_in(const DenseIndex &place, const Dims &position) {
  int64_t offset = 0;
  for (size_t d = 0; d < place.dims.size(); ++d)
    offset = offset * place.dims[d] + place.begin[d] + position[d];
  return offset;
}

void copy_box(std::byte *to, const DenseIndex &target, const std::byte *from,
              const DenseIndex &source, const std::vector<int64_t> &size,
              int64_t element_size) {
  if (std::find(size.begin(), size.end(), 0) != size.end())
    return;
  int64_t row = size.empty() ? 1 : size.back();
  Dims position(size.size(), 0);
  while (true) {
    std::memcpy(to + offset_in(target, position) * element_size,
                from + offset_in(source, position) * element_size,
                row * element_size);
    size_t d = size.empty() ? 0 : size.size() - 1;
    while (d > 0 && ++position[d - 1] == size[d - 1])
      position[--d] = 0;
    if (d == 0)
      return;
  }
}

} // namespace xlac::host
