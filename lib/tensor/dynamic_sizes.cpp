#include "xlac/lazy.h"

#include "xlac/lazy/storage.h"
#include "xlac/support/call_scope.h"
#include "xlac/support/likely_sizes.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <string>
#include <utility>

namespace xlac {

using namespace frontend;
using lazy::DynamicDimension;

namespace {

void check_size(int64_t dim, int64_t size, const DynamicSize &range) {
  auto fail = [&](const std::string &why) {
    raise<ValueError>("mark_dynamic: dimension " + std::to_string(dim) +
                      " has size " + std::to_string(size) + ", " + why);
  };
  if (range.min < 0 || range.max < range.min || range.divisor < 1)
    raise<ValueError>("mark_dynamic: expected 0 <= min <= max and divisor >= 1,"
                      " got min " +
                      std::to_string(range.min) + ", max " +
                      std::to_string(range.max) + ", divisor " +
                      std::to_string(range.divisor));
  if (size < range.min || size > range.max)
    fail("which is not between " + std::to_string(range.min) + " and " +
         std::to_string(range.max));
  if (size % range.divisor != 0)
    fail("which is no multiple of " + std::to_string(range.divisor));
}

/// Sizes in the range, different from `size`, the most likely first.
std::vector<int64_t> other_sizes(int64_t size, const DynamicSize &range) {
  std::vector<int64_t> sizes;
  auto add = [&](int64_t other) {
    if (other != size && other >= range.min && other <= range.max &&
        other % range.divisor == 0)
      sizes.push_back(other);
  };
  for (int64_t likely : likely_sizes(size, range.divisor))
    add(likely);
  if (range.max < kMostLikelySize)
    add(range.max - range.max % range.divisor);
  add((size / 2 + 1) / range.divisor * range.divisor);
  return sizes;
}

} // namespace

namespace detail {
void mark_other_size(const Tensor &tensor, int64_t dim,
                     std::vector<int64_t> others) {
  lazy::Storage &storage = *impl_of(tensor).storage;
  storage.mark_dynamic(lazy::with_dimension(
      storage.dynamic_dimensions(), DynamicDimension{dim, std::move(others)}));
}
} // namespace detail

void mark_dynamic(const Tensor &tensor, int64_t dim, DynamicSize range) {
  XLAC_CALL("mark_dynamic");
  TensorImpl &impl = impl_of(tensor);
  dim = wrap_dim(dim, static_cast<int64_t>(impl.sizes.size()));
  int64_t size = impl.sizes[dim];
  check_size(dim, size, range);
  if (!impl.steps.empty())
    raise<UserError>(
        "mark_dynamic: the tensor is a view; mark the tensor whose "
        "elements it shares");
  detail::mark_other_size(tensor, dim, other_sizes(size, range));
}

} // namespace xlac
