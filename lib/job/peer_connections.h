// The connections of this process to the others of its job, and the thread that
// reads them all. Frames go out in the order in which they were given; data
// that has come waits here until it is taken, all else is handed on.
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

/// Memory as devices want it.
class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size);
  std::byte *data() const { return data_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  /// Within its capacity.
  void resize(size_t size) { size_ = size; }

  uint64_t stamp = 0;

private:
  struct Free {
    void operator()(std::byte *data) const;
  };
  std::unique_ptr<std::byte[], Free> data_;
  size_t size_ = 0, capacity_ = 0;
};

/// Who reads what the links do not keep; called on their thread, must not wait.
class LinkListener {
public:
  virtual ~LinkListener() = default;
  virtual void on_frame(int peer, const FrameHead &head,
                        std::span<const std::byte> body, Descriptor passed) = 0;
  /// The connection is gone; nothing comes from there any more.
  virtual void on_lost(int peer, const std::string &why) = 0;
};

class PeerConnections {
public:
  PeerConnections(std::vector<Peer> peers, LinkListener &listener);
  ~PeerConnections();

  /// False in a child that this process has made by fork.
  bool is_ours() const;
  /// Begins to read.
  Status start();
  /// Hands over what was posted and ends all connections. Waits until the
  /// others have read everything, for half a second at most. The listener hears
  /// nothing after it, and of no connection that is lost meanwhile.
  void close();

  /// Copies the body and never waits. A descriptor goes along over connections
  /// within a host.
  void post(int peer, FrameHead head, std::span<const std::byte> body,
            int passed = -1);
  /// Does not copy the body, which stays as it is until wait_sent() or
  /// reclaim(). Never waits.
  uint64_t lend(int peer, FrameHead head, std::span<const std::byte> body);
  /// True if it has gone within so long.
  bool wait_sent(int peer, uint64_t ticket, std::chrono::milliseconds time);
  /// Copies what is still lent to the links.
  void reclaim(int peer);

  /// The next data of a stream if it comes within so long.
  bool take(int peer, uint64_t stream, AlignedBuffer &buffer,
            std::chrono::milliseconds time);
  /// Keeps the memory for what comes later.
  void recycle(AlignedBuffer buffer);
  /// Those who wait look again.
  void wake();

private:
  struct Outgoing {
    FrameHead head;
    std::vector<std::byte> owned;
    const std::byte *body = nullptr;
    size_t sent = 0; ///< of head and body
    Descriptor passed;
    uint64_t ticket = 0;
    bool lent = false;
  };
  struct Link {
    int process = 0;
    Descriptor socket;
    std::mutex mutex; ///< of what goes out
    std::deque<Outgoing> outgoing;
    uint64_t given = 0, sent = 0; ///< tickets
    bool broken = false;
    // What comes in; the reading thread's alone.
    FrameHead head;
    size_t head_got = 0, body_got = 0;
    AlignedBuffer body;
    std::deque<Descriptor> passed;
    std::atomic<bool> lost = false;
  };

  uint64_t give(int peer, Outgoing frame);
  /// Sends what the socket takes now; with the link locked.
  void flush(Link &link);
  void watch(Link &link, bool writable);
  /// False if something is not done by then.
  bool wait_for_all(const std::function<bool(Link &)> &done,
                    Clock::time_point end);
  void say_farewell();
  void poll_events();
  /// Reads what is there; false at the end of the connection.
  bool read(Link &link, std::string &why);
  ssize_t receive(Link &link, std::byte *to, size_t bytes);
  void finish_frame(Link &link);
  AlignedBuffer aligned_buffer_of(size_t size);

  LinkListener &listener_;
  std::vector<std::unique_ptr<Link>>
      peer_connections_; ///< by process; null: this one
  Descriptor poller_, wake_event_;
  std::thread thread_;
  int64_t owner_ = 0; ///< the process that has the thread
  std::atomic<bool> leaving_ = false, closing_ = false;

  std::mutex mutex_; ///< of what has come
  std::condition_variable changed_;
  std::map<std::pair<int, uint64_t>, std::deque<AlignedBuffer>> packets_;
  std::vector<AlignedBuffer> spare_;
};

} // namespace xlac::job
