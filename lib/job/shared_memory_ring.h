// Shared memory for the processes of a group on one host. There is a stream
// from each process to each other process, and one to all. A stream consists of
// a few slots that are filled in turn. The memory is an anonymous file, which
// disappears with the last process.
#pragma once

#include "socket.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace xlac::job {

/// A counter that only increases, and on which processes can sleep.
struct alignas(64) Counter {
  std::atomic<uint32_t> value;
  std::atomic<uint32_t> sleepers;

  void advance();
  /// Returns when the value differs from `seen`, or after a timeout. With
  /// `spin` it spins before it sleeps.
  void wait_while(uint32_t seen, bool spin);
};

/// Precedes the bytes of a slot.
struct alignas(64) SlotHead {
  uint64_t stamp, bytes;
};

class SharedMemoryRing {
public:
  static constexpr uint32_t kSlots = 3;

  /// Creates memory for `processes` processes.
  static Result<Descriptor> make(size_t processes);
  /// Maps the memory of a descriptor, which may be closed afterwards.
  static Result<SharedMemoryRing> map(const Descriptor &file, size_t processes);
  SharedMemoryRing(SharedMemoryRing &&other) noexcept;
  SharedMemoryRing &operator=(SharedMemoryRing &&) = delete;
  ~SharedMemoryRing();

  /// Payload bytes of a slot.
  static size_t slot_bytes(size_t processes);

  /// Streams are identified by sender and receiver; equal indices mean the
  /// stream to all.
  Counter &filled(size_t from, size_t to) const;
  /// The slots that `reader` has released.
  Counter &emptied(size_t from, size_t to, size_t reader) const;
  SlotHead &slot(size_t from, size_t to, uint32_t number) const;
  static std::byte *bytes_of(SlotHead &head) {
    return reinterpret_cast<std::byte *>(&head + 1);
  }

private:
  SharedMemoryRing(std::byte *base, size_t bytes, size_t processes)
      : base_(base), bytes_(bytes), processes_(processes) {}

  std::byte *base_;
  size_t bytes_, processes_;
};

} // namespace xlac::job
