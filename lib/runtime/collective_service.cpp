// The service behind xlac_services::collective: from a number in the image to a
// call on the grid, the device's feeds or the process's place.
#include "collective_moves.h"
#include "host_call.h"
#include "native_call.h"
#include "services.h"

#include "xlac/runtime/executable.h"
#include "xlac/runtime/work_pool.h"

#include <cstring>
#include <exception>

namespace xlac {

namespace {

struct ReducerLoop {
  const xlac_ctx *ctx;
  xlac_kernel_fn kernel;
  void *const *buffers;
};

XLAC_CALLS_NATIVE_CODE
int32_t run_reducer_piece(void *state, int64_t begin, int64_t end) {
  const ReducerLoop &loop = *static_cast<const ReducerLoop *>(state);
  return loop.kernel(loop.ctx, loop.buffers, nullptr, begin, end);
}

class Service {
public:
  Service(const xlac_ctx *ctx, RunState &state, const Collective &what,
          const CustomCallFunction *function, void *const *buffers)
      : ctx_(ctx), state_(state), context_(state.context()), what_(what),
        function_(function), operands_(buffers, buffers + what.operands.size()),
        results_(buffers + what.operands.size(),
                 buffers + what.operands.size() + what.results.size()) {}

  Status run();

private:
  Status reduce(size_t number, const void *left, const void *right,
                void *result) const;
  Status write_id();
  Status infeed(const CollectiveCall &call, Communicator &grid);
  void outfeed();

  const xlac_ctx *ctx_;
  RunState &state_;
  RunContext &context_;
  const Collective &what_;
  const CustomCallFunction *function_;
  std::vector<const void *> operands_;
  std::vector<void *> results_;
};

Status Service::reduce(size_t number, const void *left, const void *right,
                       void *result) const {
  if (number >= what_.reducers.size())
    return failure(Fault::Internal, describe(what_) + " has no reducer");
  const CollectiveReducer &reducer = what_.reducers[number];
  void *buffers[] = {const_cast<void *>(left), const_cast<void *>(right),
                     result};
  for (size_t phase = 0; phase < reducer.tasks.size(); ++phase) {
    if (reducer.tasks[phase] <= 0)
      continue;
    ReducerLoop loop{ctx_, ctx_->kernels[reducer.kernel + phase], buffers};
    if (WorkPool::process().run(run_reducer_piece, &loop, reducer.tasks[phase],
                                std::max<int64_t>(reducer.grain[phase], 1),
                                state_.threads()) != 0)
      return failure(Fault::Runtime, state_.message());
  }
  return {};
}

Status Service::write_id() {
  const Place &place = context_.place();
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
    return failure(transfer.error().fault,
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
  if (function_)
    return call_host(what_, *function_, operands_, results_, state_.threads());
  XLAC_RETURN_IF_ERROR(context_.settle());
  const Place &place = context_.place();
  CollectiveCall call{
      what_, operands_, results_,
      [this](size_t number, const void *left, const void *right, void *result) {
        return reduce(number, left, right, result);
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

int32_t call_collective(const xlac_ctx *ctx, int32_t number,
                        void *const *buffers) {
  RunState &state = *static_cast<RunState *>(ctx->runtime);
  try {
    const std::vector<Collective> &all = state.image().collectives;
    if (number < 0 || static_cast<size_t>(number) >= all.size()) {
      state.fail("the image has no collective " + std::to_string(number));
      return 1;
    }
    const CustomCallFunction *function = state.host_functions()[number].get();
    Status status = Service(ctx, state, all[number], function, buffers).run();
    if (status)
      return 0;
    state.fail(status.error().message);
  } catch (const std::exception &problem) {
    state.fail(std::string("a collective failed: ") + problem.what());
  }
  return 1;
}

} // namespace xlac
