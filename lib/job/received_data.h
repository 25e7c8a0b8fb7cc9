// Data that a process has received from others, by sender and stream, until it
// is taken. The memory is reused for later data.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace xlac::job {

/// A buffer with the alignment of device memory, and some bytes before it.
class AlignedBuffer {
public:
  /// Bytes before data(), for the head of a message.
  static constexpr size_t kHeadRoom = 64;

  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size);
  std::byte *data() const { return data_ ? data_.get() + kHeadRoom : nullptr; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  /// Must not exceed the capacity.
  void resize(size_t size) { size_ = size; }

  uint64_t stamp = 0;

private:
  struct Free {
    void operator()(std::byte *data) const;
  };
  std::unique_ptr<std::byte[], Free> data_;
  size_t size_ = 0, capacity_ = 0;
};

class ReceivedData {
public:
  /// Memory for `size` bytes, of recycled data if there is some of about that
  /// size.
  AlignedBuffer buffer_of(size_t size);
  /// Adds the next data of a stream.
  void put(int peer, uint64_t stream, AlignedBuffer buffer);
  /// The next data of a stream, if it arrives within `time`.
  bool take(int peer, uint64_t stream, AlignedBuffer &buffer,
            std::chrono::microseconds time);
  /// Keeps the memory for later data.
  void recycle(AlignedBuffer buffer);
  /// Makes waiting threads check again.
  void wake();
  /// Whether `done` is true within `time`. It is called again after wake().
  template <class Done> bool wait(std::chrono::microseconds time, Done done) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, done);
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, uint64_t>, std::deque<AlignedBuffer>> packets_;
  std::vector<AlignedBuffer> spare_;
};

} // namespace xlac::job
