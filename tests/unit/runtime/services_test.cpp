// The services for native code, called through the context of a running
// program.
#include "test_image.h"

#include "xlac/abi/fft.h"
#include "xlac/abi/launches.h"
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
    EXPECT_TRUE(services.run_launches);
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

/// Adds the first buffer to the second for each task, from extents[0] on.
int32_t add_tasks(const xlac_ctx *, void *const *buffers,
                  const int64_t *extents, int64_t begin, int64_t end) {
  int64_t offset = extents ? extents[0] : 0;
  for (int64_t task = begin; task < end; ++task)
    static_cast<int64_t *>(buffers[1])[offset + task] +=
        static_cast<const int64_t *>(buffers[0])[task];
  return 0;
}

/// A context like `base` with the kernels and constants of a table.
struct TableContext {
  xlac_kernel_fn kernels[2] = {add_tasks, fail_late};
  std::vector<int64_t> table, extents, constant = std::vector<int64_t>(64, 3);
  const void *constants[3] = {nullptr, nullptr, nullptr};

  int32_t run(const xlac_ctx *base, int64_t count, const void *const *args,
              void *const *results, void *arena) {
    xlac_ctx ctx = *base;
    ctx.kernels = kernels;
    constants[1] = constant.data();
    constants[2] = extents.data();
    ctx.constants = constants;
    void *slots[2 * XLAC_MOST_JOINED];
    return ctx.services->run_launches(&ctx, table.data(), count, args, results,
                                      arena, slots);
  }
};

/// A record of two buffers, or of those of the record before.
void add_record(std::vector<int64_t> &table, int64_t kernel, int64_t extents,
                int64_t tasks, int64_t grain, std::vector<int64_t> buffers,
                int64_t joined = 0) {
  table.insert(table.end(), {kernel, extents, tasks, grain,
                             static_cast<int64_t>(buffers.size()), joined});
  table.insert(table.end(), buffers.begin(), buffers.end());
}

int64_t word(int64_t kind, int64_t number) {
  return number * XLAC_BUFFER_KINDS + kind;
}

TEST(Services, TablesHaveAllKindsOfBuffers) {
  std::vector<int64_t> argument(64, 1), result(64), arena(80, 5);
  EXPECT_TRUE(with_context([&](const xlac_ctx *ctx) {
    TableContext tables;
    tables.extents = {32};
    int64_t first = word(XLAC_BUFFER_RESULT, 0),
            middle = word(XLAC_BUFFER_ARENA, 128);
    // Adds the argument, the upper half in another phase.
    add_record(tables.table, 0, -1, 32, 4,
               {word(XLAC_BUFFER_ARGUMENT, 1), first});
    add_record(tables.table, 0, 2, 32, 32, {});
    // Adds the constant to the arena, and that to the result.
    add_record(tables.table, 0, -1, 64, 8,
               {word(XLAC_BUFFER_CONSTANT, 1), middle});
    add_record(tables.table, 0, -1, 64, 8, {middle, first});
    const void *args[] = {nullptr, argument.data()};
    void *results[] = {result.data()};
    return tables.run(ctx, 4, args, results, arena.data());
  }));
  EXPECT_EQ(result, std::vector<int64_t>(64, 9));
  EXPECT_EQ(arena[15], 5);
  EXPECT_EQ(arena[16], 8);
}

TEST(Services, JoinedLaunchesRunAllTheirPieces) {
  std::vector<std::vector<int64_t>> all(XLAC_MOST_JOINED);
  std::vector<int64_t> argument(1000, 1);
  EXPECT_TRUE(with_context([&](const xlac_ctx *ctx) {
    TableContext tables;
    std::vector<void *> results;
    // One launch alone, all others together, and one alone again.
    for (int64_t i = 0; i < XLAC_MOST_JOINED; ++i) {
      all[i].resize(1 + 61 * i);
      results.push_back(all[i].data());
      bool is_alone = i == 0 || i + 1 == XLAC_MOST_JOINED;
      add_record(tables.table, 0, -1, 1 + 61 * i, 1 + i % 7,
                 {word(XLAC_BUFFER_ARGUMENT, 0), word(XLAC_BUFFER_RESULT, i)},
                 is_alone ? 0 : XLAC_MOST_JOINED - 2 - i);
    }
    const void *args[] = {argument.data()};
    return tables.run(ctx, XLAC_MOST_JOINED, args, results.data(), nullptr);
  }));
  for (const std::vector<int64_t> &one : all)
    EXPECT_EQ(one, std::vector<int64_t>(one.size(), 1));
}

TEST(Services, TablesStopAtAFailure) {
  for (int64_t joined : {0, 1}) {
    std::vector<int64_t> result(8), argument(8, 1);
    Status status = with_context([&](const xlac_ctx *ctx) {
      TableContext tables;
      tables.extents = {0};
      std::vector<int64_t> buffers = {word(XLAC_BUFFER_ARGUMENT, 0),
                                      word(XLAC_BUFFER_RESULT, 0)};
      add_record(tables.table, 1, 2, 8, 8, buffers, joined);
      if (joined)
        add_record(tables.table, 1, 2, 8, 2, buffers);
      add_record(tables.table, 0, 2, 8, 8, buffers);
      const void *args[] = {argument.data()};
      void *results[] = {result.data()};
      return tables.run(ctx, 2 + joined, args, results, nullptr);
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "program: here");
    EXPECT_EQ(result, std::vector<int64_t>(8));
  }
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
