// Memory that the processes of a group have in common on one host. From each
// to each other, and from each to all, goes a stream: a few slots that are
// filled in turn. A file without a name, gone with the last process.
#pragma once

#include "socket.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace xlac::job {

/// A number that only grows, which others sleep on.
struct alignas(64) Counter {
  std::atomic<uint32_t> value;
  std::atomic<uint32_t> sleepers;

  void advance();
  /// Returns once the value is no longer `seen`, or after a while. Spins first
  /// if so told, for those who come soon.
  void wait_while(uint32_t seen, bool spin);
};

/// What precedes the bytes of a slot.
struct alignas(64) SlotHead {
  uint64_t stamp, bytes;
};

class SharedMemoryRing {
public:
  static constexpr uint32_t kSlots = 3;

  /// New memory for so many processes.
  static Result<Descriptor> make(size_t processes);
  /// The memory behind a descriptor, which may be closed then.
  static Result<SharedMemoryRing> map(const Descriptor &file, size_t processes);
  SharedMemoryRing(SharedMemoryRing &&other) noexcept;
  SharedMemoryRing &operator=(SharedMemoryRing &&) = delete;
  ~SharedMemoryRing();

  /// Bytes that a slot takes.
  static size_t slot_bytes(size_t processes);

  /// Streams are numbered by whose they are and for whom; for itself means for
  /// all.
  Counter &filled(size_t from, size_t to) const;
  /// What `reader` has let go of it.
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
