// The pass that computes values again instead of keeping them (Griewank and
// Walther, "Algorithm 799: revolve", TOMS 2000, for the idea; Kumar et al.,
// "Efficient Rematerialization for Deep Networks", NeurIPS 2019, for greedy
// choices by memory and time). While the program needs more memory than the
// limit, the pass takes the place with the most bytes in use, and frees the
// value that saves most bytes there for the time of the kernels that compute it
// again before its next use.
#include "xlac/Transforms/Passes.h"

#include "BufferPlanner.h"
#include "Collectives/CollectiveKinds.h"
#include "Collectives/GatheredWeights.h"

#include "xlac/support/program_names.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

#include <algorithm>

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_REMATERIALIZE
#include "xlac/Transforms/Passes.h.inc"

namespace {
/// Rates for comparing the times of kernels and collectives. Only their ratios
/// matter.
constexpr double kFlopsPerSecond = 50e9, kBytesPerSecond = 10e9,
                 kSentBytesPerSecond = 4e9, kSecondsOfLaunch = 1e-6,
                 kSecondsOfCollective = 10e-6;
/// Most kernels that compute one value again.
constexpr size_t kMostCopies = 8;

class Rematerialization {
public:
  explicit Rematerialization(func::FuncOp function)
      : function(function), donated(donationsOf(function)),
        block(function.getBody().front()),
        kernels(function->getParentOfType<ModuleOp>()) {
    measure();
    roundsLeft = 2 * ops.size();
  }

  /// Returns the most bytes that values take at a time.
  int64_t bytes() const { return live[peak]; }

  /// Computes values again until they take at most `target` bytes at a time.
  /// Returns false if no more can be freed.
  bool run(int64_t target);

private:
  /// When a root is in use, in positions of ops.
  struct Span {
    int64_t bytes = 0; ///< 0 for what is not in the arena
    unsigned first = 0;
    SmallVector<unsigned, 4> uses; ///< in order, without duplicates
    bool isCopied = true;          ///< whether its op may be copied
    unsigned last() const { return uses.empty() ? first : uses.back(); }
  };
  /// How a value is computed again before position `use`.
  struct Plan {
    Value value;
    unsigned use = 0;
    SmallVector<unsigned> copies; ///< positions
    SmallVector<Value> kept;      ///< roots that are in memory for longer
    double seconds = 0;
    int64_t freed = 0; ///< bytes at the peak
    double worth() const { return static_cast<double>(freed) / seconds; }
  };

  /// Determines the spans, and the bytes at each position.
  void measure();
  void measureUses(Operation *op, unsigned at);
  /// Returns the kernel that `op` launches, or null.
  ir::KernelOp kernelOf(Operation *op) const;
  double secondsOf(Operation *op) const;
  /// Returns how `value` is computed again behind the peak, or nothing if that
  /// would save no memory.
  std::optional<Plan> planFor(Value value) const;
  bool computeFor(Value value, Plan &plan) const;
  bool fits(const Plan &plan) const;
  void apply(const Plan &plan);

  func::FuncOp function;
  SmallVector<Donation> donated; ///< by argument
  Block &block;
  SymbolTable kernels;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> positions;
  std::optional<ValueLiveness> liveness; ///< until the next change
  llvm::MapVector<Value, Span> spans;
  SmallVector<int64_t> live; ///< bytes at each position
  unsigned peak = 0;         ///< the position with the most
  size_t roundsLeft = 0;
};
} // namespace

ir::KernelOp Rematerialization::kernelOf(Operation *op) const {
  auto call = dyn_cast<ir::CallOp>(op);
  return call ? kernels.lookup<ir::KernelOp>(call.getKernel()) : nullptr;
}

//===- Liveness -----------------------------------------------------------===//

/// Returns true if `op` may run again: it has no effects but its results.
static bool isCopyable(Operation *op) {
  if (isa<ir::CallOp>(op))
    return true;
  auto collective = dyn_cast<ir::TensorCollectiveOp>(op);
  return collective && isCollective(collective.getWhat().getKind());
}

double Rematerialization::secondsOf(Operation *op) const {
  if (ir::KernelOp kernel = kernelOf(op)) {
    ir::ScheduleAttr schedule = kernel.getSchedule();
    return static_cast<double>(schedule.getFlops()) / kFlopsPerSecond +
           static_cast<double>(schedule.getBytes()) / kBytesPerSecond +
           kSecondsOfLaunch;
  }
  return kSecondsOfCollective +
         static_cast<double>(bytesOfValues(op->getResults())) /
             kSentBytesPerSecond;
}

void Rematerialization::measureUses(Operation *op, unsigned at) {
  auto readAt = [&](Value operand, bool mayBeCopied) {
    auto span = spans.find(liveness->root(operand));
    if (span == spans.end())
      return;
    SmallVector<unsigned, 4> &uses = span->second.uses;
    if (uses.empty() || uses.back() != at)
      uses.push_back(at);
    span->second.isCopied &= mayBeCopied;
  };
  if (isa<stablehlo::ReshapeOp>(op))
    return;
  if (auto await = dyn_cast<ir::AwaitOp>(op)) {
    // The operands of a collective stay until it is done.
    for (Value operand : await.getRead())
      readAt(operand, false);
    return;
  }
  bool mayBeCopied = op->getNumRegions() == 0 && !isBufferAlias(op) &&
                     op != block.getTerminator();
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      readAt(operand, mayBeCopied);
  });
}

void Rematerialization::measure() {
  liveness.emplace(function);
  ops.clear();
  positions.clear();
  spans.clear();
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  for (Value argument : block.getArguments())
    spans[argument].isCopied = false;
  for (auto [at, op] : llvm::enumerate(ops))
    for (Value result : op->getResults()) {
      if (liveness->root(result) != result || isa<stablehlo::ConstantOp>(op))
        continue;
      Span &span = spans[result];
      span.first = at;
      span.bytes = bufferSize(result.getType()).value_or(0);
      span.isCopied = isCopyable(op);
    }
  for (auto [at, op] : llvm::enumerate(ops))
    measureUses(op, at);
  for (Value result : block.getTerminator()->getOperands())
    if (auto span = spans.find(liveness->root(result)); span != spans.end())
      span->second.bytes = 0;
  SmallVector<int64_t> change(ops.size() + 1, 0);
  for (auto &[root, span] : spans) {
    change[span.first] += span.bytes;
    change[span.last() + 1] -= span.bytes;
  }
  live.assign(ops.size(), 0);
  int64_t bytes = 0;
  for (auto [at, op] : llvm::enumerate(ops)) {
    bytes += change[at];
    live[at] = bytes;
    if (ir::KernelOp kernel = kernelOf(op))
      live[at] += kernel.getSchedule().getWorkspace();
  }
  peak = std::max_element(live.begin(), live.end()) - live.begin();
}

//===- Choices ------------------------------------------------------------===//

/// Adds to the plan what computes `value`: its op, and for each operand that is
/// not in memory by then, the operand's op or a longer life of the operand.
bool Rematerialization::computeFor(Value value, Plan &plan) const {
  Operation *op = value.getDefiningOp();
  unsigned at = positions.lookup(op);
  if (llvm::is_contained(plan.copies, at))
    return true;
  if (plan.copies.size() == kMostCopies)
    return false;
  plan.copies.push_back(at);
  plan.seconds += secondsOf(op);
  for (Value operand : op->getOperands()) {
    Value root = liveness->root(operand);
    auto span = spans.find(root);
    if (span == spans.end() || span->second.last() >= plan.use)
      continue; // a constant, or in memory
    if (auto argument = dyn_cast<BlockArgument>(root)) {
      // A result may take the memory of a donated argument after its last use.
      if (donated[argument.getArgNumber()].isPossible())
        return false;
      continue;
    }
    if (llvm::is_contained(plan.kept, root))
      continue;
    // Memory for an operand is worth it if it is small beside the value.
    if (span->second.bytes > spans.lookup(plan.value).bytes / 4 &&
        span->second.isCopied) {
      Plan longer = plan;
      if (computeFor(root, longer)) {
        plan = std::move(longer);
        continue;
      }
    }
    plan.kept.push_back(root);
    if (span->second.last() < peak)
      plan.freed -= span->second.bytes;
  }
  return plan.freed > 0;
}

/// Returns true if no position needs more memory than the peak does now.
bool Rematerialization::fits(const Plan &plan) const {
  const Span &span = spans.find(plan.value)->second;
  unsigned last = span.first;
  for (unsigned use : span.uses)
    if (use < plan.use)
      last = use;
  int64_t copied = 0;
  for (unsigned copy : plan.copies)
    for (Value result : ops[copy]->getResults())
      copied += spans.lookup(result).bytes;
  unsigned from = plan.use;
  for (Value root : plan.kept)
    from = std::min(from, spans.find(root)->second.last() + 1);
  for (unsigned at = from; at <= plan.use; ++at) {
    int64_t bytes = live[at];
    if (last < at && at < plan.use)
      bytes -= span.bytes;
    for (Value root : plan.kept)
      if (const Span &kept = spans.find(root)->second; kept.last() < at)
        bytes += kept.bytes;
    if (at == plan.use)
      bytes += copied - span.bytes;
    if (at == peak ? bytes >= live[peak] : bytes > live[peak])
      return false;
  }
  return true;
}

std::optional<Rematerialization::Plan>
Rematerialization::planFor(Value value) const {
  const Span &span = spans.find(value)->second;
  if (!span.isCopied || span.bytes == 0 || span.first >= peak ||
      span.last() <= peak || llvm::is_contained(span.uses, peak))
    return std::nullopt;
  Plan plan;
  plan.value = value;
  plan.use = *llvm::upper_bound(span.uses, peak);
  plan.freed = span.bytes;
  if (!computeFor(value, plan) || !fits(plan))
    return std::nullopt;
  return plan;
}

//===- Changes ------------------------------------------------------------===//

void Rematerialization::apply(const Plan &plan) {
  Operation *before = ops[plan.use];
  OpBuilder builder(before);
  IRMapping again;
  // Copies the aliases between a copied value and its reader. A copied
  // collective is not started, so that nothing awaits it.
  auto copyOf = [&](auto &&self, Value value) -> Value {
    Operation *alias = value.getDefiningOp();
    if (again.contains(value) ||
        !isa_and_present<stablehlo::ReshapeOp, ir::AwaitOp>(alias))
      return again.lookupOrDefault(value);
    Value source = alias->getOperand(cast<OpResult>(value).getResultNumber());
    Value operand = self(self, source);
    if (operand != source && isa<ir::AwaitOp>(alias))
      again.map(value, operand);
    else if (operand != source)
      builder.clone(*alias, again);
    return again.lookupOrDefault(value);
  };
  SmallVector<unsigned> order = plan.copies;
  llvm::sort(order);
  for (unsigned at : order) {
    for (Value operand : ops[at]->getOperands())
      copyOf(copyOf, operand);
    Operation *copy = builder.clone(*ops[at], again);
    if (auto collective = dyn_cast<ir::TensorCollectiveOp>(copy))
      collective.setStarted(false);
  }
  SmallVector<Value> aliases = {plan.value};
  for (size_t i = 0; i < aliases.size(); ++i) {
    for (OpOperand &use : llvm::make_early_inc_range(aliases[i].getUses())) {
      Operation *user = block.findAncestorOpInBlock(*use.getOwner());
      auto at = positions.find(user);
      if (at == positions.end())
        continue; // a copy
      if (at->second >= plan.use)
        use.set(copyOf(copyOf, aliases[i]));
      else if (isa<stablehlo::ReshapeOp, ir::AwaitOp>(user))
        aliases.push_back(user->getResult(use.getOperandNumber()));
    }
  }
}

bool Rematerialization::run(int64_t target) {
  // Copies can be copied again, so their number is limited.
  for (; bytes() > target && roundsLeft > 0; --roundsLeft) {
    std::optional<Plan> best;
    for (auto &[value, span] : spans)
      if (std::optional<Plan> plan = planFor(value))
        if (!best || plan->worth() > best->worth())
          best = std::move(plan);
    if (!best)
      return false;
    apply(*best);
    measure();
  }
  return bytes() <= target;
}

namespace {
class Rematerialize : public impl::RematerializeBase<Rematerialize> {
public:
  using Base::Base;

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          !function->hasAttr(names::kPrologueAttribute))
        if (failed(rematerialize(function)))
          return signalPassFailure();
  }

private:
  LogicalResult rematerialize(func::FuncOp function);
};
} // namespace

/// Returns the bytes of the arguments, the arena, and the results that do not
/// take the memory of arguments, if `function` stays as it is.
static FailureOr<int64_t> plannedBytes(func::FuncOp function) {
  OpBuilder builder(function);
  auto copy = cast<func::FuncOp>(builder.clone(*function));
  FailureOr<ir::ProgramOp> program = BufferPlanner(copy, 0).run("xlac_plan");
  copy.erase();
  if (failed(program))
    return failure();
  int64_t bytes = program->getArenaBytes();
  ArrayRef<int64_t> aliases = program->getAliases(); // result, argument, …
  for (size_t pair = 0; pair < aliases.size(); pair += 2)
    bytes -= bufferSize(function.getResultTypes()[aliases[pair]]).value_or(0);
  program->erase();
  for (ArrayRef<Type> types :
       {function.getArgumentTypes(), function.getResultTypes()})
    for (Type type : types)
      bytes += bufferSize(type).value_or(0);
  return bytes;
}

LogicalResult Rematerialize::rematerialize(func::FuncOp function) {
  FailureOr<int64_t> bytes = plannedBytes(function);
  if (failed(bytes) || *bytes <= limit)
    return bytes;
  Rematerialization work(function);
  // The arena takes less than the values, since it holds some in the memory of
  // others, and in that of results. So their bytes fall in small steps.
  for (bool more = true; more && succeeded(bytes) && *bytes > limit;) {
    more = work.run(work.bytes() - std::max<int64_t>(work.bytes() / 32, 1));
    bytes = plannedBytes(function);
  }
  return bytes;
}

} // namespace xlac::transforms
