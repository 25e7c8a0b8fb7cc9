// A compiled program in memory, ready to run: executable code, aligned
// constants and resolved entry points. It does not depend on devices: the
// caller provides memory of the right sizes.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/runtime/allocator.h"
#include "xlac/runtime/call_check.h"
#include "xlac/runtime/communicator.h"
#include "xlac/runtime/image.h"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

class DebuggerEntry;
class HostCall;
class LaunchRecorder;

/// State that consecutive runs share: the arena, the thread limit, the feeds,
/// and the rank of the run. Only one run at a time may use it.
class RunContext {
public:
  /// `threads` limits the threads of the work pool; 0 means all.
  explicit RunContext(
      std::shared_ptr<Allocator> allocator = std::make_shared<Allocator>(),
      int threads = 0);
  ~RunContext();
  RunContext(const RunContext &) = delete;
  RunContext &operator=(const RunContext &) = delete;

  int threads() const { return threads_; }
  void set_threads(int threads) { threads_ = threads; }
  Allocator &allocator() { return *allocator_; }
  /// Returns at least `bytes`, aligned. Growing loses the previous contents.
  Result<std::byte *> arena(int64_t bytes);
  /// Makes arena() return the caller's aligned memory for requests of at most
  /// `bytes`, until the next call. Null stands for none.
  void lend_arena(std::byte *data, int64_t bytes) {
    lent_arena_ = data;
    lent_bytes_ = bytes;
  }

  /// Sets the rank of the next run; an empty one means it runs alone.
  void set_grid_rank(GridRank place) { grid_rank_ = std::move(place); }
  const GridRank &place() const { return grid_rank_; }
  /// Sets what custom calls of the next run are told about their launch: its
  /// device and its data.
  void set_device(int device) { device_ = device; }
  int device() const { return device_; }
  void set_launch_data(std::shared_ptr<const void> data) {
    launch_data_ = std::move(data);
  }
  const std::shared_ptr<const void> &launch_data() const {
    return launch_data_;
  }
  /// Gives a run without a grid its own grid.
  Status ensure_grid();
  /// The recorder of the next runs, or null.
  void set_recorder(LaunchRecorder *recorder) { recorder_ = recorder; }
  LaunchRecorder *recorder() const { return recorder_; }
  TransferQueue &infeed() { return infeed_; }
  TransferQueue &outfeed() { return outfeed_; }

private:
  std::shared_ptr<Allocator> allocator_;
  int threads_;
  std::byte *arena_ = nullptr;
  int64_t arena_bytes_ = 0;
  std::byte *lent_arena_ = nullptr;
  int64_t lent_bytes_ = 0;
  GridRank grid_rank_;
  LaunchRecorder *recorder_ = nullptr;
  int device_ = 0;
  std::shared_ptr<const void> launch_data_;
  TransferQueue infeed_, outfeed_;
};

/// The CPU features that the image's code uses and this machine lacks, as text
/// such as "AVX-512, AMX-TILE"; empty if this machine can run the code.
std::string missing_features(const ExecutableImage &image);

class Executable {
public:
  /// Verifies the image (CPU features, symbols, static types), maps its code
  /// and copies its constants unless constants_in_place. Runtime failure for a
  /// damaged image or missing CPU features, Unsupported for types that cannot
  /// be stored, User for custom calls that cannot be made.
  static Result<std::shared_ptr<const Executable>>
  load(ExecutableImage image, CallCheck check = CallCheck::Load);
  ~Executable();
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  /// Unique in this process; ids are never reused.
  uint64_t id() const { return id_; }
  /// The image without its code.
  const ExecutableImage &image() const { return image_; }
  /// The image with its code, as it was loaded. It shares the constants.
  ExecutableImage whole_image() const;
  /// Bytes of each argument's and result's buffer.
  const std::vector<int64_t> &argument_bytes() const { return argument_bytes_; }
  const std::vector<int64_t> &result_bytes() const { return result_bytes_; }
  /// Bytes of the results that do not reuse an argument's memory.
  const std::vector<int64_t> &new_bytes() const { return new_bytes_; }
  /// Whether the program may wait for others; it must not run on a caller's
  /// thread. `has_peers`: its collectives have more than one process.
  bool may_block(bool has_peers) const {
    return may_block_alone_ || (has_peers && has_collectives_);
  }
  /// Duration of the last recorded run; before that, the image's estimate.
  int64_t expected_nanoseconds() const {
    return expected_nanoseconds_.load(std::memory_order_relaxed);
  }
  void record_run(int64_t nanoseconds) const {
    expected_nanoseconds_.store(nanoseconds, std::memory_order_relaxed);
  }
  /// Bytes of code and constants.
  int64_t resident_bytes() const { return code_bytes_ + constant_bytes_; }

  /// Computes the prologue's values from all arguments of the program.
  Status run_prologue(RunContext &context,
                      std::span<const void *const> arguments,
                      std::span<void *const> values) const;

  /// Runs the program on this thread and the work pool. `arguments` holds the
  /// program's arguments, followed by the prologue's values if it has one.
  /// Results must be 64-byte aligned and must not overlap the arguments, unless
  /// an alias pair permits it.
  Status run(RunContext &context, std::span<const void *const> arguments,
             std::span<void *const> results) const;

private:
  Executable();
  Status check_types();
  Status map_code();
  Status find_entries();
  Status find_host_calls(CallCheck check);
  Status place_constants();
  /// Makes the code's symbols visible to profilers and debuggers.
  void show_symbols();
  Result<const void *> address_of(uint32_t blob, const std::string &name) const;
  Status call(RunContext &context, xlac_entry_fn entry, int64_t arena_bytes,
              const void *const *arguments,
              std::span<void *const> results) const;

  uint64_t id_ = 0;
  bool may_block_alone_ = false; ///< calls functions of the user, or transfers
  bool has_collectives_ = false;
  mutable std::atomic<int64_t> expected_nanoseconds_{0};
  ExecutableImage image_;
  std::vector<int64_t> argument_bytes_, result_bytes_, new_bytes_;
  std::byte *code_ = nullptr;
  size_t code_bytes_ = 0;
  std::vector<size_t> blob_offsets_, blob_sizes_;
  std::unique_ptr<DebuggerEntry> debugger_;
  int64_t constant_bytes_ = 0;
  std::vector<const void *> constants_;
  std::vector<xlac_kernel_fn> kernels_;
  /// For each collective that is a custom call, the call; null for others.
  std::vector<std::shared_ptr<const HostCall>> host_calls_;
  xlac_entry_fn entry_ = nullptr, prologue_ = nullptr;
};

} // namespace xlac::runtime
