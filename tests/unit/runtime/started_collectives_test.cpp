// Collectives that a program starts and awaits later. They run in parallel with
// the program and in order, and none is left when the run ends.
#include "test_image.h"

#include "xlac/runtime/communicator.h"
#include "xlac/runtime/launch_recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

using namespace xlac;
using namespace xlac::test;
using namespace std::chrono_literals;

namespace {

/// How many runs of the programs below have reached a point, for all replicas.
std::atomic<int> started_runs;

runtime::Collective sum_of_four() {
  runtime::Collective what;
  what.kind = runtime::CollectiveKind::AllReduce;
  what.operands = what.results = {f32({4}).tensor()};
  what.reducers = {{0, {4}, 4}};
  return what;
}

/// Makes an image with `count` equal collectives from `arguments` to `results`.
template <class F>
runtime::ExecutableImage image_of(F *entry, int arguments, int results,
                                  int count) {
  runtime::ExecutableImage image = make_image(entry, arguments, results);
  image.blobs.emplace_back();
  add_jump(image.blobs[1], "add.0", adding_kernel);
  image.kernels = {{"add.0", 1, "loop", "add", 0, 0}};
  image.collectives.assign(count, sum_of_four());
  return image;
}

/// The results of running `image` on one thread per replica; each has one
/// argument of four elements 10^replica.
struct Outcome {
  std::vector<Status> statuses;
  std::vector<std::vector<std::vector<float>>> results;
};

Outcome run_replicas(runtime::ExecutableImage image, int replicas,
                     std::chrono::milliseconds deadline = 30s) {
  size_t count = image.results.size();
  auto loaded = runtime::Executable::load(std::move(image));
  EXPECT_TRUE(loaded) << loaded.error().message;
  auto grid = runtime::make_local_grid({{replicas, 1}, deadline});
  EXPECT_TRUE(grid);
  started_runs = 0;
  Outcome outcome;
  outcome.statuses.resize(replicas);
  outcome.results.resize(replicas);
  std::vector<std::thread> threads;
  for (int replica = 0; replica < replicas; ++replica)
    threads.emplace_back([&, replica] {
      alignas(64) float in[4];
      std::fill(in, in + 4, static_cast<float>(std::pow(10, replica)));
      struct alignas(64) Four {
        float values[4] = {};
      };
      std::vector<Four> out(count);
      std::vector<void *> results;
      for (Four &four : out)
        results.push_back(four.values);
      const void *arguments[] = {in};
      runtime::RunContext context;
      context.set_grid_rank({*grid, replica});
      (*grid)->enter(replica);
      outcome.statuses[replica] = (*loaded)->run(context, arguments, results);
      (*grid)->leave(replica, outcome.statuses[replica]);
      for (Four &four : out)
        outcome.results[replica].emplace_back(four.values, four.values + 4);
    });
  for (std::thread &thread : threads)
    thread.join();
  return outcome;
}

/// Starts both sums before it awaits either. Then both replicas have reached
/// this point, since no sum finishes before both have started it.
int32_t two_sums(const xlac_ctx *ctx, const void *const *args,
                 void *const *results, void *) {
  for (int number : {0, 1}) {
    void *buffers[] = {const_cast<void *>(args[0]), results[number]};
    if (int32_t status = ctx->services->start_collective(ctx, number, buffers))
      return status;
  }
  ++started_runs;
  while (started_runs < 2)
    std::this_thread::yield();
  if (int32_t status = ctx->services->await_collective(ctx, 1))
    return status;
  return ctx->services->await_collective(ctx, 0);
}

/// The second sum uses the first one's result and is not started: it waits for
/// the one in flight.
int32_t sum_behind(const xlac_ctx *ctx, const void *const *args,
                   void *const *results, void *) {
  void *first[] = {const_cast<void *>(args[0]), results[0]};
  void *second[] = {results[0], results[1]};
  if (int32_t status = ctx->services->start_collective(ctx, 0, first))
    return status;
  if (int32_t status = ctx->services->collective(ctx, 1, second))
    return status;
  return ctx->services->await_collective(ctx, 0);
}

/// The replica with argument 10 fails before it awaits the started collective.
int32_t one_fails(const xlac_ctx *ctx, const void *const *args,
                  void *const *results, void *) {
  void *buffers[] = {const_cast<void *>(args[0]), results[0]};
  if (int32_t status = ctx->services->start_collective(ctx, 0, buffers))
    return status;
  if (*static_cast<const float *>(args[0]) == 10)
    return ctx->services->fail(ctx, "broken", 6);
  if (int32_t status = ctx->services->await_collective(ctx, 0))
    return status;
  return ctx->services->collective(ctx, 1, buffers);
}

int32_t never_started(const xlac_ctx *ctx, const void *const *, void *const *,
                      void *) {
  return ctx->services->await_collective(ctx, 0);
}

int32_t starts_no_collective(const xlac_ctx *ctx, const void *const *args,
                             void *const *results, void *) {
  void *buffers[] = {const_cast<void *>(args[0]), results[0]};
  return ctx->services->start_collective(ctx, 7, buffers);
}

/// Awaits two collectives that no other replica joins.
int32_t awaits_both(const xlac_ctx *ctx, const void *const *args,
                    void *const *results, void *) {
  for (int number : {0, 1}) {
    void *buffers[] = {const_cast<void *>(args[0]), results[number]};
    if (int32_t status = ctx->services->start_collective(ctx, number, buffers))
      return status;
  }
  int32_t first = ctx->services->await_collective(ctx, 0);
  int32_t second = ctx->services->await_collective(ctx, 1);
  return first && second ? 1 : 0;
}

} // namespace

TEST(StartedCollectives, GoOnBesideTheProgram) {
  Outcome outcome = run_replicas(image_of(two_sums, 1, 2, 2), 2);
  for (int replica : {0, 1}) {
    ASSERT_TRUE(outcome.statuses[replica])
        << outcome.statuses[replica].error().message;
    EXPECT_EQ(outcome.results[replica],
              (std::vector<std::vector<float>>(2, std::vector<float>(4, 11))));
  }
}

TEST(StartedCollectives, OthersComeBehind) {
  Outcome outcome = run_replicas(image_of(sum_behind, 1, 2, 2), 3);
  for (int replica : {0, 1, 2}) {
    ASSERT_TRUE(outcome.statuses[replica])
        << outcome.statuses[replica].error().message;
    EXPECT_EQ(outcome.results[replica][0], std::vector<float>(4, 111));
    EXPECT_EQ(outcome.results[replica][1], std::vector<float>(4, 333));
  }
}

TEST(StartedCollectives, AProgramThatFailsEndsWithAllItStarted) {
  Outcome outcome = run_replicas(image_of(one_fails, 1, 1, 2), 2);
  ASSERT_FALSE(outcome.statuses[1]);
  EXPECT_NE(outcome.statuses[1].error().message.find("broken"),
            std::string::npos);
  // The other replica got the first sum, and waited for the second one until
  // the failure was reported.
  ASSERT_FALSE(outcome.statuses[0]);
  EXPECT_EQ(outcome.statuses[0].error().failure_kind, FailureKind::Collective);
  EXPECT_EQ(outcome.results[0][0], std::vector<float>(4, 11));
}

TEST(StartedCollectives, BehindAFailedOneAllFail) {
  runtime::ExecutableImage image = image_of(awaits_both, 1, 2, 2);
  auto loaded = runtime::Executable::load(std::move(image));
  ASSERT_TRUE(loaded);
  auto grid = runtime::make_local_grid({{2, 1}, 50ms});
  ASSERT_TRUE(grid);
  alignas(64) float in[4] = {1, 1, 1, 1}, out[2][16] = {};
  const void *arguments[] = {in};
  void *results[] = {out[0], out[1]};
  runtime::RunContext context;
  context.set_grid_rank({*grid, 0});
  (*grid)->enter(0);
  Status status = (*loaded)->run(context, arguments, results);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure_kind, FailureKind::Collective);
}

TEST(StartedCollectives, AloneTheyAreDoneAtOnce) {
  auto loaded = runtime::Executable::load(image_of(awaits_both, 1, 2, 2));
  ASSERT_TRUE(loaded);
  alignas(64) float in[4] = {1, 2, 3, 4}, out[2][16] = {};
  const void *arguments[] = {in};
  void *results[] = {out[0], out[1]};
  runtime::RunContext context;
  Status status = (*loaded)->run(context, arguments, results);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(out[1][3], 4);
}

TEST(StartedCollectives, DamagedProgramsFail) {
  for (auto *entry : {never_started, starts_no_collective}) {
    auto loaded = runtime::Executable::load(image_of(entry, 1, 1, 1));
    ASSERT_TRUE(loaded);
    alignas(64) float in[4] = {}, out[4] = {};
    const void *arguments[] = {in};
    void *results[] = {out};
    runtime::RunContext context;
    EXPECT_FALSE((*loaded)->run(context, arguments, results));
  }
}

TEST(StartedCollectives, TheWaitIsRecorded) {
  auto loaded = runtime::Executable::load(image_of(awaits_both, 1, 2, 2));
  ASSERT_TRUE(loaded);
  alignas(64) float in[4] = {}, out[2][16] = {};
  const void *arguments[] = {in};
  void *results[] = {out[0], out[1]};
  runtime::RunContext context;
  runtime::LaunchRecorder recorder;
  context.set_recorder(&recorder);
  ASSERT_TRUE((*loaded)->run(context, arguments, results));
  int waits = 0;
  for (const runtime::LaunchEvent &event : recorder.take())
    waits += event.kind == runtime::LaunchEvent::Kind::Collective;
  EXPECT_EQ(waits, 2);
}
