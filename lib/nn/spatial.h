// Shared code of modules over 1, 2 or 3 spatial dimensions.
#pragma once

#include "xlac/nn/families.h"
#include "xlac/support/raise.h"

#include <fmt/format.h>

namespace xlac::nn {

/// Returns one entry per dimension. Throws ValueError for a list of another
/// length.
inline Shape each_of(const std::string &name, const SizeList &given,
                     size_t dimensions, const char *what) {
  if (given.size() == 1)
    return Shape(dimensions, given[0]);
  if (given.size() != dimensions)
    raise<ValueError>(fmt::format("{}: {} must be one integer or {}, got {}",
                                  name, what, dimensions, given.size()));
  return given;
}

/// Calls the function for the number of dimensions: name1d, name2d or name3d.
#define XLAC_BY_DIMENSIONS(dimensions, name, ...)                              \
  (dimensions == 1   ? name##1d(__VA_ARGS__)                                   \
   : dimensions == 2 ? name##2d(__VA_ARGS__)                                   \
                     : name##3d(__VA_ARGS__))

} // namespace xlac::nn
