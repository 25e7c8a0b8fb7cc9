#include "group_channel.h"

#include "job_text.h"

#include "xlac/support/fast_hash.h"

#include <algorithm>
#include <thread>

namespace xlac::job {

using namespace std::chrono_literals;

/// How long one waits in one go before one looks whether that makes sense.
static constexpr auto kNap = 10ms;
/// After so long one asks the others what they are at, and again.
static constexpr auto kPatience = 50ms, kAskAgain = 200ms;
/// So much later than the deadline whoever waits for somebody who waits for a
/// third gives up: the other one is to say who that is.
static constexpr auto kGrace = 400ms;
/// How long an answer may take where one knows already that programs differ.
static constexpr auto kAnswer = 300ms;

static uint64_t group_of(Space space, const ProcessGroup &members) {
  FastHasher hasher;
  hasher.update(uint64_t(space));
  for (int member : members)
    hasher.update(int64_t(member));
  // The lowest bit tells streams apart.
  return hasher.finish().low & ~uint64_t(1);
}

static int64_t aligned(int64_t bytes) {
  return (bytes + GroupChannel::kAlignment - 1) / GroupChannel::kAlignment *
         GroupChannel::kAlignment;
}

static int64_t total_of(std::span<const Part> parts) {
  int64_t bytes = 0;
  for (const Part &part : parts)
    bytes = aligned(bytes) + part.bytes();
  return bytes;
}

static void pack_all(std::span<const Part> parts, std::byte *to) {
  int64_t at = 0;
  for (const Part &part : parts) {
    at = aligned(at);
    pack(part.from, part.strip, part.begin, part.end, to + at);
    at += part.bytes();
  }
}

GroupChannel::GroupChannel(JobState &state, Space space,
                           const ProcessGroup &members)
    : state_(state), space_(space), group_(group_of(space, members)) {
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
      self_ = board_places_.size();
    board_places_.push_back(state.same_host(process) ? place++ : -1);
  }
  board_count_ = place;
  // All have to cut alike, whichever of them share a host.
  message_bytes_ = SharedBoard::slot_bytes(processes_.size());
  spins_ = std::thread::hardware_concurrency() >=
           size_t(state.topology().processes_per_host);
}

size_t GroupChannel::place_of(int replica) const {
  return std::lower_bound(processes_.begin(), processes_.end(),
                          state_.process_of(replica)) -
         processes_.begin();
}

//===- Waiting ------------------------------------------------------------===//

std::string GroupChannel::at() const {
  std::string who;
  for (int replica : replicas_[self_])
    who += (who.empty() ? "" : ", ") +
           (space_ == Space::Replicas ? replica_text(replica, 1)
                                      : "partition " + std::to_string(replica));
  return who + " at " + occasion_.name;
}

Status GroupChannel::differs(const std::string &other) const {
  return failure(Fault::Collective,
                 "programs differ: " + at() + ", but " + other);
}

Status GroupChannel::judge(size_t other, const Report &report) const {
  for (const Occasion &meeting : report.meetings)
    if (meeting.group == group_ && meeting.run == occasion_.run &&
        meeting.number == occasion_.number &&
        meeting.fingerprint != occasion_.fingerprint)
      return differs(state_.process_name(processes_[other]) + " at " +
                     (meeting.name == occasion_.name
                          ? "one with other groups, dimensions or computation"
                          : meeting.name));
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
  for (const Occasion &meeting : report->meetings)
    if (meeting.waits_for >= 0 &&
        meeting.waits_for < state_.topology().processes())
      return text + "waits for " +
             state_.process_name(static_cast<int>(meeting.waits_for));
  int first = processes_[other] * state_.topology().devices_per_process;
  for (int replica : replicas_[other]) {
    size_t i = replica - first;
    if (i >= report->replicas.size())
      continue;
    const Progress &progress = report->replicas[i];
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
  // From now on the others may hear that this process waits.
  struct Waiting {
    JobState &state;
    const Occasion &occasion;
    bool noted = false;
    ~Waiting() {
      if (noted)
        state.note_wait(occasion, -1);
    }
  } waiting{state_, occasion_};
  int process = processes_[other];
  auto start = Clock::now(), ask_at = start + kPatience;
  uint64_t question = 0;
  for (;;) {
    if (attempt(kNap))
      return {};
    Status reachable = state_.reachable(space_, process);
    auto now = Clock::now();
    std::optional<Report> report;
    if (question != 0)
      report = state_.answer(process, question);
    Status sense = report ? judge(other, *report) : Status();
    if (!reachable || !sense) {
      // What it had sent before may have come meanwhile.
      if (attempt(0ms))
        return {};
      return sense ? failure(Fault::Collective,
                             at() + ": " + reachable.error().message)
                   : sense.error();
    }
    bool waits =
        report && std::any_of(report->meetings.begin(), report->meetings.end(),
                              [](const Occasion &meeting) {
                                return meeting.waits_for >= 0;
                              });
    if (now >= start + state_.deadline() + (waits ? kGrace : 0ms))
      return failure(Fault::Collective, late(other, report));
    if (now >= ask_at) {
      if (!waiting.noted)
        state_.note_wait(occasion_, process);
      waiting.noted = true;
      question = state_.ask(space_, process);
      ask_at = now + kAskAgain;
    }
  }
}

Status GroupChannel::check_stamp(size_t from, uint64_t stamp) {
  if (stamp == occasion_.stamp())
    return {};
  int process = processes_[from];
  uint64_t question = state_.ask(space_, process);
  std::optional<Report> report;
  for (auto end = Clock::now() + kAnswer; !report && Clock::now() < end;) {
    std::this_thread::sleep_for(1ms);
    report = state_.answer(process, question);
  }
  std::string what = " at another collective";
  if (report)
    for (const Occasion &meeting : report->meetings)
      if (meeting.group == group_ && meeting.name != occasion_.name)
        what = " at " + meeting.name;
  return differs(state_.process_name(process) + what);
}

//===- Meetings -----------------------------------------------------------===//

Status GroupChannel::open() {
  if (board_count_ < 2) {
    open_ = true;
    return {};
  }
  size_t first = 0;
  while (!is_local(first))
    ++first;
  Descriptor file;
  if (first == self_) {
    Result<Descriptor> made = SharedBoard::make(board_count_);
    if (!made)
      return made.error();
    file = std::move(*made);
    for (size_t place = 0; place < count(); ++place)
      if (place != self_ && is_local(place))
        state_.links().post(processes_[place],
                            {.kind = FrameKind::Segment, .tag = group_}, {},
                            file.get());
  } else {
    XLAC_RETURN_IF_ERROR(until(first, [&](std::chrono::milliseconds nap) {
      file = state_.take_segment(group_);
      // Once for each group: nobody has to be woken for it.
      if (!file && nap > 0ms)
        std::this_thread::sleep_for(1ms);
      return bool(file);
    }));
  }
  Result<SharedBoard> board = SharedBoard::map(file, board_count_);
  if (!board)
    return board.error();
  board_.emplace(std::move(*board));
  open_ = true;
  return {};
}

Status GroupChannel::begin(const Occasion &occasion) {
  occasion_ = occasion;
  state_.begin(occasion_);
  return open_ ? Status() : open();
}

Status GroupChannel::end(const Status &status) {
  Status result = status;
  for (const Lent &each : lent_) {
    if (!result)
      break;
    size_t place =
        std::lower_bound(processes_.begin(), processes_.end(), each.process) -
        processes_.begin();
    result = until(place, [&](std::chrono::milliseconds nap) {
      return state_.links().wait_sent(each.process, each.ticket, nap);
    });
  }
  // The memory is the program's again.
  if (!result)
    for (const Lent &each : lent_)
      state_.links().reclaim(each.process);
  lent_.clear();
  state_.end(occasion_);
  return result;
}

//===- Messages -----------------------------------------------------------===//

Status GroupChannel::wait_for_slot(size_t to, size_t reader) {
  size_t own = board_places_[self_];
  uint32_t filled = board_->filled(own, to).value.load();
  Counter &emptied = board_->emptied(own, to, board_places_[reader]);
  return until(reader, [&](std::chrono::milliseconds) {
    uint32_t seen = emptied.value.load(std::memory_order_acquire);
    if (filled - seen < SharedBoard::kSlots)
      return true;
    emptied.wait_while(seen, spins_);
    return filled - emptied.value.load() < SharedBoard::kSlots;
  });
}

SlotHead &GroupChannel::next_slot(size_t to) const {
  size_t own = board_places_[self_];
  return board_->slot(own, to, board_->filled(own, to).value.load());
}

void GroupChannel::fill(size_t to, std::span<const Part> parts, int64_t bytes) {
  SlotHead &slot = next_slot(to);
  slot.stamp = occasion_.stamp();
  slot.bytes = bytes;
  pack_all(parts, SharedBoard::bytes_of(slot));
  board_->filled(board_places_[self_], to).advance();
}

void GroupChannel::send_far(size_t to, bool shared, std::span<const Part> parts,
                            int64_t bytes) {
  FrameHead head{.kind = FrameKind::Data,
                 .tag = stream(shared),
                 .stamp = occasion_.stamp()};
  int process = processes_[to];
  if (parts.size() == 1 && parts[0].stays && parts[0].strip.contiguous()) {
    const auto *from = static_cast<const std::byte *>(parts[0].from) +
                       parts[0].strip.offset + parts[0].begin;
    uint64_t ticket = state_.links().lend(process, head, {from, size_t(bytes)});
    lent_.push_back({process, ticket});
    return;
  }
  std::vector<std::byte> packed(bytes);
  pack_all(parts, packed.data());
  state_.links().post(process, head, packed);
}

Status GroupChannel::send(size_t to, std::span<const Part> parts) {
  int64_t bytes = total_of(parts);
  if (!is_local(to)) {
    send_far(to, false, parts, bytes);
    return {};
  }
  XLAC_RETURN_IF_ERROR(wait_for_slot(board_places_[to], to));
  fill(board_places_[to], parts, bytes);
  return {};
}

void GroupChannel::share_far(std::span<const Part> parts) {
  int64_t bytes = total_of(parts);
  for (size_t place = 0; place < count(); ++place)
    if (!is_local(place))
      send_far(place, true, parts, bytes);
}

Status GroupChannel::claim(std::byte *&room) {
  room = nullptr;
  if (board_count_ < 2)
    return {};
  for (size_t place = 0; place < count(); ++place)
    if (place != self_ && is_local(place))
      XLAC_RETURN_IF_ERROR(wait_for_slot(board_places_[self_], place));
  room = SharedBoard::bytes_of(next_slot(board_places_[self_]));
  return {};
}

void GroupChannel::share_claimed(int64_t bytes) {
  size_t own = board_places_[self_];
  SlotHead &slot = next_slot(own);
  slot.stamp = occasion_.stamp();
  slot.bytes = bytes;
  board_->filled(own, own).advance();
}

Status GroupChannel::share(std::span<const Part> parts) {
  share_far(parts);
  std::byte *room;
  XLAC_RETURN_IF_ERROR(claim(room));
  if (room)
    fill(board_places_[self_], parts, total_of(parts));
  return {};
}

Status GroupChannel::take(size_t from, bool shared, Arrival &arrival) {
  if (!is_local(from)) {
    XLAC_RETURN_IF_ERROR(until(from, [&](std::chrono::milliseconds nap) {
      return state_.links().take(processes_[from], stream(shared),
                                 arrival.packet, nap);
    }));
    arrival.data = arrival.packet.data();
    arrival.size = arrival.packet.size();
    arrival.emptied = nullptr;
    return check_stamp(from, arrival.packet.stamp);
  }
  size_t own = board_places_[self_], other = board_places_[from];
  size_t to = shared ? other : own;
  Counter &filled = board_->filled(other, to);
  Counter &emptied = board_->emptied(other, to, own);
  uint32_t taken = emptied.value.load();
  XLAC_RETURN_IF_ERROR(until(from, [&](std::chrono::milliseconds) {
    if (filled.value.load(std::memory_order_acquire) != taken)
      return true;
    filled.wait_while(taken, spins_);
    return filled.value.load() != taken;
  }));
  SlotHead &slot = board_->slot(other, to, taken);
  arrival.data = SharedBoard::bytes_of(slot);
  arrival.size = slot.bytes;
  arrival.emptied = &emptied;
  return check_stamp(from, slot.stamp);
}

void GroupChannel::let_go(Arrival &arrival) {
  if (arrival.emptied)
    arrival.emptied->advance();
  else
    state_.links().recycle(std::move(arrival.packet));
  arrival = {};
}

} // namespace xlac::job
