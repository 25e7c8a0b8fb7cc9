// In which order a dataset is read.
#pragma once

#include "xlac/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace xlac::data {

class XLAC_API Sampler {
public:
  virtual ~Sampler();
  /// What an epoch reads, in order.
  virtual std::vector<size_t> indices(uint64_t epoch) = 0;
  /// How many those are; of epoch 0 unless a sampler knows better.
  virtual size_t size() { return indices(0).size(); }
};

/// All in order.
class XLAC_API SequentialSampler : public Sampler {
public:
  explicit SequentialSampler(size_t size) : size_(size) {}
  std::vector<size_t> indices(uint64_t epoch) override;
  size_t size() override { return size_; }

private:
  size_t size_;
};

/// All in random order, another one each epoch: by seed and epoch, or without
/// a seed by numbers that are drawn from the cpu's generator each time, which
/// manual_seed sets.
class XLAC_API RandomSampler : public Sampler {
public:
  explicit RandomSampler(size_t size, std::optional<uint64_t> seed = {})
      : size_(size), seed_(seed) {}
  std::vector<size_t> indices(uint64_t epoch) override;
  size_t size() override { return size_; }

private:
  size_t size_;
  std::optional<uint64_t> seed_;
};

struct DistributedSamplerOptions {
  /// Of the job and of this thread unless given.
  std::optional<int64_t> num_replicas = {}, rank = {};
  bool shuffle = true;
  uint64_t seed = 0; ///< the same in all replicas
  bool drop_last = false;
};
/// Every num_replicas-th sample from `rank` on, as many in each replica: some
/// are read twice, or with drop_last some are left out. As in PyTorch the order
/// changes by set_epoch alone.
class XLAC_API DistributedSampler : public Sampler {
public:
  /// ValueError unless rank is in [0, num_replicas).
  explicit DistributedSampler(size_t size,
                              DistributedSamplerOptions options = {});
  void set_epoch(uint64_t epoch) { epoch_ = epoch; }
  /// By the epoch that was set.
  std::vector<size_t> indices(uint64_t epoch) override;
  size_t size() override;

private:
  size_t size_, replicas_, rank_;
  uint64_t seed_, epoch_ = 0;
  bool shuffle_, drop_last_;
};

} // namespace xlac::data
