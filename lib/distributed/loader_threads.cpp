// One mutex protects the whole pass; it is locked a few times per batch.
// Readers and uploaders wait for a free slot before they start, so that no more
// batches are held than the options allow.
#include "xlac/distributed/parallel_loader.h"
#include "xlac/lazy.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/replication.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace xlac::distributed::detail {

BatchStream::~BatchStream() = default;

//===- Options ------------------------------------------------------------===//

static void check_options(const ParallelLoaderOptions &options) {
  auto check = [](const char *name, int value) {
    if (value < 1)
      raise<ValueError>(std::string(name) + " must be 1 or more, got " +
                        std::to_string(value));
  };
  check("batches_per_execution", options.batches_per_execution);
  check("loader_prefetch_size", options.loader_prefetch_size);
  check("device_prefetch_size", options.device_prefetch_size);
  check("host_to_device_transfer_threads",
        options.host_to_device_transfer_threads);
}

static std::vector<Device> checked_devices(std::vector<Device> devices) {
  if (devices.empty())
    raise<ValueError>("wanted a device or more, got none");
  for (Device &device : devices)
    device = lazy::resolve(device);
  for (size_t i = 0; i < devices.size(); ++i)
    if (std::find(devices.begin(), devices.begin() + i, devices[i]) !=
        devices.begin() + i)
      raise<ValueError>(devices[i].str() + " is there twice");
  return devices;
}

namespace {

//===- Reading ------------------------------------------------------------===//

/// Reads until the end, or until a batch of another size.
class Reader {
public:
  Reader(BatchSource source, const ParallelLoaderOptions &options)
      : source_(std::move(source)), batchdim_(options.batchdim),
        is_fixed_(options.fixed_batch_size) {}

  const BatchSource &source() const { return source_; }

  AnyBatch next() {
    AnyBatch batch = source_.read ? source_.read() : nullptr;
    if (batch && is_fixed_) {
      std::optional<int64_t> size = size_of(batch);
      if (!first_size_)
        first_size_ = size;
      else if (*first_size_ != size)
        batch = nullptr;
    }
    if (!batch)
      end();
    return batch;
  }
  /// Releases the loader.
  void end() { source_.read = nullptr; }

private:
  /// Returns the size of the first tensor that has the batch dimension, since
  /// labels may lack it.
  std::optional<int64_t> size_of(const AnyBatch &batch) const {
    std::optional<int64_t> size;
    source_.visit(batch.get(), [&](const Tensor &tensor) {
      int64_t dim = batchdim_ < 0 ? batchdim_ + tensor.dim() : batchdim_;
      if (!size && dim >= 0 && dim < tensor.dim())
        size = tensor.size(dim);
    });
    return size;
  }

  BatchSource source_;
  const int batchdim_;
  const bool is_fixed_;
  std::optional<std::optional<int64_t>> first_size_;
};

class DirectStream final : public BatchStream {
public:
  DirectStream(BatchSource source, const ParallelLoaderOptions &options)
      : reader_(std::move(source), options) {}
  AnyBatch next() override { return reader_.next(); }
  size_t size() const override {
    if (!reader_.source().size)
      raise<TypeError>("the loader has no size()");
    return *reader_.source().size;
  }

private:
  Reader reader_;
};

//===- Syncs and uploads --------------------------------------------------===//

/// Sets the thread's current device during its lifetime.
class CurrentDevice {
public:
  explicit CurrentDevice(int device) : before_(lazy::current_device()) {
    lazy::set_current_device(device);
  }
  ~CurrentDevice() { lazy::set_current_device(before_); }
  CurrentDevice(const CurrentDevice &) = delete;
  CurrentDevice &operator=(const CurrentDevice &) = delete;

private:
  int before_;
};

void sync_device(Device device) {
  if (device.type != kXLA)
    return;
  CurrentDevice scope(device.index);
  xlac::sync();
}

Tensor uploaded(const Tensor &tensor, Device device) {
  if (tensor.device() == device)
    return tensor;
  Tensor copy = tensor.detach().to(device);
  return tensor.requires_grad() ? copy.requires_grad_() : copy;
}

using Specs = std::map<std::string, spmd::ShardingSpec>;

[[noreturn]] void throw_no_dict() {
  raise<ValueError>(
      "input_sharding has specs by name, but the batch is not a map "
      "from names");
}

/// Uploads each entry of a batch that is a map by the spec of its name.
AnyBatch uploaded_by_name(const BatchSource &source, const void *batch,
                          const Specs &specs) {
  if (!source.map_named)
    throw_no_dict();
  std::set<std::string> names;
  AnyBatch sent = source.map_named(
      batch, [&](const std::string &name, const Tensor &tensor) {
        auto spec = specs.find(name);
        if (spec == specs.end())
          raise<KeyError>("'" + name + "' is missing in input_sharding");
        names.insert(name);
        return spmd::send_sharded(tensor, spec->second);
      });
  for (const auto &[name, spec] : specs)
    if (!names.contains(name))
      raise<KeyError>("'" + name +
                      "' of input_sharding is missing in the "
                      "batch");
  return sent;
}

struct Made {
  AnyBatch batch;
  std::exception_ptr failure;
};

template <class Make> Made attempt(Make &&make) {
  try {
    return {make(), nullptr};
  } catch (...) {
    return {nullptr, std::current_exception()};
  }
}

} // namespace

Value map_entries(const Value &dict, const NamedTensorMapper &map) {
  const auto *entries = dict.get_if<Value::Dict>();
  if (!entries)
    throw_no_dict();
  Value::Dict mapped = *entries;
  for (auto &[key, item] : mapped)
    if (const auto *name = key.get_if<std::string>())
      item = map_tensors(
          item, [&](const Tensor &tensor) { return map(*name, tensor); });
  return mapped;
}

//===- The threads --------------------------------------------------------===//

struct LoaderThreads::State {
  /// The state of one device's batches, protected by the mutex.
  struct Lane {
    Device device;
    std::deque<AnyBatch> read; ///< not uploaded yet
    size_t started = 0;        ///< uploads
    /// finished uploads that wait for the consumer, by number
    std::map<size_t, Made> made;
    size_t delivered = 0;
    bool is_over = false; ///< its consumer has received the end or a failure
    std::condition_variable may_upload, is_made;
  };

  Reader reader;
  const ParallelLoaderOptions options;
  std::mutex mutex;
  std::condition_variable may_read, has_begun;
  std::deque<Lane> lanes;
  size_t waiting = 0; ///< read and not uploaded, in all lanes
  size_t lanes_left;
  bool begun = false, read_all = false, closed = false;
  std::exception_ptr failure; ///< of reading, or set by fail()
  bool failed_outside = false;
  std::mutex joining;
  std::vector<std::thread> threads; ///< protected by `joining`

  State(BatchSource source, std::vector<Device> devices,
        const ParallelLoaderOptions &given)
      : reader(std::move(source), given), options(given),
        lanes_left(devices.size()) {
    for (Device device : devices)
      lanes.emplace_back().device = device;
  }

  void start();
  void read();
  void upload(Lane &lane);
  AnyBatch send(const void *batch, Device device);
  void close();
  void fail(std::exception_ptr why);
  AnyBatch next(Lane &lane);
  Made take(Lane &lane);
  void end(Lane &lane);
  void notify_all();
};

/// The threads take over the current device and replica of their creator, since
/// a dataset may ask for them.
void LoaderThreads::State::start() {
  auto run = [this](auto work) {
    threads.emplace_back([work, device = lazy::current_device(),
                          replication = lazy::replication()] {
      if (lazy::runtime_started())
        lazy::set_current_device(device);
      lazy::set_replication(replication);
      work();
    });
  };
  try {
    run([this] { read(); });
    for (Lane &lane : lanes)
      for (int i = 0; i < options.host_to_device_transfer_threads; ++i)
        run([this, &lane] { upload(lane); });
  } catch (...) {
    close();
    throw;
  }
  std::unique_lock lock(mutex);
  has_begun.wait(lock, [this] { return begun; });
}

void LoaderThreads::State::read() {
  std::vector<AnyBatch> round;
  size_t capacity =
      std::max(static_cast<size_t>(options.loader_prefetch_size), lanes.size());
  std::unique_lock lock(mutex);
  while (true) {
    may_read.wait(lock, [&] {
      return closed || lanes_left == 0 || waiting + round.size() < capacity;
    });
    if (closed || lanes_left == 0)
      break;
    lock.unlock();
    Made made = attempt([this] { return reader.next(); });
    lock.lock();
    begun = true;
    has_begun.notify_all();
    if (made.failure && !failure)
      failure = made.failure;
    if (!made.batch)
      break;
    round.push_back(std::move(made.batch));
    if (round.size() < lanes.size())
      continue;
    for (size_t i = 0; i < lanes.size(); ++i) {
      if (lanes[i].is_over)
        continue;
      lanes[i].read.push_back(std::move(round[i]));
      lanes[i].may_upload.notify_one();
      ++waiting;
    }
    round.clear();
  }
  lock.unlock();
  reader.end();
  lock.lock();
  read_all = true;
  begun = true;
  notify_all();
}

void LoaderThreads::State::upload(Lane &lane) {
  auto ahead = static_cast<size_t>(options.device_prefetch_size);
  std::unique_lock lock(mutex);
  while (true) {
    lane.may_upload.wait(lock, [&] {
      if (closed || lane.is_over || (read_all && lane.read.empty()))
        return true;
      return !lane.read.empty() && lane.started - lane.delivered < ahead;
    });
    if (closed || lane.is_over || lane.read.empty())
      return;
    size_t number = lane.started++;
    AnyBatch batch = std::move(lane.read.front());
    lane.read.pop_front();
    --waiting;
    may_read.notify_one();
    lock.unlock();
    Made made = attempt([&] { return send(batch.get(), lane.device); });
    batch = nullptr;
    lock.lock();
    lane.made.emplace(number, std::move(made));
    lane.is_made.notify_all();
  }
}

AnyBatch LoaderThreads::State::send(const void *batch, Device device) {
  XLAC_CALL("ParallelLoader");
  if (auto *specs = std::get_if<Specs>(&options.input_sharding))
    return uploaded_by_name(reader.source(), batch, *specs);
  auto *spec = std::get_if<spmd::ShardingSpec>(&options.input_sharding);
  return reader.source().map(batch, [&](const Tensor &tensor) {
    return spec ? spmd::send_sharded(tensor, *spec) : uploaded(tensor, device);
  });
}

void LoaderThreads::State::notify_all() {
  may_read.notify_all();
  has_begun.notify_all();
  for (Lane &lane : lanes) {
    lane.may_upload.notify_all();
    lane.is_made.notify_all();
  }
}

/// Ends the lane: its batches are no longer requested. The mutex must be held.
void LoaderThreads::State::end(Lane &lane) {
  if (lane.is_over)
    return;
  lane.is_over = true;
  --lanes_left;
  waiting -= lane.read.size();
  lane.read.clear();
  lane.made.clear();
  notify_all();
}

Made LoaderThreads::State::take(Lane &lane) {
  std::unique_lock lock(mutex);
  lane.is_made.wait(lock, [&] {
    return closed || failed_outside || lane.made.contains(lane.delivered) ||
           (read_all && lane.read.empty() && lane.started == lane.delivered);
  });
  Made made;
  if (failed_outside)
    made.failure = failure;
  else if (lane.made.contains(lane.delivered))
    made = std::move(lane.made.extract(lane.delivered).mapped());
  else if (!closed)
    made.failure = failure;
  if (made.batch) {
    ++lane.delivered;
    lane.may_upload.notify_one();
  } else {
    end(lane);
  }
  return made;
}

AnyBatch LoaderThreads::State::next(Lane &lane) {
  bool is_due;
  {
    std::lock_guard lock(mutex);
    if (lane.is_over)
      return nullptr;
    is_due =
        lane.delivered % static_cast<size_t>(options.batches_per_execution) ==
        0;
  }
  if (is_due)
    sync_device(lane.device);
  Made made = take(lane);
  if (made.failure)
    std::rethrow_exception(made.failure);
  if (!made.batch && !is_due)
    sync_device(lane.device);
  return std::move(made.batch);
}

void LoaderThreads::State::fail(std::exception_ptr why) {
  std::lock_guard lock(mutex);
  failure = std::move(why);
  failed_outside = true;
  notify_all();
}

void LoaderThreads::State::close() {
  {
    std::lock_guard lock(mutex);
    closed = true;
    notify_all();
  }
  std::lock_guard lock(joining);
  for (std::thread &thread : threads)
    thread.join();
  threads.clear();
  // Drops the batches that streams would still return.
  std::lock_guard held(mutex);
  for (Lane &lane : lanes)
    end(lane);
}

//===- Streams ------------------------------------------------------------===//

LoaderThreads::LoaderThreads(BatchSource source, std::vector<Device> devices,
                             const ParallelLoaderOptions &options) {
  XLAC_CALL("ParallelLoader");
  check_options(options);
  state_ = std::make_shared<State>(
      std::move(source), checked_devices(std::move(devices)), options);
  state_->start();
}

LoaderThreads::~LoaderThreads() { state_->close(); }

void LoaderThreads::close() { state_->close(); }

void LoaderThreads::fail(std::exception_ptr failure) {
  state_->fail(std::move(failure));
}

std::shared_ptr<BatchStream> LoaderThreads::stream(Device device) const {
  struct Stream final : BatchStream {
    Stream(std::shared_ptr<State> given, State::Lane &lane)
        : state(std::move(given)), lane(lane) {}
    AnyBatch next() override { return state->next(lane); }
    size_t size() const override {
      std::optional<size_t> whole = state->reader.source().size;
      if (!whole)
        raise<TypeError>("the loader has no size()");
      return *whole / state->lanes.size();
    }
    std::shared_ptr<State> state;
    State::Lane &lane;
  };
  XLAC_CALL("per_device_loader");
  Device wanted =
      device.type == kXLA && device.index < 0 ? lazy::resolve(device) : device;
  for (State::Lane &lane : state_->lanes)
    if (lane.device == wanted)
      return std::make_shared<Stream>(state_, lane);
  std::string list;
  for (const State::Lane &lane : state_->lanes)
    list += (list.empty() ? "" : ", ") + lane.device.str();
  raise<DeviceError>(wanted.str() + " is not among the loader's devices, [" +
                     list + "]");
}

std::shared_ptr<BatchStream>
read_directly(BatchSource source, const ParallelLoaderOptions &options) {
  return std::make_shared<DirectStream>(std::move(source), options);
}

} // namespace xlac::distributed::detail
