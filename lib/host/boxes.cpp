#include "xlac/host/boxes.h"

#include "xlac/host/strided.h"

#include <algorithm>
#include <cassert>

namespace xlac::host {

bool overlap(const Box &a, const Box &b) { return common_elements(a, b) > 0; }

int64_t common_elements(const Box &a, const Box &b) {
  assert(a.begin.size() == b.begin.size() && "boxes of one tensor");
  int64_t count = 1;
  for (size_t i = 0; i < a.begin.size(); ++i)
    count *= std::max<int64_t>(
        std::min(a.begin[i] + a.size[i], b.begin[i] + b.size[i]) -
            std::max(a.begin[i], b.begin[i]),
        0);
  return count;
}

void copy_common(std::byte *to, const std::vector<int64_t> &to_dims,
                 const Box &target, const std::byte *from,
                 const std::vector<int64_t> &from_dims, const Box &source,
                 int64_t element_size) {
  size_t rank = target.begin.size();
  assert(source.begin.size() == rank && "boxes of one tensor");
  std::vector<int64_t> to_begin(rank), from_begin(rank), size(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t begin = std::max(target.begin[i], source.begin[i]);
    size[i] = std::min(target.begin[i] + target.size[i],
                       source.begin[i] + source.size[i]) -
              begin;
    if (size[i] <= 0)
      return;
    to_begin[i] = begin - target.begin[i];
    from_begin[i] = begin - source.begin[i];
  }
  copy_box(to, {to_dims, to_begin}, from, {from_dims, from_begin}, size,
           element_size);
}

} // namespace xlac::host
