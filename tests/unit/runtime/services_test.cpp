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

TEST(Services, LibraryFailuresAreMessages) {
  Status status = with_context([](const xlac_ctx *ctx) {
    int64_t parameters[XLAC_FFT_PARAMETERS] = {0, 0, 1, 0, 0, 1, 1, 1};
    return ctx->services->library(ctx, XLAC_LIBRARY_FFT, nullptr, parameters);
  });
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("unsupported element type"),
            std::string::npos);
}
