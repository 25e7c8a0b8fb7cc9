#include "group_channel.h"

#include "job_text.h"

#include "xlac/support/cores.h"
#include "xlac/support/fast_hash.h"

#include <algorithm>
#include <thread>

namespace xlac::job {

using namespace std::chrono_literals;

/// Maximum time of one wait before its sense is checked again.
static constexpr auto kSleep = 10ms;

static uint64_t group_of(GridId grid, const runtime::ProcessGroup &members) {
  FastHasher hasher;
  hasher.update(grid);
  for (int member : members)
    hasher.update(int64_t(member));
  // The lowest bit distinguishes the two streams of a group.
  return hasher.finish().low & ~uint64_t(1);
}

static int64_t total_of(std::span<const Part> parts) {
  int64_t bytes = 0;
  for (const Part &part : parts)
    bytes = GroupChannel::aligned(bytes) + part.bytes();
  return bytes;
}

static void pack_all(std::span<const Part> parts, std::byte *to) {
  int64_t at = 0;
  for (const Part &part : parts) {
    at = GroupChannel::aligned(at);
    pack(part.from, part.strip, part.begin, part.end, to + at);
    at += part.bytes();
  }
}

GroupChannel::GroupChannel(JobState &state, GridId grid,
                           const runtime::ProcessGroup &members)
    : state_(state), grid_(grid), group_(group_of(grid, members)) {
  for (int member : members)
    processes_.push_back(state.process_of(member));
  std::sort(processes_.begin(), processes_.end());
  processes_.erase(std::unique(processes_.begin(), processes_.end()),
                   processes_.end());
  replicas_.resize(processes_.size());
  for (int member : members)
    replicas_[place_of(member)].push_back(member);
  int own = state.topology().process(), place = 0;
  for (int process : processes_) {
    if (process == own)
      self_ = ring_ranks_.size();
    ring_ranks_.push_back(state.same_host(process) ? place++ : -1);
  }
  ring_count_ = place;
  // All processes must split messages equally, even if only some share a host.
  message_bytes_ = SharedMemoryRing::slot_bytes(processes_.size());
  // Without slots, larger messages save rounds. Each process may hold one of
  // each other process.
  constexpr size_t kFarMessage = 1 << 20, kFarMessages = 64 << 20;
  if (!shares_hosts())
    message_bytes_ =
        std::clamp(kFarMessages / count(), message_bytes_, kFarMessage);
  spins_ = available_cores() >= state.topology().processes_per_host;
}

int GroupChannel::host_of(size_t place) const {
  return processes_[place] / state_.topology().processes_per_host;
}

bool GroupChannel::shares_hosts() const {
  for (size_t place = 1; place < count(); ++place)
    if (host_of(place) == host_of(place - 1))
      return true;
  return false;
}

size_t GroupChannel::place_of(int replica) const {
  return std::lower_bound(processes_.begin(), processes_.end(),
                          state_.process_of(replica)) -
         processes_.begin();
}

MemberPlaces GroupChannel::places_of(std::span<const int> replicas) const {
  MemberPlaces where;
  where.members.resize(count());
  for (size_t i = 0; i < replicas.size(); ++i) {
    where.places.push_back(place_of(replicas[i]));
    where.members[where.places[i]].push_back(i);
  }
  return where;
}

//===- Waiting ------------------------------------------------------------===//

std::string GroupChannel::at() const {
  std::string who;
  for (int replica : replicas_[self_])
    who += (who.empty() ? "" : ", ") +
           (grid_ == kReplicaGrid ? replica_text(replica, 1)
                                  : "partition " + std::to_string(replica));
  return who + " at " + occasion_.name;
}

Status GroupChannel::differs(const std::string &other) const {
  return failure(FailureKind::Collective,
                 "programs differ: " + at() + ", but " + other);
}

Status GroupChannel::judge(size_t other, const Report &report) const {
  XLAC_RETURN_IF_ERROR(judge_place(other, report));
  return judge_end(other, report);
}

Status GroupChannel::judge_place(size_t other, const Report &report) const {
  for (const CollectiveId &rendezvous_state : report.rendezvous_points)
    if (rendezvous_state.group == group_ &&
        rendezvous_state.run == occasion_.run &&
        rendezvous_state.number == occasion_.number &&
        rendezvous_state.fingerprint != occasion_.fingerprint)
      return differs(state_.process_name(processes_[other]) + " at " +
                     (rendezvous_state.name == occasion_.name
                          ? "one with other groups, dimensions or computation"
                          : rendezvous_state.name));
  return {};
}

Status GroupChannel::judge_end(size_t other, const Report &report) const {
  int first = processes_[other] * state_.topology().devices_per_process;
  for (int replica : replicas_[other]) {
    size_t i = replica - first;
    if (i < report.replicas.size() && report.replicas[i].ended >= occasion_.run)
      return differs("the program of " +
                     state_.process_name(processes_[other]) + " has ended");
  }
  return {};
}

std::string GroupChannel::late(size_t other,
                               const std::optional<Report> &report) const {
  std::string text = at() + " waited " + duration_text(state_.deadline()) +
                     "; not there: " + state_.process_name(processes_[other]) +
                     ", which ";
  if (!report)
    return text + "does not answer";
  for (const CollectiveId &rendezvous_state : report->rendezvous_points)
    if (rendezvous_state.waits_for >= 0 &&
        rendezvous_state.waits_for < state_.topology().processes())
      return text + "waits for " +
             state_.process_name(static_cast<int>(rendezvous_state.waits_for));
  int first = processes_[other] * state_.topology().devices_per_process;
  for (int replica : replicas_[other]) {
    size_t i = replica - first;
    if (i >= report->replicas.size())
      continue;
    const runtime::Progress &progress = report->replicas[i];
    if (progress.begun < occasion_.run)
      return text + "has not begun its program";
    if (!progress.at.empty() && progress.at != occasion_.name)
      return text + "is at " + progress.at;
  }
  return text + "is in its program";
}

template <class Attempt>
Status GroupChannel::until(size_t other, Attempt attempt) {
  if (attempt(0ms))
    return {};
  // After this, the other processes may learn that this process waits.
  struct Waiting {
    JobState &state;
    const CollectiveId &occasion;
    bool noted = false;
    ~Waiting() {
      if (noted)
        state.record_wait(occasion, -1);
    }
  } waiting{state_, occasion_};
  int process = processes_[other];
  auto start = Clock::now(), ask_at = start + kPatience;
  uint64_t question = 0;
  for (;;) {
    if (attempt(kSleep))
      return {};
    Status reachable = state_.reachable(grid_, process);
    auto now = Clock::now();
    std::optional<Report> report;
    if (question != 0)
      report = state_.answer(process, question);
    Status sense = report ? judge(other, *report) : Status();
    if (!reachable || !sense) {
      // Data that it sent before may have arrived meanwhile.
      if (attempt(0ms))
        return {};
      return sense ? failure(FailureKind::Collective,
                             at() + ": " + reachable.error().message)
                   : sense.error();
    }
    bool waits =
        report && std::any_of(report->rendezvous_points.begin(),
                              report->rendezvous_points.end(),
                              [](const CollectiveId &rendezvous_state) {
                                return rendezvous_state.waits_for >= 0;
                              });
    if (now >= start + state_.deadline() + (waits ? kGrace : 0ms))
      return failure(FailureKind::Collective, late(other, report));
    if (now >= ask_at) {
      if (!waiting.noted)
        state_.record_wait(occasion_, process);
      waiting.noted = true;
      question = state_.ask(grid_, process);
      ask_at = now + kAskAgain;
    }
  }
}

Status GroupChannel::check_stamp(size_t from, uint64_t stamp) {
  if (stamp == occasion_.stamp())
    return {};
  int process = processes_[from];
  uint64_t question = state_.ask(grid_, process);
  std::optional<Report> report;
  for (auto end = Clock::now() + kAnswer;
       !report && state_.reachable(grid_, process) && Clock::now() < end;) {
    std::this_thread::sleep_for(1ms);
    report = state_.answer(process, question);
  }
  std::string other = state_.process_name(process);
  if (report)
    for (const CollectiveId &rendezvous_state : report->rendezvous_points)
      if (rendezvous_state.group == group_ &&
          rendezvous_state.name != occasion_.name)
        return differs(other + " at " + rendezvous_state.name);
  // A process that found the difference first may have left without an answer,
  // but it has sent the reason.
  other += " at another collective";
  Status reachable = state_.reachable(grid_, process);
  return differs(reachable ? other : other + ": " + reachable.error().message);
}

//===- Collectives --------------------------------------------------------===//

Status GroupChannel::open() {
  if (ring_count_ < 2) {
    open_ = true;
    return {};
  }
  size_t first = 0;
  while (!is_local(first))
    ++first;
  Descriptor file;
  if (first == self_) {
    Result<Descriptor> made = SharedMemoryRing::make(ring_count_);
    if (!made)
      return made.error();
    file = std::move(*made);
    for (size_t place = 0; place < count(); ++place)
      if (place != self_ && is_local(place))
        state_.transport().post(processes_[place],
                                {.kind = FrameKind::Segment, .tag = group_}, {},
                                file.get());
  } else {
    XLAC_RETURN_IF_ERROR(
        until(first, [&](std::chrono::milliseconds sleep_briefly) {
          file = state_.take_segment(group_);
          // This happens once per group, so no wake-up is implemented for it.
          if (!file && sleep_briefly > 0ms)
            std::this_thread::sleep_for(1ms);
          return bool(file);
        }));
  }
  Result<SharedMemoryRing> ring = SharedMemoryRing::map(file, ring_count_);
  if (!ring)
    return ring.error();
  ring_.emplace(std::move(*ring));
  open_ = true;
  return {};
}

Status GroupChannel::begin(const CollectiveId &occasion) {
  occasion_ = occasion;
  state_.begin(occasion_);
  return open_ ? Status() : open();
}

Status GroupChannel::wait_for_sends() {
  for (const OutstandingBuffer &each : outstanding_) {
    size_t place =
        std::lower_bound(processes_.begin(), processes_.end(), each.process) -
        processes_.begin();
    XLAC_RETURN_IF_ERROR(
        until(place, [&](std::chrono::milliseconds sleep_briefly) {
          return state_.transport().wait_sent(each.process, each.ticket,
                                              sleep_briefly);
        }));
  }
  return {};
}

Status GroupChannel::end(const Status &status) {
  Status result = status ? wait_for_sends() : status;
  // The program may reuse the memory after this.
  if (!result)
    for (const OutstandingBuffer &each : outstanding_)
      state_.transport().reclaim(each.process);
  outstanding_.clear();
  kept_.clear();
  // A process that fails at another collective asks at which this one failed.
  if (result)
    state_.end(occasion_);
  else
    state_.record_wait(occasion_, -1);
  return result;
}

//===- Messages -----------------------------------------------------------===//

Status GroupChannel::wait_for_slot(size_t to, size_t reader) {
  size_t own = ring_ranks_[self_];
  uint32_t filled = ring_->filled(own, to).value.load();
  Counter &emptied = ring_->emptied(own, to, ring_ranks_[reader]);
  return until(reader, [&](std::chrono::milliseconds) {
    uint32_t seen = emptied.value.load(std::memory_order_acquire);
    if (filled - seen < SharedMemoryRing::kSlots)
      return true;
    emptied.wait_while(seen, spins_);
    return filled - emptied.value.load() < SharedMemoryRing::kSlots;
  });
}

SlotHead &GroupChannel::next_slot(size_t to) const {
  size_t own = ring_ranks_[self_];
  return ring_->slot(own, to, ring_->filled(own, to).value.load());
}

void GroupChannel::fill(size_t to, std::span<const Part> parts, int64_t bytes) {
  SlotHead &slot = next_slot(to);
  slot.stamp = occasion_.stamp();
  slot.bytes = bytes;
  pack_all(parts, SharedMemoryRing::bytes_of(slot));
  ring_->filled(ring_ranks_[self_], to).advance();
}

void GroupChannel::send_far(std::span<const int> processes, bool shared,
                            std::span<const Part> parts, int64_t bytes) {
  FrameHead head{.kind = FrameKind::Data,
                 .tag = stream(shared),
                 .stamp = occasion_.stamp()};
  if (parts.size() == 1 && parts[0].stays && parts[0].strip.contiguous()) {
    const auto *from = static_cast<const std::byte *>(parts[0].from) +
                       parts[0].strip.offset + parts[0].begin;
    std::vector<uint64_t> tickets =
        state_.transport().lend_all(processes, head, {from, size_t(bytes)});
    for (size_t i = 0; i < processes.size(); ++i)
      outstanding_.push_back({processes[i], tickets[i]});
    return;
  }
  std::vector<std::byte> packed(bytes);
  pack_all(parts, packed.data());
  for (int process : processes)
    state_.transport().post(process, head, packed);
}

Status GroupChannel::send(size_t to, std::span<const Part> parts) {
  int64_t bytes = total_of(parts);
  if (!is_local(to)) {
    send_far({&processes_[to], 1}, false, parts, bytes);
    return {};
  }
  XLAC_RETURN_IF_ERROR(wait_for_slot(ring_ranks_[to], to));
  fill(ring_ranks_[to], parts, bytes);
  return {};
}

void GroupChannel::share_far(std::span<const Part> parts) {
  std::vector<int> far;
  for (size_t place = 0; place < count(); ++place)
    if (!is_local(place))
      far.push_back(processes_[place]);
  if (!far.empty())
    send_far(far, true, parts, total_of(parts));
}

Status GroupChannel::claim(std::byte *&slot) {
  slot = nullptr;
  if (ring_count_ < 2)
    return {};
  for (size_t place = 0; place < count(); ++place)
    if (place != self_ && is_local(place))
      XLAC_RETURN_IF_ERROR(wait_for_slot(ring_ranks_[self_], place));
  slot = SharedMemoryRing::bytes_of(next_slot(ring_ranks_[self_]));
  return {};
}

void GroupChannel::share_claimed(int64_t bytes) {
  size_t own = ring_ranks_[self_];
  SlotHead &slot = next_slot(own);
  slot.stamp = occasion_.stamp();
  slot.bytes = bytes;
  ring_->filled(own, own).advance();
}

Status GroupChannel::share(std::span<const Part> parts) {
  share_far(parts);
  std::byte *slot;
  XLAC_RETURN_IF_ERROR(claim(slot));
  if (slot)
    fill(ring_ranks_[self_], parts, total_of(parts));
  return {};
}

Status GroupChannel::take(size_t from, bool shared, ReceivedMessage &arrival) {
  if (!is_local(from)) {
    XLAC_RETURN_IF_ERROR(
        until(from, [&](std::chrono::milliseconds sleep_briefly) {
          return state_.transport().take(processes_[from], stream(shared),
                                         arrival.buffer, sleep_briefly);
        }));
    arrival.data = arrival.buffer.data();
    arrival.size = arrival.buffer.size();
    arrival.emptied = nullptr;
    return check_stamp(from, arrival.buffer.stamp);
  }
  size_t own = ring_ranks_[self_], other = ring_ranks_[from];
  size_t to = shared ? other : own;
  Counter &filled = ring_->filled(other, to);
  Counter &emptied = ring_->emptied(other, to, own);
  uint32_t taken = emptied.value.load();
  XLAC_RETURN_IF_ERROR(until(from, [&](std::chrono::milliseconds) {
    if (filled.value.load(std::memory_order_acquire) != taken)
      return true;
    filled.wait_while(taken, spins_);
    return filled.value.load() != taken;
  }));
  SlotHead &slot = ring_->slot(other, to, taken);
  arrival.data = SharedMemoryRing::bytes_of(slot);
  arrival.size = slot.bytes;
  arrival.emptied = &emptied;
  return check_stamp(from, slot.stamp);
}

void GroupChannel::release(ReceivedMessage &arrival) {
  if (arrival.emptied)
    arrival.emptied->advance();
  else
    state_.transport().recycle(std::move(arrival.buffer));
  arrival = {};
}

} // namespace xlac::job
