#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

#include "xlac/Dialect/Stablehlo/StablehloDialect.cpp.inc"

namespace xlac::stablehlo {

void StablehloDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  registerBytecode();
}

void StablehloDialect::registerOperations() {
  registerStablehloDialectOperations(this);
}

//===- Types --------------------------------------------------------------===//

bool isElementType(mlir::Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.isSigned())
      return false;
    switch (integer.getWidth()) {
    case 1:
      return integer.isSignless();
    case 2:
    case 4:
    case 8:
    case 16:
    case 32:
    case 64:
      return true;
    default:
      return false;
    }
  }
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          type))
    return true;
  auto real = dyn_cast<FloatType>(type);
  return real && real.getWidth() <= 64 && !isa<FloatTF32Type>(type);
}

bool isTensor(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && (isElementType(tensor.getElementType()) ||
                    tensor.getElementType().isIndex());
}

bool isDimensionTensor(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isIntOrIndex();
}

bool isValue(mlir::Type type) {
  return isTensor(type) || isa<TokenType, mlir::TupleType, FutureType>(type);
}

} // namespace xlac::stablehlo
