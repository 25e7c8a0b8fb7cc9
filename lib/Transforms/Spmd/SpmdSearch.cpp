#include "SpmdSearch.h"

#include "SpmdAnnotations.h"
#include "TripCount.h"

#include "xlac/support/program_names.h"

using namespace mlir;

namespace xlac::transforms {

/// How often a loop without a known trip count is assumed to run, and the most
/// that loops count.
static constexpr double kTrips = 8, kMostTrips = 512;

//===- Costs of a program -------------------------------------------------===//

SpmdProgramCost::SpmdProgramCost(func::FuncOp function, const DeviceMesh &mesh,
                                 const SpmdPropagation &shardings)
    : function(function), shardings(shardings), builder(function.getContext()),
      emitter(builder, mesh, entry, /*replicas=*/1, /*channel=*/1),
      costs(mesh, emitter, [&shardings](Value value) -> const AxisSharding & {
        return shardings.of(value);
      }) {
  classify();
  for (auto [i, op] : llvm::enumerate(shardings.ops())) {
    priced.push_back(pricedBy(i));
    times.push_back(runsOf(op));
    if (isAnnotation(op))
      if (auto slot = shardings.numberOf(op->getResult(0)))
        annotationOfSlot[*slot] = i;
  }
}

/// Returns whether two ops have the same price for the same shardings. Rules
/// show what constant operands say. Which values a region combines does not
/// matter: prices of halos depend on attributes and types alone.
static bool haveOnePrice(Operation *a, const SpmdRule &ofA, Operation *b,
                         const SpmdRule &ofB) {
  auto isSame = [](const SpmdFactor &x, const SpmdFactor &y) {
    return x.size == y.size && x.kind == y.kind && x.pads == y.pads &&
           x.halo == y.halo;
  };
  auto isSameUse = [](Value x, Value y) {
    return x.getType() == y.getType() && isFreeToMake(x) == isFreeToMake(y);
  };
  auto isSameResult = [](Value x, Value y) {
    return x.use_empty() == y.use_empty();
  };
  return ofA.operands == ofB.operands && ofA.results == ofB.results &&
         ofA.simple == ofB.simple && ofA.gathers == ofB.gathers &&
         llvm::equal(ofA.factors, ofB.factors, isSame) &&
         llvm::equal(a->getOperands(), b->getOperands(), isSameUse) &&
         llvm::equal(a->getResults(), b->getResults(), isSameResult) &&
         OperationEquivalence::isEquivalentTo(
             a, b, OperationEquivalence::ignoreValueEquivalence, nullptr,
             OperationEquivalence::IgnoreLocations);
}

void SpmdProgramCost::classify() {
  llvm::DenseMap<size_t, SmallVector<unsigned, 2>> byHash;
  for (auto [i, op] : llvm::enumerate(shardings.ops())) {
    classOf.push_back(i);
    const SpmdRule *rule = shardings.uses()[i].rule;
    if (!rule || op->getNumRegions() > 1)
      continue;
    SmallVector<unsigned, 2> &others =
        byHash[size_t(OperationEquivalence::computeHash(
            op, OperationEquivalence::ignoreHashValue,
            OperationEquivalence::ignoreHashValue,
            OperationEquivalence::IgnoreLocations))];
    for (unsigned other : others)
      if (haveOnePrice(op, *rule, shardings.ops()[other],
                       *shardings.uses()[other].rule)) {
        classOf[i] = other;
        break;
      }
    if (classOf[i] == i)
      others.push_back(i);
  }
}

/// Returns the class of an op and the shardings of its tensors; nothing if
/// values are unreduced, whose price depends on the ops that made them.
std::optional<SmallString<64>> SpmdProgramCost::keyOf(unsigned number) const {
  SmallString<64> key;
  for (unsigned rest = classOf[number], i = 0; i < sizeof(rest); ++i)
    key.push_back(char(rest >> 8 * i));
  for (const SpmdUse &use : shardings.uses()[number].tensors) {
    const AxisSharding &own = shardings.state()[use.slot].sharding;
    if (!own.unreduced.empty())
      return std::nullopt;
    if (use.isFree)
      continue;
    for (const AxisList &axes : own.dims) {
      key.push_back(char(axes.size()));
      for (unsigned axis : axes)
        key.push_back(char(axis));
    }
  }
  return key;
}

static void addMessages(SpmdPrice &sum, const SpmdPrice &price) {
  sum.received += price.received;
  sum.rounds += price.rounds;
}

/// The values that a region yields get the shardings of the results of its op.
SpmdPrice SpmdProgramCost::priceOfYielded(Operation *op, unsigned i) const {
  SpmdPrice price;
  Value value = op->getOperand(i);
  RankedTensorType type = shardableType(value);
  if (!type || shardings.isManual(value))
    return price;
  Operation *parent = op->getParentOp();
  AxisSharding wanted(type.getRank());
  if (parent == function)
    wanted = shardings.ofResult(i);
  else if (!isa<stablehlo::WhileOp>(parent) ||
           op->getParentRegion() != &parent->getRegion(0)) // no condition
    wanted = shardings.of(parent->getResult(i));
  if (int64_t(wanted.dims.size()) == type.getRank())
    addMessages(price, costs.priceOfReshard(value, wanted));
  return price;
}

SpmdPrice SpmdProgramCost::priceOfTerminator(Operation *op) const {
  SpmdPrice price;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    addMessages(price, priceOfYielded(op, i));
  return price;
}

double SpmdProgramCost::costOfResult(unsigned result) const {
  func::FuncOp main = function; // its accessors are not const
  return priceOfYielded(main.getBody().front().getTerminator(), result).total();
}

SpmdPrice SpmdProgramCost::priceOfControl(Operation *op) const {
  SpmdPrice price;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    RankedTensorType type = shardableType(value);
    if (!type || shardings.isManual(value))
      continue;
    AxisSharding wanted(type.getRank());
    if (isa<stablehlo::WhileOp>(op))
      wanted = shardings.of(op->getResult(i));
    if (int64_t(wanted.dims.size()) == type.getRank())
      addMessages(price, costs.priceOfReshard(value, wanted));
  }
  return price;
}

SpmdProgramCost::Priced SpmdProgramCost::pricedBy(unsigned number) const {
  Operation *op = shardings.ops()[number];
  if (op->hasTrait<OpTrait::IsTerminator>())
    return Priced::Terminator;
  if (isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op))
    return Priced::Control;
  auto isManual = [&](Value value) { return shardings.isManual(value); };
  if (!shardings.uses()[number].rule ||
      (op->getNumResults() == 1 && costs.isFree(op->getResult(0))) ||
      llvm::any_of(op->getOperands(), isManual) ||
      llvm::any_of(op->getResults(), isManual))
    return Priced::Nothing;
  return isAnnotation(op) ? Priced::Annotation : Priced::Rule;
}

SpmdPrice SpmdProgramCost::priceOf(unsigned number) const {
  Operation *op = shardings.ops()[number];
  switch (priced[number]) {
  case Priced::Nothing:
    return {};
  case Priced::Terminator:
    return priceOfTerminator(op);
  case Priced::Control:
    return priceOfControl(op);
  case Priced::Annotation: {
    SpmdPrice moved =
        costs.priceOfReshard(op->getOperand(0), shardings.of(op->getResult(0)));
    std::swap(moved.fused, moved.accessed);
    return moved;
  }
  case Priced::Rule:
    break;
  }
  const SpmdRule &rule = *shardings.uses()[number].rule;
  std::optional<SmallString<64>> key = keyOf(number);
  if (!key) {
    SpmdPrice price;
    costs.chooseAxes(op, rule, &price);
    return price;
  }
  auto [found, isNew] = known.try_emplace(*key);
  if (isNew)
    costs.chooseAxes(op, rule, &found->second);
  return found->second;
}

double SpmdProgramCost::runsOf(Operation *op) const {
  double runs = 1;
  for (Operation *parent = op->getParentOp(); parent && parent != function;
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<stablehlo::WhileOp>(parent)) {
      std::optional<int64_t> known = tripCount(loop);
      runs = std::min(runs * (known ? double(*known) : kTrips), kMostTrips);
    }
  return runs;
}

double SpmdProgramCost::costOf(unsigned number) const {
  return timesOf(number) * priceOf(number).total();
}

double SpmdProgramCost::hintCostOf(unsigned slot) const {
  const SpmdSlot &hint = shardings.state()[slot];
  if (!hint.isHint || hint.sharding == hint.annotated)
    return 0;
  auto annotation = annotationOfSlot.find(slot);
  double times =
      annotation == annotationOfSlot.end() ? 1 : timesOf(annotation->second);
  return times *
         costs.priceOfMove(hint.type, hint.annotated, hint.sharding).total();
}

double SpmdProgramCost::total() const {
  double sum = 0;
  for (unsigned i = 0; i < shardings.ops().size(); ++i)
    sum += costOf(i);
  for (unsigned slot = 0; slot < shardings.state().size(); ++slot)
    sum += hintCostOf(slot);
  return sum;
}

//===- Changes of groups of values ----------------------------------------===//

namespace {

class LocalSearch {
public:
  LocalSearch(func::FuncOp function, const DeviceMesh &mesh,
              SpmdPropagation &shardings, const SpmdProgramCost &costs);

  void run();

private:
  /// New shardings of some values, with the previous ones.
  using Move = SmallVector<std::pair<unsigned, AxisSharding>>;

  SmallVector<AxisSharding> candidates(unsigned slot) const;
  Move follow(unsigned slot, const AxisSharding &sharding);
  bool improve(const Move &move);
  bool improve(unsigned slot);

  func::FuncOp function;
  const DeviceMesh &mesh;
  SpmdPropagation &shardings;
  const SpmdProgramCost &costs;
  /// For each value the numbers of the ops that read or make it.
  std::vector<SmallVector<unsigned, 4>> users;
  /// For each value the results of the function that are this value.
  std::vector<SmallVector<unsigned, 1>> returned;
  /// The values of ops without a rule.
  llvm::DenseMap<unsigned, SmallVector<unsigned>> valuesOf;
  /// For the current shardings: the cost of each op, and the parts of the last
  /// one, the terminator of the function.
  std::vector<double> cost, resultCost;
  /// The number of the last move that follow() added each value to.
  std::vector<unsigned> takenBy;
  unsigned moves = 0;
  /// Single shardings of values that a rejected move contained.
  llvm::DenseMap<unsigned, SmallVector<AxisSharding>> rejected;
  int64_t budget; ///< ops whose costs may still be computed
};

} // namespace

/// Most costs of ops to compute, for each op of the program.
static constexpr int64_t kStepsPerOp = 12;

void visitSlots(func::FuncOp function, const SpmdPropagation &shardings,
                Operation *op, function_ref<void(unsigned)> visit) {
  auto add = [&](Value value) {
    if (std::optional<unsigned> slot = shardings.numberOf(value))
      visit(*slot);
  };
  for (Value operand : op->getOperands())
    add(operand);
  for (Value result : op->getResults())
    add(result);
  if (!op->hasTrait<OpTrait::IsTerminator>())
    return;
  Operation *parent = op->getParentOp();
  if (parent == function)
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      visit(shardings.numberOfResult(i));
  else
    for (Value result : parent->getResults())
      add(result);
}

LocalSearch::LocalSearch(func::FuncOp function, const DeviceMesh &mesh,
                         SpmdPropagation &shardings,
                         const SpmdProgramCost &costs)
    : function(function), mesh(mesh), shardings(shardings), costs(costs),
      users(shardings.state().size()), returned(shardings.state().size()),
      takenBy(shardings.state().size(), 0),
      budget(kStepsPerOp * int64_t(shardings.ops().size())) {
  for (auto [i, op] : llvm::enumerate(shardings.ops())) {
    const SpmdRule *rule = shardings.uses()[i].rule;
    bool hasRule = rule && !rule->gathers;
    visitSlots(function, shardings, op, [&, i = unsigned(i)](unsigned slot) {
      if (users[slot].empty() || users[slot].back() != i)
        users[slot].push_back(i);
      if (!hasRule)
        valuesOf[i].push_back(slot);
    });
    cost.push_back(costs.costOf(i));
  }
  Operation *end = shardings.ops().back();
  assert(end->getParentOp() == function &&
         "the function ends with its results");
  for (unsigned i = 0; i < end->getNumOperands(); ++i) {
    if (std::optional<unsigned> slot = shardings.numberOf(end->getOperand(i)))
      returned[*slot].push_back(i);
    returned[shardings.numberOfResult(i)].push_back(i);
    resultCost.push_back(costs.costOfResult(i));
  }
}

/// Returns the use of `slot` by an op, or null.
static const SpmdUse *useOf(const SpmdUses &uses, unsigned slot) {
  for (const SpmdUse &use : uses.tensors)
    if (use.slot == slot)
      return &use;
  return nullptr;
}

/// Returns what the other tensors of the ops that use a value have it be, alone
/// and together with what it is.
SmallVector<AxisSharding> LocalSearch::candidates(unsigned slot) const {
  const SpmdSlot &own = shardings.state()[slot];
  SmallVector<AxisSharding> found;
  auto add = [&](AxisSharding sharding) {
    sharding.unreduced = own.sharding.unreduced;
    if (sharding != own.sharding && !llvm::is_contained(found, sharding) &&
        shardings.allows(slot, sharding))
      found.push_back(std::move(sharding));
  };
  for (unsigned user : users[slot]) {
    const SpmdUses &uses = shardings.uses()[user];
    if (!uses.rule || uses.rule->gathers) {
      for (unsigned other : valuesOf.find(user)->second) {
        const SpmdSlot &tensor = shardings.state()[other];
        if (tensor.type == own.type)
          add(tensor.sharding.reduced());
      }
      continue;
    }
    const SpmdUse *use = useOf(uses, slot);
    if (!use)
      continue;
    const SpmdRule &rule = *uses.rule;
    FactorAxes now = factorAxes(rule, *use->dims, own.sharding, mesh);
    for (unsigned i = 0; i < uses.operandCount; ++i) {
      const SpmdUse &other = uses.tensors[i];
      FactorAxes moved = displacedAxes(
          rule, *other.dims, shardings.state()[other.slot].sharding, mesh,
          /*moveHalos=*/false);
      if (!moved.empty())
        add(shardingOf(*use->dims, moved));
    }
    for (const SpmdUse &other : uses.tensors) {
      if (other.slot == slot || other.isFree)
        continue;
      FactorAxes said = factorAxes(
          rule, *other.dims, shardings.state()[other.slot].sharding, mesh);
      if (said == now)
        continue;
      FactorAxes axes(rule.factors.size());
      mergeAxes(axes, said);
      add(shardingOf(*use->dims, axes));
      mergeAxes(axes, now);
      add(shardingOf(*use->dims, axes));
      axes = now;
      mergeAxes(axes, said);
      add(shardingOf(*use->dims, axes));
    }
  }
  add(own.annotated.reduced());
  return found;
}

/// Returns the move of a value and of all that ops which only move or compute
/// single elements tie to it.
LocalSearch::Move LocalSearch::follow(unsigned slot,
                                      const AxisSharding &sharding) {
  Move move = {{slot, sharding}};
  ++moves;
  takenBy[slot] = moves;
  for (size_t i = 0; i < move.size(); ++i) {
    auto [from, wanted] = move[i]; // a copy, because the list grows
    int64_t elements = shardings.state()[from].type.getNumElements();
    auto isOpen = [&](unsigned to) {
      const SpmdSlot &own = shardings.state()[to];
      return own.type && own.type.getNumElements() == elements &&
             takenBy[to] != moves;
    };
    auto take = [&](unsigned to, AxisSharding implied) {
      const SpmdSlot &own = shardings.state()[to];
      implied.unreduced = own.sharding.unreduced;
      if (implied == own.sharding || !shardings.allows(to, implied))
        return;
      takenBy[to] = moves;
      move.push_back({to, std::move(implied)});
    };
    for (unsigned user : users[from]) {
      const SpmdUses &uses = shardings.uses()[user];
      const SpmdUse *use = useOf(uses, from);
      if (!use || !uses.rule->simple || uses.rule->gathers ||
          llvm::none_of(uses.tensors, [&](const SpmdUse &other) {
            return isOpen(other.slot);
          }))
        continue;
      FactorAxes axes = factorAxes(*uses.rule, *use->dims, wanted, mesh);
      for (const SpmdUse &other : uses.tensors)
        if (isOpen(other.slot))
          take(other.slot, shardingOf(*other.dims, axes));
    }
    for (unsigned result : returned[from])
      if (unsigned to = shardings.numberOfResult(result); isOpen(to))
        take(to, wanted);
  }
  return move;
}

/// Makes the move if that saves anything.
bool LocalSearch::improve(const Move &move) {
  SmallVector<std::tuple<unsigned, AxisSharding, int>> back;
  llvm::SetVector<unsigned> touched, results;
  double saved = 0;
  for (const auto &[slot, sharding] : move) {
    const SpmdSlot &old = shardings.state()[slot];
    back.push_back({slot, old.sharding, old.decidedBy});
    saved += costs.hintCostOf(slot);
    shardings.assign(slot, sharding);
    saved -= costs.hintCostOf(slot);
    touched.insert(users[slot].begin(), users[slot].end());
    results.insert(returned[slot].begin(), returned[slot].end());
  }
  budget -= int64_t(touched.size());
  SmallVector<double> now, nowOfResults;
  double before = 0;
  auto costOf = [&](unsigned op) {
    if (op + 1 < cost.size())
      return costs.costOf(op);
    double sum = cost[op];
    for (unsigned result : results) {
      nowOfResults.push_back(costs.costOfResult(result));
      sum += nowOfResults.back() - resultCost[result];
    }
    return sum;
  };
  for (unsigned op : touched) {
    now.push_back(costOf(op));
    saved += cost[op] - now.back();
    before += cost[op];
  }
  if (saved > before * 1e-9) {
    for (auto [op, one] : llvm::zip_equal(touched, now))
      cost[op] = one;
    for (auto [result, one] : llvm::zip_equal(results, nowOfResults))
      resultCost[result] = one;
    return true;
  }
  for (const auto &[slot, sharding, decidedBy] : back)
    shardings.assign(slot, sharding, decidedBy);
  return false;
}

bool LocalSearch::improve(unsigned slot) {
  bool changed = false;
  for (const AxisSharding &candidate : candidates(slot)) {
    if (budget <= 0)
      return changed;
    if (llvm::is_contained(rejected[slot], candidate))
      continue;
    Move move = follow(slot, candidate);
    if (improve(move)) {
      rejected.clear();
      changed = true;
      continue;
    }
    for (const auto &[other, sharding] : move)
      rejected[other].push_back(sharding);
    if (move.size() > 1 && improve({{slot, candidate}})) {
      rejected.clear();
      changed = true;
    }
  }
  return changed;
}

void LocalSearch::run() {
  bool changed = true;
  while (changed && budget > 0) {
    changed = false;
    for (unsigned slot = 0; slot < users.size(); ++slot)
      if (shardings.state()[slot].type)
        changed |= improve(slot);
  }
}

//===- Orders of propagation ----------------------------------------------===//

/// Returns the values that a step of training hands to the next: arguments and
/// results of equal types.
static llvm::DenseSet<unsigned> stateOf(func::FuncOp function,
                                        const SpmdPropagation &shardings) {
  llvm::DenseSet<unsigned> state;
  FunctionType type = function.getFunctionType();
  for (BlockArgument argument : function.getArguments()) {
    auto tensor = shardableType(argument);
    auto slot = shardings.numberOf(argument);
    bool isAliased = function.getArgAttr(argument.getArgNumber(),
                                         names::kAliasingOutput) != nullptr;
    if (slot && tensor.getRank() > 0 &&
        (isAliased || llvm::is_contained(type.getResults(), tensor)))
      state.insert(*slot);
  }
  for (unsigned i = 0; i < type.getNumResults(); ++i)
    if (llvm::any_of(state, [&](unsigned slot) {
          return shardings.state()[slot].type == type.getResult(i);
        }))
      state.insert(shardings.numberOfResult(i));
  return state;
}

/// Propagates as if arguments and results with `isHidden` had no sharding and
/// could get none.
static LogicalResult propagateWithout(SpmdPropagation &shardings,
                                      function_ref<bool(unsigned)> isHidden) {
  std::vector<SpmdSlot> start = shardings.state(), hidden = start;
  for (auto [i, slot] : llvm::enumerate(hidden))
    if (slot.type && slot.isBoundary && isHidden(i)) {
      slot.sharding = AxisSharding(slot.type.getRank());
      slot.closed.assign(slot.type.getRank(), true);
    }
  shardings.restore(std::move(hidden));
  if (failed(shardings.propagateOnce(/*expands=*/true)))
    return failure();
  std::vector<SpmdSlot> state = shardings.state();
  for (auto [i, slot] : llvm::enumerate(state))
    if (slot.isBoundary && isHidden(i))
      slot = start[i];
  shardings.restore(std::move(state));
  return success();
}

/// Takes the annotated axes of hints away. Returns whether there are any.
static bool hideHints(SpmdPropagation &shardings) {
  std::vector<SpmdSlot> state = shardings.state();
  bool hasHints = false;
  for (SpmdSlot &slot : state)
    for (auto [closed, axes] : llvm::zip(slot.closed, slot.sharding.dims))
      if (slot.isHint && !closed && !axes.empty()) {
        axes.clear();
        slot.decidedBy = SpmdSlot::kCost;
        hasHints = true;
      }
  shardings.restore(std::move(state));
  return hasHints;
}

LogicalResult searchShardings(func::FuncOp function, const DeviceMesh &mesh,
                              SpmdPropagation &shardings) {
  shardings.markSummands();
  const std::vector<SpmdSlot> annotated = shardings.state();
  if (failed(shardings.propagateRounds()))
    return failure();
  // The embedder may count on being asked once, in the order of the program.
  if (shardings.infersCalls())
    return shardings.propagate();
  llvm::DenseSet<unsigned> state = stateOf(function, shardings);
  auto isState = [&](unsigned slot) { return state.contains(slot); };
  SpmdProgramCost costs(function, mesh, shardings);
  const std::vector<SpmdSlot> start = shardings.state();
  std::vector<SpmdSlot> best;
  double least = 0;
  for (unsigned order = 0; order < 5; ++order) {
    shardings.restore(order == 4 ? annotated : start);
    if (order == 4 && !hideHints(shardings))
      break;
    LogicalResult result = success();
    if (order == 1)
      result = shardings.propagateOnce(/*expands=*/false);
    else if (order == 2)
      result = propagateWithout(shardings, isState);
    else if (order == 3)
      result = propagateWithout(shardings,
                                [&](unsigned slot) { return !isState(slot); });
    else if (order == 4)
      result = shardings.propagateRounds();
    if (failed(result) || failed(shardings.propagate()))
      return failure();
    double total = costs.total();
    if (best.empty() || total < least) {
      least = total;
      best = shardings.state();
    }
  }
  shardings.restore(std::move(best));
  LocalSearch(function, mesh, shardings, costs).run();
  return success();
}

//===- Reports ------------------------------------------------------------===//

static std::string whoDecided(const SpmdPropagation &shardings,
                              const SpmdSlot &slot) {
  switch (slot.decidedBy) {
  case SpmdSlot::kNothing:
    return "nothing";
  case SpmdSlot::kAnnotation:
    return "annotation";
  case SpmdSlot::kCost:
    return "cost";
  default:
    break;
  }
  Operation *op = shardings.ops()[slot.decidedBy];
  std::string text = op->getName().getStringRef().str();
  llvm::raw_string_ostream(text) << " at " << op->getLoc();
  return text;
}

void explainShardings(func::FuncOp function, const DeviceMesh &mesh,
                      const SpmdPropagation &shardings,
                      function_ref<void(OpSharding)> use) {
  SpmdProgramCost costs(function, mesh, shardings);
  for (BlockArgument argument : function.getArguments())
    if (auto slot = shardings.numberOf(argument)) {
      OpSharding one;
      llvm::raw_string_ostream(one.op) << "argument " << argument.getArgNumber()
                                       << ' ' << argument.getType();
      llvm::raw_string_ostream(one.location) << argument.getLoc();
      one.sharding = mesh.toSharding(shardings.of(argument)).str();
      one.decided_by = whoDecided(shardings, shardings.state()[*slot]);
      use(std::move(one));
    }
  for (auto [i, op] : llvm::enumerate(shardings.ops())) {
    OpSharding one;
    one.bytes = costs.priceOf(i).received;
    std::optional<unsigned> slot = op->getNumResults() > 0
                                       ? shardings.numberOf(op->getResult(0))
                                       : std::nullopt;
    bool isFree = slot && isFreeToMake(op->getResult(0));
    if (isFree || (!slot && one.bytes == 0))
      continue;
    llvm::raw_string_ostream stream(one.op);
    stream << op->getName();
    llvm::raw_string_ostream(one.location) << op->getLoc();
    if (slot) {
      stream << ' ' << op->getResult(0).getType();
      one.sharding = mesh.toSharding(shardings.of(op->getResult(0))).str();
      one.decided_by = whoDecided(shardings, shardings.state()[*slot]);
    }
    use(std::move(one));
  }
}

} // namespace xlac::transforms
