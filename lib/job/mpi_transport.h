// The transport over MPI between processes of different hosts. A frame is one
// message with its head and body, or, with a large body, two messages. Frames
// to a process wait while many bytes to it are in flight. A thread that
// waits for data lets MPI progress; else the thread of the transport does.
#pragma once

#include "message_transport.h"
#include "mpi_world.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xlac::job {

class MpiTransport final : public MessageTransport, private MpiClient {
public:
  /// `peers` are the ranks of `communicator` that it exchanges frames with.
  MpiTransport(MpiWorld &world, MpiHandle communicator,
               const std::vector<int> &peers, TransportListener &listener,
               std::shared_ptr<ReceivedData> received);
  ~MpiTransport() override;

  bool is_ours() const override { return world_.is_ours(); }
  Status start() override;
  void close() override;
  void post(int peer, FrameHead head, std::span<const std::byte> body,
            int passed = -1) override;
  uint64_t lend(int peer, FrameHead head,
                std::span<const std::byte> body) override;
  std::vector<uint64_t> lend_all(std::span<const int> peers, FrameHead head,
                                 std::span<const std::byte> body) override;
  bool wait_sent(int peer, uint64_t ticket,
                 std::chrono::milliseconds time) override;
  void reclaim(int peer) override;
  bool take(int peer, uint64_t stream, AlignedBuffer &buffer,
            std::chrono::milliseconds time) override;
  void recycle(AlignedBuffer buffer) override {
    received_->recycle(std::move(buffer));
  }
  void wake() override { received_->wake(); }
  bool reports_loss(int) const override { return false; }
  void mark_failed() override { world_.mark_failed(); }

private:
  /// A body after its head; frames to several processes share it.
  using SentBuffer = std::shared_ptr<AlignedBuffer>;
  struct Waiting {
    FrameHead head;
    SentBuffer owned;                ///< with its head
    const std::byte *lent = nullptr; ///< the body, unless it is in `owned`
    uint64_t ticket = 0;
  };
  struct Sending {
    SentBuffer body;
    size_t bytes = 0;
    std::vector<MpiHandle> requests;
  };
  /// A receive of a message from a process, or from any, that begins with a
  /// head. There are some at a time; they complete in order.
  struct Posted {
    AlignedBuffer body; ///< after the head
    MpiHandle request = 0;
  };
  struct Source {
    int process = -1; ///< -1: any
    std::vector<Posted> posted;
  };
  struct Receiving {
    FrameHead head;
    AlignedBuffer body;
    std::vector<MpiHandle> requests;
  };
  struct Link {
    // Guarded by mutex_.
    std::deque<Waiting> waiting;
    uint64_t given = 0; ///< the last ticket number
    bool lost = false;
    /// The last ticket that was sent. Read without a lock, by waiting threads
    /// that hold the lock of the received data.
    std::atomic<uint64_t> sent = 0;
    // Guarded by the lock of MPI.
    std::deque<Sending> sending;
    std::deque<Receiving> receiving;
    size_t bytes_in_flight = 0;
  };
  /// What the listener is told next.
  struct Event {
    int peer = -1; ///< -1: all are lost
    FrameHead head;
    AlignedBuffer body;
    std::string why; ///< of a loss
    bool is_loss = false;
  };

  std::chrono::microseconds progress() override;
  std::chrono::microseconds test_requests();
  void deliver() override;
  void on_failure(const std::string &why) override;
  void on_end(const std::string &why) override;

  /// A copy of the body after its head. Its memory is kept for later frames.
  SentBuffer copy_of(const FrameHead &head, const std::byte *body) const;
  uint64_t give(int peer, Waiting frame);
  /// The functions below are called with MPI locked.
  void start_sends(int peer, Link &link);
  int start_send(int peer, Link &link, Waiting frame);
  int add_send(int peer, int32_t tag, const std::byte *data, size_t bytes,
               Sending &sending);
  bool test_sends(int peer, Link &link);
  bool test_heads(Source &source);
  int post_head(Source &source, AlignedBuffer buffer);
  void accept_head(Source &source, const MpiArrival &arrival);
  void receive_body(int peer, Link &link, const FrameHead &head);
  bool test_bodies(int peer, Link &link);
  void finish_frame(int peer, Receiving frame);
  void lose(int peer, const std::string &why);
  void add_event(Event event);
  /// Whether all sends have completed.
  bool is_idle();
  /// Cancels what can be cancelled, and makes no requests from now on.
  void end_requests();
  /// Leaves the memory of requests that have not ended allocated.
  void abandon();

  /// Calls `attempt`, which may sleep for the given time, until it succeeds or
  /// `time` has passed. Lets MPI progress meanwhile.
  template <class Attempt>
  bool progress_until(std::chrono::milliseconds time, Attempt attempt);

  MpiWorld &world_;
  const MpiHandle communicator_;
  TransportListener &listener_;
  const std::shared_ptr<ReceivedData> received_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Link>> links_; ///< by process; null: no peer
  size_t whole_bytes_;          ///< maximum body in one message with its head
  std::vector<Source> sources_; ///< guarded by the lock of MPI
  std::vector<Event> events_;   ///< guarded by mutex_
  std::atomic<int> waiters_ = 0;
  bool is_open_ = false;
  bool is_broken_ = false; ///< MPI cannot be used; guarded by the lock of MPI
};

} // namespace xlac::job
