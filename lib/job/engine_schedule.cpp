#include "engine_schedule.h"

#include "xlac/support/element_type.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

namespace xlac::job {

namespace {

/// Bytes of an operation in one process, and operations at a time.
constexpr int64_t kChunk = 4 << 20;
constexpr size_t kMostFlying = 4;

/// Bytes [begin, end) of each piece of a result that moves in one operation.
struct EngineChunk {
  size_t number; ///< index of the result
  int64_t begin, end;
  int64_t bytes() const { return end - begin; }
};

/// The moves or reductions of one result, by process.
struct EngineResult {
  runtime::Plan plan;
  int64_t element = 1; ///< bytes
  /// For each process the moves to it from here, and from it to here, in the
  /// order of senders, then of receivers.
  std::vector<std::vector<const runtime::Move *>> outgoing, incoming;
  std::shared_ptr<MpiElements> elements;
};

class EngineSchedule {
public:
  EngineSchedule(GroupChannel &channel, const runtime::Rendezvous &meeting,
                 const runtime::CollectiveCall &leader)
      : channel_(channel), group_(*channel.engine()), meeting_(meeting),
        leader_(leader), what_(leader.what),
        where_(channel.places_of(meeting.members)) {}
  ~EngineSchedule();

  Status run();

private:
  using Operation = std::unique_ptr<MpiOperation>;
  struct Flying {
    EngineChunk chunk;
    Operation operation;
  };

  size_t self() const { return channel_.self(); }
  bool is_here(size_t member) const { return where_.places[member] == self(); }
  const void *operand(size_t member, size_t number) const {
    return meeting_.calls[member]->operands[number];
  }
  void *result(size_t member, size_t number) const {
    return meeting_.calls[member]->results[number];
  }

  Status open();
  /// Fails unless all processes are at this collective.
  Status agree();
  Status prepare();
  void sort_moves(EngineResult &result) const;
  std::vector<EngineChunk> chunks() const;
  /// The bytes of one piece, and the pieces in this process's memory.
  int64_t piece_bytes(size_t number) const;
  size_t pieces(size_t number) const;

  AlignedBuffer memory(int64_t bytes) {
    return group_.engine().memory->buffer_of(bytes);
  }
  Status start(const EngineChunk &chunk);
  Result<MpiGroup::Begin> begin(const EngineChunk &chunk, MpiOperation &to);
  Status add_own(const EngineChunk &chunk, const runtime::StridedBytes &from,
                 std::byte *to);
  Result<MpiGroup::Begin> begin_all_reduce(const EngineChunk &, MpiOperation &);
  Result<MpiGroup::Begin> begin_reduce_scatter(const EngineChunk &,
                                               MpiOperation &);
  Result<MpiGroup::Begin> begin_all_gather(const EngineChunk &, MpiOperation &);
  Result<MpiGroup::Begin> begin_all_to_all(const EngineChunk &, MpiOperation &);
  Result<MpiGroup::Begin> begin_broadcast(const EngineChunk &, MpiOperation &);
  Status finish_oldest();
  void unpack_results(const EngineChunk &chunk, const MpiOperation &done);
  void unpack_moves(const EngineChunk &chunk, const MpiOperation &done);
  void recycle(Operation operation);

  GroupChannel &channel_;
  MpiGroup &group_;
  const runtime::Rendezvous &meeting_;
  const runtime::CollectiveCall &leader_;
  const runtime::Collective &what_;
  MemberPlaces where_;
  std::vector<EngineResult> results_;
  std::deque<Flying> flying_;
  AlignedBuffer sum_, part_;
};

EngineSchedule::~EngineSchedule() {
  for (Flying &each : flying_)
    group_.abandon(std::move(each.operation));
}

//===- Agreement ----------------------------------------------------------===//

Status EngineSchedule::open() {
  if (group_.is_open())
    return {};
  // Making a communicator cannot be interrupted and blocks all else in MPI, so
  // all processes must have arrived, and none may make another one.
  std::unique_lock place(*group_.engine().making, std::defer_lock);
  XLAC_RETURN_IF_ERROR(channel_.line_up(place));
  Status opened = channel_.until_all([&] { return group_.open(); }, true);
  if (!opened)
    group_.give_up();
  return opened;
}

Status EngineSchedule::agree() {
  auto operation = std::make_unique<MpiOperation>();
  uint64_t stamp = channel_.stamp();
  operation->own[0] = stamp;
  operation->own[1] = ~stamp;
  Status status = group_.start(*operation, [&](const MpiInterface &api,
                                               MpiHandle communicator,
                                               MpiHandle *request) {
    return api.maxima(communicator, operation->own, operation->maxima, request);
  });
  if (status)
    status = channel_.until_all([&] { return group_.test(*operation); });
  bool agreed =
      status && operation->maxima[0] == stamp && operation->maxima[1] == ~stamp;
  group_.abandon(std::move(operation));
  return !status || agreed ? status : channel_.find_difference();
}

//===- Chunks -------------------------------------------------------------===//

void EngineSchedule::sort_moves(EngineResult &result) const {
  result.outgoing.resize(channel_.count());
  result.incoming.resize(channel_.count());
  for (const runtime::Move &move : result.plan.moves) {
    if (is_here(move.sender))
      result.outgoing[where_.places[move.receiver]].push_back(&move);
    if (is_here(move.receiver))
      result.incoming[where_.places[move.sender]].push_back(&move);
  }
  auto sort = [](std::vector<const runtime::Move *> &moves) {
    std::sort(moves.begin(), moves.end(), [](const auto *a, const auto *b) {
      return std::pair(a->sender, a->receiver) <
             std::pair(b->sender, b->receiver);
    });
  };
  for (size_t place = 0; place < channel_.count(); ++place) {
    sort(result.outgoing[place]);
    sort(result.incoming[place]);
  }
}

Status EngineSchedule::prepare() {
  std::vector<std::vector<int32_t>> roots(
      meeting_.members.size(), std::vector<int32_t>(what_.results.size()));
  results_.resize(what_.results.size());
  for (size_t number = 0; number < results_.size(); ++number) {
    EngineResult &result = results_[number];
    Result<runtime::Plan> plan = plan_result(what_, meeting_, number, roots);
    if (!plan)
      return plan.error();
    result.plan = std::move(*plan);
    result.element =
        std::max<int64_t>(byte_size(what_.results[number].element), 1);
    sort_moves(result);
    if (result.plan.reductions.empty())
      continue;
    auto elements = MpiElements::make(
        group_.engine(), result.element,
        [this, number](const void *left, const void *right, void *sum,
                       int64_t count) {
          return leader_.reduce(number, left, right, sum, count);
        });
    if (!elements)
      return elements.error();
    result.elements = *elements;
  }
  return {};
}

int64_t EngineSchedule::piece_bytes(size_t number) const {
  const runtime::Plan &plan = results_[number].plan;
  return !plan.reductions.empty() ? plan.reductions[0].from.bytes()
         : !plan.moves.empty()    ? plan.moves[0].from.bytes()
                                  : 0;
}

size_t EngineSchedule::pieces(size_t number) const {
  // All processes must get the same number, whatever their members.
  switch (what_.kind) {
  case runtime::CollectiveKind::AllReduce:
  case runtime::CollectiveKind::Broadcast:
    return 1;
  case runtime::CollectiveKind::AllToAll: {
    size_t most = 1;
    for (const std::vector<size_t> &here : where_.members)
      most = std::max(most, here.size());
    return most * meeting_.members.size();
  }
  default:
    return std::max<size_t>(results_[number].plan.reductions.size(),
                            meeting_.members.size());
  }
}

std::vector<EngineChunk> EngineSchedule::chunks() const {
  constexpr int64_t kLeast = 4 << 10;
  std::vector<EngineChunk> all;
  for (size_t number = 0; number < results_.size(); ++number) {
    int64_t element = results_[number].element, bytes = piece_bytes(number);
    int64_t chunk = std::max(kLeast, kChunk / int64_t(pieces(number)));
    chunk = std::max<int64_t>(chunk / element, 1) * element;
    for (int64_t at = 0; at < bytes; at += chunk)
      all.push_back({number, at, std::min(at + chunk, bytes)});
  }
  return all;
}

//===- Operations ---------------------------------------------------------===//

/// Sets `offsets` to the sums of the preceding counts; returns the sum of all.
static int64_t set_offsets(const std::vector<int32_t> &counts,
                           std::vector<int32_t> &offsets) {
  int64_t at = 0;
  offsets.clear();
  for (int32_t count : counts) {
    offsets.push_back(static_cast<int32_t>(at));
    at += count;
  }
  return at;
}

/// Adds this process's operands and writes the sum to `to`.
Status EngineSchedule::add_own(const EngineChunk &chunk,
                               const runtime::StridedBytes &from,
                               std::byte *to) {
  const std::vector<size_t> &here = where_.members[self()];
  auto pack_to = [&](size_t member, void *target) {
    pack(operand(member, chunk.number), from, chunk.begin, chunk.end, target);
  };
  if (here.size() == 1) {
    pack_to(here[0], to);
    return {};
  }
  if (sum_.capacity() < size_t(chunk.bytes())) {
    sum_ = AlignedBuffer(chunk.bytes());
    part_ = AlignedBuffer(chunk.bytes());
  }
  pack_to(here[0], sum_.data());
  for (size_t i = 1; i < here.size(); ++i) {
    pack_to(here[i], part_.data());
    XLAC_RETURN_IF_ERROR(
        leader_.reduce(chunk.number, sum_.data(), part_.data(), sum_.data(),
                       chunk.bytes() / results_[chunk.number].element));
  }
  std::memcpy(to, sum_.data(), chunk.bytes());
  return {};
}

Result<MpiGroup::Begin>
EngineSchedule::begin_all_reduce(const EngineChunk &chunk, MpiOperation &op) {
  const EngineResult &result = results_[chunk.number];
  op.to = memory(chunk.bytes());
  XLAC_RETURN_IF_ERROR(
      add_own(chunk, result.plan.reductions[0].from, op.to.data()));
  auto elements = static_cast<int32_t>(chunk.bytes() / result.element);
  return MpiGroup::Begin([&op, elements](const MpiInterface &api,
                                         MpiHandle communicator,
                                         MpiHandle *request) {
    return api.all_reduce(communicator, op.to.data(), elements,
                          op.elements->type(), request);
  });
}

Result<MpiGroup::Begin>
EngineSchedule::begin_reduce_scatter(const EngineChunk &chunk,
                                     MpiOperation &op) {
  const EngineResult &result = results_[chunk.number];
  const auto &reductions = result.plan.reductions;
  op.from = memory(chunk.bytes() * static_cast<int64_t>(reductions.size()));
  op.to = memory(chunk.bytes() *
                 static_cast<int64_t>(where_.members[self()].size()));
  std::byte *at = op.from.data();
  for (const std::vector<size_t> &here : where_.members) {
    // The result of member i is reduction i.
    for (size_t member : here) {
      XLAC_RETURN_IF_ERROR(add_own(chunk, reductions[member].from, at));
      at += chunk.bytes();
    }
    op.received.push_back(static_cast<int32_t>(
        chunk.bytes() / result.element * static_cast<int64_t>(here.size())));
  }
  return MpiGroup::Begin([&op](const MpiInterface &api, MpiHandle communicator,
                               MpiHandle *request) {
    return api.reduce_scatter(communicator, op.from.data(), op.to.data(),
                              op.received.data(), op.elements->type(), request);
  });
}

Result<MpiGroup::Begin>
EngineSchedule::begin_all_gather(const EngineChunk &chunk, MpiOperation &op) {
  const EngineResult &result = results_[chunk.number];
  const std::vector<size_t> &own = where_.members[self()];
  int64_t bytes = chunk.bytes() * static_cast<int64_t>(own.size());
  op.from = memory(bytes);
  for (size_t i = 0; i < own.size(); ++i)
    pack(operand(own[i], chunk.number), result.plan.moves[0].from, chunk.begin,
         chunk.end, op.from.data() + static_cast<int64_t>(i) * chunk.bytes());
  for (const std::vector<size_t> &there : where_.members)
    op.received.push_back(static_cast<int32_t>(
        chunk.bytes() * static_cast<int64_t>(there.size())));
  op.to = memory(set_offsets(op.received, op.received_offsets));
  return MpiGroup::Begin([&op, bytes](const MpiInterface &api,
                                      MpiHandle communicator,
                                      MpiHandle *request) {
    return api.all_gather(
        communicator, op.from.data(), static_cast<int32_t>(bytes), op.to.data(),
        {op.received.data(), op.received_offsets.data()}, request);
  });
}

Result<MpiGroup::Begin>
EngineSchedule::begin_all_to_all(const EngineChunk &chunk, MpiOperation &op) {
  const EngineResult &result = results_[chunk.number];
  for (size_t place = 0; place < channel_.count(); ++place) {
    auto bytes_of = [&](const std::vector<const runtime::Move *> &moves) {
      return static_cast<int32_t>(chunk.bytes() *
                                  static_cast<int64_t>(moves.size()));
    };
    op.sent.push_back(bytes_of(result.outgoing[place]));
    op.received.push_back(bytes_of(result.incoming[place]));
  }
  op.from = memory(set_offsets(op.sent, op.sent_offsets));
  op.to = memory(set_offsets(op.received, op.received_offsets));
  std::byte *at = op.from.data();
  for (const std::vector<const runtime::Move *> &moves : result.outgoing)
    for (const runtime::Move *move : moves) {
      pack(operand(move->sender, chunk.number), move->from, chunk.begin,
           chunk.end, at);
      at += chunk.bytes();
    }
  return MpiGroup::Begin([&op](const MpiInterface &api, MpiHandle communicator,
                               MpiHandle *request) {
    return api.all_to_all(
        communicator, op.from.data(), {op.sent.data(), op.sent_offsets.data()},
        op.to.data(), {op.received.data(), op.received_offsets.data()},
        request);
  });
}

Result<MpiGroup::Begin>
EngineSchedule::begin_broadcast(const EngineChunk &chunk, MpiOperation &op) {
  const runtime::Move &move = results_[chunk.number].plan.moves[0];
  size_t root = where_.places[move.sender];
  op.to = memory(chunk.bytes());
  if (root == self())
    pack(operand(move.sender, chunk.number), move.from, chunk.begin, chunk.end,
         op.to.data());
  return MpiGroup::Begin(
      [&op, root, bytes = chunk.bytes()](
          const MpiInterface &api, MpiHandle communicator, MpiHandle *request) {
        return api.broadcast(communicator, op.to.data(),
                             static_cast<int32_t>(bytes),
                             static_cast<int32_t>(root), request);
      });
}

Result<MpiGroup::Begin> EngineSchedule::begin(const EngineChunk &chunk,
                                              MpiOperation &operation) {
  operation.elements = results_[chunk.number].elements;
  switch (what_.kind) {
  case runtime::CollectiveKind::AllReduce:
    return begin_all_reduce(chunk, operation);
  case runtime::CollectiveKind::ReduceScatter:
    return begin_reduce_scatter(chunk, operation);
  case runtime::CollectiveKind::AllGather:
    return begin_all_gather(chunk, operation);
  case runtime::CollectiveKind::AllToAll:
    return begin_all_to_all(chunk, operation);
  default:
    return begin_broadcast(chunk, operation);
  }
}

Status EngineSchedule::start(const EngineChunk &chunk) {
  auto operation = std::make_unique<MpiOperation>();
  Result<MpiGroup::Begin> ready = begin(chunk, *operation);
  if (!ready)
    return ready.error();
  Status started = group_.start(*operation, *ready);
  flying_.push_back({chunk, std::move(operation)});
  return started;
}

//===- Results ------------------------------------------------------------===//

void EngineSchedule::unpack_results(const EngineChunk &chunk,
                                    const MpiOperation &done) {
  const auto &reductions = results_[chunk.number].plan.reductions;
  const std::byte *from = done.to.data();
  for (size_t member : where_.members[self()]) {
    int64_t bytes = reductions[0].from.bytes();
    runtime::unpack(from, chunk.begin, chunk.end, result(member, chunk.number),
                    {0, bytes, bytes, 1});
    if (what_.kind == runtime::CollectiveKind::ReduceScatter)
      from += chunk.bytes();
  }
}

void EngineSchedule::unpack_moves(const EngineChunk &chunk,
                                  const MpiOperation &done) {
  const EngineResult &moved = results_[chunk.number];
  for (size_t place = 0; place < channel_.count(); ++place) {
    const std::byte *from = done.to.data();
    if (what_.kind != runtime::CollectiveKind::Broadcast)
      from += done.received_offsets[place];
    const auto &moves = moved.incoming[place];
    for (size_t i = 0; i < moves.size(); ++i) {
      // A gathered piece is for all receivers.
      if (i > 0 && (what_.kind == runtime::CollectiveKind::AllToAll ||
                    moves[i]->sender != moves[i - 1]->sender))
        from += chunk.bytes();
      unpack(from, chunk.begin, chunk.end,
             result(moves[i]->receiver, chunk.number), moves[i]->to);
    }
  }
}

void EngineSchedule::recycle(Operation operation) {
  for (AlignedBuffer *buffer : {&operation->from, &operation->to})
    if (buffer->capacity() > 0)
      group_.engine().memory->recycle(std::move(*buffer));
}

Status EngineSchedule::finish_oldest() {
  MpiOperation &oldest = *flying_.front().operation;
  XLAC_RETURN_IF_ERROR(
      channel_.until_all([&] { return group_.test(oldest); }, true));
  if (oldest.elements)
    XLAC_RETURN_IF_ERROR(oldest.elements->status());
  Flying done = std::move(flying_.front());
  flying_.pop_front();
  if (results_[done.chunk.number].plan.reductions.empty())
    unpack_moves(done.chunk, *done.operation);
  else
    unpack_results(done.chunk, *done.operation);
  recycle(std::move(done.operation));
  return {};
}

Status EngineSchedule::run() {
  XLAC_RETURN_IF_ERROR(open());
  XLAC_RETURN_IF_ERROR(agree());
  XLAC_RETURN_IF_ERROR(prepare());
  for (const EngineChunk &chunk : chunks()) {
    if (flying_.size() >= kMostFlying)
      XLAC_RETURN_IF_ERROR(finish_oldest());
    XLAC_RETURN_IF_ERROR(start(chunk));
  }
  while (!flying_.empty())
    XLAC_RETURN_IF_ERROR(finish_oldest());
  return {};
}

} // namespace

bool uses_engine(GroupChannel &channel, const runtime::Collective &what) {
  switch (what.kind) {
  case runtime::CollectiveKind::AllReduce:
  case runtime::CollectiveKind::AllGather:
  case runtime::CollectiveKind::ReduceScatter:
  case runtime::CollectiveKind::AllToAll:
  case runtime::CollectiveKind::Broadcast:
    return !what.dynamic_root && channel.engine() != nullptr;
  default:
    return false;
  }
}

Status run_engine(GroupChannel &channel, const runtime::Rendezvous &meeting,
                  const runtime::CollectiveCall &leader) {
  return EngineSchedule(channel, meeting, leader).run();
}

} // namespace xlac::job
