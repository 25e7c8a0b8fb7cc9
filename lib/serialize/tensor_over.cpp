// Tensors over the contents of files.
#include "files.h"

#include "xlac/lazy/host_values.h"

#include <algorithm>

namespace xlac::serialize {

void make_booleans(char *bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    if (bytes[i] & ~1) // avoids writes to unchanged pages of a mapped file
      bytes[i] = 1;
}

void swap_bytes(char *bytes, uint64_t size, int64_t number_size) {
  if (number_size < 2)
    return;
  auto step = static_cast<uint64_t>(number_size);
  for (uint64_t at = 0; at + step <= size; at += step)
    std::reverse(bytes + at, bytes + at + step);
}

Tensor tensor_over(std::shared_ptr<void> owner, char *elements, Dtype dtype,
                   const Shape &sizes) {
  ElementType element = lazy::element_type(dtype);
  TensorType type{element, sizes, {}, {}};
  auto size = static_cast<size_t>(type.byte_count().value());
  bool fits = reinterpret_cast<uintptr_t>(elements) %
                  static_cast<uintptr_t>(byte_size(real_part_type(element))) ==
              0;
  if (dtype == kBool)
    make_booleans(elements, size);
  if (fits)
    return from_blob(
        elements, sizes, [owner = std::move(owner)](void *) {},
        TensorOptions(Device(kCPU)).dtype(dtype));
  return frontend::finish(
      lazy::host_value(unwrap(host::Literal::copy_of(type, elements))),
      Device(kCPU), dtype);
}

Tensor placed(const Tensor &tensor, const LoadOptions &options) {
  return options.map_location ? tensor.to(*options.map_location) : tensor;
}

} // namespace xlac::serialize
