#include "xlac/data/samplers.h"

#include "draw_seed.h"

#include "xlac/data/random.h"
#include "xlac/lazy/replication.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <numeric>

namespace xlac::data {

static std::vector<size_t> in_order(size_t size) {
  std::vector<size_t> indices(size);
  std::iota(indices.begin(), indices.end(), size_t{0});
  return indices;
}

/// Returns a uniformly random permutation.
static std::vector<size_t> shuffled(size_t size, Random random) {
  std::vector<size_t> indices = in_order(size);
  for (size_t left = size; left > 1; --left)
    std::swap(indices[left - 1], indices[random.below(left)]);
  return indices;
}

Sampler::~Sampler() = default;

std::vector<size_t> SequentialSampler::indices(uint64_t) {
  return in_order(size_);
}

std::vector<size_t> RandomSampler::indices(uint64_t epoch) {
  return shuffled(size_, seed_ ? Random(*seed_, epoch) : Random(draw_seed()));
}

DistributedSampler::DistributedSampler(size_t size,
                                       DistributedSamplerOptions options)
    : size_(size), seed_(options.seed), shuffle_(options.shuffle),
      drop_last_(options.drop_last) {
  XLAC_CALL("DistributedSampler");
  const lazy::Replication &here = lazy::replication();
  int64_t replicas = options.num_replicas.value_or(here.world);
  int64_t rank = options.rank.value_or(here.ordinal);
  if (rank < 0 || rank >= replicas)
    raise<ValueError>("Invalid rank " + std::to_string(rank) +
                      ", rank should be in the interval [0, " +
                      std::to_string(replicas - 1) + "]");
  replicas_ = static_cast<size_t>(replicas);
  rank_ = static_cast<size_t>(rank);
}

size_t DistributedSampler::size() {
  return drop_last_ ? size_ / replicas_ : (size_ + replicas_ - 1) / replicas_;
}

std::vector<size_t> DistributedSampler::indices(uint64_t) {
  std::vector<size_t> all =
      shuffle_ ? shuffled(size_, Random(seed_, epoch_)) : in_order(size_);
  std::vector<size_t> own;
  if (all.empty())
    return own;
  // Wraps around to the first indices at the end.
  for (size_t i = 0; i < size(); ++i)
    own.push_back(all[(rank_ + i * replicas_) % all.size()]);
  return own;
}

} // namespace xlac::data
