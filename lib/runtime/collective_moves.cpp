#include "collective_moves.h"

#include "block_copies.h"

#include <cassert>

namespace xlac::runtime {

namespace {

class Mover {
public:
  Mover(const Rendezvous &rendezvous_state, const CollectiveCall &leader)
      : rendezvous_(rendezvous_state), leader_(leader), what_(leader.what) {}

  Status run();

private:
  Status fold(const GroupReduction &fold, size_t number);
  const void *operand(size_t member, size_t number) const {
    return rendezvous_.calls[member]->operands[number];
  }
  void *result(size_t member, size_t number) const {
    return rendezvous_.calls[member]->results[number];
  }

  const Rendezvous &rendezvous_;
  const CollectiveCall &leader_;
  const Collective &what_;
  BlockCopies copies_;
};

/// Reduces once, then copies: all receivers get the same bits. The result of an
/// all_reduce may replace its operand. The first receiver of these is the first
/// member, whose operand the first step reads.
Status Mover::fold(const GroupReduction &fold, size_t number) {
  assert(!fold.receivers.empty() && "the reduction has a receiver");
  int64_t bytes = fold.from.bytes();
  int64_t elements = what_.results[number].element_count().value_or(0);
  void *to = result(fold.receivers.front(), number);
  StridedBytes run{0, bytes, bytes, 1};
  std::vector<std::byte> parts;
  // A reducer takes contiguous elements.
  auto part_of = [&](size_t member, void *into) -> const void * {
    const void *from = operand(member, number);
    if (fold.from.contiguous())
      return static_cast<const std::byte *>(from) + fold.from.offset;
    copies_.add_strided_bytes(from, fold.from, into, run);
    copies_.run(leader_.threads);
    return into;
  };
  if (!fold.from.contiguous())
    parts.resize(bytes);
  const void *left = part_of(0, to);
  if (rendezvous_.members.size() == 1 && left != to)
    copies_.add_run(left, to, bytes);
  for (size_t member = 1; member < rendezvous_.members.size(); ++member) {
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
  for (const CollectiveCall *call : rendezvous_.calls)
    roots.push_back(roots_of(*call));
  for (size_t number = 0; number < what_.results.size(); ++number) {
    Result<Plan> plan = plan_result(what_, rendezvous_, number, roots);
    if (!plan)
      return plan.error();
    for (const GroupReduction &each : plan->reductions)
      XLAC_RETURN_IF_ERROR(fold(each, number));
    for (size_t member : plan->filled)
      fill_result(*rendezvous_.calls[member], number);
    for (const Move &move : plan->moves)
      copies_.add_strided_bytes(operand(move.sender, number), move.from,
                                result(move.receiver, number), move.to);
    copies_.run(leader_.threads);
  }
  return {};
}

} // namespace

Status execute(const Rendezvous &rendezvous_state,
               const CollectiveCall &leader) {
  return Mover(rendezvous_state, leader).run();
}

} // namespace xlac::runtime
