// Arguments of modules that are one number, or one number per dimension.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

/// One value for all spatial dimensions, or one per dimension: 3, {3, 5}. An
/// empty list means PyTorch's None.
template <class T> class OneOrEach : public std::vector<T> {
public:
  OneOrEach() = default;
  /// One value for all dimensions, or a value for each.
  template <std::convertible_to<T> U>
    requires std::is_arithmetic_v<U>
  OneOrEach(U one) : std::vector<T>(1, static_cast<T>(one)) {}
  /// One value for all dimensions, or a value for each.
  OneOrEach(std::initializer_list<T> each) : std::vector<T>(each) {}
  /// One value for all dimensions, or a value for each.
  OneOrEach(std::vector<T> each) : std::vector<T>(std::move(each)) {}
};
/// One size for all dimensions, or a size for each.
using SizeList = OneOrEach<int64_t>;
/// One factor for all dimensions, or a factor for each.
using FactorList = OneOrEach<double>;

} // namespace xlac::nn
