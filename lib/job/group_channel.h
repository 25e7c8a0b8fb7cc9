// The channel between the processes of one group, with waiting and failure
// detection. It uses shared memory within a host and connections between hosts.
// A process has a stream to each other process and one to all. Each stream
// delivers messages in the order in which they were sent.
#pragma once

#include "job_state.h"
#include "mpi_group.h"
#include "shared_memory_ring.h"

namespace xlac::job {

/// Bytes [begin, end) of a slice of an array.
struct Part {
  const void *from = nullptr;
  runtime::StridedBytes strip;
  int64_t begin = 0, end = 0;
  bool stays = true; ///< unchanged until the end of the collective
  int64_t bytes() const { return end - begin; }
};

/// A received message; the bytes stay valid until release().
struct ReceivedMessage {
  const std::byte *data = nullptr;
  size_t size = 0;
  Counter *emptied = nullptr; ///< of a slot in shared memory
  AlignedBuffer buffer;       ///< used if there is no slot
};

/// The members of a collective and the processes of its group that have them.
struct MemberPlaces {
  std::vector<size_t> places;               ///< of each member
  std::vector<std::vector<size_t>> members; ///< of each process
};

class GroupChannel {
public:
  /// The processes of `members` in ascending order; they include this one.
  GroupChannel(JobState &state, GridId grid,
               const runtime::ProcessGroup &members);

  size_t count() const { return processes_.size(); }
  size_t self() const { return self_; }
  /// Index in the group of the process that has this replica.
  size_t place_of(int replica) const;
  /// The places of a collective's members, which are replicas.
  MemberPlaces places_of(std::span<const int> replicas) const;
  uint64_t group() const { return group_; }
  /// Index of the host that runs a process of the group.
  int host_of(size_t place) const;
  /// What carries out the collectives of the job.
  CollectiveMethod method() const { return state_.topology().collectives; }
  /// Maximum number of bytes of a message.
  size_t message_bytes() const { return message_bytes_; }
  /// Alignment of the parts of a message.
  static constexpr int64_t kAlignment = 64;

  /// The distance from a part with `bytes` bytes to the next part of the
  /// message.
  static constexpr int64_t aligned(int64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  /// Starts a collective; opens the channel if needed.
  Status begin(const CollectiveId &occasion);
  /// Ends the collective: sent data is no longer read.
  Status end(const Status &status);

  /// Sends to one process, or to all others. The memory of the parts must stay
  /// unchanged until end().
  Status send(size_t to, std::span<const Part> parts);
  Status share(std::span<const Part> parts);
  /// Memory for a message to all others on this host; null if there are none.
  /// share_claimed() sends it. The memory stays valid until the message after
  /// the next.
  Status claim(std::byte *&slot);
  void share_claimed(int64_t bytes);
  /// Performs share() for the processes on other hosts, if there are any.
  void share_far(std::span<const Part> parts);
  /// Keeps memory that was sent until end().
  void keep_until_end(AlignedBuffer buffer) {
    kept_.push_back(std::move(buffer));
  }
  /// Receives the next message of the stream from `from` to this process, or to
  /// all if `shared`.
  Status take(size_t from, bool shared, ReceivedMessage &arrival);
  void release(ReceivedMessage &arrival);

  /// The collectives of MPI for the group, if the job uses them.
  MpiGroup *engine();
  /// Locks `place` in all processes of the group, which must call this. Several
  /// groups whose processes have one mutex each do not block each other.
  Status line_up(std::unique_lock<std::mutex> &place);
  /// Calls `attempt` until it returns true. Fails if it fails, if a process can
  /// no longer arrive, or after the deadline.
  /// With `agreed`, all are known to be at this collective, and some may have
  /// completed it.
  Status until_all(const std::function<Result<bool>()> &attempt,
                   bool agreed = false);
  /// The failure if the processes of the group are at different collectives.
  Status find_difference();
  /// The stamp of the collective.
  uint64_t stamp() const { return occasion_.stamp(); }

private:
  class Examination;
  using Milliseconds = std::chrono::milliseconds;

  /// Time after which a waiting process asks others for their progress, first
  /// and again.
  static constexpr Milliseconds kPatience{50}, kAskAgain{200};
  /// Extra time of a rank that waits for a rank that also waits. The second
  /// rank can then report the third before the first rank gives up.
  static constexpr Milliseconds kGrace{400};
  /// Time to wait for an answer when the programs are known to differ.
  static constexpr Milliseconds kAnswer{300};

  struct OutstandingBuffer {
    int process;
    uint64_t ticket;
  };

  Status open();
  /// Whether any two processes of the group are on one host.
  bool shares_hosts() const;
  bool is_local(size_t place) const { return ring_ranks_[place] >= 0; }
  /// The next slot of the stream, which must be free.
  SlotHead &next_slot(size_t to) const;
  void fill(size_t to, std::span<const Part> parts, int64_t bytes);
  Status wait_for_slot(size_t to, size_t reader);
  /// Sends to processes on other hosts.
  void send_far(std::span<const int> processes, bool shared,
                std::span<const Part> parts, int64_t bytes);
  Status check_stamp(size_t from, uint64_t stamp);
  /// Calls `attempt`, which may sleep briefly, until it succeeds. Fails if
  /// `other` can no longer arrive, or after the deadline.
  template <class Attempt> Status until(size_t other, Attempt attempt);
  /// A failure if the report of a process implies that it never arrives.
  Status judge(size_t other, const Report &report) const;
  /// The parts of judge(): the process is at another collective, or its program
  /// has ended.
  Status judge_place(size_t other, const Report &report) const;
  Status judge_end(size_t other, const Report &report) const;
  Status differs(const std::string &other) const;
  /// Waits until the memory of sent parts may change.
  Status wait_for_sends();
  Status explained(const Status &status) const;
  Status explain_failure(const Failure &failed);
  std::string at() const;
  std::string late(size_t other, const std::optional<Report> &report) const;
  uint64_t stream(bool shared) const { return group_ ^ (shared ? 1 : 0); }

  JobState &state_;
  const GridId grid_;
  const uint64_t group_;
  std::vector<int> processes_;             ///< in ascending order
  std::vector<std::vector<int>> replicas_; ///< members of each process
  size_t self_ = 0;
  std::vector<int> ring_ranks_; ///< ranks within the host; else -1
  size_t ring_count_ = 0;
  size_t message_bytes_ = 0;
  bool spins_ = false;
  std::optional<SharedMemoryRing> ring_;
  bool open_ = false;
  CollectiveId occasion_;
  std::vector<OutstandingBuffer> outstanding_;
  std::vector<AlignedBuffer> kept_;
  std::optional<MpiGroup> engine_;
};

} // namespace xlac::job
