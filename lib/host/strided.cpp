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

/// True if positions of `dims` count up without gaps.
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

} // namespace xlac::host
