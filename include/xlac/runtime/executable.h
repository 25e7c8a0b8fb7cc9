// A compiled program in memory, ready to run: its blobs mapped executable, its
// constants aligned, its entry points found. Knows nothing of devices: the
// caller brings memory of the right sizes.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/runtime/allocator.h"
#include "xlac/runtime/communicator.h"
#include "xlac/runtime/image.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

class DebuggerEntry;
class LaunchRecorder;

/// What one run after the other may share: the arena, a cap on threads, the
/// feeds, and where the run stands among others. One run at a time.
class RunContext {
public:
  /// `threads` caps the work pool; 0 for all of it.
  explicit RunContext(
      std::shared_ptr<Allocator> allocator = std::make_shared<Allocator>(),
      int threads = 0);
  ~RunContext();
  RunContext(const RunContext &) = delete;
  RunContext &operator=(const RunContext &) = delete;

  int threads() const { return threads_; }
  Allocator &allocator() { return *allocator_; }
  /// At least `bytes`, aligned; what it held before is lost when it grows.
  Result<std::byte *> arena(int64_t bytes);

  /// Where the next run stands; nowhere, it is alone.
  void set_grid_rank(GridRank place) { grid_rank_ = std::move(place); }
  const GridRank &place() const { return grid_rank_; }
  /// Gives a run that stands nowhere a grid of its own.
  Status ensure_grid();
  /// The observer of the next runs, or null.
  void set_recorder(LaunchRecorder *recorder) { recorder_ = recorder; }
  LaunchRecorder *recorder() const { return recorder_; }
  TransferQueue &infeed() { return infeed_; }
  TransferQueue &outfeed() { return outfeed_; }

private:
  std::shared_ptr<Allocator> allocator_;
  int threads_;
  std::byte *arena_ = nullptr;
  int64_t arena_bytes_ = 0;
  GridRank grid_rank_;
  LaunchRecorder *recorder_ = nullptr;
  TransferQueue infeed_, outfeed_;
};

class Executable {
public:
  /// Checks the image (features of this machine, symbols, static types), maps
  /// its code and copies its constants. Runtime failures for a damaged image or
  /// a machine that lacks a feature, Unsupported for types it cannot hold.
  static Result<std::shared_ptr<const Executable>> load(ExecutableImage image);
  ~Executable();
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  /// Unique in this process, never reused.
  uint64_t id() const { return id_; }
  /// The image, less its code and constants.
  const ExecutableImage &image() const { return image_; }
  /// Bytes of each argument's and result's buffer.
  const std::vector<int64_t> &argument_bytes() const { return argument_bytes_; }
  const std::vector<int64_t> &result_bytes() const { return result_bytes_; }
  /// Those of results that take over no argument's memory.
  const std::vector<int64_t> &new_bytes() const { return new_bytes_; }
  /// The program may wait for others: it must not run on a caller's thread.
  bool may_block() const { return may_block_; }
  /// Code and constants.
  int64_t resident_bytes() const { return code_bytes_ + constant_bytes_; }

  /// Computes the prologue's values from all of the program's arguments.
  Status run_prologue(RunContext &context,
                      std::span<const void *const> arguments,
                      std::span<void *const> values) const;

  /// Runs the program on this thread and the work pool. `arguments` are the
  /// program's, then the prologue's values if it has one; results must be
  /// 64-byte aligned and, unless an alias pair allows it, lie apart from the
  /// arguments.
  Status run(RunContext &context, std::span<const void *const> arguments,
             std::span<void *const> results) const;

private:
  Executable();
  Status check_types();
  Status map_code();
  Status find_entries();
  Status find_host_functions();
  Status copy_constants();
  /// Names the code for profilers and debuggers.
  void show_symbols();
  Result<const void *> address_of(uint32_t blob, const std::string &name) const;
  Status call(RunContext &context, xlac_entry_fn entry, int64_t arena_bytes,
              const void *const *arguments,
              std::span<void *const> results) const;

  uint64_t id_ = 0;
  bool may_block_ = false;
  ExecutableImage image_;
  std::vector<int64_t> argument_bytes_, result_bytes_, new_bytes_;
  std::byte *code_ = nullptr;
  size_t code_bytes_ = 0;
  std::vector<size_t> blob_offsets_;
  std::unique_ptr<DebuggerEntry> debugger_;
  std::byte *constant_data_ = nullptr;
  int64_t constant_bytes_ = 0;
  std::vector<const void *> constants_;
  std::vector<xlac_kernel_fn> kernels_;
  /// For each collective, the function that it calls or null.
  std::vector<std::shared_ptr<const CustomCallFunction>> host_functions_;
  xlac_entry_fn entry_ = nullptr, prologue_ = nullptr;
};

} // namespace xlac::runtime
