#include "ConvertRegion.h"

#include "xlac/Import/Import.h"

using namespace mlir;

namespace xlac {

LogicalResult checkOperands(Operation *op, const ConversionState &state) {
  for (mlir::Value operand : op->getOperands())
    if (!state.mapping.contains(operand))
      return op->emitError("an operand of ")
             << op->getName() << " is used before it is there";
  return success();
}

LogicalResult
convertRegion(Region &from, Region &to, ConversionState &state,
              llvm::function_ref<mlir::Type(mlir::Type)> convertType,
              llvm::function_ref<Operation *(Operation *)> convertOp) {
  if (from.empty())
    return success();
  Operation *parent = from.getParentOp();
  if (!from.hasOneBlock())
    return parent->emitError("a region of ")
           << parent->getName() << " has more than one block";
  if (++state.depth > kMaxNesting)
    return parent->emitError("regions nest deeper than ") << kMaxNesting;
  OpBuilder::InsertionGuard guard(state.builder);
  Block *block = state.builder.createBlock(&to);
  for (BlockArgument argument : from.getArguments()) {
    mlir::Type type = convertType(argument.getType());
    if (!type)
      return mlir::failure();
    state.mapping.map(argument, block->addArgument(type, argument.getLoc()));
  }
  for (Operation &op : from.front())
    if (!convertOp(&op))
      return mlir::failure();
  --state.depth;
  return success();
}

} // namespace xlac
