#include "ReducerBody.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

/// Returns the identity of `op` on floats, or nothing.
static std::optional<double> floatIdentity(mlir::Operation *op) {
  if (isa<AddOp>(op))
    return -0.0; // adding it preserves -0.0
  if (isa<MulOp>(op))
    return 1.0;
  if (isa<MaxOp>(op))
    return -std::numeric_limits<double>::infinity();
  if (isa<MinOp>(op))
    return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

static APInt integerIdentity(mlir::Operation *op, unsigned width,
                             bool isUnsigned) {
  bool ones = isa<AndOp>(op) || (width == 1 && isa<MulOp>(op));
  if (ones)
    return APInt::getAllOnes(width);
  if (isa<MulOp>(op))
    return APInt(width, 1);
  if (isa<MaxOp>(op))
    return isUnsigned ? APInt::getMinValue(width)
                      : APInt::getSignedMinValue(width);
  if (isa<MinOp>(op))
    return isUnsigned ? APInt::getMaxValue(width)
                      : APInt::getSignedMaxValue(width);
  return APInt::getZero(width);
}

Element reducerIdentity(ElementEmitter &emitter, mlir::Region &body,
                        unsigned number) {
  mlir::Value result = body.front().getTerminator()->getOperand(number);
  mlir::Operation *op = result.getDefiningOp();
  mlir::Type type = mlir::getElementTypeOrSelf(result.getType());
  mlir::Type part = type;
  if (auto complex = dyn_cast<mlir::ComplexType>(type))
    part = complex.getElementType();
  mlir::Builder builder(type.getContext());
  if (auto floating = dyn_cast<mlir::FloatType>(part)) {
    std::optional<double> value = floatIdentity(op);
    auto real = mlir::FloatAttr::get(floating, value.value_or(0));
    if (part == type)
      return emitter.constant(type, real);
    auto imag = mlir::FloatAttr::get(floating, isa<AddOp>(op) ? -0.0 : 0.0);
    return emitter.constant(type, builder.getArrayAttr({real, imag}));
  }
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  return emitter.constant(
      type,
      mlir::IntegerAttr::get(
          type, integerIdentity(op, type.getIntOrFloatBitWidth(), isUnsigned)));
}

} // namespace xlac::codegen
