#include "xlac/runtime/work_pool.h"

#include "xlac/support/cores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace xlac;

namespace {

/// Several threads even on one core; the pool reads the variable once.
const bool kSeveralThreads = setenv("XLAC_NUM_THREADS", "4", 1) == 0;

struct Pieces {
  Pieces(int64_t n, int64_t grain) : done(n), grain(grain) {}
  std::vector<std::atomic<int>> done;
  std::atomic<int64_t> count{0};
  int64_t grain;
  std::atomic<bool> wrong{false};
};

int32_t mark(void *state, int64_t begin, int64_t end) {
  auto &pieces = *static_cast<Pieces *>(state);
  int64_t n = static_cast<int64_t>(pieces.done.size());
  if (begin % pieces.grain != 0 || end != std::min(begin + pieces.grain, n))
    pieces.wrong = true;
  for (int64_t i = begin; i < end; ++i)
    ++pieces.done[i];
  ++pieces.count;
  return 0;
}

int32_t fail_at_five(void *, int64_t begin, int64_t) {
  return begin == 5 ? 42 : 0;
}

int32_t nested(void *state, int64_t, int64_t) {
  return runtime::WorkPool::process().run(mark, state, 10, 10);
}

void check(int64_t n, int64_t grain, int threads) {
  Pieces pieces(n, grain);
  EXPECT_EQ(runtime::WorkPool::process().run(mark, &pieces, n, grain, threads),
            0);
  EXPECT_FALSE(pieces.wrong);
  EXPECT_EQ(pieces.count, (n + grain - 1) / grain);
  for (auto &done : pieces.done)
    EXPECT_EQ(done, 1);
}

} // namespace

TEST(WorkPool, DoesEachTaskOnce) {
  ASSERT_TRUE(kSeveralThreads);
  EXPECT_EQ(runtime::WorkPool::process().size(), 4);
  for (int64_t n : {1, 2, 7, 100, 1000})
    for (int64_t grain : {1, 3, 64, 2000})
      for (int threads : {0, 1, 2})
        check(n, grain, threads);
}

TEST(WorkPool, OthersDoWhatASlowThreadLeaves) {
  // The caller stays in its first task until all other tasks are done. Others
  // wait for it to begin: they could otherwise do all tasks before.
  struct State {
    std::atomic<int> done{0};
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> by_caller{0};
  } state;
  auto piece = [](void *opaque, int64_t, int64_t) -> int32_t {
    auto &state = *static_cast<State *>(opaque);
    if (std::this_thread::get_id() == state.caller) {
      ++state.by_caller;
      while (state.done < 99)
        std::this_thread::yield();
    }
    while (state.by_caller == 0)
      std::this_thread::yield();
    ++state.done;
    return 0;
  };
  EXPECT_EQ(runtime::WorkPool::process().run(piece, &state, 100, 1), 0);
  EXPECT_EQ(state.done, 100);
  EXPECT_EQ(state.by_caller, 1);
}

TEST(WorkPool, TheCallerBeginsAtTheBegin) {
  std::atomic<int64_t> first{-1};
  auto piece = [](void *opaque, int64_t begin, int64_t) -> int32_t {
    static const std::thread::id caller = std::this_thread::get_id();
    int64_t none = -1;
    if (std::this_thread::get_id() == caller)
      static_cast<std::atomic<int64_t> *>(opaque)->compare_exchange_strong(
          none, begin);
    return 0;
  };
  // The first loop has one task, which records the caller.
  EXPECT_EQ(runtime::WorkPool::process().run(piece, &first, 1, 1), 0);
  for (int round = 0; round < 100; ++round) {
    first = -1;
    EXPECT_EQ(runtime::WorkPool::process().run(piece, &first, 64, 1), 0);
    // A caller that starts late finds its part done and takes tasks of others.
    EXPECT_TRUE(first <= 0 || first >= 64 / default_thread_count()) << first;
  }
}

TEST(WorkPool, NothingToDo) {
  EXPECT_EQ(runtime::WorkPool::process().run(fail_at_five, nullptr, 0, 1), 0);
  EXPECT_EQ(runtime::WorkPool::process().run(fail_at_five, nullptr, -3, 1), 0);
}

TEST(WorkPool, ReturnsTheFailure) {
  EXPECT_EQ(runtime::WorkPool::process().run(fail_at_five, nullptr, 100, 1),
            42);
  EXPECT_EQ(runtime::WorkPool::process().run(fail_at_five, nullptr, 100, 1, 1),
            42);
}

TEST(WorkPool, LoopsWithinLoops) {
  Pieces pieces(10, 10);
  EXPECT_EQ(runtime::WorkPool::process().run(nested, &pieces, 50, 1), 0);
  for (auto &done : pieces.done)
    EXPECT_EQ(done, 50);
}

TEST(WorkPool, ManyCallersAtOnce) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([] {
      for (int round = 0; round < 200; ++round)
        check(64, 1, 0);
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(WorkPool, MoreCallersThanLoopsOnSeveralThreads) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 100; ++i)
    callers.emplace_back([] {
      for (int round = 0; round < 20; ++round)
        check(16, 1, 0);
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(WorkPool, WorksInAForkedChild) {
  check(100, 1, 0);
  pid_t child = fork();
  if (child == 0) {
    for (int round = 0; round < 50; ++round)
      check(100, 1, 0);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  check(100, 1, 0);
}
