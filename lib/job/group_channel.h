// The way between the processes of one group, and how they wait for each other:
// through shared memory within a host, over the connections between hosts. A
// process has a stream to each other and one to all; what is taken from one
// comes in the order in which it was sent.
#pragma once

#include "job_state.h"
#include "shared_memory_ring.h"

namespace xlac::job {

/// Bytes [begin, end) of a strip of an array.
struct Part {
  const void *from = nullptr;
  runtime::StridedBytes strip;
  int64_t begin = 0, end = 0;
  bool stays = true; ///< as it is until the end of the meeting
  int64_t bytes() const { return end - begin; }
};

/// What has come: bytes that stay until they are let go.
struct ReceivedMessage {
  const std::byte *data = nullptr;
  size_t size = 0;
  Counter *emptied = nullptr; ///< of a slot
  AlignedBuffer buffer;       ///< or else
};

class GroupChannel {
public:
  /// The processes of `members`, in their order; this one is among them.
  GroupChannel(JobState &state, GridKind space,
               const runtime::ProcessGroup &members);

  size_t count() const { return processes_.size(); }
  size_t self() const { return self_; }
  /// The place among the processes of who has this replica.
  size_t place_of(int replica) const;
  uint64_t group() const { return group_; }
  /// What fits one message.
  size_t message_bytes() const { return message_bytes_; }
  /// Parts of a message begin at multiples of this.
  static constexpr int64_t kAlignment = 64;

  /// The distance from a part of a message that has `bytes` to the next part.
  static constexpr int64_t aligned(int64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  /// A meeting begins: opens what is not open yet.
  Status begin(const CollectiveId &occasion);
  /// It is over; what was sent is not read any more, or need not be.
  Status end(const Status &status);

  /// Sends to one, or to all others. What parts show stays until the end.
  Status send(size_t to, std::span<const Part> parts);
  Status share(std::span<const Part> parts);
  /// Memory for a message to all others on this host, if there are any: what is
  /// put there is sent by share_claimed(), and stays until the next but one.
  Status claim(std::byte *&slot);
  void share_claimed(int64_t bytes);
  /// What share() does for the others, if there are any.
  void share_far(std::span<const Part> parts);
  /// The next of the stream from one to this process, or to all.
  Status take(size_t from, bool shared, ReceivedMessage &arrival);
  void release(ReceivedMessage &arrival);

private:
  struct OutstandingBuffer {
    int process;
    uint64_t ticket;
  };

  Status open();
  bool is_local(size_t place) const { return ring_ranks_[place] >= 0; }
  /// Fills the next slot of the stream, which is free.
  SlotHead &next_slot(size_t to) const;
  void fill(size_t to, std::span<const Part> parts, int64_t bytes);
  Status wait_for_slot(size_t to, size_t reader);
  void send_far(size_t to, bool shared, std::span<const Part> parts,
                int64_t bytes);
  Status check_stamp(size_t from, uint64_t stamp);
  /// Calls `attempt`, which may nap, until it succeeds; fails where waiting for
  /// `other` is in vain or takes too long.
  template <class Attempt> Status until(size_t other, Attempt attempt);
  /// Why what a process says it is at means that it never comes.
  Status judge(size_t other, const Report &report) const;
  Status differs(const std::string &other) const;
  std::string at() const;
  std::string late(size_t other, const std::optional<Report> &report) const;
  uint64_t stream(bool shared) const { return group_ ^ (shared ? 1 : 0); }

  JobState &state_;
  const GridKind space_;
  const uint64_t group_;
  std::vector<int> processes_;             ///< in ascending order
  std::vector<std::vector<int>> replicas_; ///< members of each
  size_t self_ = 0;
  std::vector<int> ring_ranks_; ///< of the processes of this host, or -1
  size_t ring_count_ = 0;
  size_t message_bytes_ = 0;
  bool spins_ = false;
  std::optional<SharedMemoryRing> ring_;
  bool open_ = false;
  CollectiveId occasion_;
  std::vector<OutstandingBuffer> outstanding_;
};

} // namespace xlac::job
