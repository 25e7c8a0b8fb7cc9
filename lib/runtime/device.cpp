#include "xlac/runtime/device.h"

#include "host_call.h"
#include "prologue_memo.h"
#include "replaced_buffers.h"
#include "stream.h"

#include "xlac/runtime/work_pool.h"
#include "xlac/support/fork.h"
#include "xlac/support/machine_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>

namespace xlac::runtime {

namespace {

/// Programs that are expected to take less run on the calling thread: waking
/// the stream's thread and waiting for it takes 10 to 20 µs.
constexpr int64_t kInlineNanoseconds = 100'000;
/// Programs with a smaller estimate are not timed: they have no loops, so that
/// the estimate is reliable, and reading the clock would slow them down.
constexpr int64_t kTimedNanoseconds = 2'000;
constexpr int kMaximumDevices = 1024;

/// Needs no allocation: the text fits into the string object.
Failure out_of_memory() {
  return failure(FailureKind::OutOfMemory, "out of memory");
}

/// A copy of the failure, or out_of_memory() if it cannot be copied.
Failure copy_of(const Failure &failure) {
  try {
    return failure;
  } catch (const std::bad_alloc &) {
    return out_of_memory();
  }
}

} // namespace

class VirtualDevice::Impl {
public:
  class Launch;

  Impl(int ordinal, const DeviceOptions &options)
      : ordinal(ordinal), name("xla:" + std::to_string(ordinal)),
        allocator(std::make_shared<Allocator>(options.memory_limit)),
        threads(options.threads), context(allocator, options.threads) {
    context.set_device(ordinal);
  }
  ~Impl() { stream->stop(); }

  /// Runs one launch and finishes its results. Called only by the stream's
  /// work.
  void run(const std::shared_ptr<const Executable> &executable,
           std::vector<BufferRef> &arguments,
           const std::vector<BufferRef> &results, LaunchOptions &options);
  void stick(const Failure &failure);
  /// Frees kept values of prologues. Returns false if there are none.
  bool forget_prologues();

  const int ordinal;
  const std::string name;
  std::shared_ptr<Allocator> allocator;
  const int threads;
  RunContext context; ///< used by one run; concurrent runs have their own
  std::atomic_flag context_in_use;
  /// memory() reads them while a launch writes.
  std::atomic<int64_t> prologue_bytes{0}, prologue_entries{0};
  std::mutex failure_mutex;
  bool has_failed = false;
  Failure first_failure;
  ReplacedBuffers replaced; ///< guarded by failure_mutex
  std::mutex memo_mutex;
  PrologueMemo memo; ///< guarded by memo_mutex
  std::shared_ptr<Stream> stream = std::make_shared<Stream>();

private:
  /// Drops what the memo keeps of buffers that have ended.
  void drop_dead_prologues();
  /// Bytes that the memo may keep: a quarter of the device's memory, or of its
  /// part of the machine's.
  int64_t memo_limit() const;
  /// One run under way.
  struct Run {
    const std::shared_ptr<const Executable> &executable;
    std::vector<BufferRef> &arguments;
    const std::vector<BufferRef> &results;
    bool has_entered = false; ///< the program has begun
  };
  Status run_in_context(Run &run, LaunchOptions &options);
  Status try_run(Run &run, RunContext &context);
  Status run_or_throw(Run &run, RunContext &context);
  Status run_in_place(Run &run, RunContext &context, const GridRank &place);
  Status add_prologue(RunContext &context,
                      const std::shared_ptr<const Executable> &executable,
                      const std::vector<BufferRef> &arguments,
                      std::vector<const void *> &addresses,
                      std::vector<BufferRef> &values);
  Status provide_results(const Executable &executable,
                         std::vector<BufferRef> &arguments,
                         const std::vector<BufferRef> &results);
};

int64_t VirtualDevice::Impl::memo_limit() const {
  int64_t limit = allocator->stats().limit;
  return (limit > 0 ? limit : memory_of_machine() / virtual_device_count()) / 4;
}

bool VirtualDevice::Impl::forget_prologues() {
  std::lock_guard lock(memo_mutex);
  if (memo.entries() == 0)
    return false;
  memo.clear();
  prologue_bytes = 0;
  prologue_entries = 0;
  return true;
}

void VirtualDevice::Impl::drop_dead_prologues() {
  if (!allocator->has_dead())
    return;
  std::lock_guard lock(memo_mutex);
  memo.purge(allocator->take_dead());
  prologue_bytes = memo.bytes();
  prologue_entries = memo.entries();
}

/// Appends the addresses of the prologue's values; `values` keeps them alive.
/// If memory is short, values of other programs are evicted.
Status VirtualDevice::Impl::add_prologue(
    RunContext &context, const std::shared_ptr<const Executable> &executable,
    const std::vector<BufferRef> &arguments,
    std::vector<const void *> &addresses, std::vector<BufferRef> &values) {
  const Prologue &prologue = executable->image().prologue;
  std::lock_guard lock(memo_mutex);
  bool may_change = std::any_of(
      prologue.arguments.begin(), prologue.arguments.end(),
      [&](uint32_t number) { return arguments[number]->may_change(); });
  const std::vector<BufferRef> *kept =
      may_change ? nullptr : memo.find(*executable, arguments);
  if (kept) {
    values = *kept;
  } else {
    std::vector<void *> to;
    for (int64_t bytes : prologue.result_bytes) {
      Result<BufferRef> value = Buffer::allocate(allocator, bytes);
      if (!value && memo.entries() > 0) {
        memo.clear();
        value = Buffer::allocate(allocator, bytes);
      }
      if (!value)
        return value.error();
      to.push_back((*value)->data());
      values.push_back(std::move(*value));
    }
    XLAC_RETURN_IF_ERROR(executable->run_prologue(context, addresses, to));
    if (!may_change)
      memo.insert(executable, arguments, values, allocator, memo_limit());
  }
  prologue_bytes = memo.bytes();
  prologue_entries = memo.entries();
  for (const BufferRef &value : values)
    addresses.push_back(value->data());
  return {};
}

/// Provides memory for each result: that of an argument if the program allows
/// it and the launch is its only owner, otherwise new memory. The addresses of
/// arguments must have been read before.
Status
VirtualDevice::Impl::provide_results(const Executable &executable,
                                     std::vector<BufferRef> &arguments,
                                     const std::vector<BufferRef> &results) {
  int64_t reused = 0;
  for (AliasPair pair : executable.image().aliases) {
    const BufferRef &donor = arguments[pair.argument];
    const BufferRef &result = results[pair.result];
    if (!donor.is_sole() || donor->is_borrowed() || !donor->data() ||
        result->data())
      continue;
    result->take_memory(*donor);
    ++reused;
  }
  if (reused > 0)
    metrics::metric("InputOutputAliasCount").add(static_cast<double>(reused));
  for (const BufferRef &result : results) {
    if (result->data())
      continue;
    Status status = result->materialize();
    if (!status && forget_prologues())
      status = result->materialize();
    XLAC_RETURN_IF_ERROR(status);
  }
  return {};
}

/// Does not throw: waiters for the results get every failure.
Status VirtualDevice::Impl::try_run(Run &run, RunContext &context) {
  try {
    return run_or_throw(run, context);
  } catch (const std::bad_alloc &) {
    return out_of_memory();
  }
}

Status VirtualDevice::Impl::run_or_throw(Run &run, RunContext &context) {
  const std::shared_ptr<const Executable> &executable = run.executable;
  std::vector<BufferRef> &arguments = run.arguments;
  const std::vector<BufferRef> &results = run.results;
  const std::vector<int64_t> &wanted = executable->argument_bytes();
  if (arguments.size() != wanted.size())
    return failure(FailureKind::User, executable->image().name + ": got " +
                                          std::to_string(arguments.size()) +
                                          " arguments, expected " +
                                          std::to_string(wanted.size()));
  std::vector<const void *> addresses;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i])
      return failure(FailureKind::User, executable->image().name +
                                            ": argument " + std::to_string(i) +
                                            " is missing");
    if (arguments[i]->bytes() != wanted[i])
      return failure(FailureKind::User,
                     executable->image().name + ": argument " +
                         std::to_string(i) + " has " +
                         std::to_string(arguments[i]->bytes()) +
                         " bytes, expected " + std::to_string(wanted[i]));
    XLAC_RETURN_IF_ERROR(arguments[i]->wait());
    addresses.push_back(arguments[i]->data());
  }
  drop_dead_prologues();
  std::vector<BufferRef> values;
  if (!executable->image().prologue.empty())
    XLAC_RETURN_IF_ERROR(
        add_prologue(context, executable, arguments, addresses, values));
  XLAC_RETURN_IF_ERROR(provide_results(*executable, arguments, results));
  std::vector<void *> to;
  for (const BufferRef &result : results)
    to.push_back(result->data());
  if (int64_t bytes = executable->image().arena_bytes; bytes > 0) {
    Result<std::byte *> arena = context.arena(bytes);
    if (!arena && forget_prologues())
      arena = context.arena(bytes);
    if (!arena)
      return arena.error();
  }
  run.has_entered = true;
  if (executable->image().estimated_nanoseconds < kTimedNanoseconds)
    return executable->run(context, addresses, to);
  auto start = Clock::now();
  Status status = executable->run(context, addresses, to);
  executable->record_run(nanoseconds_since(start));
  return status;
}

Status VirtualDevice::Impl::run_in_place(Run &run, RunContext &context,
                                         const GridRank &place) {
  const std::shared_ptr<const Executable> &executable = run.executable;
  if (!place.grid)
    return try_run(run, context);
  if (place.process < 0 || place.process >= place.grid->shape().count())
    return failure(FailureKind::User, executable->image().name + ": process " +
                                          std::to_string(place.process) +
                                          " has no place in its grid");
  context.set_grid_rank(place);
  place.grid->enter(place.process);
  Status status = try_run(run, context);
  // After any failure, peers must not wait for this run.
  try {
    place.grid->leave(place.process, status);
  } catch (const std::bad_alloc &) {
    place.grid->fail(out_of_memory());
  }
  context.set_grid_rank({});
  return status;
}

/// With the device's context, or with another while that one is in use.
Status VirtualDevice::Impl::run_in_context(Run &run, LaunchOptions &options) {
  RunContext *used = &context;
  std::unique_ptr<RunContext> other;
  const bool is_first = !context_in_use.test_and_set();
  if (!is_first) {
    other.reset(new (std::nothrow) RunContext(allocator, threads));
    if (!other)
      return out_of_memory();
    used = other.get();
    used->set_device(ordinal);
  }
  used->set_threads(options.threads > 0 ? options.threads : threads);
  used->set_launch_data(std::move(options.data));
  Status status = run_in_place(run, *used, options.place);
  used->set_launch_data(nullptr);
  if (is_first)
    context_in_use.clear();
  return status;
}

void VirtualDevice::Impl::run(
    const std::shared_ptr<const Executable> &executable,
    std::vector<BufferRef> &arguments, const std::vector<BufferRef> &results,
    LaunchOptions &options) {
  auto start = options.run_time ? Clock::now() : Clock::time_point();
  Run run{executable, arguments, results};
  Status status = run_in_context(run, options);
  if (options.run_time)
    options.run_time->add(double(nanoseconds_since(start)));
  if (!status) {
    std::lock_guard lock(failure_mutex);
    try {
      replaced.keep(arguments, results, options.replaces,
                    !run.has_entered ||
                        status.error().failure_kind == FailureKind::Collective);
    } catch (const std::bad_alloc &) { // the previous values are lost then
    }
  }
  // Releases the memory before the results become ready.
  arguments.clear();
  if (!status)
    stick(status.error());
  auto finish = [&](const BufferRef &buffer) {
    if (status)
      buffer->set_ready();
    else
      buffer->set_failed(copy_of(status.error()));
  };
  for (const BufferRef &result : results)
    finish(result);
  if (options.completion)
    finish(options.completion);
}

void VirtualDevice::Impl::stick(const Failure &failure) {
  std::lock_guard lock(failure_mutex);
  if (has_failed)
    return;
  has_failed = true;
  first_failure = copy_of(failure);
}

/// One run of a program, from launch() to its results.
class VirtualDevice::Impl::Launch : public StreamWork {
public:
  Launch(Impl &device, std::shared_ptr<const Executable> executable,
         std::vector<BufferRef> arguments, std::vector<BufferRef> results,
         LaunchOptions options)
      : device_(device), executable_(std::move(executable)),
        arguments_(std::move(arguments)), results_(std::move(results)),
        options_(std::move(options)) {}

  void run() override {
    device_.run(executable_, arguments_, results_, options_);
  }

private:
  Impl &device_;
  std::shared_ptr<const Executable> executable_;
  std::vector<BufferRef> arguments_, results_;
  LaunchOptions options_;
};

VirtualDevice::VirtualDevice(int ordinal, const DeviceOptions &options)
    : impl_(std::make_unique<Impl>(ordinal, options)) {}

VirtualDevice::~VirtualDevice() = default;

int VirtualDevice::ordinal() const { return impl_->ordinal; }

const std::string &VirtualDevice::name() const { return impl_->name; }

Status VirtualDevice::check_capacity(const Executable &executable) {
  Status fits = impl_->allocator->check_capacity(executable.new_bytes());
  if (!fits && !impl_->stream->is_idle()) {
    impl_->stream->drain();
    fits = impl_->allocator->check_capacity(executable.new_bytes());
  }
  if (!fits && impl_->forget_prologues())
    fits = impl_->allocator->check_capacity(executable.new_bytes());
  return fits;
}

std::vector<BufferRef>
VirtualDevice::launch(std::shared_ptr<const Executable> executable,
                      std::vector<BufferRef> arguments, LaunchOptions options) {
  std::vector<BufferRef> results;
  for (int64_t bytes : executable->result_bytes())
    results.push_back(Buffer::pending(impl_->allocator, bytes));
  bool waits_for_others =
      options.place.grid && options.place.grid->shape().count() > 1;
  bool is_short = executable->expected_nanoseconds() < kInlineNanoseconds;
  for (const BufferRef &argument : arguments)
    is_short = is_short && (!argument || argument->is_done());
  RunsOn runs_on = executable->may_block(waits_for_others) ? RunsOn::Stream
                   : is_short                              ? RunsOn::Caller
                                                           : RunsOn::Waiter;
  if (runs_on == RunsOn::Waiter) {
    for (const BufferRef &result : results)
      result->set_stream(impl_->stream);
    if (options.completion)
      options.completion->set_stream(impl_->stream);
  }
  auto work = std::make_unique<Impl::Launch>(*impl_, std::move(executable),
                                             std::move(arguments), results,
                                             std::move(options));
  // The stream may be waiting for the call that this thread is in.
  if (is_in_host_call())
    impl_->stream->run_unqueued(std::move(work), waits_for_others);
  else
    impl_->stream->submit(std::move(work), runs_on);
  return results;
}

TransferQueue &VirtualDevice::infeed() { return impl_->context.infeed(); }

TransferQueue &VirtualDevice::outfeed() { return impl_->context.outfeed(); }

Result<BufferRef> VirtualDevice::allocate(int64_t bytes) {
  Result<BufferRef> buffer = Buffer::allocate(impl_->allocator, bytes);
  if (!buffer && impl_->forget_prologues())
    buffer = Buffer::allocate(impl_->allocator, bytes);
  return buffer;
}

Result<BufferRef> VirtualDevice::upload(std::span<const std::byte> bytes) {
  Result<BufferRef> buffer = allocate(static_cast<int64_t>(bytes.size()));
  if (buffer && !bytes.empty())
    std::memcpy((*buffer)->data(), bytes.data(), bytes.size());
  return buffer;
}

Status VirtualDevice::sync() {
  impl_->stream->drain();
  std::lock_guard lock(impl_->failure_mutex);
  if (!std::exchange(impl_->has_failed, false))
    return {};
  impl_->replaced.restore();
  return std::exchange(impl_->first_failure, {});
}

bool VirtualDevice::is_idle() const { return impl_->stream->is_idle(); }

MemoryInfo VirtualDevice::memory() const {
  return {impl_->allocator->stats(), impl_->prologue_bytes,
          impl_->prologue_entries};
}

void VirtualDevice::record_launches(LaunchRecorder *recorder) {
  impl_->stream->drain();
  impl_->context.set_recorder(recorder);
}

bool VirtualDevice::before_fork(Clock::time_point end) {
  if (!impl_->stream->before_fork(end))
    return false;
  impl_->failure_mutex.lock();
  impl_->memo_mutex.lock();
  impl_->allocator->before_fork();
  return true;
}

void VirtualDevice::after_fork(bool in_child) {
  impl_->allocator->after_fork();
  impl_->memo_mutex.unlock();
  impl_->failure_mutex.unlock();
  impl_->stream->after_fork(in_child);
}

namespace {

/// All devices, created at first use and never destroyed, since handles that
/// outlive main may still refer to them.
class Registry final : public ForkStep {
public:
  static Registry &process() {
    static Registry *registry = new Registry();
    return *registry;
  }

  Registry() : ForkStep(ForkRank::Streams) { enlist(); }

  Status configure(const DeviceOptions &options) {
    std::lock_guard lock(mutex_);
    if (!devices_.empty())
      return failure(FailureKind::User,
                     "devices cannot be configured once one has been used");
    XLAC_RETURN_IF_ERROR(check_count(options.count));
    if (options.memory_limit < 0 || options.threads < 0)
      return failure(FailureKind::User, "a device's limits cannot be negative");
    options_ = options;
    count_ = options.count;
    return {};
  }

  Status provide(int count) {
    XLAC_RETURN_IF_ERROR(check_count(count));
    std::lock_guard lock(mutex_);
    count_ = options_.count = std::max(options_.count, count);
    if (!devices_.empty())
      start();
    return {};
  }

  /// Without the lock: devices ask with locks that a fork takes after it.
  int count() const { return count_; }

  Result<VirtualDevice *> find(int ordinal) {
    std::lock_guard lock(mutex_);
    if (ordinal < 0 || ordinal >= options_.count)
      return failure(FailureKind::Device,
                     "no device xla:" + std::to_string(ordinal) +
                         ", there are " + std::to_string(options_.count));
    if (devices_.empty())
      start();
    return devices_[ordinal].get();
  }

private:
  static Status check_count(int count) {
    if (count < 1 || count > kMaximumDevices)
      return failure(FailureKind::User, "got " + std::to_string(count) +
                                            " devices, expected 1 to " +
                                            std::to_string(kMaximumDevices));
    return {};
  }

  /// Those that are wanted and not there.
  void start() {
    for (auto i = static_cast<int>(devices_.size()); i < options_.count; ++i)
      devices_.push_back(std::make_unique<VirtualDevice>(i, options_));
  }

  bool try_hold(Clock::time_point end) override {
    if (!mutex_.try_lock_until(end))
      return false;
    for (held_ = 0; held_ < devices_.size(); ++held_)
      if (!devices_[held_]->before_fork(end)) {
        release(false);
        return false;
      }
    return true;
  }

  void release(bool in_child) override {
    while (held_ > 0)
      devices_[--held_]->after_fork(in_child);
    mutex_.unlock();
  }

  std::timed_mutex mutex_;
  size_t held_ = 0; ///< devices that a fork holds
  DeviceOptions options_;
  std::atomic<int> count_{options_.count};
  std::vector<std::unique_ptr<VirtualDevice>> devices_;
};

} // namespace

Status configure_devices(const DeviceOptions &options) {
  return Registry::process().configure(options);
}

Status provide_devices(int count) { return Registry::process().provide(count); }

int virtual_device_count() { return Registry::process().count(); }

Result<VirtualDevice *> find_device(int ordinal) {
  return Registry::process().find(ordinal);
}

} // namespace xlac::runtime
