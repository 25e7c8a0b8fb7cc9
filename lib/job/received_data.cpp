#include "received_data.h"

#include "xlac/abi/abi.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace xlac::job {

/// Buffers are allocated in multiples of this, so that they can be reused.
static constexpr size_t kPacketStep = 64 << 10;
static constexpr size_t kMostSpare = 64;

AlignedBuffer::AlignedBuffer(size_t size)
    : size_(size), capacity_((std::max<size_t>(size, 1) + kPacketStep - 1) /
                             kPacketStep * kPacketStep) {
  static_assert(kHeadRoom % XLAC_ALIGNMENT == 0);
  data_.reset(static_cast<std::byte *>(
      std::aligned_alloc(XLAC_ALIGNMENT, kHeadRoom + capacity_)));
  if (!data_)
    throw std::bad_alloc();
}

void AlignedBuffer::Free::operator()(std::byte *data) const { std::free(data); }

AlignedBuffer ReceivedData::buffer_of(size_t size) {
  {
    std::lock_guard lock(mutex_);
    for (AlignedBuffer &spare : spare_)
      if (spare.capacity() >= size &&
          spare.capacity() < 2 * size + kPacketStep) {
        std::swap(spare, spare_.back());
        AlignedBuffer buffer = std::move(spare_.back());
        spare_.pop_back();
        buffer.resize(size);
        return buffer;
      }
  }
  return AlignedBuffer(size);
}

void ReceivedData::recycle(AlignedBuffer buffer) {
  std::lock_guard lock(mutex_);
  if (spare_.size() < kMostSpare)
    spare_.push_back(std::move(buffer));
}

void ReceivedData::put(int peer, uint64_t stream, AlignedBuffer buffer) {
  std::lock_guard lock(mutex_);
  packets_[{peer, stream}].push_back(std::move(buffer));
  changed_.notify_all();
}

bool ReceivedData::take(int peer, uint64_t stream, AlignedBuffer &buffer,
                        std::chrono::microseconds time) {
  std::unique_lock lock(mutex_);
  std::deque<AlignedBuffer> &queue = packets_[{peer, stream}];
  if (queue.empty())
    changed_.wait_for(lock, time);
  if (queue.empty())
    return false;
  buffer = std::move(queue.front());
  queue.pop_front();
  return true;
}

void ReceivedData::wake() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

} // namespace xlac::job
