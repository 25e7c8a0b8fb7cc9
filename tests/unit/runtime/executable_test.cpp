// Programs executed directly, without a device.
#include "test_image.h"

#include "xlac/runtime/float_mode.h"
#include "xlac/runtime/signal_masked_thread.h"
#include "xlac/runtime/work_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>

#include <xmmintrin.h>

using namespace xlac;
using namespace xlac::test;

namespace {

struct alignas(64) Vector {
  float data[16] = {};
};

int32_t add_constant(const xlac_ctx *ctx, const void *const *args,
                     void *const *results, void *arena) {
  auto in = static_cast<const float *>(args[0]);
  auto constant = static_cast<const float *>(ctx->constants[1]);
  auto scratch = static_cast<float *>(arena);
  for (int i = 0; i < 4; ++i)
    scratch[i] = in[i] + constant[i];
  ctx->services->copy(results[0], scratch, 16);
  return 0;
}

int32_t fails(const xlac_ctx *ctx, const void *const *, void *const *, void *) {
  return ctx->services->fail(ctx, "no luck today", 7);
}

/// buffers: in, out; out = 2 in.
int32_t doubling(const xlac_ctx *, void *const *buffers, const int64_t *,
                 int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[1])[i] =
        2 * static_cast<const float *>(buffers[0])[i];
  return 0;
}

int32_t launch_kernel(const xlac_ctx *ctx, const void *const *args,
                      void *const *results, void *) {
  void *buffers[] = {const_cast<void *>(args[0]), results[0]};
  return ctx->services->parallel_for(ctx, ctx->kernels[0], buffers, nullptr, 4,
                                     1);
}

/// Copies the first half of `copied` to the second, forward by one byte over
/// itself, and the second half to itself.
std::vector<std::byte> copied;
int32_t copy_long(const xlac_ctx *ctx, const void *const *, void *const *,
                  void *) {
  auto half = static_cast<int64_t>(copied.size() / 2);
  std::byte *first = copied.data(), *second = first + half;
  ctx->services->copy(second, first, half);
  ctx->services->copy(first + 1, first, half - 1);
  ctx->services->copy(second, second, half);
  return 0;
}

/// The control bits of this thread's floating-point mode.
unsigned float_mode() { return _mm_getcsr() & ~0x3fU; }

int32_t write_float_mode(const xlac_ctx *, const void *const *,
                         void *const *results, void *) {
  unsigned mode = float_mode();
  std::memcpy(results[0], &mode, sizeof mode);
  return 0;
}

/// Stores the mode of two pieces, which two threads compute if there are two.
int32_t write_modes_of_pieces(const xlac_ctx *, const void *const *,
                              void *const *results, void *) {
  struct State {
    unsigned *modes;
    std::atomic<int> started = 0;
  } state{static_cast<unsigned *>(results[0])};
  auto piece = [](void *to, int64_t begin, int64_t end) -> int32_t {
    State &own = *static_cast<State *>(to);
    ++own.started;
    auto start = std::chrono::steady_clock::now();
    while (own.started < 2 && std::chrono::steady_clock::now() - start <
                                  std::chrono::milliseconds(200))
      std::this_thread::yield();
    for (int64_t i = begin; i < end; ++i)
      own.modes[i] = float_mode();
    return 0;
  };
  return runtime::WorkPool::process().run(piece, &state, 2, 1);
}

void *store_float_mode(void *to) {
  *static_cast<unsigned *>(to) = float_mode();
  return nullptr;
}

std::vector<std::byte> bytes_of(std::initializer_list<float> values) {
  auto bytes = std::as_bytes(std::span(values.begin(), values.size()));
  return {bytes.begin(), bytes.end()};
}

} // namespace

TEST(Executable, RunsInTheDefaultFloatMode) {
  const unsigned usual = float_mode();
  constexpr unsigned kFlushAndRoundUp = 0x8000 | 0x0040 | 0x4000;
  _mm_setcsr(usual | kFlushAndRoundUp);
  auto executable = load(make_image(write_float_mode, 0, 1));
  runtime::RunContext context;
  Vector result;
  void *results[] = {&result};
  Status status = executable->run(context, {}, results);
  unsigned after = float_mode(), in_run, in_thread = 0;
  pthread_t thread;
  bool started = runtime::start_signal_masked_thread(
      thread, "mode", store_float_mode, &in_thread);
  if (started)
    pthread_join(thread, nullptr);
  _mm_setcsr(usual);
  ASSERT_TRUE(status && started);
  std::memcpy(&in_run, &result, sizeof in_run);
  EXPECT_EQ(in_run, 0x1f80U);
  EXPECT_EQ(in_thread, 0x1f80U);
  EXPECT_EQ(after, usual | kFlushAndRoundUp);
}

/// Threads that help in a loop have its caller's mode, and only meanwhile.
TEST(Executable, FlushesSubnormalNumbersOnRequest) {
  auto executable = load(make_image(write_modes_of_pieces, 0, 1));
  runtime::RunContext context;
  for (bool flushes : {true, false}) {
    runtime::set_flush_denormal(flushes);
    Vector result;
    void *results[] = {&result};
    ASSERT_TRUE(executable->run(context, {}, results));
    unsigned modes[2];
    std::memcpy(modes, &result, sizeof modes);
    for (unsigned mode : modes)
      EXPECT_EQ(mode, flushes ? 0x9fc0U : 0x1f80U);
  }
}

TEST(Executable, CopiesManyBytes) {
  constexpr size_t kHalf = (5 << 20) + 3;
  std::vector<std::byte> before(kHalf);
  for (size_t i = 0; i < kHalf; ++i)
    before[i] = static_cast<std::byte>(i * 7 + (i >> 12));
  auto executable = load(make_image(copy_long, 0, 0));
  for (int threads : {1, 0}) {
    copied = before;
    copied.resize(2 * kHalf);
    runtime::RunContext context(std::make_shared<runtime::Allocator>(),
                                threads);
    ASSERT_TRUE(executable->run(context, {}, {}));
    EXPECT_EQ(copied[0], before[0]);
    EXPECT_TRUE(
        std::equal(before.begin(), before.end() - 1, copied.begin() + 1));
    EXPECT_TRUE(
        std::equal(before.begin(), before.end(), copied.begin() + kHalf));
  }
  copied = {};
}

TEST(Executable, RunsWithArenaAndConstants) {
  runtime::ExecutableImage image = make_image(add_constant, 1, 1);
  image.arena_bytes = 64;
  image.constants = {bytes_of({9}), bytes_of({1, 2, 3, 4})};
  auto executable = load(std::move(image));
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->argument_bytes(), std::vector<int64_t>{16});
  Vector in{{1, 1, 1, 1}}, out;
  runtime::RunContext context;
  const void *args[] = {in.data};
  void *results[] = {out.data};
  ASSERT_TRUE(executable->run(context, args, results));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(out.data[i], i + 2);
}

TEST(Executable, GivesItsImageBack) {
  runtime::ExecutableImage image = make_image(add_constant, 1, 1);
  image.constants = {bytes_of({}), bytes_of({1, 2, 3, 4}), bytes_of({5})};
  std::vector<std::byte> bytes = runtime::serialize(image);
  auto executable = runtime::Executable::load(std::move(image));
  ASSERT_TRUE(executable);
  EXPECT_EQ(runtime::serialize((*executable)->whole_image()), bytes);
}

TEST(Executable, FailureCarriesTheMessage) {
  auto executable = load(make_image(fails, 0, 0));
  ASSERT_TRUE(executable);
  runtime::RunContext context;
  Status status = executable->run(context, {}, {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "program: no luck");
  EXPECT_EQ(status.error().failure_kind, FailureKind::Runtime);
}

TEST(Executable, CallsKernelsThroughTheTable) {
  runtime::ExecutableImage image = make_image(launch_kernel, 1, 1);
  image.blobs.emplace_back();
  add_jump(image.blobs[1], "unused", doubling);
  add_jump(image.blobs[1], "double.0", doubling);
  image.kernels = {{"double.0", 1, "loop", "multiply", 0, 0}};
  auto executable = load(std::move(image));
  ASSERT_TRUE(executable);
  Vector in{{1, 2, 3, 4}}, out;
  runtime::RunContext context;
  const void *args[] = {in.data};
  void *results[] = {out.data};
  ASSERT_TRUE(executable->run(context, args, results));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(out.data[i], 2 * in.data[i]);
}

TEST(Executable, PrologueReadsItsArgumentsOnly) {
  runtime::ExecutableImage image = make_image(add_weight, 2, 1);
  add_jump(image.blobs[0], "xlac_prologue", make_weight);
  image.prologue.arguments = {1};
  image.prologue.result_bytes = {16};
  auto executable = load(std::move(image));
  ASSERT_TRUE(executable);
  Vector x{{1, 2, 3, 4}}, weight{{5, 6, 7, 8}}, packed, out;
  runtime::RunContext context;
  const void *args[] = {x.data, weight.data, packed.data};
  void *values[] = {packed.data}, *results[] = {out.data};
  ASSERT_TRUE(executable->run_prologue(context, std::span(args, 2), values));
  ASSERT_TRUE(executable->run(context, args, results));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(out.data[i], x.data[i] + 10 * weight.data[i]);
  EXPECT_FALSE(executable->run(context, std::span(args, 2), results));
}

TEST(Executable, RefusesWhatCannotRun) {
  auto refusal = [](runtime::ExecutableImage image) {
    auto executable = runtime::Executable::load(std::move(image));
    return executable ? std::string() : executable.error().message;
  };
  runtime::ExecutableImage image = make_image(fails, 0, 0);
  image.blobs[0].symbols[0].name = "other";
  EXPECT_NE(refusal(image).find("'xlac_entry'"), std::string::npos);
  image = make_image(fails, 0, 0);
  image.kernels = {{"k.0", 7, "", "", 0, 0}};
  EXPECT_NE(refusal(image).find("'k.0'"), std::string::npos);
  image = make_image(fails, 0, 0);
  image.blobs[0].features = uint64_t(1) << 60;
  EXPECT_NE(refusal(image).find("lacks"), std::string::npos);
  image = make_image(fails, 0, 0);
  image.arguments = {f32({kDynamic})};
  EXPECT_NE(refusal(image).find("no buffer can hold"), std::string::npos);
  image = make_image(fails, 1, 1);
  image.results = {f32({5})};
  image.aliases = {{0, 0}};
  EXPECT_NE(refusal(image).find("alias"), std::string::npos);
  image = make_image(fails, 0, 0);
  image.blobs.clear();
  EXPECT_NE(refusal(image).find("no code"), std::string::npos);
}

TEST(Executable, WrongNumbersAreUserFaults) {
  auto executable = load(make_image(fails, 2, 1));
  ASSERT_TRUE(executable);
  runtime::RunContext context;
  Status status = executable->run(context, {}, {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure_kind, FailureKind::User);
  EXPECT_NE(status.error().message.find("got 0 arguments"), std::string::npos);
}

TEST(Executable, ArenaGrowsAndStays) {
  auto allocator = std::make_shared<runtime::Allocator>();
  {
    runtime::RunContext context(allocator);
    std::byte *first = *context.arena(100);
    EXPECT_EQ(*context.arena(50), first);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*context.arena(1 << 20)) % 64, 0u);
  }
  EXPECT_EQ(allocator->stats().in_use, 0);
}
