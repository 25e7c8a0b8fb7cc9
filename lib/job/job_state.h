// State that the parts of a job with several processes share: the transport,
// the processes that have left and why, and the reported progress of others.
#pragma once

#include "message_transport.h"
#include "payload_rendezvous.h"

#include "xlac/job/job.h"
#include "xlac/runtime/partial_grid.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace xlac::job {

/// Which grid over the replicas of a job: one of the two that every job has, or
/// the hash of a name.
using GridId = uint64_t;
inline constexpr GridId kReplicaGrid = 0, kPartitionGrid = 1,
                        kFirstNamedGrid = 2;

/// One collective of a group of processes, for messages and reports.
struct CollectiveId {
  uint64_t group = 0; ///< hash of the grid and its members
  uint64_t run = 0, number = 0, fingerprint = 0;
  std::string name;
  int64_t waits_for = -1; ///< a process, after a long wait; else -1

  /// Sent with the data, so that data of another collective is detected.
  uint64_t stamp() const;
};

/// The reported progress of a process.
struct Report {
  std::vector<runtime::Progress> replicas;     ///< those of the process
  std::vector<CollectiveId> rendezvous_points; ///< pending or executing
};

class JobState final : public TransportListener {
public:
  JobState(const Topology &topology, std::chrono::milliseconds deadline,
           const JoinedProcesses &joined);

  Status start() { return transport_->start(); }
  /// Tells the other processes and closes the transport. If this process has
  /// not failed itself, it sends the first failure that it has seen, so that a
  /// process that learns only of the departure can name the cause.
  void leave(const Status &why);

  const Topology &topology() const { return topology_; }
  std::chrono::milliseconds deadline() const { return deadline_; }
  MessageTransport &transport() { return *transport_; }
  /// Set if MPI carries out collectives.
  const std::optional<MpiEngine> &engine() const { return engine_; }
  PayloadRendezvous &rendezvous_points() { return rendezvous_points_; }
  /// From now on what comes for the grid goes there, first what came before.
  void set_grid(GridId id, const std::shared_ptr<runtime::PartialGrid> &grid);

  int process_of(int replica) const {
    return replica / topology_.devices_per_process;
  }
  bool same_host(int process) const {
    return process / topology_.processes_per_host == topology_.host;
  }
  /// "replica 3", or "replicas 4 to 7" for several, and "(process 1, id 77)".
  std::string process_name(int process) const;

  /// The reason why a process in a grid can no longer be reached, or ok.
  Status reachable(GridId grid, int process) const;
  /// The failure of a grid, or ok.
  Status failure_of(GridId grid) const;
  /// Tells the other processes that a grid has failed in this process.
  void tell_failure(GridId grid, const Failure &failure);
  /// Records why something failed in this process; only the first is kept.
  void record_cause(const std::string &text);

  /// Shared memory that a process sent for a group, if it has arrived.
  Descriptor take_segment(uint64_t group);

  void begin(const CollectiveId &occasion);
  void end(const CollectiveId &occasion);
  /// The process that the collective waits for, or -1.
  void record_wait(const CollectiveId &occasion, int process);
  /// Asks for the progress of a process in a grid; returns the question's
  /// number.
  uint64_t ask(GridId grid, int process);
  /// The answer to that or a later question, if it has arrived.
  std::optional<Report> answer(int process, uint64_t question) const;

  void on_frame(int peer, const FrameHead &head,
                std::span<const std::byte> body, Descriptor passed) override;
  void on_lost(int peer, const std::string &why) override;
  void on_failed(const std::string &why) override;
  void on_end(const std::string &why) override;

private:
  void fail_everything(const Failure &failure);
  /// Null if it is not there, or not yet.
  std::shared_ptr<runtime::PartialGrid> find_grid(GridId grid) const;
  std::vector<std::shared_ptr<runtime::PartialGrid>> all_grids() const;
  void on_leave(int peer, const std::string &why, bool failed);
  void on_transfer(GridId id, TextReader reader);
  void answer_question(int peer, const FrameHead &head);
  void record_answer(int peer, const FrameHead &head, TextReader reader);

  const Topology topology_;
  const std::chrono::milliseconds deadline_;
  const std::optional<MpiEngine> engine_;
  std::vector<int64_t> pids_;
  PayloadRendezvous rendezvous_points_;

  mutable std::mutex mutex_;
  std::map<GridId, std::weak_ptr<runtime::PartialGrid>> grids_;
  std::map<int, std::string> departed_; ///< processes that have left, and why
  std::string first_cause_;        ///< the first failure or departure, if any
  std::optional<Failure> failure_; ///< of all grids
  std::map<GridId, Failure> failures_;
  /// For grids that this process has not made yet.
  std::map<GridId, std::vector<std::pair<runtime::Route, runtime::Transfer>>>
      early_transfers_;
  std::map<uint64_t, Descriptor> segments_;
  std::map<uint64_t, CollectiveId> occasions_; ///< by group
  std::atomic<uint64_t> questions_ = 0;
  std::map<int, std::pair<uint64_t, Report>> answers_;
  bool left_ = false;

  std::unique_ptr<MessageTransport>
      transport_; ///< last: its thread uses the others
};

} // namespace xlac::job
