// torch_xla.distributed.parallel_loader: background threads read batches of any
// loader and upload them to devices while the program computes.
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

/// The sharding of uploaded tensors under SPMD. One spec applies to tensors of
/// its rank; others are replicated. Specs by name apply to the entries of
/// batches that are maps.
using InputSharding = std::variant<std::monostate, spmd::ShardingSpec,
                                   std::map<std::string, spmd::ShardingSpec>>;

/// Options of device loaders.
struct ParallelLoaderOptions {
  /// The batch dimension; negative values count from the last dimension.
  int batchdim = 0;
  /// Stop at the first batch whose size differs from the first one's.
  bool fixed_batch_size = false;
  int batches_per_execution = 1; ///< batches between two syncs
  int loader_prefetch_size = 8;  ///< batches read ahead of the uploads
  int device_prefetch_size = 4;  ///< batches uploaded ahead, per device
  int host_to_device_transfer_threads = 1; ///< per device
  /// With specs by name the loop throws ValueError for a batch that is neither
  /// a map from names nor a Value that is a dict. It throws KeyError unless
  /// specs and entries with tensors have the same names.
  InputSharding input_sharding = {};
};

namespace detail {

/// A batch whose type is erased.
using AnyBatch = std::shared_ptr<void>;

using NamedTensorMapper =
    std::function<Tensor(const std::string &, const Tensor &)>;

/// A pass over a loader, with the types erased.
struct BatchSource {
  /// Returns the next batch; null at the end. Called by one thread at a time.
  std::function<AnyBatch()> read;
  std::function<AnyBatch(const void *, const xlac::detail::TensorMapper &)> map;
  /// Set only for batch types that may be dicts. Each tensor is passed with the
  /// name of its entry.
  std::function<AnyBatch(const void *, const NamedTensorMapper &)> map_named;
  std::function<void(const void *, const xlac::detail::TensorVisitor &)> visit;
  std::optional<size_t> size; ///< number of batches, if the loader knows it
};

/// The batches for one consumer.
class XLAC_API BatchStream {
public:
  virtual ~BatchStream();
  /// Returns the next batch; null at the end.
  virtual AnyBatch next() = 0;
  /// Number of batches of the whole pass. Throws TypeError when the loader has
  /// no size.
  virtual size_t size() const = 0;
};

/// The threads of one pass: one that reads, and for each device those that
/// upload. Batch i goes to devices[i % devices.size()]; the batches of an
/// incomplete last round are dropped.
class XLAC_API LoaderThreads {
public:
  /// Returns when reading has begun, so that the start of the pass takes its
  /// random numbers before later code of the caller. Throws ValueError for
  /// invalid options, no devices, or a repeated device.
  LoaderThreads(BatchSource source, std::vector<Device> devices,
                const ParallelLoaderOptions &options);
  ~LoaderThreads();
  LoaderThreads(const LoaderThreads &) = delete;
  LoaderThreads &operator=(const LoaderThreads &) = delete;

  /// Returns the stream of a device. Its next() syncs the device as
  /// ParallelLoaderOptions ask for, and rethrows exceptions of reading or
  /// uploading. Throws DeviceError for a device that is not in the list.
  std::shared_ptr<BatchStream> stream(Device device) const;
  /// Joins the threads and ends the streams.
  void close();
  /// Makes streams throw `failure` from now on.
  void fail(std::exception_ptr failure);

private:
  struct XLAC_LOCAL State;
  std::shared_ptr<State> state_;
};

/// A stream that reads in the consuming thread and does not upload.
XLAC_API std::shared_ptr<BatchStream>
read_directly(BatchSource source, const ParallelLoaderOptions &options);

/// True for types that input_sharding by name supports.
template <class T> constexpr bool is_dict = std::is_same_v<T, Value>;
template <class T> constexpr bool is_dict<std::map<std::string, T>> = true;

/// Applies `map` to the tensors of a dict.
template <class T>
std::map<std::string, T> map_entries(std::map<std::string, T> dict,
                                     const NamedTensorMapper &map) {
  for (auto &entry : dict)
    entry.second = map_tensors(entry.second, [&](const Tensor &tensor) {
      return map(entry.first, tensor);
    });
  return dict;
}
/// Throws ValueError for a Value that is not a dict.
XLAC_API Value map_entries(const Value &dict, const NamedTensorMapper &map);

/// Starts one pass over `loader`, which must outlive it.
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

/// The batches of a pass for one device, already uploaded. next() syncs the
/// device before the first batch, before every batches_per_execution-th one
/// after it, and at the end; the operations in between form one program. For
/// use by one thread; copies share the pass.
template <class Batch> class PerDeviceLoader {
public:
  /// Reads the batches of one device.
  explicit PerDeviceLoader(std::shared_ptr<detail::BatchStream> stream)
      : stream_(std::move(stream)) {}

  /// Iterates over the batches of the device, once.
  class iterator {
  public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    explicit iterator(std::shared_ptr<detail::BatchStream> stream)
        : stream_(std::move(stream)), batch_(stream_->next()) {}
    Batch &operator*() const { return *static_cast<Batch *>(batch_.get()); }
    Batch *operator->() const { return static_cast<Batch *>(batch_.get()); }
    iterator &operator++() {
      // Releases the previous batch first, so that its memory can be reused.
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
  /// Returns the next batch; nothing at the end. Rethrows exceptions of reading
  /// or uploading it, which also end the pass.
  std::optional<Batch> next() {
    detail::AnyBatch batch = stream_->next();
    if (!batch)
      return std::nullopt;
    return std::move(*static_cast<Batch *>(batch.get()));
  }
  /// Number of batches of the pass for this device. Throws TypeError when the
  /// loader has no size.
  size_t size() const { return stream_->size(); }

private:
  std::shared_ptr<detail::BatchStream> stream_;
};

/// One pass over a range of batches: Example, tuples, vectors, maps, and
/// structs with XLAC_TREE, in any nesting. Batch i goes to devices[i %
/// devices.size()]; the batches of an incomplete last round are dropped.
/// Threads read and upload ahead and keep the order. Holds a reference to
/// `loader`.
template <std::ranges::range Loader> class ParallelLoader {
public:
  /// The type of a batch.
  using Batch = std::ranges::range_value_t<Loader>;

  /// Starts to read. Throws ValueError for invalid options, no devices, or a
  /// repeated device.
  ParallelLoader(Loader &loader, std::vector<Device> devices,
                 ParallelLoaderOptions options = {})
      : threads_(detail::batches_of(loader), std::move(devices), options) {}

  /// Throws DeviceError for a device that is not in the list. The returned
  /// loader ends when this object does, so temporaries cannot call it.
  PerDeviceLoader<Batch> per_device_loader(Device device) & {
    return PerDeviceLoader<Batch>(threads_.stream(device));
  }
  /// Ends the pass and its threads.
  void close() { threads_.close(); }

private:
  detail::LoaderThreads threads_;
};

/// The batches of a loader on one device, pass by pass: for (auto &[data,
/// target] : loader). Leaving a loop early ends its threads. Holds a reference
/// to `loader`.
template <std::ranges::range Loader> class MpDeviceLoader {
public:
  /// The type of a batch.
  using Batch = std::ranges::range_value_t<Loader>;
  using iterator = typename PerDeviceLoader<Batch>::iterator;

  /// Uploads the batches of the loader to the device.
  MpDeviceLoader(Loader &loader, Device device,
                 ParallelLoaderOptions options = {})
      : loader_(&loader), device_(device), options_(options) {}

  /// Starts a new pass and ends an active one.
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
  /// Number of batches of a pass, from the loader.
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
