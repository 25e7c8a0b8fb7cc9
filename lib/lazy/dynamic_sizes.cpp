#include "xlac/lazy/dynamic_sizes.h"

#include <algorithm>
#include <utility>

namespace xlac::lazy {

DynamicDimensions with_dimension(const DynamicDimensions &known,
                                 DynamicDimension added) {
  auto all = known ? *known : std::vector<DynamicDimension>();
  auto place = std::lower_bound(
      all.begin(), all.end(), added.dimension,
      [](const DynamicDimension &one, int64_t d) { return one.dimension < d; });
  if (place != all.end() && place->dimension == added.dimension)
    *place = std::move(added);
  else
    all.insert(place, std::move(added));
  return std::make_shared<const std::vector<DynamicDimension>>(std::move(all));
}

} // namespace xlac::lazy
