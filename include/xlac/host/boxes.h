// Boxes of a tensor, whose elements are dense in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlac::host {

/// Position and sizes in a tensor.
struct Box {
  std::vector<int64_t> begin, size;
};

/// Whether two boxes of a tensor have a common element.
bool overlap(const Box &a, const Box &b);

/// The number of elements that both boxes have.
int64_t common_elements(const Box &a, const Box &b);

/// Copies the elements that both boxes have, each of `element_size` bytes. The
/// arrays have sizes `to_dims` and `from_dims`. They begin at the positions of
/// their boxes and may be larger.
void copy_common(std::byte *to, const std::vector<int64_t> &to_dims,
                 const Box &target, const std::byte *from,
                 const std::vector<int64_t> &from_dims, const Box &source,
                 int64_t element_size);

} // namespace xlac::host
