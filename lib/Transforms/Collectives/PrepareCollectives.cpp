// Prepares collectives for later passes: asynchronous ones become synchronous,
// and operands get the types of their computations.
#include "PrepareCollectives.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace xlac::transforms {

/// Runs the body at its start op, which the specification allows.
static SmallVector<Value> inlineStart(stablehlo::AsyncStartOp start) {
  Block &body = start.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), start->getOperands());
  OpBuilder builder(start);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

static LogicalResult inlineAsync(func::FuncOp function) {
  SmallVector<stablehlo::AsyncStartOp> starts;
  SmallVector<stablehlo::AsyncDoneOp> dones;
  function.walk([&](Operation *op) {
    if (auto start = dyn_cast<stablehlo::AsyncStartOp>(op))
      starts.push_back(start);
    else if (auto done = dyn_cast<stablehlo::AsyncDoneOp>(op))
      dones.push_back(done);
  });
  for (stablehlo::AsyncDoneOp done : dones)
    if (!done.getOperand().getDefiningOp<stablehlo::AsyncStartOp>())
      return done.emitOpError("takes a future that does not come from "
                              "stablehlo.async_start, which is not supported");
  for (stablehlo::AsyncStartOp start : starts) {
    SmallVector<Value> made = inlineStart(start);
    ValueRange results(made);
    for (Operation *user : llvm::make_early_inc_range(start->getUsers())) {
      if (!isa<stablehlo::AsyncDoneOp>(user))
        return user->emitOpError("takes a future, which only "
                                 "stablehlo.async_done may");
      if (user->getResultTypes() != results.getTypes())
        return user->emitOpError("gives other types than its async_start");
      user->replaceAllUsesWith(results);
      user->erase();
    }
    start->erase();
  }
  return success();
}

/// Converts `value` to elements of `element`, like to_destination_type of the
/// specification.
static Value toElementType(OpBuilder &builder, Value value, Type element) {
  auto from = cast<RankedTensorType>(value.getType());
  bool wasQuantized = isa<quant::QuantizedType>(from.getElementType());
  StringRef name = isa<quant::QuantizedType>(element)
                       ? "stablehlo.uniform_quantize"
                   : wasQuantized ? "stablehlo.uniform_dequantize"
                                  : "stablehlo.convert";
  OperationState state(value.getLoc(), name, value, {from.clone(element)});
  return builder.create(state)->getResult(0);
}

/// The type of a computation may be wider than that of the operands.
static void promoteOperands(Operation *op, unsigned count) {
  OpBuilder builder(op);
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() == 0)
    return;
  Type element =
      cast<ShapedType>(body.getArgument(0).getType()).getElementType();
  for (unsigned i = 0; i < count; ++i) {
    Value operand = op->getOperand(i);
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getElementType() != element)
      op->setOperand(i, toElementType(builder, operand, element));
  }
}

LogicalResult prepareCollectives(func::FuncOp function) {
  if (failed(inlineAsync(function)))
    return failure();
  function.walk([](Operation *op) {
    if (isa<stablehlo::AllReduceOp, stablehlo::ReduceScatterOp,
            stablehlo::CollectiveReduceOp>(op))
      promoteOperands(op, op->getNumResults());
  });
  return success();
}

} // namespace xlac::transforms
