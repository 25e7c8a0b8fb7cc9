// One process of a job fails, in each collective and in each way. All others
// must fail in time with an error that names the process and the operation. No
// process may hang.
#include "collective_cases.h"
#include "forked_job.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include <unistd.h>

using namespace xlac;
using namespace xlac::job;
using namespace xlac::test;
using namespace std::chrono_literals;

namespace {

enum class Trouble { Killed, Stopped, Hangs, Throws, Ends, Leaves, Differs };

// Sanitized processes need longer to join.
#ifdef XLAC_TEST_SANITIZED
constexpr auto kDeadline = 2000ms;
#else
constexpr auto kDeadline = 500ms;
#endif
/// Far more than a loaded machine needs to report a failure.
constexpr auto kHang = 30s;
constexpr int kVictim = 1;
/// In seconds: a process that waits for its deadline or patience is later than
/// this, one that learns of a failure is earlier, also on a loaded machine.
constexpr double kSoon = 15;
/// Successful rounds before the failure.
constexpr int kGood = 3;

const char *name_of(Trouble trouble) {
  constexpr const char *kNames[] = {"Killed", "Stopped", "Hangs",  "Throws",
                                    "Ends",   "Leaves",  "Differs"};
  return kNames[int(trouble)];
}

std::string name_of(runtime::CollectiveKind kind) {
  std::string name;
  for (char letter : to_string(kind))
    if (letter != '_')
      name += letter;
  return name;
}

/// The victim's action instead of its part.
Status go_wrong(Job &job, runtime::Communicator &grid, Trouble trouble,
                runtime::CollectiveKind kind, int64_t elements) {
  switch (trouble) {
  case Trouble::Killed:
    raise(SIGKILL);
    break;
  case Trouble::Stopped:
    raise(SIGSTOP);
    break;
  case Trouble::Hangs:
    std::this_thread::sleep_for(kDeadline + 600ms);
    break;
  case Trouble::Throws:
    return failure(FailureKind::Runtime, "out of luck");
  case Trouble::Ends:
    break;
  case Trouble::Leaves:
    job.leave();
    break;
  case Trouble::Differs: {
    bool reduces = kind == runtime::CollectiveKind::AllReduce;
    std::string text = run_collective(
        grid, kVictim,
        make_collective(reduces ? runtime::CollectiveKind::AllGather
                                : runtime::CollectiveKind::AllReduce,
                        ElementType::F32, grid.shape().count(), 0, elements));
    return text.empty() ? Status() : failure(FailureKind::Collective, text);
  }
  }
  return {};
}

/// Runs rounds of one kind until one fails, which must happen.
std::string rounds(Job &job, Trouble trouble, runtime::CollectiveKind kind,
                   int64_t elements) {
  constexpr int kMost = 5000;
  int ordinal = job.topology().first_replica();
  runtime::Communicator &grid = *job.grid();
  runtime::Collective what = make_collective(kind, ElementType::F32,
                                             grid.shape().count(), 0, elements);
  std::string text;
  grid.enter(ordinal);
  for (int round = 0; round < kMost && text.empty(); ++round) {
    if (ordinal != kVictim || round < kGood) {
      text = run_collective(grid, ordinal, what);
      continue;
    }
    Status status = go_wrong(job, grid, trouble, kind, elements);
    grid.leave(ordinal, status);
    // Waits until the other processes have reported the failure.
    auto end = Clock::now() + kDeadline + 1s;
    while (trouble != Trouble::Leaves && grid.status() && Clock::now() < end)
      std::this_thread::sleep_for(1ms);
    return "";
  }
  Status after = grid.status();
  if (after)
    return "the grid has not failed, though: " + text;
  if (after.error().failure_kind != FailureKind::Collective)
    return "another fault: " + text;
  // The grid stays failed and reports it immediately.
  auto start = Clock::now();
  if (run_collective(grid, ordinal, what).empty() ||
      Clock::now() - start > kHang)
    return "no second failure, after: " + text;
  grid.leave(ordinal, after);
  return text;
}

using Parameters = std::tuple<Trouble, runtime::CollectiveKind>;
class OneGoesWrong : public testing::TestWithParam<Parameters> {};

void expect_named(const std::vector<Outcome> &outcomes,
                  runtime::CollectiveKind kind) {
  for (int i = 0; i < int(outcomes.size()); ++i) {
    EXPECT_FALSE(outcomes[i].late) << "process " << i;
    if (i == kVictim)
      continue;
    const std::string &text = outcomes[i].text;
    EXPECT_NE(text.find(to_string(kind)), std::string::npos)
        << "process " << i << ": " << text;
    EXPECT_NE(text.find("replica " + std::to_string(kVictim)),
              std::string::npos)
        << "process " << i << ": " << text;
    // A process that hangs is later than this on any machine.
    double most = std::chrono::duration<double>(kDeadline + kHang).count();
    EXPECT_LT(outcomes[i].seconds, most) << "process " << i << ": " << text;
  }
}

} // namespace

TEST_P(OneGoesWrong, TheOthersSayWho) {
  auto [trouble, kind] = GetParam();
  // Small operands within a host, several messages between hosts.
  bool far = int(kind) % 2 == 0;
  expect_named(run_job({.shape = far ? JobShape{3, 1, 1} : JobShape{1, 3, 1},
                        .deadline = kDeadline,
                        .patience = 20s},
                       [&](Job &job) {
                         return rounds(job, trouble, kind, far ? 300'000 : 60);
                       }),
               kind);
}

INSTANTIATE_TEST_SUITE_P(
    Job, OneGoesWrong,
    testing::Combine(testing::Values(Trouble::Killed, Trouble::Stopped,
                                     Trouble::Hangs, Trouble::Throws,
                                     Trouble::Ends, Trouble::Leaves,
                                     Trouble::Differs),
                     testing::ValuesIn(group_kinds())),
    [](const testing::TestParamInfo<Parameters> &each) {
      return std::string(name_of(std::get<0>(each.param))) + "_" +
             name_of(std::get<1>(each.param));
    });

TEST(Failures, DelaysWithinTheDeadlineAreNone) {
  for (runtime::CollectiveKind kind : group_kinds()) {
    auto outcomes =
        run_job({.shape = {1, 3, 1}, .deadline = 5s}, [&](Job &job) {
          int ordinal = job.topology().first_replica();
          std::string text;
          job.grid()->enter(ordinal);
          for (int round = 0; round < 3 && text.empty(); ++round) {
            if (ordinal == round)
              std::this_thread::sleep_for(120ms);
            text = run_collective(
                *job.grid(), ordinal,
                make_collective(kind, ElementType::F32, 3, 0, 1000));
          }
          job.grid()->leave(ordinal, {});
          return text;
        });
    for (const Outcome &outcome : outcomes)
      EXPECT_EQ(outcome.text, "");
  }
}

TEST(Failures, OtherDimensionsAreAnotherCollective) {
  auto outcomes = run_job({.shape = {1, 2, 1}}, [](Job &job) {
    int ordinal = job.topology().first_replica();
    return in_run(*job.grid(), ordinal, [&]() -> Status {
      std::string text = run_collective(
          *job.grid(), ordinal,
          make_collective(runtime::CollectiveKind::AllReduce,
                          ordinal == 0 ? ElementType::F32 : ElementType::I32, 2,
                          0, 100));
      return text.empty() ? Status() : failure(FailureKind::Collective, text);
    });
  });
  for (const Outcome &outcome : outcomes) {
    EXPECT_NE(outcome.text.find("programs differ"), std::string::npos)
        << outcome.text;
    EXPECT_NE(outcome.text.find("xi32>"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("xf32>"), std::string::npos) << outcome.text;
    EXPECT_LT(outcome.seconds, kSoon);
  }
}

TEST(Failures, RendezvousHearsOfThem) {
  for (Trouble trouble : {Trouble::Killed, Trouble::Stopped, Trouble::Leaves})
    for (JobShape shape : {JobShape{1, 3, 1}, JobShape{3, 1, 1}}) {
      auto outcomes =
          run_job({.shape = shape, .deadline = kDeadline, .patience = 20s},
                  [&](Job &job) -> std::string {
                    int ordinal = job.topology().first_replica();
                    auto well = job.rendezvous(ordinal, "well", "");
                    if (!well)
                      return "too early: " + well.error().message;
                    if (ordinal == kVictim) {
                      (void)go_wrong(job, *job.grid(), trouble,
                                     runtime::CollectiveKind::AllReduce, 1);
                      return "";
                    }
                    auto all = job.rendezvous(ordinal, "ill", "");
                    if (all)
                      return "nobody is missed";
                    return all.error().failure_kind == FailureKind::Collective
                               ? all.error().message
                               : "another fault: " + all.error().message;
                  });
      for (int i : {0, 2}) {
        // A process that learns of the death before the other one's payload has
        // arrived is still in the first rendezvous.
        bool first = trouble != Trouble::Stopped &&
                     outcomes[i].text.starts_with("too early");
        EXPECT_NE(outcomes[i].text.find(first ? "rendezvous 'well'"
                                              : "rendezvous 'ill'"),
                  std::string::npos)
            << outcomes[i].text;
        EXPECT_NE(outcomes[i].text.find("replica 1"), std::string::npos)
            << outcomes[i].text;
        EXPECT_LT(outcomes[i].seconds, kSoon);
      }
    }
}

/// A process that waits for one that has left because of a third learns of the
/// third: here replica 0 arrives only when replica 2 has given up and left.
TEST(Failures, DepartureNamesItsCause) {
  for (Trouble trouble : {Trouble::Killed, Trouble::Stopped, Trouble::Leaves}) {
    auto outcomes =
        run_job({.shape = {1, 3, 1}, .deadline = kDeadline, .patience = 20s},
                [&](Job &job) -> std::string {
                  int ordinal = job.topology().first_replica();
                  if (ordinal == kVictim) {
                    (void)go_wrong(job, *job.grid(), trouble,
                                   runtime::CollectiveKind::AllReduce, 1);
                    return "";
                  }
                  std::vector<int> members = {1, 2};
                  if (ordinal == 2) {
                    auto pair = job.rendezvous(ordinal, "pair", "", members);
                    return pair ? "nobody is missed" : pair.error().message;
                  }
                  std::this_thread::sleep_for(2 * kDeadline);
                  members = {0, 2};
                  auto pair = job.rendezvous(ordinal, "late", "", members);
                  return pair ? "nobody is missed" : pair.error().message;
                });
    EXPECT_NE(outcomes[0].text.find("rendezvous 'late'"), std::string::npos)
        << outcomes[0].text;
    EXPECT_NE(outcomes[0].text.find("replica 1"), std::string::npos)
        << name_of(trouble) << ": " << outcomes[0].text;
  }
}

TEST(Failures, LeavingWithAReasonTellsIt) {
  auto outcomes = run_job({.shape = {1, 2, 1}}, [](Job &job) -> std::string {
    if (job.topology().process() == kVictim) {
      job.leave(failure(FailureKind::User, "it threw"));
      return "";
    }
    return in_run(*job.grid(), 0, [&]() -> Status {
      std::string text =
          run_collective(*job.grid(), 0,
                         make_collective(runtime::CollectiveKind::AllReduce,
                                         ElementType::F32, 2, 0, 8));
      return failure(FailureKind::Collective, text);
    });
  });
  EXPECT_NE(outcomes[0].text.find("has left the job: it threw"),
            std::string::npos)
      << outcomes[0].text;
  EXPECT_LT(outcomes[0].seconds, kSoon);
}

/// Other processes need not wait for one that has finished its part.
TEST(Failures, LeavingEarlyIsNone) {
  auto outcomes = run_job({.shape = {1, 3, 1}}, [](Job &job) -> std::string {
    int ordinal = job.topology().first_replica();
    auto all = job.rendezvous(ordinal, "all", "");
    if (!all)
      return all.error().message;
    if (ordinal == 2)
      return "";
    std::this_thread::sleep_for(100ms);
    std::vector<int> both = {0, 1};
    auto two = job.rendezvous(ordinal, "two", "", both);
    return two ? "" : two.error().message;
  });
  for (const Outcome &outcome : outcomes)
    EXPECT_EQ(outcome.text, "");
}

/// If the threads of one process fail, the threads of others do not wait for
/// them.
TEST(Failures, OneThreadOfSeveral) {
  auto outcomes = run_job({.shape = {1, 2, 2}}, [](Job &job) {
    return on_replicas(job, [&](int ordinal) {
      return in_run(*job.grid(), ordinal, [&]() -> Status {
        if (ordinal == kVictim)
          return failure(FailureKind::Runtime, "out of luck");
        std::string text =
            run_collective(*job.grid(), ordinal,
                           make_collective(runtime::CollectiveKind::AllReduce,
                                           ElementType::F32, 4, 0, 100));
        return failure(FailureKind::Collective, text);
      });
    });
  });
  for (const Outcome &outcome : outcomes) {
    EXPECT_NE(outcome.text.find("replica 1, partition 0 failed: out of luck"),
              std::string::npos)
        << outcome.text;
    EXPECT_LT(outcome.seconds, kSoon);
  }
}
