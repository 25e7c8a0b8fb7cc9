// The transport over the connections of this process to the other processes of
// its job, local sockets within a host and TCP between hosts, and the thread
// that reads them.
#pragma once

#include "join.h"
#include "message_transport.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace xlac::job {

class SocketTransport final : public MessageTransport {
public:
  /// `received` may be shared with another transport.
  SocketTransport(std::vector<Peer> peers, TransportListener &listener,
                  std::shared_ptr<ReceivedData> received =
                      std::make_shared<ReceivedData>());
  ~SocketTransport() override;

  bool is_ours() const override;
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
            std::chrono::milliseconds time) override {
    return received_->take(peer, stream, buffer, time);
  }
  void recycle(AlignedBuffer buffer) override {
    received_->recycle(std::move(buffer));
  }
  void wake() override { received_->wake(); }
  bool reports_loss(int) const override { return true; }
  void mark_failed() override {}

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

  TransportListener &listener_;
  std::vector<std::unique_ptr<Link>>
      links_; ///< by process; null for this process
  Descriptor poller_, wake_event_;
  std::thread thread_;
  int64_t owner_ = 0; ///< the process that has the thread
  std::atomic<bool> leaving_ = false, closing_ = false;
  const std::shared_ptr<ReceivedData> received_;
};

/// Joins a job whose processes are all connected by sockets; see
/// connect_peers().
Result<JoinedProcesses>
join_over_sockets(const Topology &topology, std::chrono::milliseconds deadline,
                  const std::function<Status(int port)> &listening = {});

} // namespace xlac::job
