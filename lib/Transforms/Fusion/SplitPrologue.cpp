// The prologue pass: moves ops that depend only on invariant arguments to a
// separate function. The entry takes its results after its other arguments.
#include "xlac/Transforms/Passes.h"

#include "Buffers/BufferPlanner.h"
#include "FindWeights.h"
#include "FusionCost.h"

#include "xlac/support/program_names.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_SPLITPROLOGUE
#include "xlac/Transforms/Passes.h.inc"

namespace {

/// Finds the ops to move, then moves them.
class PrologueSplitter {
public:
  PrologueSplitter(func::FuncOp entry, const llvm::BitVector &invariant)
      : entry(entry), block(entry.getBody().front()), invariant(invariant) {}

  LogicalResult run();

private:
  void findFixedOps();
  void chooseValues();
  bool isWorthKeeping(Operation *op) const;
  SmallVector<Operation *> opsOfPrologue() const;
  void writePrologue(ArrayRef<Operation *> ops);
  LogicalResult takeValues();

  func::FuncOp entry;
  Block &block;
  const llvm::BitVector &invariant;
  /// Ops that depend on no other argument, with the invariant arguments that
  /// they depend on (none for ops that depend only on constants).
  llvm::MapVector<Operation *, llvm::BitVector> fixed;
  /// The results of the prologue.
  llvm::SetVector<Value> values;
};

} // namespace

/// Returns false for ops whose result differs between runs or devices, and for
/// host calls, which only programs can make.
static bool isRepeatable(Operation *op) {
  return isMemoryEffectFree(op) &&
         !op->walk([](Operation *inner) {
              return isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp,
                         stablehlo::CustomCallOp>(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

void PrologueSplitter::findFixedOps() {
  for (Operation &op : block.without_terminator()) {
    if (!isRepeatable(&op))
      continue;
    llvm::BitVector sources(invariant.size());
    bool known = llvm::all_of(valuesReadBy(&op), [&](Value value) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        sources.set(argument.getArgNumber());
        return invariant.test(argument.getArgNumber());
      }
      auto found = fixed.find(value.getDefiningOp());
      if (found == fixed.end())
        return false;
      sources |= found->second;
      return true;
    });
    if (known)
      fixed[&op] = std::move(sources);
  }
}

/// Reading a kept value must cost less than recomputing it. Ops that only
/// reorder their operand, and results larger than everything they are computed
/// from, are recomputed.
bool PrologueSplitter::isWorthKeeping(Operation *op) const {
  if (roleOf(op) == FusionRole::Alias ||
      isa<stablehlo::SliceOp, stablehlo::IotaOp, stablehlo::BroadcastInDimOp>(
          op))
    return false;
  // Contractions read a transposed operand in place, or pack it as fast.
  if (isa<stablehlo::TransposeOp>(op) &&
      llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(user);
      }))
    return false;
  double bytes = 0;
  assert(fixed.contains(op) && "only fixed ops are saved");
  for (unsigned source : fixed.find(op)->second.set_bits()) {
    bytes += static_cast<double>(
        bufferSize(block.getArgument(source).getType()).value_or(0));
  }
  return resultBytes(op) <= bytes;
}

/// Iterates from the last op. The operands of ops that stay are kept, or
/// recomputed if keeping them does not pay off.
void PrologueSplitter::chooseValues() {
  auto ask = [&](Operation *op) {
    for (Value value : valuesReadBy(op)) {
      auto found = fixed.find(value.getDefiningOp());
      if (found != fixed.end() && found->second.any())
        values.insert(value);
    }
  };
  for (Operation &op : llvm::reverse(block)) {
    auto found = fixed.find(&op);
    if (found == fixed.end()) {
      ask(&op);
      continue;
    }
    auto isAsked = [&](Value result) { return values.contains(result); };
    if (!llvm::any_of(op.getResults(), isAsked) || isWorthKeeping(&op))
      continue;
    for (Value result : op.getResults())
      values.remove(result);
    ask(&op);
  }
}

/// Returns the ops that compute the values, in the entry's order.
SmallVector<Operation *> PrologueSplitter::opsOfPrologue() const {
  SmallVector<Operation *> pending;
  llvm::SmallPtrSet<Operation *, 16> needed;
  auto need = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); op && needed.insert(op).second)
      pending.push_back(op);
  };
  llvm::for_each(values, need);
  while (!pending.empty())
    llvm::for_each(valuesReadBy(pending.pop_back_val()), need);
  SmallVector<Operation *> ops;
  for (const auto &[op, sources] : fixed)
    if (needed.contains(op))
      ops.push_back(op);
  return ops;
}

void PrologueSplitter::writePrologue(ArrayRef<Operation *> ops) {
  llvm::BitVector used(invariant.size());
  for (Operation *op : ops)
    for (Value value : valuesReadBy(op))
      if (auto argument = dyn_cast<BlockArgument>(value))
        used.set(argument.getArgNumber());
  SmallVector<Type> inputs, results;
  SmallVector<int64_t> numbers(used.set_bits_begin(), used.set_bits_end());
  for (int64_t number : numbers)
    inputs.push_back(block.getArgument(number).getType());
  for (Value value : values)
    results.push_back(value.getType());

  OpBuilder builder(entry.getContext());
  auto prologue = func::FuncOp::create(
      entry.getLoc(), "prologue", builder.getFunctionType(inputs, results));
  prologue.setPrivate();
  prologue->setAttr(names::kPrologueAttribute,
                    builder.getDenseI64ArrayAttr(numbers));
  SymbolTable(entry->getParentOfType<ModuleOp>()).insert(prologue);
  builder.setInsertionPointToStart(prologue.addEntryBlock());
  IRMapping mapping;
  for (auto [number, argument] :
       llvm::zip_equal(numbers, prologue.getArguments()))
    mapping.map(block.getArgument(number), argument);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> made;
  for (Value value : values)
    made.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, entry.getLoc(), made);
}

/// Replaces the values by new arguments of the entry, and erases ops that are
/// no longer used.
LogicalResult PrologueSplitter::takeValues() {
  for (Value value : values) {
    unsigned number = entry.getNumArguments();
    if (failed(
            entry.insertArgument(number, value.getType(), {}, value.getLoc())))
      return failure();
    entry.setArgAttr(number, names::kInvariant,
                     UnitAttr::get(entry.getContext()));
    value.replaceAllUsesWith(block.getArgument(number));
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (fixed.contains(&op) && op.use_empty())
      op.erase();
  return success();
}

LogicalResult PrologueSplitter::run() {
  findFixedOps();
  chooseValues();
  if (values.empty())
    return success();
  writePrologue(opsOfPrologue());
  return takeValues();
}

namespace {
class SplitPrologue : public impl::SplitPrologueBase<SplitPrologue> {
public:
  using SplitPrologueBase::SplitPrologueBase;

private:
  void runOnOperation() override {
    if (arguments.empty() && !find)
      return;
    // The prepare pass leaves only the entry function.
    auto functions = getOperation().getOps<func::FuncOp>();
    func::FuncOp entry = *functions.begin();
    llvm::BitVector invariant(entry.getNumArguments());
    // A donated argument no longer exists after the run.
    SmallVector<Donation> donated = donationsOf(entry);
    for (unsigned number : arguments) {
      if (number >= invariant.size()) {
        entry.emitOpError("takes ") << invariant.size() << " arguments; number "
                                    << number << " cannot be invariant";
        return signalPassFailure();
      }
      if (!donated[number].isPossible())
        invariant.set(number);
    }
    for (BlockArgument argument : entry.getArguments())
      if (find && !donated[argument.getArgNumber()].isPossible() &&
          isWeight(argument))
        invariant.set(argument.getArgNumber());
    for (unsigned number : invariant.set_bits())
      entry.setArgAttr(number, names::kInvariant,
                       UnitAttr::get(entry.getContext()));
    if (failed(PrologueSplitter(entry, invariant).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace xlac::transforms
