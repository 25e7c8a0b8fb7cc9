#include "xlac/nn/dropout.h"

#include "in_place.h"
#include "repr.h"

#include "xlac/support/raise.h"

#include <fmt/format.h>

namespace xlac::nn {

DropoutBase::DropoutBase(Options given) : options(given) {
  if (!(options.p >= 0 && options.p <= 1))
    raise<ValueError>("dropout probability has to be between 0 and 1, "
                      "but got " +
                      repr_of(options.p));
}

std::string DropoutBase::extra_repr() const {
  return fmt::format("p={}, inplace={}", repr_of(options.p),
                     repr_of(options.inplace));
}

#define XLAC_DROPOUT(Name, function)                                           \
  Tensor Name##Impl::forward(const Tensor &input) {                            \
    return applied(#function "_", options.inplace && is_training(), input,     \
                   [&](const Tensor &x) {                                      \
                     return function(x, options.p, is_training());             \
                   });                                                         \
  }
XLAC_DROPOUT(Dropout, dropout)
XLAC_DROPOUT(Dropout1d, dropout1d)
XLAC_DROPOUT(Dropout2d, dropout2d)
XLAC_DROPOUT(Dropout3d, dropout3d)
#undef XLAC_DROPOUT

Tensor AlphaDropoutImpl::forward(const Tensor &input) {
  return alpha_dropout(input, options.p, is_training());
}
Tensor FeatureAlphaDropoutImpl::forward(const Tensor &input) {
  return feature_alpha_dropout(input, options.p, is_training());
}

} // namespace xlac::nn
