#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace xlac::ir;

#include "xlac/Dialect/Xlac/XlacDialect.cpp.inc"
#include "xlac/Dialect/Xlac/XlacEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Xlac/XlacAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "xlac/Dialect/Xlac/XlacTypes.cpp.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Xlac/XlacOps.cpp.inc"

void XlacDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "xlac/Dialect/Xlac/XlacAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "xlac/Dialect/Xlac/XlacTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Xlac/XlacOps.cpp.inc"
      >();
}

YieldOp KernelOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

TypeRange KernelOp::getResultTypesOfBody() {
  return getYield().getResults().getTypes();
}

std::optional<unsigned> KernelOp::getInPlaceOperand(unsigned number) {
  llvm::ArrayRef<int64_t> pairs = getInPlace();
  assert(number < getYield().getNumOperands() && "a result of the kernel");
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (pairs[i] == number)
      return static_cast<unsigned>(pairs[i + 1]);
  return std::nullopt;
}

LogicalResult KernelOp::verify() {
  llvm::ArrayRef<int64_t> pairs = getInPlace();
  if (pairs.size() % 2 != 0)
    return emitOpError("has an odd number of in_place entries");
  for (size_t i = 0; i < pairs.size(); i += 2) {
    if (pairs[i] < 0 || pairs[i] >= getYield().getNumOperands() ||
        pairs[i + 1] < 0 || pairs[i + 1] >= getBody().getNumArguments())
      return emitOpError("pairs result ")
             << pairs[i] << " with operand " << pairs[i + 1]
             << ", which it does not have";
    if (getYield().getOperand(pairs[i]).getType() !=
        getBody().getArgument(pairs[i + 1]).getType())
      return emitOpError("pairs result ") << pairs[i] << " with operand "
                                          << pairs[i + 1] << " of another type";
  }
  if (getSchedule().getTasks().size() != getSchedule().getGrain().size())
    return emitOpError("has a schedule with ")
           << getSchedule().getTasks().size() << " task counts but "
           << getSchedule().getGrain().size() << " grains";
  return success();
}

TensorCollectiveOp AwaitOp::getCollective() {
  if (getPending().empty())
    return nullptr;
  auto collective = getPending().front().getDefiningOp<TensorCollectiveOp>();
  return collective && collective.getStarted() ? collective : nullptr;
}

LogicalResult AwaitOp::verify() {
  TensorCollectiveOp collective = getCollective();
  if (!collective || getPending() != collective.getResults() ||
      getRead() != collective.getOperands())
    return emitOpError("does not wait for all of one started collective");
  if (getPending().getTypes() != getResultTypes())
    return emitOpError("changes the types of the values that it waits for");
  return success();
}
