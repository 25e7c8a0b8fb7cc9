#include "xlac/Dialect/Check/CheckDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#include "xlac/Dialect/Check/InterpreterDialect.cpp.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Check/InterpreterOps.cpp.inc"

void xlac::interpreter::InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Check/InterpreterOps.cpp.inc"
      >();
}
