// What families of modules share: the declarations of modules that are little
// else than their options.
#pragma once

#include "xlac/nn/module.h"
#include "xlac/nn/one_or_each.h"

#include <utility>

namespace xlac::nn {

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
