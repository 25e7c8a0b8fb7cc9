#include "OutlineKernels.h"

#include "FusionCost.h"
#include "KernelName.h"

#include <queue>

using namespace mlir;

namespace xlac::transforms {

//===- Order --------------------------------------------------------------===//

/// Returns the groups and single ops of the block with their successors. They
/// are sorted by dependence and the order of collectives, then by their
/// original position.
std::vector<KernelOutliner::Item>
KernelOutliner::order(Block &block, const FusionGroups &groups) {
  std::vector<Item> items;
  DenseMap<Operation *, unsigned> itemOf;
  for (const auto &group : groups.all()) {
    Item item;
    item.group = group.get();
    for (Operation *root : group->roots) {
      item.key = std::max(item.key, groups.position(root));
      itemOf[root] = items.size();
    }
    items.push_back(std::move(item));
  }
  for (Operation &op : block.without_terminator()) {
    FusionRole role = roleOf(&op);
    bool outside = role == FusionRole::Control ||
                   role == FusionRole::Constant ||
                   (role == FusionRole::Alias && !itemOf.contains(&op));
    if (!outside)
      continue;
    Item item;
    item.op = &op;
    item.key = groups.position(&op);
    itemOf[&op] = items.size();
    items.push_back(std::move(item));
  }
  std::optional<unsigned> lastOrdered;
  for (unsigned i = 0; i < items.size(); ++i) {
    llvm::SmallDenseSet<unsigned> before;
    if (items[i].op && isOrdered(items[i].op)) {
      if (lastOrdered)
        before.insert(*lastOrdered);
      lastOrdered = i;
    }
    auto need = [&](Operation *reader) {
      for (Value operand : valuesReadBy(reader)) {
        Operation *source = operand.getDefiningOp();
        if (!source || source->getBlock() != &block ||
            (items[i].group && items[i].group->contains(source)))
          continue;
        auto it = itemOf.find(source);
        if (it != itemOf.end() && it->second != i)
          before.insert(it->second);
      }
    };
    if (items[i].op)
      need(items[i].op);
    else
      for (auto &[member, times] : items[i].group->members)
        need(member);
    items[i].waiting = before.size();
    for (unsigned earlier : before)
      items[earlier].next.push_back(i);
  }
  return items;
}

LogicalResult KernelOutliner::outline(Block &block,
                                      const FusionGroups &groups) {
  std::vector<Item> items = order(block, groups);
  Operation *terminator = block.getTerminator();
  OpBuilder builder(terminator);
  auto later = [&](unsigned a, unsigned b) {
    return items[a].key > items[b].key;
  };
  std::priority_queue<unsigned, std::vector<unsigned>, decltype(later)> ready(
      later);
  for (unsigned i = 0; i < items.size(); ++i)
    if (items[i].waiting == 0)
      ready.push(i);
  auto redirect = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(current(operand.get()));
    });
  };
  SmallVector<Operation *> kept;
  size_t done = 0;
  while (!ready.empty()) {
    unsigned number = ready.top();
    ready.pop();
    ++done;
    Item &item = items[number];
    if (item.group) {
      emitCalls(*item.group, groups, builder);
    } else {
      redirect(item.op);
      item.op->moveBefore(terminator);
      kept.push_back(item.op);
    }
    for (unsigned next : item.next)
      if (--items[next].waiting == 0)
        ready.push(next);
  }
  assert(done == items.size() &&
         "kernels do not depend on each other in a circle");
  if (done != items.size())
    return block.getParentOp()->emitError(
        "kernels of this block depend on each other in a circle");
  redirect(terminator);
  // The remaining ops are in kernels now.
  SmallPtrSet<Operation *, 32> keep(kept.begin(), kept.end());
  SmallVector<Operation *> outlined;
  for (Operation &op : block.without_terminator())
    if (!keep.contains(&op) && !isa<ir::CallOp>(op))
      outlined.push_back(&op);
  for (Operation *op : llvm::reverse(outlined)) {
    op->dropAllUses();
    op->erase();
  }
  for (Operation *op : llvm::reverse(kept))
    if (isOpTriviallyDead(op))
      op->erase();
  // The erased results have no uses left, and new ops may reuse their
  // addresses.
  replaced.clear();
  return success();
}

//===- Calls --------------------------------------------------------------===//

/// Returns results of the group's roots that are read outside of it.
static SmallVector<Value> outputsOf(FusionGroup &group,
                                    const FusionGroups &groups) {
  SmallVector<Value> outputs;
  SmallVector<Operation *> roots(group.roots.begin(), group.roots.end());
  llvm::sort(roots, [&](Operation *a, Operation *b) {
    return groups.position(a) < groups.position(b);
  });
  for (Operation *root : roots)
    for (Value result : root->getResults()) {
      bool read = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !group.contains(user);
      });
      if (read || root->getNumResults() == 1)
        outputs.push_back(result);
    }
  return outputs;
}

/// Emits one call, or several if the results of a loop have different numbers
/// of elements.
void KernelOutliner::emitCalls(FusionGroup &group, const FusionGroups &groups,
                               OpBuilder &builder) {
  SmallVector<Value> outputs = outputsOf(group, groups);
  if (group.kind != ir::ScheduleKind::Loop) {
    // An anchor with several results returns all of them, even unused ones.
    if (group.roots.contains(group.anchor) && group.anchor->getNumResults() > 1)
      outputs.assign(group.anchor->result_begin(), group.anchor->result_end());
    emitCall(group, outputs, builder);
    return;
  }
  while (!outputs.empty()) {
    SmallVector<Value> same, rest;
    for (Value output : outputs)
      (elementsOf(output) == elementsOf(outputs.front()) ? same : rest)
          .push_back(output);
    emitCall(group, same, builder);
    outputs = std::move(rest);
  }
}

/// Returns the group's ops that `results` need, each one behind its operands.
/// The order depends on nothing else, so that equal computations become equal
/// kernels.
static SmallVector<Operation *> neededMembers(const FusionGroup &group,
                                              ArrayRef<Value> results) {
  SmallVector<Operation *> order;
  llvm::SmallDenseSet<Operation *> entered;
  struct Entry {
    Operation *op;
    SmallVector<Value> operands;
    unsigned next = 0;
  };
  SmallVector<Entry> path;
  auto enter = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !group.contains(op) || !entered.insert(op).second)
      return;
    path.push_back({op, valuesReadBy(op)});
  };
  for (Value result : results) {
    enter(result);
    while (!path.empty()) {
      Entry &entry = path.back();
      if (entry.next < entry.operands.size()) {
        enter(entry.operands[entry.next++]);
        continue;
      }
      order.push_back(entry.op);
      path.pop_back();
    }
  }
  return order;
}

/// Returns the pairs of results and operands in which the result is the updated
/// operand.
static SmallVector<int64_t> inPlacePairs(ir::KernelOp kernel) {
  SmallVector<int64_t> pairs;
  auto pair = [&](unsigned number, Value updated) {
    auto argument = dyn_cast<BlockArgument>(updated);
    if (argument && argument.hasOneUse())
      pairs.append({int64_t(number), int64_t(argument.getArgNumber())});
  };
  for (auto [i, value] : llvm::enumerate(kernel.getYield().getResults())) {
    Operation *root = value.getDefiningOp();
    if (auto update = dyn_cast_or_null<stablehlo::DynamicUpdateSliceOp>(root))
      pair(i, update.getOperand());
    else if (auto scatter = dyn_cast_or_null<stablehlo::ScatterOp>(root))
      pair(i, scatter.getInputs()[cast<OpResult>(value).getResultNumber()]);
  }
  return pairs;
}

void KernelOutliner::emitCall(FusionGroup &group, ArrayRef<Value> results,
                              OpBuilder &builder) {
  MLIRContext *context = module.getContext();
  assert(!results.empty() && "a kernel computes something");
  SmallVector<Location> locations;
  SmallVector<Type> types;
  for (Value result : results) {
    locations.push_back(result.getLoc());
    types.push_back(result.getType());
  }
  Location loc = locations.empty() ? module.getLoc() : locations.front();

  OpBuilder kernels(context);
  kernels.setInsertionPointToStart(module.getBody());
  auto kernel = ir::KernelOp::create(
      kernels, loc, "kernel",
      ir::ScheduleAttr::get(context, group.kind, {}, {}, {}, 0, 0, 0),
      kernels.getDenseI64ArrayAttr({}));
  Block &body = kernel.getBody().emplaceBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  IRMapping mapping;
  SmallVector<Value> operands;
  auto input = [&](Value value) {
    if (mapping.contains(value))
      return;
    Operation *source = value.getDefiningOp();
    if (isKernelConstant(source) && group.kind != ir::ScheduleKind::Library) {
      Operation *copy = inside.clone(*source);
      copy->setLoc(source->getLoc());
      mapping.map(value, copy->getResult(0));
      return;
    }
    operands.push_back(current(value));
    mapping.map(value, body.addArgument(value.getType(), value.getLoc()));
  };
  for (Operation *member : neededMembers(group, results)) {
    for (Value operand : valuesReadBy(member))
      if (!group.contains(operand.getDefiningOp()))
        input(operand);
    inside.clone(*member, mapping);
  }
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(mapping.lookup(result));
  ir::YieldOp::create(inside, loc, yielded);

  assert(body.getNumArguments() == operands.size() &&
         "every operand of the call is an argument of the kernel");
  kernel.setInPlace(inPlacePairs(kernel));
  kernel = intern(kernel);
  auto call = ir::CallOp::create(
      builder, loc, types, FlatSymbolRefAttr::get(kernel.getSymNameAttr()),
      operands);
  assert(kernel.getBody().getArgumentTypes() ==
             TypeRange(call->getOperandTypes()) &&
         "operands have the types of the kernel's arguments");
  for (auto [result, value] : llvm::zip_equal(results, call.getResults()))
    replaced.map(result, value);
}

/// Returns the kernel, or an equal one created before.
ir::KernelOp KernelOutliner::intern(ir::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.useLocalScope().printGenericOpForm();
  kernel->print(stream, flags);
  auto [it, fresh] = known.try_emplace(text, kernel);
  if (!fresh) {
    kernel.erase();
    return it->second;
  }
  kernel.setSymName(kernelName(kernel, count++));
  return kernel;
}

} // namespace xlac::transforms
