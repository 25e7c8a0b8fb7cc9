// The transport over MPI between processes of different hosts. A frame is one
// message with its head and a short body, or two messages. Frames to a process
// wait while many bytes to it are in flight. Whoever waits for data lets MPI
// progress; else its thread does.
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
  /// Maximum size of a body that is sent with its head. The message is then
  /// smaller than the limit to which MPI sends without a reply.
  static constexpr size_t kShortBody = 3968;

  struct ShortFrame {
    FrameHead head;
    std::byte body[kShortBody];
  };
  struct Waiting {
    FrameHead head;
    std::vector<std::byte> owned;
    const std::byte *body = nullptr;
    uint64_t ticket = 0;
    bool lent = false;
  };
  struct Sending {
    std::unique_ptr<ShortFrame> frame; ///< the head, and a short body
    std::vector<std::byte> owned;
    AlignedBuffer copy;
    size_t bytes = 0;
    std::vector<MpiHandle> requests;
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
  void deliver() override;
  void on_failure(const std::string &why) override;
  void on_end(const std::string &why) override;

  uint64_t give(int peer, Waiting frame);
  /// The functions below are called with MPI locked.
  void start_sends(int peer, Link &link);
  int start_send(int peer, Link &link, Waiting frame);
  int send_body(int peer, const std::byte *body, size_t bytes,
                Sending &sending);
  bool test_sends(int peer, Link &link);
  bool test_heads();
  int post_head();
  void accept_head(int peer, size_t bytes);
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
  std::unique_ptr<ShortFrame> next_;         ///< of next_head_
  MpiHandle next_head_ = 0;
  std::vector<Event> events_; ///< guarded by mutex_
  std::atomic<int> waiters_ = 0;
  bool is_open_ = false;
  bool is_broken_ = false; ///< MPI cannot be used; guarded by the lock of MPI
};

} // namespace xlac::job
