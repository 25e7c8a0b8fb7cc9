#include "xlac/Dialect/Stablehlo/OpCost.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/ops/elementwise.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace xlac {

int64_t costPerElement(mlir::Operation *op) {
  std::optional<ops::OpKind> kind = opKind(op->getName());
  if (!kind || op->getNumOperands() == 0)
    return 1;
  mlir::Type type = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
  // All types of a class have the same cost.
  ElementType element = ElementType::I32;
  if (llvm::isa<mlir::ComplexType>(type))
    element = ElementType::Complex64;
  else if (llvm::isa<mlir::FloatType>(type))
    element = ElementType::F32;
  return ops::cost_of(*kind, element);
}

} // namespace xlac
