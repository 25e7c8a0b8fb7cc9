// Dropout. In training it sets elements to zero with probability p and scales
// the others by 1 / (1 - p); otherwise it returns the input. The random numbers
// come from the generator of the input's device.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Options of Dropout.
struct DropoutOptions {
  double p = 0.5;       ///< probability of zeroing
  bool inplace = false; ///< ignored by the alpha variants, as in PyTorch
};
/// Common part of the dropout modules. Throws ValueError for a p outside of [0,
/// 1].
struct XLAC_API DropoutBase : Module {
  /// The options that the constructor takes.
  using Options = DropoutOptions;
  /// The options that the module was constructed with.
  Options options;

protected:
  /// ValueError for a probability outside of 0 to 1.
  explicit DropoutBase(Options given);
  std::string extra_repr() const override;
};

#define XLAC_DROPOUT_MODULE(Name)                                              \
  struct XLAC_API Name##Impl : DropoutBase {                                   \
    explicit Name##Impl(Options given) : DropoutBase(given) {}                 \
    Tensor forward(const Tensor &input);                                       \
  };                                                                           \
  XLAC_MODULE(Name)

/// Drops elements.
XLAC_DROPOUT_MODULE(Dropout);
/// Drops whole channels of [N, C, length].
XLAC_DROPOUT_MODULE(Dropout1d);
/// Drops whole channels of [N, C, height, width].
XLAC_DROPOUT_MODULE(Dropout2d);
/// Drops whole channels of [N, C, depth, height, width].
XLAC_DROPOUT_MODULE(Dropout3d);
/// Sets elements to SELU's lower bound and preserves mean and variance.
XLAC_DROPOUT_MODULE(AlphaDropout);
/// Sets whole channels to SELU's lower bound and preserves mean and variance.
XLAC_DROPOUT_MODULE(FeatureAlphaDropout);
#undef XLAC_DROPOUT_MODULE

} // namespace xlac::nn
