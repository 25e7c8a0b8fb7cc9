// Jobs whose replicas are threads of this process.
#include "xlac/job/job.h"

#include <gtest/gtest.h>

#include <thread>

using namespace xlac;
using namespace xlac::job;
using namespace std::chrono_literals;

namespace {

using Payloads = std::vector<std::string>;

std::shared_ptr<Job> job_of(int replicas,
                            std::chrono::milliseconds deadline = 30s) {
  auto job = make_local_job(replicas, deadline);
  EXPECT_TRUE(job) << job.error().message;
  return *job;
}

void on_threads(int count, const std::function<void(int ordinal)> &body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace

TEST(LocalJob, KnowsItsShape) {
  auto job = job_of(4);
  EXPECT_EQ(job->topology().replicas(), 4);
  EXPECT_EQ(job->topology().processes(), 1);
  EXPECT_EQ(job->grid()->shape().replicas, 4);
  EXPECT_EQ(job->partitions()->shape().partitions, 4);
  EXPECT_EQ(job->deadline(), 30s);
  EXPECT_FALSE(make_local_job(0, 1s));
}

TEST(LocalJob, RendezvousReturnsPayloadsInTheirOrder) {
  auto job = job_of(4);
  on_threads(4, [&](int ordinal) {
    for (int round = 0; round < 50; ++round) {
      std::string own = std::to_string(ordinal) + "/" + std::to_string(round);
      auto all = job->rendezvous(ordinal, "tag", own);
      ASSERT_TRUE(all) << all.error().message;
      ASSERT_EQ(all->size(), 4u);
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ((*all)[i], std::to_string(i) + "/" + std::to_string(round));
    }
    std::vector<int> half = ordinal < 2 ? std::vector{1, 0} : std::vector{2, 3};
    auto pair = job->rendezvous(ordinal, "half", std::to_string(ordinal), half);
    ASSERT_TRUE(pair) << pair.error().message;
    EXPECT_EQ(*pair, ordinal < 2 ? (Payloads{"1", "0"}) : (Payloads{"2", "3"}));
  });
}

TEST(LocalJob, RendezvousNamesWhoIsMissing) {
  auto job = job_of(3, 50ms);
  auto all = job->rendezvous(1, "tag", "");
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().failure_kind, FailureKind::Collective);
  EXPECT_EQ(all.error().message, "replica 1 at rendezvous 'tag' waited 50 ms; "
                                 "not there: replica 0, replica 2");
}

TEST(LocalJob, RendezvousRefusesOthers) {
  auto job = job_of(3);
  int twice[] = {1, 1}, without[] = {0, 2}, beyond[] = {1, 3};
  for (std::span<const int> ordinals :
       {std::span<const int>(twice), std::span<const int>(without),
        std::span<const int>(beyond)}) {
    auto all = job->rendezvous(1, "tag", "", ordinals);
    ASSERT_FALSE(all);
    EXPECT_EQ(all.error().failure_kind, FailureKind::User);
  }
}

TEST(LocalJob, LeavingReleasesWhoWaits) {
  auto job = job_of(2);
  on_threads(2, [&](int ordinal) {
    if (ordinal == 1) {
      std::this_thread::sleep_for(20ms);
      job->leave(failure(FailureKind::Runtime, "replica 1 threw"));
      return;
    }
    auto all = job->rendezvous(ordinal, "tag", "");
    ASSERT_FALSE(all);
    EXPECT_EQ(all.error().failure_kind, FailureKind::Collective);
    EXPECT_EQ(all.error().message,
              "replica 0 at rendezvous 'tag': replica 1 threw");
  });
  EXPECT_FALSE(job->grid()->status());
  EXPECT_FALSE(job->partitions()->status());
  auto orderly = job_of(2);
  orderly->leave();
  auto late = orderly->rendezvous(0, "tag", "");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message,
            "replica 0 at rendezvous 'tag': the job has ended");
}
