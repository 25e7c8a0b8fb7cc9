// What families of modules share: arguments that are one number or one for each
// dimension, and the declarations of modules that are little else than their
// options.
#pragma once

#include "xlac/nn/module.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace xlac::nn {

/// One value for all spatial dimensions, or one for each: 3, {3, 5}. Empty
/// stands for PyTorch's None.
template <class T> class OneOrEach : public std::vector<T> {
public:
  OneOrEach() = default;
  template <std::convertible_to<T> U>
    requires std::is_arithmetic_v<U>
  OneOrEach(U one) : std::vector<T>(1, static_cast<T>(one)) {}
  OneOrEach(std::initializer_list<T> each) : std::vector<T>(each) {}
  OneOrEach(std::vector<T> each) : std::vector<T>(std::move(each)) {}
};
using SizeList = OneOrEach<int64_t>;
using FactorList = OneOrEach<double>;

/// Of modules without arguments.
struct NoOptions {};

/// Defines the module `Name`: a struct that holds its options and makes one
/// tensor of another, and its handle.
#define XLAC_TENSOR_MODULE(Name, OptionsType)                                  \
  struct XLAC_API Name##Impl : ::xlac::nn::Module {                            \
    using Options = OptionsType;                                               \
    explicit Name##Impl(Options given) : options(std::move(given)) {}          \
    ::xlac::Tensor forward(const ::xlac::Tensor &input);                       \
    Options options;                                                           \
                                                                               \
  protected:                                                                   \
    std::string extra_repr() const override;                                   \
  };                                                                           \
  XLAC_MODULE(Name)

/// Defines the module `Name<n>d` as its base `NameNdImpl` with n spatial
/// dimensions, and its handle.
#define XLAC_SPATIAL_MODULE(Name, n)                                           \
  struct XLAC_API Name##n##dImpl : Name##NdImpl {                              \
    explicit Name##n##dImpl(Options given)                                     \
        : Name##NdImpl(n, std::move(given)) {}                                 \
  };                                                                           \
  XLAC_MODULE(Name##n##d)

} // namespace xlac::nn
