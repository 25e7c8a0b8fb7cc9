#include "xlac/Dialect/Check/CheckDialect.h"

#include "mlir/IR/Builders.h"

#include "xlac/Dialect/Check/CheckDialect.cpp.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Check/CheckOps.cpp.inc"

void mlir::check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Check/CheckOps.cpp.inc"
      >();
}
