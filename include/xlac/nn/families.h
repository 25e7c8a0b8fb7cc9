// Macros that declare families of similar modules.
#pragma once

#include "xlac/nn/module.h"
#include "xlac/nn/one_or_each.h"

#include <utility>

namespace xlac::nn {

/// Options of modules without arguments.
struct NoOptions {};

/// Defines the module `Name`: a struct with options whose forward maps a tensor
/// to a tensor, and its handle.
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

/// Defines the module `Name<n>d`, derived from `NameNdImpl` with n spatial
/// dimensions, and its handle.
#define XLAC_SPATIAL_MODULE(Name, n)                                           \
  struct XLAC_API Name##n##dImpl : Name##NdImpl {                              \
    explicit Name##n##dImpl(Options given)                                     \
        : Name##NdImpl(n, std::move(given)) {}                                 \
  };                                                                           \
  XLAC_MODULE(Name##n##d)

} // namespace xlac::nn
