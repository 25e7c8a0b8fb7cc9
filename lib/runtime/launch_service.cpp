// The service that runs tables of launches.
#include "native_call.h"
#include "services.h"

#include "xlac/abi/launches.h"
#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

namespace xlac::runtime {

namespace {

/// A launch that runs with others, and its pieces [begin, end) among those of
/// all.
struct JoinedLaunch {
  xlac_launch launch;
  void *const *buffers;
  int64_t begin, end;
};

struct JoinedLoop {
  const xlac_ctx *ctx;
  std::span<const JoinedLaunch> launches;
};

XLAC_CALLS_NATIVE_CODE
int32_t run_joined_pieces(void *state, int64_t begin, int64_t end) {
  const JoinedLoop &loop = *static_cast<const JoinedLoop *>(state);
  for (int64_t piece = begin; piece < end; ++piece) {
    auto one =
        std::ranges::upper_bound(loop.launches, piece, {}, &JoinedLaunch::end);
    assert(one != loop.launches.end() && "each piece is one of a launch");
    const xlac_launch &launch = one->launch;
    int64_t first = (piece - one->begin) * launch.grain;
    int64_t last = std::min(first + launch.grain, launch.tasks);
    if (int32_t status =
            launch.fn(loop.ctx, one->buffers, launch.extents, first, last))
      return status;
  }
  return 0;
}

/// Runs the launch of a record, and moves on to the next record.
XLAC_CALLS_NATIVE_CODE
int32_t run_next(const xlac_ctx *ctx, const int64_t *&table,
                 const void *const *args, void *const *results, void *arena,
                 void **slots) {
  xlac_launch launch;
  table = xlac_read_launch(ctx, table, args, results, arena, slots, &launch);
  // A single piece does not gain from the thread pool.
  if (launch.tasks <= launch.grain)
    return launch.fn(ctx, slots, launch.extents, 0, launch.tasks);
  return ctx->services->parallel_for(ctx, launch.fn, slots, launch.extents,
                                     launch.tasks, launch.grain);
}

} // namespace

int32_t run_launches(const xlac_ctx *ctx, const int64_t *table, int64_t count,
                     const void *const *args, void *const *results, void *arena,
                     void **slots) {
  while (count > 0) {
    int64_t joined = table[XLAC_LAUNCH_JOINED];
    if (joined == 0) {
      if (int32_t status = run_next(ctx, table, args, results, arena, slots))
        return status;
      --count;
      continue;
    }
    assert(joined < XLAC_MOST_JOINED && joined < count &&
           "the table has all launches of a group");
    std::array<JoinedLaunch, XLAC_MOST_JOINED> group;
    void **free = slots;
    int64_t pieces = 0;
    for (int64_t i = 0; i <= joined; ++i) {
      int64_t buffers = table[XLAC_LAUNCH_BUFFERS];
      JoinedLaunch &one = group[i];
      table =
          xlac_read_launch(ctx, table, args, results, arena, free, &one.launch);
      one.buffers = free;
      one.begin = pieces;
      pieces += (one.launch.tasks - 1) / one.launch.grain + 1;
      one.end = pieces;
      free += buffers;
    }
    JoinedLoop loop{ctx, std::span(group).first(joined + 1)};
    int threads = static_cast<const RunState *>(ctx->runtime)->threads();
    if (int32_t status = WorkPool::process().run(run_joined_pieces, &loop,
                                                 pieces, 1, threads))
      return status;
    count -= joined + 1;
  }
  return 0;
}

int32_t run_launches_in_order(const xlac_ctx *ctx, const int64_t *table,
                              int64_t count, const void *const *args,
                              void *const *results, void *arena, void **slots) {
  for (; count > 0; --count)
    if (int32_t status = run_next(ctx, table, args, results, arena, slots))
      return status;
  return 0;
}

} // namespace xlac::runtime
