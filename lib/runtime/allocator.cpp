#include "xlac/runtime/allocator.h"

#include "xlac/abi/abi.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <new>
#include <string>
#include <sys/mman.h>

namespace xlac::runtime {

namespace {

constexpr int64_t kHugePage = 2 << 20;
/// Minimum size of the pool, even if peak use is smaller.
constexpr int64_t kSmallPool = 64 << 20;
/// Above the memory of any machine, and far below overflow.
constexpr int64_t kMaximumBytes = int64_t(1) << 46;

/// Size classes of the pool: multiples of 64 up to 4 KiB, eighths of a power of
/// two above, so that at most an eighth is wasted.
int64_t block_size(int64_t bytes) {
  bytes = std::max<int64_t>(bytes, 1);
  int64_t step = XLAC_ALIGNMENT;
  if (bytes > 4096)
    step =
        static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(bytes - 1))) /
        8;
  int64_t size = (bytes + step - 1) / step * step;
  assert(size >= bytes && size % XLAC_ALIGNMENT == 0 && "blocks are aligned");
  return size;
}

std::byte *map_huge(int64_t size) {
  // Huge pages need an alignment that mmap does not guarantee.
  void *raw = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    return nullptr;
  auto start = reinterpret_cast<uintptr_t>(raw);
  uintptr_t aligned = (start + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > start)
    munmap(raw, aligned - start);
  uintptr_t end = start + size + kHugePage;
  if (end > aligned + size)
    munmap(reinterpret_cast<void *>(aligned + size), end - aligned - size);
  madvise(reinterpret_cast<void *>(aligned), size, MADV_HUGEPAGE);
  return reinterpret_cast<std::byte *>(aligned);
}

std::byte *take(int64_t size) {
  if (size >= kHugePage)
    return map_huge(size);
  return static_cast<std::byte *>(std::aligned_alloc(XLAC_ALIGNMENT, size));
}

void give_back(std::byte *address, int64_t size) {
  if (size >= kHugePage)
    munmap(address, size);
  else
    std::free(address);
}

} // namespace

/// Whether the limits permit another `bytes`, in addition to those in use.
static Status within_limit(int64_t bytes, int64_t in_use, int64_t limit) {
  std::string text =
      "Out of memory allocating " + std::to_string(bytes) + " bytes";
  if (bytes < 0 || bytes > kMaximumBytes)
    return failure(FailureKind::OutOfMemory, text);
  if (limit > 0 && block_size(bytes) > limit - in_use)
    return failure(FailureKind::OutOfMemory,
                   text + ": " + std::to_string(in_use) + " of " +
                       std::to_string(limit) + " are in use");
  return {};
}

Allocator::~Allocator() { trim_locked(); }

Result<std::byte *> Allocator::allocate(int64_t bytes) {
  std::lock_guard lock(mutex_);
  XLAC_RETURN_IF_ERROR(within_limit(bytes, in_use_, limit_));
  int64_t size = block_size(bytes);
  std::byte *address = nullptr;
  auto kept = pool_.find(size);
  if (kept != pool_.end() && !kept->second.empty()) {
    address = kept->second.back();
    kept->second.pop_back();
    pooled_ -= size;
    ++reused_;
  } else {
    if (limit_ > 0 && size > limit_ - in_use_ - pooled_)
      trim_locked();
    address = take(size);
    if (!address) {
      trim_locked();
      address = take(size);
    }
  }
  if (!address)
    return failure(FailureKind::OutOfMemory,
                   "Out of memory allocating " + std::to_string(bytes) +
                       " bytes: the machine has no more, " +
                       std::to_string(in_use_) + " are in use");
  assert(reinterpret_cast<uintptr_t>(address) % XLAC_ALIGNMENT == 0 &&
         "memory is aligned");
  in_use_ += size;
  peak_ = std::max(peak_, in_use_);
  ++allocations_;
  return address;
}

Status Allocator::check_capacity(std::span<const int64_t> sizes) const {
  std::lock_guard lock(mutex_);
  int64_t in_use = in_use_;
  for (int64_t bytes : sizes) {
    XLAC_RETURN_IF_ERROR(within_limit(bytes, in_use, limit_));
    in_use += block_size(bytes);
  }
  return {};
}

void Allocator::release(std::byte *address, int64_t bytes) {
  int64_t size = block_size(bytes);
  std::lock_guard lock(mutex_);
  assert(address && size <= in_use_ && "a released block was allocated");
  in_use_ -= size;
  if (pooled_ + size > std::max(kSmallPool, peak_)) {
    give_back(address, size);
    return;
  }
  // Called by destructors: if there is no memory for the pool's lists, the
  // block is freed.
  try {
    pool_[size].push_back(address);
    pooled_ += size;
  } catch (const std::bad_alloc &) {
    give_back(address, size);
  }
}

void Allocator::trim() {
  std::lock_guard lock(mutex_);
  trim_locked();
}

void Allocator::trim_locked() {
  for (auto &[size, blocks] : pool_)
    for (std::byte *block : blocks)
      give_back(block, size);
  pool_.clear();
  pooled_ = 0;
}

AllocatorStats Allocator::stats() const {
  std::lock_guard lock(mutex_);
  return {in_use_, peak_, pooled_, limit_, allocations_, reused_};
}

void Allocator::record_free(uint64_t buffer) {
  std::lock_guard lock(mutex_);
  // Called by a destructor: if there is no memory, prologue values derived from
  // the buffer stay until the memo is cleared.
  try {
    dead_.push_back(buffer);
    has_dead_ = true;
  } catch (const std::bad_alloc &) {
  }
}

std::vector<uint64_t> Allocator::take_dead() {
  std::lock_guard lock(mutex_);
  has_dead_ = false;
  return std::exchange(dead_, {});
}

} // namespace xlac::runtime
