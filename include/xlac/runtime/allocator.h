// Memory for buffers and arenas: 64-byte aligned, bounded, and kept for reuse,
// since fresh pages cost more than the work that most kernels do on them. Safe
// from several threads.
#pragma once

#include "xlac/support/result.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace xlac::runtime {

struct AllocatorStats {
  int64_t in_use = 0; ///< bytes handed out, rounded as they were taken
  int64_t peak = 0;   ///< the most that in_use ever was
  int64_t pooled = 0; ///< bytes kept for reuse
  int64_t limit = 0;  ///< 0: none
  int64_t allocations = 0, reused = 0;
};

class Allocator {
public:
  /// `limit` bounds in_use; 0 for none.
  explicit Allocator(int64_t limit = 0) : limit_(limit) {}
  /// Everything handed out must have come back.
  ~Allocator();
  Allocator(const Allocator &) = delete;
  Allocator &operator=(const Allocator &) = delete;

  /// `bytes` of uninitialised memory, never null, also for 0. OutOfMemory,
  /// naming the sizes, past the limit or when the machine has no more.
  Result<std::byte *> allocate(int64_t bytes);

  /// OutOfMemory as of allocate() if it refused one of these sizes, taken one
  /// after the other.
  Status check_capacity(std::span<const int64_t> sizes) const;

  /// Takes back what allocate(bytes) gave.
  void release(std::byte *address, int64_t bytes);

  /// Gives kept memory back to the system.
  void trim();

  AllocatorStats stats() const;

  /// Notes the death of a buffer whose contents something was derived from.
  void record_free(uint64_t buffer);
  /// The buffers noted since the last call.
  std::vector<uint64_t> take_dead();

  /// Holds the allocator over a fork, so that the child finds it whole.
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
};

} // namespace xlac::runtime
