// The parts of a group's channel that wait for all of its processes at once.
#include "group_channel.h"
#include "job_text.h"

#include <algorithm>
#include <thread>

namespace xlac::job {

using namespace std::chrono_literals;

/// The most processes that are asked for their progress at a time.
static constexpr size_t kMostAsked = 16;
/// Time after the end or departure of a process in which MPI may still move the
/// data that it sent before.
static constexpr auto kDeparture = 2000ms;

/// What a waiting process knows of the others.
class GroupChannel::Examination {
public:
  Examination(GroupChannel &channel, bool agreed)
      : channel_(channel), agreed_(agreed), questions_(channel.count()),
        reports_(channel.count()) {}
  ~Examination() {
    if (is_waiting_)
      channel_.state_.record_wait(channel_.occasion_, -1);
  }
  Examination(const Examination &) = delete;

  /// A failure if a process can no longer arrive.
  Status look(Clock::time_point now) {
    XLAC_RETURN_IF_ERROR(look_at_departures(now));
    for (size_t place = 0; place < questions_.size(); ++place) {
      if (questions_[place] == 0)
        continue;
      auto report =
          channel_.state_.answer(channel_.processes_[place], questions_[place]);
      if (!report)
        continue;
      reports_[place] = std::move(report);
      if (agreed_)
        continue;
      XLAC_RETURN_IF_ERROR(channel_.judge_place(place, *reports_[place]));
      // It may have completed the collective: its data may still be moving.
      if (Status ended = channel_.judge_end(place, *reports_[place]);
          !ended && is_over(ended_, now))
        return ended;
    }
    return {};
  }

  /// Asks some of the others for their progress.
  void ask() {
    for (size_t i = 1; i < channel_.count() && i <= kMostAsked; ++i) {
      next_ = (next_ + 1) % channel_.count();
      if (next_ == channel_.self_)
        next_ = (next_ + 1) % channel_.count();
      reports_[next_].reset();
      questions_[next_] =
          channel_.state_.ask(channel_.grid_, channel_.processes_[next_]);
    }
    if (size_t place = missing(); !is_waiting_ && !has_arrived(place)) {
      is_waiting_ = true;
      channel_.state_.record_wait(channel_.occasion_,
                                  channel_.processes_[place]);
    }
  }

  bool others_wait() const {
    return std::any_of(reports_.begin(), reports_.end(), [](const auto &each) {
      return each && std::any_of(each->rendezvous_points.begin(),
                                 each->rendezvous_points.end(),
                                 [](const CollectiveId &occasion) {
                                   return occasion.waits_for >= 0;
                                 });
    });
  }

  std::string late() const {
    size_t place = missing();
    return channel_.late(place, reports_[place]);
  }

private:
  Status look_at_departures(Clock::time_point now) {
    XLAC_RETURN_IF_ERROR(
        channel_.explained(channel_.state_.failure_of(channel_.grid_)));
    for (size_t place = 0; place < channel_.count(); ++place) {
      Status reachable = place == channel_.self_
                             ? Status()
                             : channel_.state_.reachable(
                                   channel_.grid_, channel_.processes_[place]);
      if (reachable)
        continue;
      if (is_over(departed_, now))
        return channel_.explained(reachable);
    }
    return {};
  }

  /// Whether MPI has had time to move data since the first call.
  static bool is_over(Clock::time_point &since, Clock::time_point now) {
    if (since == Clock::time_point())
      since = now;
    return now >= since + kDeparture;
  }

  bool has_arrived(size_t place) const {
    const std::optional<Report> &report = reports_[place];
    return report &&
           std::any_of(report->rendezvous_points.begin(),
                       report->rendezvous_points.end(),
                       [&](const CollectiveId &occasion) {
                         return occasion.stamp() == channel_.occasion_.stamp();
                       });
  }

  /// The process that the others most likely wait for: one that does not
  /// answer, else one that is elsewhere.
  size_t missing() const {
    size_t best = channel_.self_ == 0 ? 1 : 0;
    int best_rank = 3;
    for (size_t place = 0; place < channel_.count(); ++place) {
      if (place == channel_.self_ || questions_[place] == 0)
        continue;
      int rank = !reports_[place] ? 0 : has_arrived(place) ? 2 : 1;
      if (rank < best_rank) {
        best = place;
        best_rank = rank;
      }
    }
    return best;
  }

  GroupChannel &channel_;
  const bool agreed_;
  std::vector<uint64_t> questions_; ///< the last one to each; 0: none
  std::vector<std::optional<Report>> reports_;
  size_t next_ = 0;
  bool is_waiting_ = false;
  /// When a process was first seen to have left, or its program to have ended.
  Clock::time_point departed_, ended_;
};

Status GroupChannel::explained(const Status &status) const {
  return status ? status
                : failure(FailureKind::Collective,
                          at() + ": " + status.error().message);
}

Status GroupChannel::until_all(const std::function<Result<bool>()> &attempt,
                               bool agreed) {
  // Time that a thread tests without sleeping, time of a sleep, and time
  // between examinations of the other processes.
  constexpr auto kTests = 1ms, kExamine = 10ms;
  constexpr auto kNap = 50us;
  auto start = Clock::now(), examine_at = start + kExamine,
       ask_at = start + kPatience;
  std::optional<Examination> others;
  for (;;) {
    Result<bool> done = attempt();
    if (!done)
      return explain_failure(done.error());
    if (*done)
      return {};
    auto now = Clock::now();
    if (now < start + kTests) {
      state_.engine()->world->pause(start);
      continue;
    }
    std::this_thread::sleep_for(kNap);
    if (now < examine_at)
      continue;
    examine_at = now + kExamine;
    if (!others)
      others.emplace(*this, agreed);
    if (Status sense = others->look(now); !sense) {
      done = attempt();
      return done && *done ? Status() : sense;
    }
    if (now >=
        start + state_.deadline() + (others->others_wait() ? kGrace : 0ms))
      return failure(FailureKind::Collective, others->late());
    if (now >= ask_at) {
      others->ask();
      ask_at = now + kAskAgain;
    }
  }
}

/// MPI names no process, but the job soon does.
Status GroupChannel::explain_failure(const Failure &failed) {
  for (auto end = Clock::now() + kGrace; Clock::now() < end;) {
    if (Status known = state_.failure_of(grid_); !known)
      return explained(known);
    std::this_thread::sleep_for(1ms);
  }
  return explained(failed);
}

Status GroupChannel::find_difference() {
  std::vector<uint64_t> questions(count());
  size_t most = std::min(count(), 4 * kMostAsked);
  for (size_t place = 0; place < most; ++place)
    if (place != self_)
      questions[place] = state_.ask(grid_, processes_[place]);
  for (auto end = Clock::now() + kAnswer; Clock::now() < end;) {
    for (size_t place = 0; place < most; ++place)
      if (auto report = questions[place] == 0 ? std::nullopt
                                              : state_.answer(processes_[place],
                                                              questions[place]))
        XLAC_RETURN_IF_ERROR(judge(place, *report));
    // A process that found the difference first may have left.
    if (Status known = state_.failure_of(grid_); !known)
      return differs("another process at another collective: " +
                     known.error().message);
    std::this_thread::sleep_for(1ms);
  }
  return differs("another process at another collective");
}

Status GroupChannel::line_up(std::unique_lock<std::mutex> &place) {
  static const std::byte kNone{};
  auto pass_to = [&](size_t to) -> Status {
    Part part{&kNone, {0, 1, 1, 1}, 0, 1};
    XLAC_RETURN_IF_ERROR(send(to, {&part, 1}));
    return wait_for_sends();
  };
  auto take_from = [&](size_t from) -> Status {
    ReceivedMessage arrival;
    XLAC_RETURN_IF_ERROR(take(from, false, arrival));
    release(arrival);
    return Status();
  };
  // Up to the last process, each takes its place; from there back, each learns
  // that all have theirs. The order of processes excludes a cycle of waits.
  if (self_ > 0)
    XLAC_RETURN_IF_ERROR(take_from(self_ - 1));
  XLAC_RETURN_IF_ERROR(
      until_all([&]() -> Result<bool> { return place.try_lock(); }));
  if (self_ + 1 < count()) {
    XLAC_RETURN_IF_ERROR(pass_to(self_ + 1));
    XLAC_RETURN_IF_ERROR(take_from(self_ + 1));
  }
  return self_ > 0 ? pass_to(self_ - 1) : Status();
}

MpiGroup *GroupChannel::engine() {
  const std::optional<MpiEngine> &engine = state_.engine();
  if (!engine || count() < 2)
    return nullptr;
  if (!engine_)
    engine_.emplace(*engine, processes_, group_);
  return &*engine_;
}

} // namespace xlac::job
