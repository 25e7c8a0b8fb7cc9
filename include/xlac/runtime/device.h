// The virtual devices xla:0 … xla:N-1. A device runs programs in the order of
// their launches: on the caller when it is idle and the program is short, else
// on its stream's thread, the only one that ever blocks.
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
  int64_t memory_limit = 0; ///< bytes of buffers a device; 0: none
  int threads = 0;          ///< cap in the work pool a device; 0: all
};

/// Sets how devices will be. User once a device has been used, or for numbers
/// out of range.
Status configure_devices(const DeviceOptions &options);

/// Devices of this process.
int virtual_device_count();

struct MemoryInfo {
  AllocatorStats allocator;
  int64_t prologue_bytes = 0; ///< held for prologues, part of in_use
  int64_t prologue_entries = 0;
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

  /// OutOfMemory if the program's results would not fit: neither beside what is
  /// in use now nor, which is waited for, once all that was launched has run.
  Status check_capacity(const Executable &executable);

  /// Starts the program on the arguments and returns its results at once;
  /// they may be pending. A failure, whatever it is, sticks to the results and
  /// to the stream. An argument that the caller moved in and that has no other
  /// owner gives its memory to a result where the program allows it. Programs
  /// that may wait for others run on the stream's thread; `place` says who they
  /// are among those. `run_time` notes the nanoseconds of the run before
  /// anybody sees the results. `replaces` pairs results with the arguments
  /// whose successors they are, for sync(). `completion`, a pending buffer or
  /// null, is finished as the results are, also where there are none.
  std::vector<BufferRef> launch(std::shared_ptr<const Executable> executable,
                                std::vector<BufferRef> arguments,
                                GridRank place = {},
                                metrics::Metric *run_time = nullptr,
                                std::vector<AliasPair> replaces = {},
                                BufferRef completion = {});

  /// What infeed takes, and what outfeed leaves for the host.
  TransferQueue &infeed();
  TransferQueue &outfeed();

  Result<BufferRef> allocate(int64_t bytes);
  /// A ready buffer that holds a copy.
  Result<BufferRef> upload(std::span<const std::byte> bytes);

  /// Blocks until all that was launched before has run. The first failure
  /// since the last sync, which then is forgotten: failed results that replace
  /// an argument have that one's contents from now on. Those stay failed whose
  /// argument the failed program may have overwritten.
  Status sync();
  /// Nothing is running or queued.
  bool is_idle() const;

  MemoryInfo memory() const;

  /// What runs from now on do goes to `recorder`, which must live until null is
  /// given; waits for what was launched before.
  void record_launches(LaunchRecorder *recorder);

  /// Takes the stream through a fork: waits until it is idle and holds it.
  /// False, and nothing held, if it is not before `end`.
  bool before_fork(Clock::time_point end);
  void after_fork(bool in_child);

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The device of that number; Device failure if there is none. Devices live as
/// long as the process.
Result<VirtualDevice *> find_device(int ordinal);

} // namespace xlac::runtime
