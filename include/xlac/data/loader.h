// Data loaders: ranges of batches, made by worker threads or by the consuming
// thread.
#pragma once

#include "xlac/data/collate.h"
#include "xlac/data/random.h"
#include "xlac/data/samplers.h"

#include <atomic>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

namespace xlac::data {

/// Options of DataLoader.
struct DataLoaderOptions {
  int64_t batch_size = 1;                ///< samples of a batch
  bool shuffle = false;                  ///< a new order in each epoch
  std::shared_ptr<Sampler> sampler = {}; ///< ValueError together with shuffle
  int num_workers = 0;                   ///< threads; batches keep their order
  bool drop_last = false;  ///< drops a last batch that is not full
  int prefetch_factor = 2; ///< batches that each worker prefetches
  /// The seed of shuffling and random transforms. By default each epoch takes
  /// one from the cpu's generator, which manual_seed sets.
  std::optional<uint64_t> seed = {};
};

namespace detail {

/// Throws ValueError for invalid options.
XLAC_API void check_loader_options(const DataLoaderOptions &options);
/// Makes the sampler that the options ask for.
XLAC_API std::shared_ptr<Sampler> make_sampler(const DataLoaderOptions &options,
                                               size_t dataset_size);
/// Returns the seed of an epoch's random transforms.
XLAC_API uint64_t epoch_seed(const DataLoaderOptions &options, uint64_t epoch);

/// Makes numbered items and hands them out in order. With workers, threads make
/// the items in advance; they end with the object.
class XLAC_API OrderedWorkQueue {
public:
  using Item = std::shared_ptr<void>;
  /// With workers, several threads call `make` concurrently, and at most
  /// `ahead` items wait or are being made.
  OrderedWorkQueue(size_t count, int workers, size_t ahead,
                   std::function<Item(size_t)> make);
  ~OrderedWorkQueue();
  OrderedWorkQueue(const OrderedWorkQueue &) = delete;
  OrderedWorkQueue &operator=(const OrderedWorkQueue &) = delete;

  /// Returns the next item; null at the end. Rethrows the exception of making
  /// it, which also ends the sequence.
  Item next();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace detail

/// Stacks samples of a dataset to batches. It is a range: for (auto &[data,
/// target] : loader). Each begin() starts an epoch; copies share the epoch
/// count. Exceptions of datasets and transforms are rethrown where the batch is
/// requested. The threads of an epoch end with its iterators.
template <class Dataset> class DataLoader {
public:
  /// The type of a sample.
  using Sample = std::decay_t<decltype(std::declval<const Dataset &>().get(0))>;
  /// A Sample whose tensors have one more dimension in front; see Collate.
  using Batch = typename Collate<Sample>::Batch;

  /// Loads batches of the dataset, which is copied.
  explicit DataLoader(Dataset dataset, DataLoaderOptions options = {})
      : shared_(std::make_shared<Shared>(std::move(dataset))),
        options_(std::move(options)) {
    detail::check_loader_options(options_);
    sampler_ = detail::make_sampler(options_, shared_->dataset.size());
  }

  /// Iterates over the batches of an epoch, once.
  class iterator {
  public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    explicit iterator(std::shared_ptr<detail::OrderedWorkQueue> work_queue)
        : work_queue_(std::move(work_queue)), batch_(work_queue_->next()) {}
    Batch &operator*() const { return *static_cast<Batch *>(batch_.get()); }
    Batch *operator->() const { return static_cast<Batch *>(batch_.get()); }
    iterator &operator++() {
      batch_ = work_queue_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !batch_; }

  private:
    std::shared_ptr<detail::OrderedWorkQueue> work_queue_;
    detail::OrderedWorkQueue::Item batch_;
  };

  iterator begin() const {
    uint64_t epoch = shared_->epochs++;
    auto plan = std::make_shared<const Plan>(Plan{
        shared_, sampler_->indices(epoch), detail::epoch_seed(options_, epoch),
        static_cast<size_t>(options_.batch_size), options_.drop_last});
    size_t ahead = static_cast<size_t>(options_.num_workers) *
                   static_cast<size_t>(options_.prefetch_factor);
    return iterator(std::make_shared<detail::OrderedWorkQueue>(
        batches_of(plan->indices.size()), options_.num_workers, ahead,
        [plan](size_t number) { return plan->make(number); }));
  }
  std::default_sentinel_t end() const { return {}; }
  /// Number of batches per epoch.
  size_t size() const { return batches_of(sampler_->size()); }

private:
  struct Shared {
    explicit Shared(Dataset given) : dataset(std::move(given)) {}
    const Dataset dataset;
    std::atomic<uint64_t> epochs{0};
  };
  /// The sequence of indices and the seed of an epoch.
  struct Plan {
    std::shared_ptr<const Shared> shared;
    std::vector<size_t> indices;
    uint64_t seed;
    size_t batch_size;
    bool drop_last;

    detail::OrderedWorkQueue::Item make(size_t number) const {
      size_t first = number * batch_size;
      size_t last = std::min(first + batch_size, indices.size());
      std::vector<Sample> samples;
      samples.reserve(last - first);
      for (size_t i = first; i < last; ++i) {
        SampleScope scope(seed, i);
        samples.push_back(shared->dataset.get(indices[i]));
      }
      // A last batch that is not full has another size.
      detail::BatchSizes sizes(batch_size,
                               drop_last ? 0 : indices.size() % batch_size);
      return std::make_shared<Batch>(Collate<Sample>::stack(samples));
    }
  };

  size_t batches_of(size_t samples) const {
    auto size = static_cast<size_t>(options_.batch_size);
    return options_.drop_last ? samples / size : (samples + size - 1) / size;
  }

  std::shared_ptr<Shared> shared_;
  DataLoaderOptions options_;
  std::shared_ptr<Sampler> sampler_;
};

/// Same as the constructor of DataLoader; `*loader` is the range.
template <class Dataset>
std::unique_ptr<DataLoader<Dataset>>
make_data_loader(Dataset dataset, DataLoaderOptions options) {
  return std::make_unique<DataLoader<Dataset>>(std::move(dataset),
                                               std::move(options));
}
/// Shuffles, as libtorch does.
template <class Dataset>
std::unique_ptr<DataLoader<Dataset>> make_data_loader(Dataset dataset,
                                                      int64_t batch_size) {
  return make_data_loader(
      std::move(dataset),
      DataLoaderOptions{.batch_size = batch_size, .shuffle = true});
}

} // namespace xlac::data
