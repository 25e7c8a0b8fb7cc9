#include "xlac/support/fast_hash.h"

namespace xlac {

void FastHasher::update(const TensorType &type) {
  update(static_cast<uint64_t>(type.element) << 32 | type.dims.size() << 16 |
         type.bounds.size() << 1 | uint64_t{type.quantization != nullptr});
  for (int64_t size : type.dims)
    update(size);
  for (int64_t bound : type.bounds)
    update(bound);
  if (type.quantization)
    update(std::string_view(to_string(type)));
}

void FastHasher::update(const Type &type) {
  if (type.is_tensor())
    update(type.tensor());
  else
    update(std::string_view(to_string(type)));
}

} // namespace xlac
