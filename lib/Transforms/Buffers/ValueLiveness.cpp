#include "ValueLiveness.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

using namespace mlir;

namespace xlac::transforms {

bool isBufferAlias(Operation *op) {
  return isa<stablehlo::ReshapeOp, stablehlo::OptimizationBarrierOp,
             ir::AwaitOp>(op);
}

ValueLiveness::ValueLiveness(func::FuncOp function) {
  unsigned number = 0;
  function.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { order[op] = number++; });
  // Inner loops first, so that the outer loop sees an invariant carry of the
  // inner one.
  function.walk([&](Operation *op) {
    if (isBufferAlias(op)) {
      for (auto [result, operand] :
           llvm::zip_first(op->getResults(), op->getOperands())) {
        assert(result != operand && "an alias has an operand before it");
        sameAs[result] = operand;
      }
      return;
    }
    auto loop = dyn_cast<stablehlo::WhileOp>(op);
    if (!loop)
      return;
    Block &condition = loop.getCond().front();
    Block &body = loop.getBody().front();
    SmallVector<bool> &flags = invariant[op];
    for (unsigned i = 0, e = loop->getNumOperands(); i < e; ++i) {
      bool same =
          root(body.getTerminator()->getOperand(i)) == body.getArgument(i);
      flags.push_back(same);
      if (!same)
        continue;
      sameAs[condition.getArgument(i)] = loop->getOperand(i);
      sameAs[body.getArgument(i)] = loop->getOperand(i);
      sameAs[loop->getResult(i)] = loop->getOperand(i);
    }
  });
  for (BlockArgument argument : function.getArguments())
    collectUses(argument);
  function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      collectUses(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          collectUses(argument);
  });
}

void ValueLiveness::collectUses(Value value) {
  Value source = root(value);
  Block *home = source.getParentBlock();
  unsigned &last = lastUse[source];
  SmallVector<Operation *, 4> &users = readers[source];
  for (Operation *user : value.getUsers()) {
    users.push_back(user);
    if (Operation *ancestor = home->findAncestorOpInBlock(*user))
      last = std::max(last, order.lookup(ancestor));
  }
}

Value ValueLiveness::root(Value value) const {
  for (auto it = sameAs.find(value); it != sameAs.end();
       it = sameAs.find(value))
    value = it->second;
  return value;
}

bool ValueLiveness::isInvariantCarry(Operation *loop, unsigned number) const {
  auto it = invariant.find(loop);
  assert((it == invariant.end() || number < it->second.size()) &&
         "a carry's number is below their count");
  return it != invariant.end() && it->second[number];
}

bool ValueLiveness::isReadBetween(Value value, Operation *first,
                                  Operation *last) const {
  auto it = readers.find(value);
  return it != readers.end() && llvm::any_of(it->second, [&](Operation *user) {
           Operation *reader = first->getBlock()->findAncestorOpInBlock(*user);
           return reader && order.lookup(first) < order.lookup(reader) &&
                  order.lookup(reader) < order.lookup(last);
         });
}

bool ValueLiveness::isReadInside(Value value, Operation *op) const {
  auto it = readers.find(value);
  return it != readers.end() && llvm::any_of(it->second, [&](Operation *user) {
           return op->isProperAncestor(user);
         });
}

bool ValueLiveness::isDeadBefore(Value value, Operation *op,
                                 bool including) const {
  if (value.getParentBlock() != op->getBlock())
    return false;
  assert(order.contains(op) && "the function has not changed since");
  assert(root(value) == value && lastUse.contains(value) &&
         "readers are known of roots");
  unsigned last = lastUse.lookup(value), here = order.lookup(op);
  return including ? last <= here : last < here;
}

} // namespace xlac::transforms
