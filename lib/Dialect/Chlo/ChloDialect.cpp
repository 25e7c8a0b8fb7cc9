#include "xlac/Dialect/Chlo/ChloDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#include "xlac/Dialect/Chlo/ChloDialect.cpp.inc"

namespace xlac::chlo {

void ChloDialect::initialize() {
  registerAttributes();
  registerOperations();
  registerBytecode();
}

void ChloDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Chlo/ChloOps.cpp.inc"
      >();
}

Operation *ChloDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            mlir::Type type,
                                            Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type || !stablehlo::isTensor(type))
    return nullptr;
  return stablehlo::ConstantOp::create(builder, location, type, elements);
}

} // namespace xlac::chlo
