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

LogicalResult KernelOp::verify() {
  if (getSchedule().getTasks().size() != getSchedule().getGrain().size())
    return emitOpError("has a schedule with ")
           << getSchedule().getTasks().size() << " task counts but "
           << getSchedule().getGrain().size() << " grains";
  return success();
}
