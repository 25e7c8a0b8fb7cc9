// Samplers: the order in which a dataset is read.
#pragma once

#include "xlac/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace xlac::data {

/// The base class of samplers. A data loader reads the elements of a dataset in
/// the order of the indices that a sampler returns for each epoch.
class XLAC_API Sampler {
public:
  virtual ~Sampler();
  /// Returns the indices of an epoch in order.
  virtual std::vector<size_t> indices(uint64_t epoch) = 0;
  /// Returns the number of indices; by default that of epoch 0.
  virtual size_t size() { return indices(0).size(); }
};

/// All indices in order.
class XLAC_API SequentialSampler : public Sampler {
public:
  /// The indices from 0 to below size.
  explicit SequentialSampler(size_t size) : size_(size) {}
  std::vector<size_t> indices(uint64_t epoch) override;
  size_t size() override { return size_; }

private:
  size_t size_;
};

/// All indices in a new random order each epoch. With a seed the order depends
/// on seed and epoch; without one each epoch takes a seed from the cpu's
/// generator, which manual_seed sets.
class XLAC_API RandomSampler : public Sampler {
public:
  /// A new order of size indices in each epoch.
  explicit RandomSampler(size_t size, std::optional<uint64_t> seed = {})
      : size_(size), seed_(seed) {}
  std::vector<size_t> indices(uint64_t epoch) override;
  size_t size() override { return size_; }

private:
  size_t size_;
  std::optional<uint64_t> seed_;
};

/// Options of DistributedSampler.
struct DistributedSamplerOptions {
  /// By default those of the job and of this thread.
  std::optional<int64_t> num_replicas = {}, rank = {};
  bool shuffle = true; ///< a new order in each epoch
  uint64_t seed = 0;   ///< must be the same in all replicas
  /// Leaves samples out so that all replicas have equally many.
  bool drop_last = false;
};
/// Every num_replicas-th index, starting at `rank`; all replicas get the same
/// number. So some indices are used twice, or with drop_last some are dropped.
/// As in PyTorch the order changes only by set_epoch.
class XLAC_API DistributedSampler : public Sampler {
public:
  /// Throws ValueError unless rank is in [0, num_replicas).
  explicit DistributedSampler(size_t size,
                              DistributedSamplerOptions options = {});
  /// Sets the epoch, which changes the order.
  void set_epoch(uint64_t epoch) { epoch_ = epoch; }
  /// Uses the epoch of set_epoch; the argument is ignored.
  std::vector<size_t> indices(uint64_t epoch) override;
  size_t size() override;

private:
  size_t size_, replicas_, rank_;
  uint64_t seed_, epoch_ = 0;
  bool shuffle_, drop_last_;
};

} // namespace xlac::data
