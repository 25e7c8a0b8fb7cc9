// Distances between vectors. Options have PyTorch's order of arguments and its
// defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Options of CosineSimilarity.
struct CosineSimilarityOptions {
  int64_t dim = 1;   ///< dimension of the vectors
  double eps = 1e-8; ///< avoids division by 0
};
/// The cosine of the angle between vectors along `dim`. Norms below `eps` are
/// replaced by `eps`.
struct XLAC_API CosineSimilarityImpl : Module {
  using Options = CosineSimilarityOptions;
  explicit CosineSimilarityImpl(Options given) : options(given) {}
  Tensor forward(const Tensor &x1, const Tensor &x2);
  Options options;
};
XLAC_MODULE(CosineSimilarity);

/// Options of PairwiseDistance.
struct PairwiseDistanceOptions {
  double p = 2;         ///< exponent of the norm
  double eps = 1e-6;    ///< added to the differences
  bool keepdim = false; ///< keeps the reduced dimension with size 1
};
/// The p-norm of x1 - x2 + eps along the last dimension.
struct XLAC_API PairwiseDistanceImpl : Module {
  using Options = PairwiseDistanceOptions;
  explicit PairwiseDistanceImpl(Options given) : options(given) {}
  Tensor forward(const Tensor &x1, const Tensor &x2);
  Options options;
};
XLAC_MODULE(PairwiseDistance);

} // namespace xlac::nn
