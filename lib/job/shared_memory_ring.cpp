#include "shared_memory_ring.h"

#include <algorithm>
#include <climits>
#include <ctime>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xlac::job {

static_assert(std::atomic<uint32_t>::is_always_lock_free);

/// Maximum sleep; then the caller checks that the other processes are alive.
static constexpr long kSleepNanoseconds = 10'000'000;

void Counter::advance() {
  value.fetch_add(1);
  if (sleepers.load() != 0)
    syscall(SYS_futex, &value, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Counter::wait_while(uint32_t seen, bool spin) {
  constexpr int kSpins = 4000;
  for (int i = 0; spin && i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != seen)
      return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  sleepers.fetch_add(1);
  timespec sleep_briefly{0, kSleepNanoseconds};
  if (value.load() == seen)
    syscall(SYS_futex, &value, FUTEX_WAIT, seen, &sleep_briefly, nullptr, 0);
  sleepers.fetch_sub(1);
}

/// Smaller slots for more processes, so that all slots of a stream fit into a
/// core's cache.
size_t SharedMemoryRing::slot_bytes(size_t processes) {
  return processes <= 2 ? 256 << 10 : processes <= 4 ? 128 << 10 : 64 << 10;
}

/// Counters of one pair: slots filled, slots released by the reader, and slots
/// released of the stream to all.
static constexpr size_t kCounters = 3;

static size_t head_bytes(size_t processes) {
  constexpr size_t kPage = 4096;
  size_t bytes = kCounters * processes * processes * sizeof(Counter);
  return (bytes + kPage - 1) / kPage * kPage;
}

static size_t stream_bytes(size_t processes) {
  return SharedMemoryRing::kSlots *
         (sizeof(SlotHead) + SharedMemoryRing::slot_bytes(processes));
}

static size_t ring_bytes(size_t processes) {
  return head_bytes(processes) +
         processes * processes * stream_bytes(processes);
}

Result<Descriptor> SharedMemoryRing::make(size_t processes) {
  Descriptor file(static_cast<int>(
      syscall(SYS_memfd_create, "xlac", MFD_CLOEXEC | MFD_ALLOW_SEALING)));
  if (!file ||
      ftruncate(file.get(), static_cast<off_t>(ring_bytes(processes))) != 0)
    return failure(FailureKind::Runtime,
                   "no memory to share between processes: " + system_error());
  // Sealed, so that no process can shrink memory that others have mapped.
  fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return file;
}

Result<SharedMemoryRing> SharedMemoryRing::map(const Descriptor &file,
                                               size_t processes) {
  size_t bytes = ring_bytes(processes);
  if (lseek(file.get(), 0, SEEK_END) != static_cast<off_t>(bytes))
    return failure(FailureKind::Collective,
                   "shared memory is not of the size that it should have");
  void *base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (base == MAP_FAILED)
    return failure(FailureKind::Runtime,
                   "cannot map shared memory: " + system_error());
  return SharedMemoryRing(static_cast<std::byte *>(base), bytes, processes);
}

SharedMemoryRing::SharedMemoryRing(SharedMemoryRing &&other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_),
      processes_(other.processes_) {}

SharedMemoryRing::~SharedMemoryRing() {
  if (base_)
    munmap(base_, bytes_);
}

Counter &SharedMemoryRing::filled(size_t from, size_t to) const {
  return reinterpret_cast<Counter *>(
      base_)[(from * processes_ + to) * kCounters];
}

Counter &SharedMemoryRing::emptied(size_t from, size_t to,
                                   size_t reader) const {
  bool for_all = from == to;
  return reinterpret_cast<Counter *>(
      base_)[(from * processes_ + reader) * kCounters + (for_all ? 2 : 1)];
}

SlotHead &SharedMemoryRing::slot(size_t from, size_t to,
                                 uint32_t number) const {
  size_t slot = sizeof(SlotHead) + slot_bytes(processes_);
  return *reinterpret_cast<SlotHead *>(base_ + head_bytes(processes_) +
                                       (from * processes_ + to) *
                                           stream_bytes(processes_) +
                                       number % kSlots * slot);
}

} // namespace xlac::job
