#include "services.h"

#include "native_call.h"
#include "started_collectives.h"

#include "xlac/library/routines.h"
#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

namespace xlac::runtime {

namespace {

/// Larger scratch requests are rejected as errors.
constexpr int64_t kMaximumScratch = int64_t(1) << 40;

RunState &state_of(const xlac_ctx *ctx) {
  return *static_cast<RunState *>(ctx->runtime);
}

struct Loop {
  const xlac_ctx *ctx;
  xlac_kernel_fn fn;
  void *const *buffers;
  const int64_t *extents;
};

XLAC_CALLS_NATIVE_CODE
int32_t run_piece(void *state, int64_t begin, int64_t end) {
  const Loop &loop = *static_cast<const Loop *>(state);
  return loop.fn(loop.ctx, loop.buffers, loop.extents, begin, end);
}

int32_t parallel_for(const xlac_ctx *ctx, xlac_kernel_fn fn,
                     void *const *buffers, const int64_t *extents, int64_t n,
                     int64_t grain) {
  Loop loop{ctx, fn, buffers, extents};
  return WorkPool::process().run(run_piece, &loop, n, grain,
                                 state_of(ctx).threads());
}

struct SlicedLoop {
  const xlac_ctx *ctx;
  std::span<const xlac_sliced_launch> launches;
};

XLAC_CALLS_NATIVE_CODE
int32_t run_slice_piece(void *state, int64_t begin, int64_t end) {
  const SlicedLoop &loop = *static_cast<const SlicedLoop *>(state);
  for (int64_t slice = begin; slice < end; ++slice)
    for (const xlac_sliced_launch &one : loop.launches)
      if (int32_t status = one.fn(loop.ctx, one.buffers, one.extents,
                                  slice * one.tasks, (slice + 1) * one.tasks))
        return status;
  return 0;
}

int32_t run_slices(const xlac_ctx *ctx, const xlac_sliced_launch *launches,
                   int64_t count, int64_t slices) {
  SlicedLoop loop{ctx, {launches, static_cast<size_t>(count)}};
  return WorkPool::process().run(run_slice_piece, &loop, slices, 1,
                                 state_of(ctx).threads());
}

/// One block per thread; it grows to the largest request.
struct Scratch {
  void *data = nullptr;
  int64_t size = 0;
  ~Scratch() { std::free(data); }
};
thread_local Scratch scratch_block;

void *scratch(const xlac_ctx *ctx, int64_t bytes) {
  Scratch &block = scratch_block;
  if (bytes >= 0 && bytes <= block.size && block.data)
    return block.data;
  if (bytes < 0 || bytes > kMaximumScratch) {
    state_of(ctx).fail_with([&] {
      return "cannot provide " + std::to_string(bytes) + " bytes of scratch";
    });
    return nullptr;
  }
  std::free(block.data);
  block.size = (bytes / 4096 + 1) * 4096;
  block.data = std::aligned_alloc(XLAC_ALIGNMENT, block.size);
  if (!block.data) {
    block.size = 0;
    state_of(ctx).fail_with([&] {
      return failure(FailureKind::OutOfMemory,
                     "out of memory: " + std::to_string(bytes) +
                         " bytes of scratch wanted");
    });
  }
  return block.data;
}

/// The thread limit of the run whose driver is on this thread: `copy` gets no
/// context.
thread_local int copying_threads = 1;

/// Parts of a long copy.
struct CopyLoop {
  static constexpr int64_t kPart = 256 << 10;
  std::byte *to;
  const std::byte *from;
  int64_t bytes;

  static int32_t run(void *state, int64_t begin, int64_t end) {
    const CopyLoop &loop = *static_cast<const CopyLoop *>(state);
    int64_t first = begin * kPart, last = std::min(end * kPart, loop.bytes);
    std::memcpy(loop.to + first, loop.from + first, last - first);
    return 0;
  }
};

void copy(void *to, const void *from, int64_t bytes) {
  // Shorter copies are not worth waking threads.
  constexpr int64_t kLongCopy = 1 << 20;
  CopyLoop loop{static_cast<std::byte *>(to),
                static_cast<const std::byte *>(from), bytes};
  bool overlaps = loop.to < loop.from + bytes && loop.from < loop.to + bytes;
  if (bytes >= kLongCopy && copying_threads != 1 && !overlaps)
    WorkPool::process().run(CopyLoop::run, &loop,
                            (bytes + CopyLoop::kPart - 1) / CopyLoop::kPart, 1,
                            copying_threads);
  else if (bytes > 0)
    std::memmove(to, from, bytes);
}

void fill(void *to, int32_t byte, int64_t bytes) {
  if (bytes > 0)
    std::memset(to, byte, bytes);
}

int32_t call_library(const xlac_ctx *ctx, int32_t routine, void *const *buffers,
                     const int64_t *parameters) {
  Status status = library::run_routine(routine, buffers, parameters);
  if (status)
    return 0;
  bool no_memory = status.error().failure_kind == FailureKind::OutOfMemory;
  state_of(ctx).fail_with([&] {
    return failure(no_memory ? FailureKind::OutOfMemory : FailureKind::Runtime,
                   status.error().message);
  });
  return 1;
}

int32_t fail(const xlac_ctx *ctx, const char *message, int64_t length) {
  state_of(ctx).fail_with(
      [&] { return std::string(message, length > 0 ? length : 0); });
  return 1;
}

xlac_services make_services() {
  xlac_services table{};
  table.version = XLAC_ABI_VERSION;
  table.size = sizeof table;
  table.parallel_for = parallel_for;
  table.scratch = scratch;
  table.copy = copy;
  table.fill = fill;
  table.library = call_library;
  table.fail = fail;
  table.collective = call_collective;
  table.start_collective = start_collective;
  table.await_collective = await_collective;
  table.run_slices = run_slices;
  table.run_launches = run_launches;
  return table;
}

} // namespace

RunState::RunState(RunContext &context, const ExecutableImage &image,
                   const HostCalls &host_calls, int threads)
    : context_(context), image_(image), host_calls_(host_calls),
      threads_(threads), outer_threads_(copying_threads) {
  copying_threads = threads;
}

RunState::~RunState() { copying_threads = outer_threads_; }

StartedCollectives &
RunState::started(std::function<int32_t(int32_t, void *const *)> function) {
  if (!started_)
    started_ = std::make_unique<StartedCollectives>(std::move(function));
  return *started_;
}

void RunState::fail(Failure failure) {
  std::lock_guard lock(mutex_);
  if (failure_.message.empty())
    failure_ = std::move(failure);
}

std::string RunState::message() {
  std::lock_guard lock(mutex_);
  return failure_.message.empty() ? "the program failed without a message"
                                  : failure_.message;
}

FailureKind RunState::failure_kind() {
  std::lock_guard lock(mutex_);
  return failure_.failure_kind;
}

const xlac_services &runtime_services() {
  static const xlac_services table = make_services();
  return table;
}

} // namespace xlac::runtime
