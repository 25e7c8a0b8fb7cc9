// The virtual devices xla:0 … xla:N-1. A device runs programs in launch order.
// A short program on an idle device runs on the calling thread. Others run on
// the thread of the device's stream, the only thread that blocks, or on a
// thread that waits for their results. Programs are short by their last run, or
// by the compiler's estimate before the first one.
#pragma once

#include "xlac/runtime/buffer.h"
#include "xlac/runtime/executable.h"
#include "xlac/runtime/launch_recorder.h"
#include "xlac/support/metrics.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

struct DeviceOptions {
  int count = 1;            ///< devices in this process
  int64_t memory_limit = 0; ///< limit on buffer bytes per device; 0: unlimited
  int threads = 0;          ///< limit on pool threads per device; 0: all
};

/// Sets the options of all devices. User failure once a device has been used,
/// or for values out of range.
Status configure_devices(const DeviceOptions &options);

/// Gives this process at least so many devices, also after some have been used.
/// User failure for numbers out of range.
Status provide_devices(int count);

/// Number of devices of this process.
int virtual_device_count();

struct MemoryInfo {
  AllocatorStats allocator;
  int64_t prologue_bytes = 0; ///< held for prologues, included in in_use
  int64_t prologue_entries = 0;
};

/// What VirtualDevice::launch takes besides the program and its arguments.
struct LaunchOptions {
  /// The launch's rank among the programs that wait for each other.
  GridRank place = {};
  /// Records the nanoseconds of the run before the results become ready.
  metrics::Metric *run_time = nullptr;
  /// Pairs of results and the arguments that they replace, for sync().
  std::vector<AliasPair> replaces = {};
  /// A pending buffer or null. It is finished together with the results, also
  /// if there are none.
  BufferRef completion = {};
  /// What custom calls of this run get as CustomCallOrigin::launch, or null.
  std::shared_ptr<const void> data = {};
  /// Limit on the pool threads of this run; 0: the limit of the device.
  int threads = 0;
};

class VirtualDevice {
public:
  explicit VirtualDevice(int ordinal, const DeviceOptions &options);
  ~VirtualDevice();
  VirtualDevice(const VirtualDevice &) = delete;
  VirtualDevice &operator=(const VirtualDevice &) = delete;

  int ordinal() const;
  /// "xla:<ordinal>".
  const std::string &name() const;

  /// OutOfMemory if the program's results do not fit into the remaining memory.
  /// Before it fails, it waits until all launched programs have run and checks
  /// again.
  Status check_capacity(const Executable &executable);

  /// Launches the program and returns its results, which may be pending. Any
  /// failure is stored in the results and in the stream. An argument that the
  /// caller moved in and that has no other owner donates its memory to a
  /// result, if the program allows it.
  ///
  /// Programs that may wait for others run on the stream's thread. A launch
  /// from inside of a custom call does not wait for its turn: it runs on the
  /// calling thread, before launch() returns, unless its program has
  /// collectives with other devices.
  std::vector<BufferRef> launch(std::shared_ptr<const Executable> executable,
                                std::vector<BufferRef> arguments,
                                LaunchOptions options = {});

  /// The queues of infeed and outfeed.
  TransferQueue &infeed();
  TransferQueue &outfeed();

  Result<BufferRef> allocate(int64_t bytes);
  /// A ready buffer with a copy of `bytes`.
  Result<BufferRef> upload(std::span<const std::byte> bytes);

  /// Blocks until everything launched before has run. Returns the first failure
  /// since the last sync and clears it: a failed result that replaces an
  /// argument then has the argument's contents. It stays failed if the failed
  /// program may have overwritten the argument.
  Status sync();
  /// Whether no program is running or queued.
  bool is_idle() const;

  MemoryInfo memory() const;

  /// Records later runs in `recorder`, which must live until the call with
  /// null. Waits for programs launched before.
  void record_launches(LaunchRecorder *recorder);

  /// Prepares the stream for a fork: waits until it is idle and locks it.
  /// Returns false without a lock if it is not idle before `end`.
  bool before_fork(Clock::time_point end);
  void after_fork(bool in_child);

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The device with that number; Device failure if there is none. Devices live
/// as long as the process.
Result<VirtualDevice *> find_device(int ordinal);

} // namespace xlac::runtime
