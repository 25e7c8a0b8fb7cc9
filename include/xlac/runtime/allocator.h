// Memory for buffers and arenas: 64-byte aligned, bounded, and pooled for
// reuse, since page faults on fresh pages cost more than most kernels.
// Thread-safe.
#pragma once

#include "xlac/support/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace xlac::runtime {

struct AllocatorStats {
  int64_t in_use = 0; ///< allocated bytes, rounded up to block sizes
  int64_t peak = 0;   ///< maximum of in_use
  int64_t pooled = 0; ///< bytes kept for reuse
  int64_t limit = 0;  ///< 0: unlimited
  int64_t allocations = 0, reused = 0;
};

class Allocator {
public:
  /// `limit` bounds in_use; 0 means unlimited.
  explicit Allocator(int64_t limit = 0) : limit_(limit) {}
  /// All allocations must have been released.
  ~Allocator();
  Allocator(const Allocator &) = delete;
  Allocator &operator=(const Allocator &) = delete;

  /// Returns `bytes` of uninitialized memory, never null, also for 0 bytes.
  /// OutOfMemory, with the sizes, beyond the limit or if the machine has no
  /// more memory.
  Result<std::byte *> allocate(int64_t bytes);

  /// The OutOfMemory failure that allocating these sizes one after another
  /// would cause, or ok.
  Status check_capacity(std::span<const int64_t> sizes) const;

  /// Releases memory from allocate(bytes).
  void release(std::byte *address, int64_t bytes);

  /// Returns pooled memory to the operating system.
  void trim();

  AllocatorStats stats() const;

  /// Records that a buffer was freed whose contents other values were derived
  /// from.
  void record_free(uint64_t buffer);
  /// Whether take_dead() has any to return.
  bool has_dead() const { return has_dead_; }
  /// The buffers recorded since the last call.
  std::vector<uint64_t> take_dead();

  /// Locks the allocator during a fork, so that its state is consistent in the
  /// child.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

private:
  void trim_locked();

  const int64_t limit_;
  mutable std::mutex mutex_;
  int64_t in_use_ = 0, peak_ = 0, pooled_ = 0;
  int64_t allocations_ = 0, reused_ = 0;
  std::unordered_map<int64_t, std::vector<std::byte *>> pool_;
  std::vector<uint64_t> dead_;
  std::atomic<bool> has_dead_{false};
};

} // namespace xlac::runtime
