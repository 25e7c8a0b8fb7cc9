#include "timed_run.h"

#include "kernel_thunks.h"
#include "native_call.h"
#include "services.h"

#include "xlac/runtime/work_pool.h"
#include "xlac/support/clock.h"

#include <algorithm>
#include <unistd.h>

namespace xlac::runtime {

namespace {

using Kind = LaunchEvent::Kind;

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             Clock::now().time_since_epoch())
      .count();
}

int32_t this_thread() {
  thread_local const int32_t id = static_cast<int32_t>(gettid());
  return id;
}

/// Only drivers get a timed context; its `runtime` is the TimedRun.
const TimedRun &run_of(const xlac_ctx *ctx) {
  return *static_cast<const TimedRun *>(ctx->runtime);
}

/// The run whose driver is on this thread: `copy` and `fill` get no context.
thread_local const TimedRun *current_run = nullptr;

/// Records an event with its lifetime.
class Stopwatch {
public:
  Stopwatch(LaunchRecorder &recorder, Kind kind, uint32_t number,
            int64_t amount)
      : recorder_(recorder),
        event_{kind, number, this_thread(), now(), 0, amount} {}
  ~Stopwatch() {
    event_.end = now();
    recorder_.add(event_);
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

private:
  LaunchRecorder &recorder_;
  LaunchEvent event_;
};

/// A loop over a kernel's tasks, whose pieces may be recorded.
struct TimedLoop {
  const TimedRun &run;
  xlac_kernel_fn fn;
  void *const *buffers;
  const int64_t *extents;
  uint32_t number;
};

XLAC_CALLS_NATIVE_CODE
int32_t run_piece(void *state, int64_t begin, int64_t end) {
  const TimedLoop &loop = *static_cast<const TimedLoop *>(state);
  Stopwatch watch(loop.run.recorder(), Kind::Piece, loop.number, end - begin);
  return loop.fn(&loop.run.real(), loop.buffers, loop.extents, begin, end);
}

XLAC_CALLS_NATIVE_CODE
int32_t run_kernel(const xlac_ctx *ctx, void *const *buffers,
                   const int64_t *extents, int64_t begin, int64_t end,
                   uint32_t number) {
  const TimedRun &run = run_of(ctx);
  Stopwatch watch(run.recorder(), Kind::Kernel, number, end - begin);
  TimedLoop loop{run, run.real().kernels[number], buffers, extents, number};
  if (run.recorder().records_tasks())
    return run_piece(&loop, begin, end);
  return loop.fn(&run.real(), buffers, extents, begin, end);
}

int32_t parallel_for(const xlac_ctx *ctx, xlac_kernel_fn fn,
                     void *const *buffers, const int64_t *extents, int64_t n,
                     int64_t grain) {
  const TimedRun &run = run_of(ctx);
  std::optional<uint32_t> number = run.recorder().thunks().number_of(fn);
  const xlac_ctx &real = run.real();
  if (!number || *number >= run.kernel_count())
    return real.services->parallel_for(&real, fn, buffers, extents, n, grain);
  Stopwatch watch(run.recorder(), Kind::Kernel, *number, n);
  TimedLoop loop{run, real.kernels[*number], buffers, extents, *number};
  if (!run.recorder().records_tasks())
    return real.services->parallel_for(&real, loop.fn, buffers, extents, n,
                                       grain);
  return WorkPool::process().run(
      run_piece, &loop, n, grain,
      static_cast<const RunState *>(real.runtime)->threads());
}

void *scratch(const xlac_ctx *ctx, int64_t bytes) {
  const xlac_ctx &real = run_of(ctx).real();
  return real.services->scratch(&real, bytes);
}

void copy(void *to, const void *from, int64_t bytes) {
  if (!current_run)
    return runtime_services().copy(to, from, bytes);
  Stopwatch watch(current_run->recorder(), Kind::Copy, 0, bytes);
  current_run->real().services->copy(to, from, bytes);
}

void fill(void *to, int32_t byte, int64_t bytes) {
  if (!current_run)
    return runtime_services().fill(to, byte, bytes);
  Stopwatch watch(current_run->recorder(), Kind::Copy, 0, bytes);
  current_run->real().services->fill(to, byte, bytes);
}

int32_t call_library(const xlac_ctx *ctx, int32_t routine, void *const *buffers,
                     const int64_t *parameters) {
  const xlac_ctx &real = run_of(ctx).real();
  return real.services->library(&real, routine, buffers, parameters);
}

int32_t fail(const xlac_ctx *ctx, const char *message, int64_t length) {
  const xlac_ctx &real = run_of(ctx).real();
  return real.services->fail(&real, message, length);
}

int32_t collective(const xlac_ctx *ctx, int32_t number, void *const *buffers) {
  const TimedRun &run = run_of(ctx);
  Stopwatch watch(run.recorder(), Kind::Collective,
                  static_cast<uint32_t>(number), 0);
  return run.real().services->collective(&run.real(), number, buffers);
}

int32_t start_collective(const xlac_ctx *ctx, int32_t number,
                         void *const *buffers) {
  const xlac_ctx &real = run_of(ctx).real();
  return real.services->start_collective(&real, number, buffers);
}

/// The recorded time of a started collective is the time the program waits for
/// it.
int32_t await_collective(const xlac_ctx *ctx, int32_t number) {
  const TimedRun &run = run_of(ctx);
  Stopwatch watch(run.recorder(), Kind::Collective,
                  static_cast<uint32_t>(number), 0);
  return run.real().services->await_collective(&run.real(), number);
}

/// Runs the launches one after another, so that each has a time.
int32_t run_slices(const xlac_ctx *ctx, const xlac_sliced_launch *launches,
                   int64_t count, int64_t slices) {
  for (int64_t i = 0; i < count; ++i) {
    const xlac_sliced_launch &one = launches[i];
    if (int32_t status = parallel_for(ctx, one.fn, one.buffers, one.extents,
                                      slices * one.tasks, one.tasks))
      return status;
  }
  return 0;
}

const xlac_services &timed_services() {
  static const xlac_services table = [] {
    xlac_services made = runtime_services();
    made.parallel_for = parallel_for;
    made.scratch = scratch;
    made.copy = copy;
    made.fill = fill;
    made.library = call_library;
    made.fail = fail;
    made.collective = collective;
    made.start_collective = start_collective;
    made.await_collective = await_collective;
    made.run_slices = run_slices;
    made.run_launches = run_launches_in_order;
    return made;
  }();
  return table;
}

} // namespace

XLAC_CALLS_NATIVE_CODE
Status TimedRun::run(xlac_entry_fn entry, const void *const *arguments,
                     void *const *results, void *arena, int32_t &status) {
  KernelThunks &thunks = recorder_.thunks();
  XLAC_RETURN_IF_ERROR(thunks.reserve(kernel_count_));
  xlac_ctx timed = real_;
  timed.services = &timed_services();
  timed.kernels = thunks.table();
  timed.runtime = this;
  const TimedRun *outer = std::exchange(current_run, this);
  {
    Stopwatch watch(recorder_, Kind::Run, 0, 0);
    status = entry(&timed, arguments, results, arena);
  }
  current_run = outer;
  return {};
}

LaunchRecorder::LaunchRecorder(bool pieces)
    : pieces_(pieces), thunks_(std::make_unique<KernelThunks>(run_kernel)) {}

LaunchRecorder::~LaunchRecorder() = default;

void LaunchRecorder::add(const LaunchEvent &event) {
  std::lock_guard lock(mutex_);
  events_.push_back(event);
}

std::vector<LaunchEvent> LaunchRecorder::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

} // namespace xlac::runtime
