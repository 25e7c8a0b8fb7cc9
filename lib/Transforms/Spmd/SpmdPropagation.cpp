#include "SpmdPropagation.h"

#include "SpmdAnnotations.h"

#include "xlac/support/program_names.h"

#include "llvm/ADT/SmallBitVector.h"

#include <set>

using namespace mlir;

namespace xlac::transforms {

static bool isControl(Operation *op) {
  return isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op);
}

SpmdPropagation::SpmdPropagation(func::FuncOp function, const DeviceMesh &mesh,
                                 const SpmdCalls &calls)
    : function(function), mesh(mesh), calls(calls) {
  makeSlots(function.getBody().front());
  for (BlockArgument argument : function.getArguments())
    if (SpmdSlot *slot = find(argument))
      slot->isBoundary = true;
  firstResult = slots.size();
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    if (shardableType(value))
      slots[slotFor(value)].isBoundary = true;
    else
      slots.emplace_back();
  findUses();
}

void SpmdPropagation::findUses() {
  for (Operation *op : order) {
    SpmdUses &uses = usesOfOps.emplace_back();
    if (isControl(op) || isFullToShard(op) || isShardToFull(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      continue;
    uses.rule = &rules.find(op)->second;
    auto add = [&](Value value, const DimFactors &dims) {
      if (std::optional<unsigned> slot = numberOf(value))
        uses.tensors.push_back({*slot, &dims, isFreeToMake(value)});
    };
    for (auto [value, dims] :
         llvm::zip_equal(op->getOperands(), uses.rule->operands))
      add(value, dims);
    uses.operandCount = uses.tensors.size();
    for (auto [value, dims] :
         llvm::zip_equal(op->getResults(), uses.rule->results))
      add(value, dims);
  }
  changedAt.assign(slots.size(), 0);
  seenAt.assign(order.size(), 0);
}

unsigned SpmdPropagation::slotFor(Value value) {
  RankedTensorType type = shardableType(value);
  assert(type && "only shardable values have slots");
  SpmdSlot &slot = slots.emplace_back();
  slot.type = type;
  slot.sharding = slot.annotated = AxisSharding(type.getRank());
  slot.closed.assign(type.getRank(), false);
  return slots.size() - 1;
}

/// Loop-carried values have the same sharding in all iterations.
void SpmdPropagation::tieLoop(Operation *op) {
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    auto found = slotOf.find(result);
    if (found == slotOf.end())
      continue;
    // Copy the number, because insertions may move the map's entries.
    unsigned slot = found->second;
    for (Region &region : op->getRegions()) {
      slotOf[region.getArgument(i)] = slot;
      if (!slots[slot].manual.empty())
        manualOf[region.getArgument(i)] = slots[slot].manual;
    }
  }
}

AxisList SpmdPropagation::manualAxes(Operation *op) const {
  std::optional<Sharding> row = manualAxesOf(op);
  std::optional<AxisSharding> axes =
      row ? mesh.fromSharding(*row, 1) : std::nullopt;
  if (axes)
    return axes->dims.front();
  AxisList all;
  for (unsigned axis = 0; axis < mesh.axisCount(); ++axis)
    all.push_back(axis);
  return all;
}

/// The axes that are manual for any value that `op` or its regions read.
AxisList SpmdPropagation::operandsManual(Operation *op) const {
  llvm::SmallBitVector axes(mesh.axisCount());
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (manual.contains(operand))
        axes.set();
      auto found = manualOf.find(operand);
      if (found != manualOf.end())
        for (unsigned axis : found->second)
          axes.set(axis);
    }
  });
  AxisList list;
  for (unsigned axis : axes.set_bits())
    list.push_back(axis);
  return list;
}

/// All that `op` and its regions make is for the program to place.
void SpmdPropagation::makeManual(Operation *op) {
  op->walk([&](Operation *inner) {
    manual.insert(inner->result_begin(), inner->result_end());
    for (Region &region : inner->getRegions())
      for (Block &one : region)
        manual.insert(one.args_begin(), one.args_end());
  });
}

void SpmdPropagation::makeSlots(Block &block) {
  for (Value argument : block.getArguments())
    if (shardableType(argument) && !slotOf.contains(argument))
      slotOf[argument] = slotFor(argument);
  for (Operation &op : block) {
    AxisList own = operandsManual(&op);
    AxisList crossed =
        isFullToShard(&op) || isShardToFull(&op) ? manualAxes(&op) : AxisList();
    if (isFullToShard(&op))
      for (unsigned axis : crossed)
        if (!llvm::is_contained(own, axis))
          own.push_back(axis);
    if (isShardToFull(&op))
      llvm::erase_if(own, [&](unsigned axis) {
        return llvm::is_contained(crossed, axis);
      });
    if (own.size() == mesh.axisCount()) {
      makeManual(&op);
      continue;
    }
    for (Value result : op.getResults())
      if (shardableType(result)) {
        unsigned slot = slotFor(result);
        slotOf[result] = slot;
        slots[slot].manual = own;
        if (!own.empty())
          manualOf[result] = own;
      }
    order.push_back(&op);
    if (!isControl(&op)) {
      rules.try_emplace(&op, spmdRule(&op));
      continue;
    }
    if (isa<stablehlo::WhileOp>(op))
      tieLoop(&op);
    for (Region &region : op.getRegions())
      makeSlots(region.front());
  }
}

SpmdSlot *SpmdPropagation::find(Value value) {
  auto found = slotOf.find(value);
  return found == slotOf.end() ? nullptr : &slots[found->second];
}

const AxisSharding &SpmdPropagation::of(Value value) const {
  static const AxisSharding none{};
  auto found = slotOf.find(value);
  return found == slotOf.end() ? none : slots[found->second].sharding;
}

const AxisSharding &SpmdPropagation::ofResult(unsigned number) const {
  assert(firstResult + number < slots.size() &&
         "the function has such a result");
  return slots[firstResult + number].sharding;
}

void SpmdPropagation::fix(SpmdSlot &slot, const SpmdAnnotation &annotation) {
  if (!slot.type || annotation.sharding.kind == Sharding::Kind::Unknown ||
      annotation.sharding.kind == Sharding::Kind::Manual)
    return;
  int64_t rank = slot.type.getRank();
  std::optional<AxisSharding> exact =
      mesh.fromSharding(annotation.sharding, rank);
  slot.sharding = exact ? *exact : mesh.nearest(annotation.sharding, rank);
  slot.annotated = slot.sharding = slot.sharding.without(slot.manual);
  slot.decidedBy = SpmdSlot::kAnnotation;
  slot.closed.assign(rank, true);
  for (int64_t d : annotation.open)
    if (d < rank) {
      slot.closed[d] = false;
      slot.isHint |= !slot.annotated.dims[d].empty();
    }
  slot.priorities.assign(annotation.priorities.begin(),
                         annotation.priorities.end());
}

/// Returns what other values see of a sharding in this round.
AxisSharding SpmdPropagation::visible(const SpmdSlot &slot) const {
  AxisSharding seen = slot.sharding;
  for (auto [d, priority] : llvm::enumerate(slot.priorities))
    if (round && priority > *round && d < seen.dims.size())
      seen.dims[d].clear();
  return seen;
}

LogicalResult SpmdPropagation::propagateRounds() {
  std::set<int64_t> rounds;
  for (const SpmdSlot &slot : slots)
    rounds.insert(slot.priorities.begin(), slot.priorities.end());
  if (!rounds.empty()) {
    rounds.insert(0); // of annotations without priorities
    rounds.erase(std::prev(rounds.end()));
  }
  LogicalResult result = success();
  for (int64_t number : rounds) {
    round = number;
    if (failed(propagate()))
      result = failure();
  }
  round.reset();
  return result;
}

void SpmdPropagation::annotateArgument(unsigned number,
                                       const SpmdAnnotation &annotation) {
  annotateValue(function.getArgument(number), annotation);
}

void SpmdPropagation::annotateResult(unsigned number,
                                     const SpmdAnnotation &annotation) {
  fix(slots[firstResult + number], annotation);
}

void SpmdPropagation::annotateValue(Value value,
                                    const SpmdAnnotation &annotation) {
  SpmdSlot *slot = find(value);
  if (!slot)
    return;
  fix(*slot, annotation);
  // The parts of manual code have the types that the program states.
  if ((value.getDefiningOp() && isShardToFull(value.getDefiningOp())) ||
      llvm::any_of(value.getUsers(), isFullToShard))
    slot->isHint = false;
}

bool SpmdPropagation::extend(SpmdSlot &slot, const AxisSharding &wanted) {
  assert(wanted.dims.size() == slot.sharding.dims.size() &&
         slot.closed.size() == wanted.dims.size() &&
         "shardings of one value have its rank");
  bool changed = false;
  for (auto [d, axes] : llvm::enumerate(wanted.dims)) {
    AxisList &now = slot.sharding.dims[d];
    if (slot.closed[d] || axes.size() <= now.size() ||
        !std::equal(now.begin(), now.end(), axes.begin()))
      continue;
    AxisList added(axes.begin() + now.size(), axes.end());
    // More pieces than indices do not help.
    int64_t size = slot.type.getDimSize(d), pieces = mesh.count(axes);
    if (pieces > size || (slot.isBoundary && size % pieces != 0) ||
        llvm::any_of(added, [&](unsigned axis) {
          return slot.sharding.uses(axis) ||
                 llvm::is_contained(slot.manual, axis);
        }))
      continue;
    if (journal && !changed)
      journal->push_back({unsigned(&slot - slots.data()), slot});
    now = axes;
    changed = true;
  }
  if (changed) {
    changedAt[&slot - slots.data()] = ++changes;
    slot.decidedBy = int(current);
  }
  return changed;
}

bool SpmdPropagation::link(SpmdSlot *a, SpmdSlot *b) {
  if (!a || !b || !a->type || !b->type)
    return false;
  if (b->isClosed() && !a->isClosed())
    std::swap(a, b);
  bool changed = extend(*b, visible(*a));
  return extend(*a, visible(*b)) || changed;
}

bool SpmdPropagation::linkRegions(Operation *op) {
  bool changed = false;
  bool loop = isa<stablehlo::WhileOp>(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (loop && !isFreeToMake(op->getOperand(i)))
      changed |= link(find(op->getOperand(i)), find(result));
    for (Region &region : op->getRegions().drop_front(loop ? 1 : 0)) {
      Value given = region.front().getTerminator()->getOperand(i);
      if (!isFreeToMake(given))
        changed |= link(find(given), find(result));
    }
  }
  return changed;
}

bool SpmdPropagation::propagateThroughRule(const SpmdUses &uses,
                                           ArrayRef<bool> sources) {
  const SpmdRule &rule = *uses.rule;
  auto slotOf = [&](unsigned i) -> SpmdSlot & {
    return slots[uses.tensors[i].slot];
  };
  assert(uses.tensors.size() == sources.size() && "one flag for each tensor");
  auto isCut = [&](unsigned i) {
    return sources[i] &&
           llvm::any_of(slotOf(i).sharding.dims,
                        [](const AxisList &axes) { return !axes.empty(); });
  };
  if (llvm::none_of(llvm::seq<unsigned>(0, sources.size()), isCut))
    return false;
  SmallVector<unsigned> byWeight =
      llvm::to_vector(llvm::seq<unsigned>(0, uses.tensors.size()));
  auto isAnnotatedResult = [&](unsigned i) {
    return i >= uses.operandCount && slotOf(i).isClosed();
  };
  llvm::stable_sort(byWeight, [&](unsigned a, unsigned b) {
    if (isAnnotatedResult(a) != isAnnotatedResult(b))
      return isAnnotatedResult(a);
    return slotOf(a).type.getNumElements() > slotOf(b).type.getNumElements();
  });
  FactorAxes axes(rule.factors.size());
  for (unsigned i : byWeight)
    if (isCut(i))
      mergeAxes(axes,
                factorAxes(rule, *uses.tensors[i].dims,
                           slotOf(i).priorities.empty() ? slotOf(i).sharding
                                                        : visible(slotOf(i)),
                           mesh));
  dropImpossible(rule, mesh, axes);
  bool changed = false;
  for (const SpmdUse &use : uses.tensors)
    changed |= extend(slots[use.slot], shardingOf(*use.dims, axes));
  return changed;
}

/// Of a part of a value, what the compiler cuts is what it cuts of the value.
bool SpmdPropagation::linkParts(Operation *op) {
  SpmdSlot *from = find(op->getOperand(0)), *to = find(op->getResult(0));
  if (!from || !to)
    return false;
  AxisList axes = manualAxes(op);
  return isFullToShard(op) ? extend(*to, visible(*from).without(axes))
                           : extend(*from, visible(*to).without(axes));
}

bool SpmdPropagation::inferResults(Operation *op) {
  SmallVector<AxisSharding> operands;
  for (Value operand : op->getOperands())
    operands.push_back(of(operand));
  auto [known, isNew] = asked.try_emplace(op, operands);
  if (hasFailed || (!isNew && known->second == operands))
    return false;
  known->second = std::move(operands);
  FailureOr<CallSite> site =
      calls.siteOf(op, [&](Value value) { return mesh.toSharding(of(value)); });
  FailureOr<std::vector<Sharding>> inferred = failure();
  if (succeeded(site))
    inferred = calls.inferResults(op, *site);
  if (failed(inferred)) {
    hasFailed = true;
    return false;
  }
  bool changed = false;
  for (auto [result, sharding] : llvm::zip_equal(op->getResults(), *inferred)) {
    SpmdSlot *slot = find(result);
    std::optional<AxisSharding> axes =
        slot ? mesh.fromSharding(sharding, slot->type.getRank()) : std::nullopt;
    if (axes)
      changed |= extend(*slot, axes->without(slot->manual));
  }
  return changed;
}

/// Returns whether the sharding of each tensor of an op counts. Without
/// `expands`, it does not for tensors with at most half of the elements of the
/// largest one. Indices select what an op computes, so they always count.
static SmallVector<bool> sourcesOf(Operation *op, const SpmdUses &uses,
                                   ArrayRef<SpmdSlot> slots, bool expands) {
  bool all = expands || isa<stablehlo::GatherOp, stablehlo::ScatterOp>(op);
  int64_t most = 0;
  for (const SpmdUse &use : uses.tensors)
    most = std::max(most, slots[use.slot].type.getNumElements());
  SmallVector<bool> sources;
  for (const SpmdUse &use : uses.tensors)
    sources.push_back(
        !use.isFree &&
        (all || 2 * slots[use.slot].type.getNumElements() > most));
  return sources;
}

bool SpmdPropagation::propagateThrough(unsigned number, bool simpleOnly,
                                       bool expands) {
  Operation *op = order[number];
  current = number;
  if (isa<stablehlo::CustomCallOp>(op) && calls.infers(op))
    return inferResults(op);
  if (isControl(op))
    return linkRegions(op);
  if (isFullToShard(op) || isShardToFull(op))
    return linkParts(op);
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    bool changed = false;
    if (op->getParentOp() == function)
      for (auto [i, value] : llvm::enumerate(op->getOperands()))
        if (!isFreeToMake(value))
          changed |= link(find(value), &slots[firstResult + i]);
    return changed;
  }
  const SpmdUses &uses = usesOfOps[number];
  if (uses.rule->gathers || uses.rule->factors.empty() ||
      (simpleOnly && !uses.rule->simple))
    return false;
  bool isNew = llvm::any_of(uses.tensors, [&](const SpmdUse &use) {
    return changedAt[use.slot] >= seenAt[number];
  });
  if (!isNew)
    return false;
  seenAt[number] = changes + 1;
  return propagateThroughRule(uses, sourcesOf(op, uses, slots, expands));
}

/// What is to be unreduced is made so by its op, if that can: no device then
/// sums what the next would take apart.
void SpmdPropagation::markSummandsOf(Operation *annotation) {
  Value value = annotation->getOperand(0);
  Operation *op = value.getDefiningOp();
  SpmdSlot *slot = find(value), *wanted = find(annotation->getResult(0));
  if (!op || !slot || !wanted || !rules.contains(op) || isAnnotation(op) ||
      slot->isClosed())
    return;
  auto isUnreduced = [&](Value operand) {
    return !of(operand).unreduced.empty();
  };
  SmallVector<unsigned> linear = linearOperands(op, isUnreduced);
  for (unsigned axis : wanted->sharding.unreduced) {
    bool passes = llvm::all_of(linear, [&](unsigned i) {
      return isFreeToMake(op->getOperand(i)) ||
             llvm::is_contained(of(op->getOperand(i)).unreduced, axis);
    });
    if (!slot->sharding.uses(axis) &&
        (givesSummands(op) || (passes && !linear.empty())))
      slot->sharding.unreduced.push_back(axis);
  }
  llvm::sort(slot->sharding.unreduced);
}

void SpmdPropagation::markSummands() {
  for (Operation *op : order)
    if (isAnnotation(op) && !isFullToShard(op) && !isShardToFull(op))
      markSummandsOf(op);
}

/// Visits all ops forwards and backwards. Returns whether anything changed.
bool SpmdPropagation::sweep(bool simpleOnly, bool expands) {
  bool changed = false;
  for (unsigned i = 0; i < order.size(); ++i)
    changed |= propagateThrough(i, simpleOnly, expands);
  for (unsigned i = order.size(); i-- > 0;)
    changed |= propagateThrough(i, simpleOnly, expands);
  return changed;
}

LogicalResult SpmdPropagation::settle(bool simpleOnly, bool expands) {
  while (sweep(simpleOnly, expands))
    ;
  return failure(hasFailed);
}

void SpmdPropagation::decide(unsigned number, const AxisSharding &sharding) {
  SpmdSlot &slot = slots[number];
  if (journal)
    journal->push_back({number, slot});
  slot.sharding = slot.annotated = sharding;
  slot.closed.assign(sharding.dims.size(), true);
  slot.decidedBy = SpmdSlot::kCost;
  changedAt[number] = ++changes;
}

LogicalResult SpmdPropagation::spread() {
  return failure(failed(settle(/*simpleOnly=*/true, /*expands=*/true)) ||
                 failed(settle(/*simpleOnly=*/false, /*expands=*/true)));
}

void SpmdPropagation::undo(Journal &changes) {
  for (auto &[number, slot] : llvm::reverse(changes))
    slots[number] = std::move(slot);
  changes.clear();
}

LogicalResult SpmdPropagation::propagate() {
  seenAt.assign(order.size(), 0);
  return spread();
}

LogicalResult SpmdPropagation::propagateOnce(bool expands) {
  seenAt.assign(order.size(), 0);
  return settle(/*simpleOnly=*/false, expands);
}

bool SpmdPropagation::allows(unsigned number,
                             const AxisSharding &sharding) const {
  const SpmdSlot &slot = slots[number];
  if (!slot.type || sharding.unreduced != slot.sharding.unreduced)
    return false;
  llvm::SmallBitVector used(mesh.axisCount());
  auto take = [&](unsigned axis) {
    bool taken = used[axis] || llvm::is_contained(slot.manual, axis);
    used.set(axis);
    return !taken;
  };
  if (!llvm::all_of(sharding.unreduced, take))
    return false;
  for (auto [d, axes] : llvm::enumerate(sharding.dims)) {
    const AxisList &said = slot.annotated.dims[d];
    int64_t size = slot.type.getDimSize(d), pieces = mesh.count(axes);
    bool extends = axes.size() >= said.size() &&
                   std::equal(said.begin(), said.end(), axes.begin());
    bool keeps = slot.closed[d] ? axes == said : extends || slot.isHint;
    bool fits = axes == said ||
                (pieces <= size && (!slot.isBoundary || size % pieces == 0));
    if (!keeps || !fits || !llvm::all_of(axes, take))
      return false;
  }
  return true;
}

std::optional<unsigned> SpmdPropagation::numberOf(Value value) const {
  auto found = slotOf.find(value);
  return found == slotOf.end() ? std::nullopt : std::optional(found->second);
}

bool SpmdPropagation::infersCalls() const {
  return llvm::any_of(order, [&](Operation *op) { return calls.infers(op); });
}

void annotateShardings(func::FuncOp main, SpmdPropagation &shardings) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto annotation = annotationOf(main.getArgAttrDict(i)))
      shardings.annotateArgument(i, *annotation);
  main.walk([&](stablehlo::CustomCallOp call) {
    if (!isAnnotation(call) || isFullToShard(call))
      return;
    if (auto annotation = annotationOf(call->getDiscardableAttrDictionary()))
      shardings.annotateValue(call->getResult(0), *annotation);
  });
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (auto annotation = annotationOf(main.getResultAttrDict(i)))
      shardings.annotateResult(i, *annotation);
  // A result that aliases an argument has the argument's sharding.
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto alias = main.getArgAttrOfType<IntegerAttr>(i, names::kAliasingOutput);
    auto annotation = annotationOf(main.getArgAttrDict(i));
    if (alias && annotation && alias.getInt() >= 0 &&
        alias.getInt() < main.getNumResults() &&
        main.getResultTypes()[alias.getInt()] == main.getArgumentTypes()[i] &&
        !annotationOf(main.getResultAttrDict(alias.getInt()))) {
      main.setResultAttr(
          alias.getInt(), kShardingName,
          StringAttr::get(main.getContext(), annotation->sharding.str()));
      shardings.annotateResult(alias.getInt(), *annotation);
    }
  }
}

} // namespace xlac::transforms
