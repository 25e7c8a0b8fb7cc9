// Events that a recorder receives from a run, without a device.
#include "test_image.h"

#include "xlac/runtime/launch_recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace xlac;
using namespace xlac::test;
using Kind = runtime::LaunchEvent::Kind;

namespace {

struct alignas(64) Vector {
  float data[16] = {};
};

/// Copies inside of a kernel belong to the kernel.
int32_t doubling(const xlac_ctx *ctx, void *const *buffers, const int64_t *,
                 int64_t begin, int64_t end) {
  auto in = static_cast<const float *>(buffers[0]);
  for (int64_t i = begin; i < end; ++i) {
    float value = 2 * in[i];
    ctx->services->copy(static_cast<float *>(buffers[1]) + i, &value,
                        sizeof value);
  }
  return 0;
}

int32_t sleeping(const xlac_ctx *, void *const *, const int64_t *, int64_t,
                 int64_t) {
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  return 0;
}

int32_t failing(const xlac_ctx *ctx, void *const *, const int64_t *, int64_t,
                int64_t) {
  return ctx->services->fail(ctx, "no luck", 7);
}

/// A loop over kernel 0, a single call of kernel 1, a copy.
int32_t entry(const xlac_ctx *ctx, const void *const *args,
              void *const *results, void *arena) {
  void *buffers[] = {const_cast<void *>(args[0]), arena};
  if (int32_t bad = ctx->services->parallel_for(ctx, ctx->kernels[0], buffers,
                                                nullptr, 4, 1))
    return bad;
  if (int32_t bad = ctx->kernels[1](ctx, buffers, nullptr, 0, 1))
    return bad;
  ctx->services->copy(results[0], arena, 16);
  return 0;
}

std::shared_ptr<const runtime::Executable> program(xlac_kernel_fn second) {
  runtime::ExecutableImage image = make_image(entry, 1, 1);
  image.arena_bytes = 64;
  image.blobs.emplace_back();
  add_jump(image.blobs[1], "double.0", doubling);
  add_jump(image.blobs[1], "second.0", second);
  image.kernels = {{"double.0", 1, "loop", "multiply", 0, 0},
                   {"second.0", 1, "loop", "", 0, 0}};
  return load(std::move(image));
}

std::vector<runtime::LaunchEvent> record(runtime::LaunchRecorder &recorder,
                                         xlac_kernel_fn second,
                                         bool succeeds = true) {
  auto executable = program(second);
  Vector in{{1, 2, 3, 4}}, out;
  runtime::RunContext context;
  context.set_recorder(&recorder);
  const void *args[] = {in.data};
  void *results[] = {out.data};
  Status status = executable->run(context, args, results);
  EXPECT_EQ(bool(status), succeeds);
  if (!status)
    EXPECT_EQ(status.error().message, "program: no luck");
  else
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(out.data[i], 2 * in.data[i]);
  return recorder.take();
}

} // namespace

TEST(LaunchRecorder, HearsOfLaunchesAndCopiesInOrder) {
  runtime::LaunchRecorder recorder;
  std::vector<runtime::LaunchEvent> events = record(recorder, sleeping);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].kind, Kind::Kernel);
  EXPECT_EQ(events[0].number, 0u);
  EXPECT_EQ(events[0].amount, 4);
  EXPECT_EQ(events[1].kind, Kind::Kernel);
  EXPECT_EQ(events[1].number, 1u);
  EXPECT_GE(events[1].end - events[1].begin, 3'000'000);
  EXPECT_EQ(events[2].kind, Kind::Copy);
  EXPECT_EQ(events[2].amount, 16);
  EXPECT_EQ(events[3].kind, Kind::Run);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(events[i].begin, events[i].end);
    EXPECT_GE(events[i].begin, events[3].begin);
    EXPECT_LE(events[i].end, events[3].end);
  }
  EXPECT_TRUE(recorder.take().empty());
}

TEST(LaunchRecorder, HearsOfPiecesWhereAskedFor) {
  runtime::LaunchRecorder recorder(/*pieces=*/true);
  int64_t tasks[2] = {}, pieces[2] = {};
  for (const runtime::LaunchEvent &event : record(recorder, sleeping)) {
    if (event.kind != Kind::Piece)
      continue;
    ASSERT_LT(event.number, 2u);
    tasks[event.number] += event.amount;
    ++pieces[event.number];
  }
  EXPECT_EQ(tasks[0], 4);
  EXPECT_EQ(pieces[0], 4);
  EXPECT_EQ(tasks[1], 1);
  EXPECT_EQ(pieces[1], 1);
}

TEST(LaunchRecorder, FailuresPassThrough) {
  runtime::LaunchRecorder recorder;
  std::vector<runtime::LaunchEvent> events =
      record(recorder, failing, /*succeeds=*/false);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].number, 1u);
  EXPECT_EQ(events[2].kind, Kind::Run);
}

TEST(LaunchRecorder, HearsNothingOnceTakenAway) {
  runtime::LaunchRecorder recorder;
  auto executable = program(sleeping);
  Vector in, out;
  runtime::RunContext context;
  const void *args[] = {in.data};
  void *results[] = {out.data};
  context.set_recorder(&recorder);
  context.set_recorder(nullptr);
  ASSERT_TRUE(executable->run(context, args, results));
  EXPECT_TRUE(recorder.take().empty());
}

/// More kernels than one block of trampolines has, each of which must call its
/// own kernel.
TEST(LaunchRecorder, TellsManyKernelsApart) {
  constexpr int kCount = 300;
  runtime::ExecutableImage image = make_image(
      +[](const xlac_ctx *ctx, const void *const *, void *const *, void *) {
        for (int i = kCount - 1; i >= 0; --i)
          if (int32_t bad = ctx->kernels[i](ctx, nullptr, nullptr, 0, i))
            return bad;
        return 0;
      },
      0, 0);
  image.blobs.emplace_back();
  add_jump(
      image.blobs[1], "none.0",
      +[](const xlac_ctx *, void *const *, const int64_t *, int64_t, int64_t) {
        return 0;
      });
  for (int i = 0; i < kCount; ++i)
    image.kernels.push_back({"none.0", 1, "loop", "", 0, 0});
  auto many = load(std::move(image));
  runtime::LaunchRecorder recorder;
  record(recorder, sleeping); // a first, smaller program
  runtime::RunContext context;
  context.set_recorder(&recorder);
  ASSERT_TRUE(many->run(context, {}, {}));
  std::vector<runtime::LaunchEvent> events = recorder.take();
  ASSERT_EQ(events.size(), kCount + 1u);
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(events[i].number, uint32_t(kCount - 1 - i));
    EXPECT_EQ(events[i].amount, kCount - 1 - i);
  }
}
