// The services for native code, called through the context of a running
// program.
#include "test_image.h"

#include "xlac/abi/fft.h"
#include "xlac/library/routines.h"

#include <gtest/gtest.h>

#include <functional>

using namespace xlac;
using namespace xlac::test;

namespace {

std::function<int32_t(const xlac_ctx *)> body;

int32_t call_body(const xlac_ctx *ctx, const void *const *, void *const *,
                  void *) {
  return body(ctx);
}

Status with_context(std::function<int32_t(const xlac_ctx *)> function) {
  static auto executable = load(make_image(call_body, 0, 0));
  body = std::move(function);
  runtime::RunContext context;
  return executable->run(context, {}, {});
}

int32_t fail_late(const xlac_ctx *ctx, void *const *, const int64_t *extents,
                  int64_t begin, int64_t) {
  return begin == extents[0] ? ctx->services->fail(ctx, "here", 4) : 0;
}

} // namespace

TEST(Services, TableIsFull) {
  EXPECT_TRUE(with_context([](const xlac_ctx *ctx) {
    const xlac_services &services = *ctx->services;
    EXPECT_EQ(services.version, unsigned(XLAC_ABI_VERSION));
    EXPECT_EQ(services.size, sizeof(xlac_services));
    EXPECT_TRUE(services.parallel_for);
    EXPECT_TRUE(services.scratch);
    EXPECT_TRUE(services.copy);
    EXPECT_TRUE(services.fill);
    EXPECT_TRUE(services.library);
    EXPECT_TRUE(services.fail);
    EXPECT_TRUE(services.collective);
    EXPECT_TRUE(services.run_slices);
    return 0;
  }));
}

TEST(Services, ScratchIsReplaced) {
  EXPECT_TRUE(with_context([](const xlac_ctx *ctx) {
    for (int64_t bytes : {0, 10, 5000, 100000, 20}) {
      void *memory = ctx->services->scratch(ctx, bytes);
      EXPECT_TRUE(memory);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
      ctx->services->fill(memory, 7, bytes);
    }
    return 0;
  }));
  Status status = with_context([](const xlac_ctx *ctx) {
    return ctx->services->scratch(ctx, -1) ? 0 : 1;
  });
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("scratch"), std::string::npos);
}

TEST(Services, ParallelForFails) {
  Status status = with_context([](const xlac_ctx *ctx) {
    int64_t extents[] = {50};
    return ctx->services->parallel_for(ctx, fail_late, nullptr, extents, 100,
                                       1);
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "program: here");
}

/// Sets elements to the number of the first task that the call runs.
int32_t set_slice(const xlac_ctx *, void *const *buffers, const int64_t *,
                  int64_t begin, int64_t end) {
  for (int64_t task = begin; task < end; ++task)
    static_cast<int64_t *>(buffers[0])[task] = begin;
  return 0;
}
/// Adds up three elements for each task.
int32_t add_slice(const xlac_ctx *, void *const *buffers, const int64_t *,
                  int64_t begin, int64_t end) {
  for (int64_t slice = begin; slice < end; ++slice)
    for (int64_t i = 0; i < 3; ++i)
      static_cast<int64_t *>(buffers[1])[slice] +=
          static_cast<const int64_t *>(buffers[0])[3 * slice + i];
  return 0;
}

TEST(Services, SlicesRunInTheOrderOfLaunches) {
  std::vector<int64_t> first(300), second(100);
  EXPECT_TRUE(with_context([&](const xlac_ctx *ctx) {
    void *buffers[] = {first.data(), second.data()};
    xlac_sliced_launch launches[] = {{set_slice, buffers, nullptr, 3},
                                     {add_slice, buffers, nullptr, 1}};
    return ctx->services->run_slices(ctx, launches, 2, 100);
  }));
  for (int64_t slice = 0; slice < 100; ++slice)
    EXPECT_EQ(second[slice], 9 * slice);
}

TEST(Services, SlicesFail) {
  Status status = with_context([](const xlac_ctx *ctx) {
    int64_t extents[] = {50};
    xlac_sliced_launch launches[] = {{fail_late, nullptr, extents, 2}};
    return ctx->services->run_slices(ctx, launches, 1, 100);
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "program: here");
}

TEST(Services, LibraryFailuresAreMessages) {
  Status status = with_context([](const xlac_ctx *ctx) {
    int64_t parameters[XLAC_FFT_PARAMETERS] = {0, 0, 1, 0, 0, 1, 1, 1};
    return ctx->services->library(ctx, XLAC_LIBRARY_FFT, nullptr, parameters);
  });
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("unsupported element type"),
            std::string::npos);
}
