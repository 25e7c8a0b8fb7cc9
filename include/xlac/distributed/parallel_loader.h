// torch_xla.distributed.parallel_loader: batches of any loader, read and sent
// to devices by threads of their own while the program computes.
#pragma once

#include "xlac/spmd.h"
#include "xlac/tree.h"

#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace xlac::distributed {

/// How uploaded tensors lie under SPMD: those of the spec's rank as it says, or
/// each entry of a batch that is a map as the spec of its name says; others on
/// every device.
using InputSharding = std::variant<std::monostate, spmd::ShardingSpec,
                                   std::map<std::string, spmd::ShardingSpec>>;

struct ParallelLoaderOptions {
  /// The dimension of the batch size; from the last one where negative.
  int batchdim = 0;
  /// Stop at the first batch of another size than the first one's.
  bool fixed_batch_size = false;
  int batches_per_execution = 1;           ///< between two syncs
  int loader_prefetch_size = 8;            ///< read ahead of the uploads
  int device_prefetch_size = 4;            ///< uploaded ahead, for each device
  int host_to_device_transfer_threads = 1; ///< for each device
  /// With specs by name the loop throws ValueError for a batch that is no map
  /// from names and no Value that is a dict, KeyError unless specs and entries
  /// with tensors have the same names.
  InputSharding input_sharding = {};
};

namespace detail {

/// A batch of a type that only its loader and its reader know.
using AnyBatch = std::shared_ptr<void>;

using NamedTensorMapper =
    std::function<Tensor(const std::string &, const Tensor &)>;

/// A pass over a loader, without its types.
struct BatchSource {
  /// The next batch; null at the end. For one thread.
  std::function<AnyBatch()> read;
  std::function<AnyBatch(const void *, const xlac::detail::TensorMapper &)> map;
  /// Of batches that may be dicts, else empty; each tensor comes with the name
  /// of its entry.
  std::function<AnyBatch(const void *, const NamedTensorMapper &)> map_named;
  std::function<void(const void *, const xlac::detail::TensorVisitor &)> visit;
  std::optional<size_t> size; ///< batches, where the loader tells
};

/// Batches for one consumer.
class XLAC_API BatchStream {
public:
  virtual ~BatchStream();
  /// Null at the end.
  virtual AnyBatch next() = 0;
  /// Batches of the whole pass. TypeError when the loader has no size.
  virtual size_t size() const = 0;
};

/// The threads of one pass: one that reads, and for each device those that
/// upload. Batch i goes to devices[i % devices.size()]; those of a last round
/// that is not full go nowhere.
class XLAC_API LoaderThreads {
public:
  /// Returns when reading has begun, so that what begins it draws its random
  /// numbers before the caller draws others. ValueError for options that make
  /// no sense, no devices, or one twice.
  LoaderThreads(BatchSource source, std::vector<Device> devices,
                const ParallelLoaderOptions &options);
  ~LoaderThreads();
  LoaderThreads(const LoaderThreads &) = delete;
  LoaderThreads &operator=(const LoaderThreads &) = delete;

  /// Its next() syncs the device as ParallelLoaderOptions ask for, and throws
  /// what reading or uploading threw. DeviceError for a device that is not
  /// among them.
  std::shared_ptr<BatchStream> stream(Device device) const;
  /// Joins the threads; streams are at their end.
  void close();
  /// Streams throw `failure` from now on.
  void fail(std::exception_ptr failure);

private:
  struct XLAC_LOCAL State;
  std::shared_ptr<State> state_;
};

/// A stream that reads when it is asked, and leaves batches where they are.
XLAC_API std::shared_ptr<BatchStream>
read_directly(BatchSource source, const ParallelLoaderOptions &options);

/// What input_sharding by name is for.
template <class T> constexpr bool is_dict = std::is_same_v<T, Value>;
template <class T> constexpr bool is_dict<std::map<std::string, T>> = true;

/// A dict with other tensors.
template <class T>
std::map<std::string, T> map_entries(std::map<std::string, T> dict,
                                     const NamedTensorMapper &map) {
  for (auto &entry : dict)
    entry.second = map_tensors(entry.second, [&](const Tensor &tensor) {
      return map(entry.first, tensor);
    });
  return dict;
}
/// ValueError for a Value that is no dict.
XLAC_API Value map_entries(const Value &dict, const NamedTensorMapper &map);

/// One pass over `loader`, which must outlive it.
template <class Loader> BatchSource batches_of(Loader &loader) {
  using Batch = std::ranges::range_value_t<Loader>;
  struct Pass {
    Loader *loader;
    std::optional<std::ranges::iterator_t<Loader>> place = {};
  };
  BatchSource source;
  source.read = [pass = std::make_shared<Pass>(&loader)]() -> AnyBatch {
    if (pass->place)
      ++*pass->place;
    else
      pass->place.emplace(std::ranges::begin(*pass->loader));
    if (*pass->place == std::ranges::end(*pass->loader))
      return nullptr;
    return std::make_shared<Batch>(**pass->place);
  };
  source.map = [](const void *batch,
                  const xlac::detail::TensorMapper &map) -> AnyBatch {
    return std::make_shared<Batch>(
        map_tensors(*static_cast<const Batch *>(batch), map));
  };
  if constexpr (is_dict<Batch>)
    source.map_named = [](const void *batch,
                          const NamedTensorMapper &map) -> AnyBatch {
      return std::make_shared<Batch>(
          map_entries(*static_cast<const Batch *>(batch), map));
    };
  source.visit = [](const void *batch,
                    const xlac::detail::TensorVisitor &visit) {
    for_each_tensor(*static_cast<const Batch *>(batch), visit);
  };
  if constexpr (requires { static_cast<size_t>(loader.size()); })
    source.size = static_cast<size_t>(loader.size());
  return source;
}

} // namespace detail

/// One device's batches of a pass, already there. Before it hands out the first
/// batch and every batches_per_execution-th from there, next() syncs the
/// device, and once more at the end: what is recorded between is one program.
/// For one thread; copies share the pass.
template <class Batch> class PerDeviceLoader {
public:
  explicit PerDeviceLoader(std::shared_ptr<detail::BatchStream> stream)
      : stream_(std::move(stream)) {}

  class iterator {
  public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    explicit iterator(std::shared_ptr<detail::BatchStream> stream)
        : stream_(std::move(stream)), batch_(stream_->next()) {}
    Batch &operator*() const { return *static_cast<Batch *>(batch_.get()); }
    Batch *operator->() const { return static_cast<Batch *>(batch_.get()); }
    iterator &operator++() {
      // What was handed out goes first: its memory is free for the next one.
      batch_ = nullptr;
      batch_ = stream_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !batch_; }

  private:
    std::shared_ptr<detail::BatchStream> stream_;
    detail::AnyBatch batch_;
  };

  iterator begin() const { return iterator(stream_); }
  std::default_sentinel_t end() const { return {}; }
  /// The next batch; nothing at the end. Throws what reading or uploading it
  /// threw, and that is the end too.
  std::optional<Batch> next() {
    detail::AnyBatch batch = stream_->next();
    if (!batch)
      return std::nullopt;
    return std::move(*static_cast<Batch *>(batch.get()));
  }
  /// Batches of the pass for this device. TypeError when the loader has no
  /// size.
  size_t size() const { return stream_->size(); }

private:
  std::shared_ptr<detail::BatchStream> stream_;
};

/// One pass over a range of batches: Example, tuples, vectors, maps, structs
/// with XLAC_TREE, in any nesting. Batch i goes to devices[i % devices.size()];
/// those of a last round that is not full are dropped. Threads read and upload
/// ahead; order is kept. Keeps a reference to `loader`.
template <std::ranges::range Loader> class ParallelLoader {
public:
  using Batch = std::ranges::range_value_t<Loader>;

  /// Begins to read. ValueError for options that make no sense, no devices, or
  /// one twice.
  ParallelLoader(Loader &loader, std::vector<Device> devices,
                 ParallelLoaderOptions options = {})
      : threads_(detail::batches_of(loader), std::move(devices), options) {}

  /// DeviceError for a device that is not in the list. The loader's batches end
  /// when this object does, so a temporary has none.
  PerDeviceLoader<Batch> per_device_loader(Device device) & {
    return PerDeviceLoader<Batch>(threads_.stream(device));
  }
  /// Ends the pass wherever it is, and the threads.
  void close() { threads_.close(); }

private:
  detail::LoaderThreads threads_;
};

/// The batches of a loader on one device, pass by pass: for (auto &[data,
/// target] : loader). A loop that is left early ends its threads. Keeps a
/// reference to `loader`.
template <std::ranges::range Loader> class MpDeviceLoader {
public:
  using Batch = std::ranges::range_value_t<Loader>;
  using iterator = typename PerDeviceLoader<Batch>::iterator;

  MpDeviceLoader(Loader &loader, Device device,
                 ParallelLoaderOptions options = {})
      : loader_(&loader), device_(device), options_(options) {}

  /// A new pass; ends one that is under way.
  iterator begin() {
    if (std::shared_ptr<detail::LoaderThreads> last = last_.lock())
      last->close();
    auto threads = std::make_shared<detail::LoaderThreads>(
        detail::batches_of(*loader_), std::vector<Device>{device_}, options_);
    last_ = threads;
    struct Pass {
      std::shared_ptr<detail::LoaderThreads> threads;
      std::shared_ptr<detail::BatchStream> stream;
    };
    auto pass = std::make_shared<Pass>(threads, threads->stream(device_));
    return iterator({pass, pass->stream.get()});
  }
  std::default_sentinel_t end() const { return {}; }
  /// Batches of a pass, as the loader tells.
  size_t size() const
    requires requires(Loader &loader) { loader.size(); }
  {
    return static_cast<size_t>(loader_->size());
  }

private:
  Loader *loader_;
  Device device_;
  ParallelLoaderOptions options_;
  std::weak_ptr<detail::LoaderThreads> last_;
};

} // namespace xlac::distributed
