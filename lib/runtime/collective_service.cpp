// The service xlac_services::collective: maps an index of the image to a call
// of the grid, a feed of the device, or the process id.
#include "host_call.h"
#include "native_call.h"
#include "services.h"
#include "started_collectives.h"

#include "xlac/runtime/collective_plan.h"
#include "xlac/runtime/executable.h"
#include "xlac/runtime/work_pool.h"

#include <cstring>
#include <exception>

namespace xlac::runtime {

namespace {

/// An aligned unit of result memory.
struct alignas(XLAC_ALIGNMENT) Line {
  std::byte bytes[XLAC_ALIGNMENT] = {};
};

/// Two arrays, in pieces of as many elements as the kernel takes.
struct ReducerLoop {
  const xlac_ctx *ctx;
  const CollectiveReducer &reducer;
  int64_t piece; ///< bytes
  const std::byte *left, *right;
  std::byte *result;
};

XLAC_CALLS_NATIVE_CODE
int32_t run_reducer_pieces(void *state, int64_t begin, int64_t end) {
  const ReducerLoop &loop = *static_cast<const ReducerLoop *>(state);
  for (int64_t at = begin * loop.piece; at < end * loop.piece;
       at += loop.piece) {
    void *buffers[] = {const_cast<std::byte *>(loop.left + at),
                       const_cast<std::byte *>(loop.right + at),
                       loop.result + at};
    for (size_t phase = 0; phase < loop.reducer.tasks.size(); ++phase)
      if (int64_t tasks = loop.reducer.tasks[phase]; tasks > 0)
        if (int32_t status = loop.ctx->kernels[loop.reducer.kernel + phase](
                loop.ctx, buffers, nullptr, 0, tasks))
          return status;
  }
  return 0;
}

class Service {
public:
  Service(const xlac_ctx *ctx, RunState &state, int32_t number,
          void *const *buffers)
      : Service(ctx, state, number, state.image().collectives[number],
                buffers) {}

  Status run();

private:
  Service(const xlac_ctx *ctx, RunState &state, int32_t number,
          const Collective &what, void *const *buffers)
      : ctx_(ctx), state_(state), context_(state.context()), number_(number),
        what_(what), host_call_(state.host_calls()[number].get()),
        operands_(buffers, what.operands.size()),
        results_(buffers + what.operands.size(), what.results.size()) {}

  Status reduce(size_t number, const void *left, const void *right,
                void *result, int64_t elements) const;
  bool is_for_other_partition() const;
  Status write_id();
  Status infeed(const CollectiveCall &call, Communicator &grid);
  void outfeed();

  const xlac_ctx *ctx_;
  RunState &state_;
  RunContext &context_;
  const int32_t number_;
  const Collective &what_;
  const HostCall *host_call_; ///< null for other collectives
  std::span<void *const> operands_, results_;
};

Status Service::reduce(size_t number, const void *left, const void *right,
                       void *result, int64_t elements) const {
  // Minimum number of bytes that is worth waking a thread.
  constexpr int64_t kGrainBytes = 128 << 10;
  if (number >= what_.reducers.size())
    return failure(FailureKind::Internal, describe(what_) + " has no reducer");
  const CollectiveReducer &reducer = what_.reducers[number];
  int64_t element = byte_size(what_.results[number].element);
  ReducerLoop loop{ctx_,
                   reducer,
                   reducer.elements * element,
                   static_cast<const std::byte *>(left),
                   static_cast<const std::byte *>(right),
                   static_cast<std::byte *>(result)};
  int64_t pieces = elements / reducer.elements;
  int64_t grain =
      std::max<int64_t>(kGrainBytes / std::max<int64_t>(loop.piece, 1), 1);
  if (pieces > 0 && WorkPool::process().run(run_reducer_pieces, &loop, pieces,
                                            grain, state_.threads()) != 0)
    return failure(FailureKind::Runtime, state_.message());
  int64_t done = pieces * loop.piece, rest = elements * element - done;
  if (rest == 0)
    return {};
  // The kernel takes whole pieces, so the last piece is padded.
  std::vector<Line> padded(3 * (loop.piece / sizeof(Line) + 1));
  std::byte *parts[3];
  for (size_t i = 0; i < 3; ++i)
    parts[i] = padded[i * padded.size() / 3].bytes;
  std::memcpy(parts[0], loop.left + done, rest);
  std::memcpy(parts[1], loop.right + done, rest);
  ReducerLoop last{ctx_, reducer, loop.piece, parts[0], parts[1], parts[2]};
  if (run_reducer_pieces(&last, 0, 1) != 0)
    return failure(FailureKind::Runtime, state_.message());
  std::memcpy(loop.result + done, parts[2], rest);
  return {};
}

/// Whether another partition makes the call, whose results this one gets next.
bool Service::is_for_other_partition() const {
  const GridRank &place = context_.place();
  int64_t only = what_.function.only_partition;
  return only >= 0 && place.grid &&
         place.process % place.grid->shape().partitions != only;
}

Status Service::write_id() {
  const GridRank &place = context_.place();
  GridShape shape = place.grid->shape();
  uint32_t id = what_.kind == CollectiveKind::ReplicaId
                    ? place.process / shape.partitions
                    : place.process % shape.partitions;
  std::memcpy(results_[0], &id, sizeof id);
  return {};
}

Status Service::infeed(const CollectiveCall &call, Communicator &grid) {
  Result<Transfer> transfer =
      context_.infeed().pop(grid.deadline(), [&] { return grid.status(); });
  if (!transfer)
    return failure(transfer.error().failure_kind,
                   describe(what_) + ": " + transfer.error().message);
  return accept(call, *transfer, describe(what_));
}

void Service::outfeed() {
  Transfer transfer;
  for (size_t i = 0; i < operands_.size(); ++i) {
    const auto *from = static_cast<const std::byte *>(operands_[i]);
    transfer.emplace_back(from,
                          from + what_.operands[i].byte_count().value_or(0));
  }
  context_.outfeed().push(std::move(transfer));
}

Status Service::run() {
  if (host_call_ && is_for_other_partition())
    return {};
  if (host_call_)
    return host_call_->run(operands_, results_, state_.threads(),
                           {.device = context_.device(),
                            .number = number_,
                            .launch = context_.launch_data().get()});
  XLAC_RETURN_IF_ERROR(context_.ensure_grid());
  const GridRank &place = context_.place();
  std::span<const void *const> inputs(operands_.data(), operands_.size());
  CollectiveCall call{what_, inputs, results_,
                      [this](size_t number, const void *left, const void *right,
                             void *result, int64_t elements) {
                        return reduce(number, left, right, result, elements);
                      },
                      state_.threads()};
  switch (what_.kind) {
  case CollectiveKind::PartitionId:
  case CollectiveKind::ReplicaId:
    return write_id();
  case CollectiveKind::Infeed:
    return infeed(call, *place.grid);
  case CollectiveKind::Outfeed:
    outfeed();
    return {};
  default:
    return place.grid->run(place.process, call);
  }
}

} // namespace

/// Executes collective `number` on this thread.
static int32_t execute(const xlac_ctx *ctx, int32_t number,
                       void *const *buffers) {
  RunState &state = *static_cast<RunState *>(ctx->runtime);
  try {
    const std::vector<Collective> &all = state.image().collectives;
    if (number < 0 || static_cast<size_t>(number) >= all.size()) {
      state.fail("the image has no collective " + std::to_string(number));
      return 1;
    }
    Status status = Service(ctx, state, number, buffers).run();
    if (status)
      return 0;
    // The failure kind is kept only for failures of peers and custom calls.
    FailureKind failure_kind = status.error().failure_kind;
    bool is_kept =
        failure_kind == FailureKind::Collective || state.host_calls()[number];
    state.fail({is_kept ? failure_kind : FailureKind::Runtime,
                status.error().message});
  } catch (const std::exception &problem) {
    state.fail_with(
        [&] { return std::string("a collective failed: ") + problem.what(); });
  }
  return 1;
}

/// True for collectives with peers, which must run in program order.
static bool has_peers(const RunState &state, int32_t number) {
  const std::vector<Collective> &all = state.image().collectives;
  if (number < 0 || static_cast<size_t>(number) >= all.size())
    return false;
  switch (all[number].kind) {
  case CollectiveKind::Infeed:
  case CollectiveKind::Outfeed:
  case CollectiveKind::PartitionId:
  case CollectiveKind::ReplicaId:
  case CollectiveKind::CustomCall:
    return false;
  default:
    return true;
  }
}

int32_t call_collective(const xlac_ctx *ctx, int32_t number,
                        void *const *buffers) {
  RunState &state = *static_cast<RunState *>(ctx->runtime);
  // Queued after the collectives that are in progress.
  if (state.started() && state.started()->busy() && has_peers(state, number)) {
    int32_t status = start_collective(ctx, number, buffers);
    return status ? status : await_collective(ctx, number);
  }
  return execute(ctx, number, buffers);
}

int32_t start_collective(const xlac_ctx *ctx, int32_t number,
                         void *const *buffers) {
  RunState &state = *static_cast<RunState *>(ctx->runtime);
  if (!has_peers(state, number)) {
    state.fail("the image has no collective " + std::to_string(number) +
               " to start");
    return 1;
  }
  if (Status settled = state.context().ensure_grid(); !settled) {
    state.fail(settled.error());
    return 1;
  }
  const Collective &what = state.image().collectives[number];
  size_t count = what.operands.size() + what.results.size();
  state
      .started([ctx](int32_t which, void *const *its) {
        return execute(ctx, which, its);
      })
      .start(number, {buffers, buffers + count},
             state.context().place().grid->shape().count() > 1);
  return 0;
}

int32_t await_collective(const xlac_ctx *ctx, int32_t number) {
  RunState &state = *static_cast<RunState *>(ctx->runtime);
  std::optional<int32_t> status;
  if (state.started())
    status = state.started()->await(number);
  if (!status)
    state.fail("the program awaits collective " + std::to_string(number) +
               ", which it has not started");
  return status.value_or(1);
}

} // namespace xlac::runtime
