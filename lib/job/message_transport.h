// Moves messages between the processes of a job, in frames. Frames to a process
// arrive in the order in which they were sent. Received data is stored until it
// is taken; other frames are passed to a listener.
#pragma once

#include "frame.h"
#include "mpi_group.h"
#include "received_data.h"
#include "socket.h"

#include "xlac/support/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xlac::job {

/// Receives frames other than data. It is called on a thread of the transport
/// and must not wait.
class TransportListener {
public:
  virtual ~TransportListener() = default;
  virtual void on_frame(int peer, const FrameHead &head,
                        std::span<const std::byte> body, Descriptor passed) = 0;
  /// The process is lost; nothing more arrives from it.
  virtual void on_lost(int peer, const std::string &why) = 0;
  /// The transport cannot be used any more.
  virtual void on_failed(const std::string &why) = 0;
  /// The process ends without having left the job, or the transport ends
  /// before it, for the reason `why`. Called on another thread.
  virtual void on_end(const std::string &why) = 0;
};

class MessageTransport {
public:
  virtual ~MessageTransport() = default;

  /// False in a forked child of this process.
  virtual bool is_ours() const = 0;
  /// Starts to receive.
  virtual Status start() = 0;
  /// Sends everything posted and ends the transport. Waits a limited time until
  /// the peers have read everything. Afterwards the listener is not called;
  /// peers lost meanwhile are not reported.
  virtual void close() = 0;

  /// Copies the body and does not wait. Within a host, a descriptor can be
  /// passed.
  virtual void post(int peer, FrameHead head, std::span<const std::byte> body,
                    int passed = -1) = 0;
  /// Sends without copying the body, which must stay unchanged until
  /// wait_sent() or reclaim(). Does not wait.
  virtual uint64_t lend(int peer, FrameHead head,
                        std::span<const std::byte> body) = 0;
  /// As lend(), to several processes. Returns a ticket for each.
  virtual std::vector<uint64_t> lend_all(std::span<const int> peers,
                                         FrameHead head,
                                         std::span<const std::byte> body) {
    std::vector<uint64_t> tickets;
    for (int peer : peers)
      tickets.push_back(lend(peer, head, body));
    return tickets;
  }
  /// Whether the frame is sent within `time`, so that its body may change.
  virtual bool wait_sent(int peer, uint64_t ticket,
                         std::chrono::milliseconds time) = 0;
  /// Copies bodies that are still lent, so that the caller may reuse them.
  virtual void reclaim(int peer) = 0;

  /// The next data of a stream, if it arrives within `time`.
  virtual bool take(int peer, uint64_t stream, AlignedBuffer &buffer,
                    std::chrono::milliseconds time) = 0;
  /// Keeps the memory for later data.
  virtual void recycle(AlignedBuffer buffer) = 0;
  /// Makes waiting threads check again.
  virtual void wake() = 0;

  /// Whether the listener is told at once when the process dies.
  virtual bool reports_loss(int peer) const = 0;
  /// A process of the job has failed, so this one must not wait for all others
  /// when it ends.
  virtual void mark_failed() = 0;
};

/// The processes of a job after all have joined.
struct JoinedProcesses {
  std::vector<int64_t> pids; ///< by process
  /// Makes the transport between them; called once.
  std::function<std::unique_ptr<MessageTransport>(TransportListener &)>
      make_transport;
  /// Set if MPI carries out collectives.
  std::optional<MpiEngine> engine;
};

} // namespace xlac::job
