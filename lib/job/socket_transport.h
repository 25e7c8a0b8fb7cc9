// The connections of this process to the other processes of its job, and the
// thread that reads them. Frames are sent in order. Received data is stored
// until it is taken; other frames are passed to a listener.
#pragma once

#include "frame.h"
#include "join.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace xlac::job {

/// A buffer with the alignment of device memory.
class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size);
  std::byte *data() const { return data_.get(); }
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

/// Receives frames other than data. It is called on the reading thread and must
/// not wait.
class TransportListener {
public:
  virtual ~TransportListener() = default;
  virtual void on_frame(int peer, const FrameHead &head,
                        std::span<const std::byte> body, Descriptor passed) = 0;
  /// The connection is lost; nothing more arrives.
  virtual void on_lost(int peer, const std::string &why) = 0;
};

class SocketTransport {
public:
  SocketTransport(std::vector<Peer> peers, TransportListener &listener);
  ~SocketTransport();

  /// False in a forked child of this process.
  bool is_ours() const;
  /// Starts the reading thread.
  Status start();
  /// Sends everything posted and closes all connections. Waits at most half a
  /// second until the peers have read everything. Afterwards the listener is
  /// not called; connections lost meanwhile are not reported.
  void close();

  /// Copies the body and does not wait. Within a host, a descriptor can be
  /// passed.
  void post(int peer, FrameHead head, std::span<const std::byte> body,
            int passed = -1);
  /// Sends without copying the body, which must stay unchanged until
  /// wait_sent() or reclaim(). Does not wait.
  uint64_t lend(int peer, FrameHead head, std::span<const std::byte> body);
  /// Whether the frame is sent within `time`.
  bool wait_sent(int peer, uint64_t ticket, std::chrono::milliseconds time);
  /// Copies bodies that are still lent, so that the caller may reuse them.
  void reclaim(int peer);

  /// The next data of a stream, if it arrives within `time`.
  bool take(int peer, uint64_t stream, AlignedBuffer &buffer,
            std::chrono::milliseconds time);
  /// Keeps the memory for later data.
  void recycle(AlignedBuffer buffer);
  /// Makes waiting threads check again.
  void wake();

private:
  struct Outgoing {
    FrameHead head;
    std::vector<std::byte> owned;
    const std::byte *body = nullptr;
    size_t sent = 0; ///< bytes of head and body
    Descriptor passed;
    uint64_t ticket = 0;
    bool lent = false;
  };
  struct Link {
    int process = 0;
    Descriptor socket;
    std::mutex mutex; ///< guards outgoing frames
    std::deque<Outgoing> outgoing;
    uint64_t given = 0, sent = 0; ///< ticket numbers
    bool broken = false;
    // Incoming data; used only by the reading thread.
    FrameHead head;
    size_t head_got = 0, body_got = 0;
    AlignedBuffer body;
    std::deque<Descriptor> passed;
    std::atomic<bool> lost = false;
  };

  uint64_t give(int peer, Outgoing frame);
  /// Sends as much as the socket accepts; the caller holds the link's mutex.
  void flush(Link &link);
  void watch(Link &link, bool writable);
  /// Whether `done` is true for all links before `end`.
  bool wait_for_all(const std::function<bool(Link &)> &done,
                    Clock::time_point end);
  void say_farewell();
  void poll_events();
  /// Reads available data; false at the end of the connection.
  bool read(Link &link, std::string &why);
  ssize_t receive(Link &link, std::byte *to, size_t bytes);
  void finish_frame(Link &link);
  AlignedBuffer aligned_buffer_of(size_t size);

  TransportListener &listener_;
  std::vector<std::unique_ptr<Link>>
      links_; ///< by process; null for this process
  Descriptor poller_, wake_event_;
  std::thread thread_;
  int64_t owner_ = 0; ///< the process that has the thread
  std::atomic<bool> leaving_ = false, closing_ = false;

  std::mutex mutex_; ///< guards received data
  std::condition_variable changed_;
  std::map<std::pair<int, uint64_t>, std::deque<AlignedBuffer>> packets_;
  std::vector<AlignedBuffer> spare_;
};

} // namespace xlac::job
