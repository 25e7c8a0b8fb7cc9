// torch_xla.distributed.data_parallel: a thread for each device, all in this
// process, each with a replica of the model and its share of the batches.
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
/// A model, also where it can be called without arguments.
template <class T>
concept Replicable = requires(const T &model) {
  { model.clone(Device(kCPU)) } -> std::same_as<T>;
};
template <class T>
concept ModelFactory = std::is_invocable_v<T> && !Replicable<T>;

/// TypeError: the attribute is no such thing.
[[noreturn]] XLAC_API void throw_other_attribute(const std::string &name);
/// All of the process where nothing is said.
XLAC_API std::vector<Device>
checked_replicas(std::optional<std::vector<Device>> device_ids);
/// Runs work(i) on a thread for devices[i], a replica among them; returns when
/// all are done and their devices too. What a thread throws ends the others:
/// their collectives throw CollectiveError, and `fail` is called with what
/// else there is to end them with. Then throws the first exception that is not
/// another's consequence; tensors that the failed step was to overwrite, or had
/// overwritten without running it, hold what they held before it.
XLAC_API void run_replicas(const std::vector<Device> &devices,
                           const std::function<void(size_t)> &work,
                           const std::function<void(std::exception_ptr)> &fail);
} // namespace detail

/// What a replica keeps between calls: one for each device, as long as its
/// DataParallel.
class Context {
public:
  explicit Context(Device device) : device_(device) {}
  Device device() const { return device_; }

  /// The attribute of that name; make() makes it where there is none. TypeError
  /// when it is no T.
  template <class T>
  T &getattr_or(const std::string &name, std::function<T()> make) {
    auto found = attributes_.find(name);
    if (found == attributes_.end())
      // Shared, since optimizers and the like cannot be copied.
      found = attributes_.emplace(name, std::make_shared<T>(make())).first;
    if (auto *shared = std::any_cast<std::shared_ptr<T>>(&found->second))
      return **shared;
    if constexpr (std::is_copy_constructible_v<T>)
      if (auto *held = std::any_cast<T>(&found->second))
        return *held;
    detail::throw_other_attribute(name);
  }
  /// By name; what getattr_or made is there as a std::shared_ptr.
  std::map<std::string, std::any> &attributes() { return attributes_; }

private:
  Device device_;
  std::map<std::string, std::any> attributes_;
};

/// What a call of DataParallel gives when its loop gives an R.
template <class R> struct LoopResults {
  using type = std::vector<R>;
};
template <> struct LoopResults<void> {
  using type = void;
};

/// Replicas of a model, one a device. `Model` is a handle such as XLAC_MODULE
/// makes: something with clone(device).
template <class Model> class DataParallel {
  using Devices = std::optional<std::vector<Device>>;

public:
  /// The model is what network() gives; it is called once. Devices: all of the
  /// process unless given; none at all, {}, means one replica on the cpu.
  template <detail::ModelFactory Factory>
    requires std::is_invocable_r_v<Model, Factory>
  explicit DataParallel(Factory network, Devices device_ids = {})
      : DataParallel(static_cast<Model>(network()), std::move(device_ids)) {}
  template <detail::ModelFactory Factory>
    requires std::is_invocable_r_v<Model, Factory>
  DataParallel(Factory network, std::initializer_list<Device> device_ids)
      : DataParallel(std::move(network), std::vector<Device>(device_ids)) {}
  /// All replicas are clones of `network`.
  explicit DataParallel(Model network, Devices device_ids = {})
      : devices_(detail::checked_replicas(std::move(device_ids))) {
    for (Device device : devices_) {
      models_.push_back(network.clone(device));
      contexts_.emplace_back(device);
    }
  }
  DataParallel(Model network, std::initializer_list<Device> device_ids)
      : DataParallel(std::move(network), std::vector<Device>(device_ids)) {}

  const std::vector<Device> &devices() const { return devices_; }
  /// In the order of the devices.
  const std::vector<Model> &models() const { return models_; }

  /// One pass over `loader`: loop_fn(Model &, PerDeviceLoader<Batch> &, Device,
  /// Context &) on a thread a device, whose current device it is and which is a
  /// replica among all; on the cpu on this thread, with the loader's batches as
  /// they are. Gives what the loops gave, in the order of the devices. Throws
  /// what the first failing loop threw, after the others have ended: their
  /// collectives and loaders throw CollectiveError. The models are then as the
  /// last whole step has left them, and may be called again.
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

template <detail::ModelFactory Factory>
DataParallel(Factory, std::optional<std::vector<Device>> = {})
    -> DataParallel<std::invoke_result_t<Factory>>;
template <detail::ModelFactory Factory>
DataParallel(Factory, std::initializer_list<Device>)
    -> DataParallel<std::invoke_result_t<Factory>>;

} // namespace xlac::distributed
