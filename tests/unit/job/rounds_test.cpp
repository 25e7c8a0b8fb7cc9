// Many rounds of every collective with random delays, and sizes from one
// element to many messages. No process may hang or get a wrong result.
#include "collective_cases.h"
#include "forked_job.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

using namespace xlac;
using namespace xlac::job;
using namespace xlac::test;
using namespace std::chrono_literals;

namespace {

class Rounds : public testing::TestWithParam<JobShape> {};

std::string run_rounds(Job &job, int ordinal, int count) {
  runtime::Communicator &grid = *job.grid();
  int world = grid.shape().count();
  // The sequence of operations is common, the delays are not.
  std::mt19937 plan(7), own(ordinal);
  for (int round = 0; round < count; ++round) {
    std::string problem;
    std::string text = in_run(grid, ordinal, [&]() -> Status {
      for (runtime::CollectiveKind kind : group_kinds()) {
        int64_t elements = int64_t(1) << plan() % 19;
        int variant = int(plan() % (world % 2 == 0 ? 3 : 2));
        ElementType type =
            plan() % 2 ? ElementType::F32 : ElementType::Complex128;
        if (own() % 16 == 0)
          std::this_thread::sleep_for(std::chrono::microseconds(own() % 3000));
        problem = run_collective(
            grid, ordinal,
            make_collective(kind, type, world, variant, elements));
        if (!problem.empty())
          return failure(FailureKind::Internal, problem);
      }
      auto all = job.rendezvous(ordinal, "round", std::to_string(round));
      return all ? Status() : all.error();
    });
    if (!text.empty())
      return "round " + std::to_string(round) + ": " + text;
  }
  return "";
}

} // namespace

TEST_P(Rounds, TwoHundred) {
  auto outcomes = run_job(
      {.shape = GetParam(), .deadline = 60s, .patience = 500s}, [](Job &job) {
        return on_replicas(
            job, [&](int ordinal) { return run_rounds(job, ordinal, 200); });
      });
  for (const Outcome &outcome : outcomes) {
    EXPECT_EQ(outcome.text, "");
    EXPECT_FALSE(outcome.late);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Job, Rounds,
    testing::Values(JobShape{1, 2, 1}, JobShape{1, 8, 1}, JobShape{2, 1, 1},
                    JobShape{2, 2, 2}),
    [](const testing::TestParamInfo<JobShape> &each) {
      return std::to_string(each.param.hosts) + "Hosts" +
             std::to_string(each.param.processes_per_host) + "Processes" +
             std::to_string(each.param.devices_per_process) + "Devices";
    });

/// Jobs are created and destroyed without leaking descriptors or threads.
TEST(Rounds, ManyJobs) {
  for (int i = 0; i < 50; ++i) {
    auto outcomes = run_job(
        {.shape = i % 2 ? JobShape{2, 2, 1} : JobShape{1, 4, 1}}, [](Job &job) {
          return run_rounds(job, job.topology().first_replica(), 1);
        });
    for (const Outcome &outcome : outcomes)
      ASSERT_EQ(outcome.text, "") << "job " << i;
  }
}
