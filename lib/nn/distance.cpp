#include "xlac/nn/distance.h"

namespace xlac::nn {

Tensor CosineSimilarityImpl::forward(const Tensor &x1, const Tensor &x2) {
  return cosine_similarity(x1, x2, options.dim, options.eps);
}

Tensor PairwiseDistanceImpl::forward(const Tensor &x1, const Tensor &x2) {
  return pairwise_distance(x1, x2, options.p, options.eps, options.keepdim);
}

} // namespace xlac::nn
