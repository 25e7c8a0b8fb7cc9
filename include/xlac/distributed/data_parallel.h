// torch_xla.distributed.data_parallel: one thread per device in this process,
// each with a replica of the model and a share of the batches.
#pragma once

#include "xlac/distributed/parallel_loader.h"

#include <any>
#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <type_traits>

namespace xlac::distributed {

namespace detail {
/// A model, including one that can be called without arguments.
template <class T>
concept Replicable = requires(const T &model) {
  { model.clone(Device(kCPU)) } -> std::same_as<T>;
};
template <class T>
concept ModelFactory = std::is_invocable_v<T> && !Replicable<T>;

/// Throws TypeError: the attribute has another type.
[[noreturn]] XLAC_API void throw_other_attribute(const std::string &name);
/// Returns the given devices, or all of the process. Throws for invalid ones.
XLAC_API std::vector<Device>
checked_replicas(std::optional<std::vector<Device>> device_ids);
/// Runs work(i) on a thread for devices[i], each a replica, and returns when
/// all threads and devices are done. An exception of a thread ends the others:
/// their collectives throw CollectiveError, and `fail` is called to end other
/// waits. Then the first exception that is not a consequence of another is
/// rethrown. Tensors that the failed step wrote, or was to write, get back
/// their values from before the step.
XLAC_API void run_replicas(const std::vector<Device> &devices,
                           const std::function<void(size_t)> &work,
                           const std::function<void(std::exception_ptr)> &fail);
} // namespace detail

/// State that a replica keeps between calls. There is one per device, which
/// lives as long as its DataParallel.
class Context {
public:
  /// The context of a device.
  explicit Context(Device device) : device_(device) {}
  /// The device of the replica.
  Device device() const { return device_; }

  /// Returns the attribute of that name; make() creates a missing one. Throws
  /// TypeError when it is not a T.
  template <class T>
  T &getattr_or(const std::string &name, std::function<T()> make) {
    auto found = attributes_.find(name);
    if (found == attributes_.end())
      // Held by shared_ptr, since optimizers and similar objects cannot be
      // copied.
      found = attributes_.emplace(name, std::make_shared<T>(make())).first;
    if (auto *shared = std::any_cast<std::shared_ptr<T>>(&found->second))
      return **shared;
    if constexpr (std::is_copy_constructible_v<T>)
      if (auto *held = std::any_cast<T>(&found->second))
        return *held;
    detail::throw_other_attribute(name);
  }
  /// The attributes by name. Those made by getattr_or are held by
  /// std::shared_ptr.
  std::map<std::string, std::any> &attributes() { return attributes_; }

private:
  Device device_;
  std::map<std::string, std::any> attributes_;
};

/// The result of calling DataParallel with a loop that returns R.
template <class R> struct LoopResults {
  /// The results in the order of the devices.
  using type = std::vector<R>;
};
template <> struct LoopResults<void> {
  using type = void;
};

/// Replicas of a model, one per device. `Model` is a handle with clone(device),
/// such as XLAC_MODULE defines.
template <class Model> class DataParallel {
  using Devices = std::optional<std::vector<Device>>;

public:
  /// Calls network() once to make the model. Default devices: all of the
  /// process. An empty list, {}, means one replica on the cpu.
  template <detail::ModelFactory Factory>
    requires std::is_invocable_r_v<Model, Factory>
  explicit DataParallel(Factory network, Devices device_ids = {})
      : DataParallel(static_cast<Model>(network()), std::move(device_ids)) {}
  /// The same, with a list of devices.
  template <detail::ModelFactory Factory>
    requires std::is_invocable_r_v<Model, Factory>
  DataParallel(Factory network, std::initializer_list<Device> device_ids)
      : DataParallel(std::move(network), std::vector<Device>(device_ids)) {}
  /// Makes all replicas by cloning `network`.
  explicit DataParallel(Model network, Devices device_ids = {})
      : devices_(detail::checked_replicas(std::move(device_ids))) {
    for (Device device : devices_) {
      models_.push_back(network.clone(device));
      contexts_.emplace_back(device);
    }
  }
  /// The same, with a list of devices.
  DataParallel(Model network, std::initializer_list<Device> device_ids)
      : DataParallel(std::move(network), std::vector<Device>(device_ids)) {}

  /// The devices of the replicas.
  const std::vector<Device> &devices() const { return devices_; }
  /// The replicas, in the order of the devices.
  const std::vector<Model> &models() const { return models_; }

  /// Runs one pass over `loader`. Calls loop_fn(Model &, PerDeviceLoader<Batch>
  /// &, Device, Context &) on one thread per device. In that thread the device
  /// is the current one, and the thread is a replica. On the cpu it runs on
  /// this thread, with the loader's batches unchanged. Returns the loops'
  /// results in the order of the devices. When a loop throws, the collectives
  /// and loaders of the others throw CollectiveError; after they have ended,
  /// the first exception is rethrown. The models then have the values of the
  /// last complete step and can be used again.
  template <class Loop, std::ranges::range Loader>
  auto operator()(Loop loop_fn, Loader &loader, bool fixed_batch_size = false,
                  int batchdim = 0) ->
      typename LoopResults<std::invoke_result_t<
          Loop &, Model &,
          PerDeviceLoader<std::ranges::range_value_t<Loader>> &, Device,
          Context &>>::type {
    using Batches = PerDeviceLoader<std::ranges::range_value_t<Loader>>;
    using Result =
        std::invoke_result_t<Loop &, Model &, Batches &, Device, Context &>;
    ParallelLoaderOptions options;
    options.fixed_batch_size = fixed_batch_size;
    options.batchdim = batchdim;
    if constexpr (std::is_void_v<Result>) {
      run_loops(loader, options, [&](size_t i, Batches &batches) {
        loop_fn(models_[i], batches, devices_[i], contexts_[i]);
      });
    } else {
      std::vector<std::optional<Result>> made(devices_.size());
      run_loops(loader, options, [&](size_t i, Batches &batches) {
        made[i].emplace(
            loop_fn(models_[i], batches, devices_[i], contexts_[i]));
      });
      std::vector<Result> results;
      for (std::optional<Result> &result : made)
        results.push_back(std::move(*result));
      return results;
    }
  }

private:
  template <class Loader, class Run>
  void run_loops(Loader &loader, const ParallelLoaderOptions &options,
                 Run &&run) {
    using Batches = PerDeviceLoader<std::ranges::range_value_t<Loader>>;
    if (devices_.front().type == kCPU) {
      Batches batches(
          detail::read_directly(detail::batches_of(loader), options));
      run(0, batches);
      return;
    }
    detail::LoaderThreads threads(detail::batches_of(loader), devices_,
                                  options);
    detail::run_replicas(
        devices_,
        [&](size_t i) {
          Batches batches(threads.stream(devices_[i]));
          run(i, batches);
        },
        [&](std::exception_ptr failure) { threads.fail(failure); });
  }

  std::vector<Device> devices_;
  std::vector<Model> models_;
  std::vector<Context> contexts_;
};

/// Deduces the model from what the function returns.
template <detail::ModelFactory Factory>
DataParallel(Factory, std::optional<std::vector<Device>> = {})
    -> DataParallel<std::invoke_result_t<Factory>>;
/// Deduces the model from what the function returns.
template <detail::ModelFactory Factory>
DataParallel(Factory, std::initializer_list<Device>)
    -> DataParallel<std::invoke_result_t<Factory>>;

} // namespace xlac::distributed
