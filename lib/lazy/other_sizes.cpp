#include "other_sizes.h"

#include "xlac/lazy/device_data.h"

#include <algorithm>
#include <utility>

namespace xlac::lazy {

std::vector<ArgumentSizes>
other_sizes_of(std::span<const graph::Node *const> arguments) {
  std::vector<std::pair<uint32_t, DynamicDimensions>> marked;
  size_t most = 0; // lengths of the lists of other sizes
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    auto *data = dynamic_cast<DeviceData *>(arguments[i]->data().get());
    DynamicDimensions dimensions = data ? data->dynamic_dimensions() : nullptr;
    if (!dimensions)
      continue;
    for (const DynamicDimension &one : *dimensions)
      most = std::max(most, one.other_sizes.size());
    marked.emplace_back(i, std::move(dimensions));
  }
  std::vector<ArgumentSizes> all(most);
  for (size_t choice = 0; choice < most; ++choice)
    for (const auto &[argument, dimensions] : marked) {
      std::vector<int64_t> sizes =
          arguments[argument]->types()[0].tensor().dims;
      for (const DynamicDimension &one : *dimensions)
        if (!one.other_sizes.empty())
          sizes[one.dimension] =
              one.other_sizes[std::min(choice, one.other_sizes.size() - 1)];
      all[choice].emplace_back(argument, std::move(sizes));
    }
  return all;
}

} // namespace xlac::lazy
