#include "collective_moves.h"

#include "block_copies.h"

namespace xlac {

namespace {

class Mover {
public:
  Mover(const Meeting &meeting, const CollectiveCall &leader)
      : meeting_(meeting), leader_(leader), what_(leader.what) {}

  Status run();

private:
  Status fold(const Fold &fold, size_t number);
  const void *operand(size_t member, size_t number) const {
    return meeting_.calls[member]->operands[number];
  }
  void *result(size_t member, size_t number) const {
    return meeting_.calls[member]->results[number];
  }

  const Meeting &meeting_;
  const CollectiveCall &leader_;
  const Collective &what_;
  BlockCopies copies_;
};

/// Once, then copies: the same bits for everybody.
Status Mover::fold(const Fold &fold, size_t number) {
  int64_t bytes = fold.from.bytes();
  int64_t elements = what_.results[number].element_count().value_or(0);
  void *to = result(fold.receivers.front(), number);
  Strip run{0, bytes, bytes, 1};
  std::vector<std::byte> parts;
  // A reducer takes runs of elements.
  auto part_of = [&](size_t member, void *into) -> const void * {
    const void *from = operand(member, number);
    if (fold.from.contiguous())
      return static_cast<const std::byte *>(from) + fold.from.offset;
    copies_.add_strip(from, fold.from, into, run);
    copies_.run(leader_.threads);
    return into;
  };
  if (!fold.from.contiguous())
    parts.resize(bytes);
  const void *left = part_of(0, to);
  if (meeting_.members.size() == 1)
    copies_.add_run(left, to, bytes);
  for (size_t member = 1; member < meeting_.members.size(); ++member) {
    XLAC_RETURN_IF_ERROR(leader_.reduce(
        number, left, part_of(member, parts.data()), to, elements));
    left = to;
  }
  for (size_t i = 1; i < fold.receivers.size(); ++i)
    copies_.add_run(to, result(fold.receivers[i], number), bytes);
  copies_.run(leader_.threads);
  return {};
}

Status Mover::run() {
  std::vector<std::vector<int32_t>> roots;
  for (const CollectiveCall *call : meeting_.calls)
    roots.push_back(roots_of(*call));
  for (size_t number = 0; number < what_.results.size(); ++number) {
    Result<Plan> plan = plan_result(what_, meeting_, number, roots);
    if (!plan)
      return plan.error();
    for (const Fold &each : plan->folds)
      XLAC_RETURN_IF_ERROR(fold(each, number));
    for (size_t member : plan->filled)
      fill_result(*meeting_.calls[member], number);
    for (const Move &move : plan->moves)
      copies_.add_strip(operand(move.sender, number), move.from,
                        result(move.receiver, number), move.to);
    copies_.run(leader_.threads);
  }
  return {};
}

} // namespace

Status carry_out(const Meeting &meeting, const CollectiveCall &leader) {
  return Mover(meeting, leader).run();
}

} // namespace xlac
