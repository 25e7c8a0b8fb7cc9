#include "WidenBody.h"

#include "mlir/IR/IRMapping.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

/// Returns true for ops that are the identity on scalars.
static bool isScalarIdentity(mlir::Operation *op) {
  return llvm::isa<hlo::ReshapeOp, hlo::BroadcastInDimOp, hlo::TransposeOp,
                   hlo::OptimizationBarrierOp>(op) &&
         llvm::equal(op->getOperandTypes(), op->getResultTypes());
}

bool canWiden(mlir::Operation *op) {
  if (op->hasTrait<mlir::OpTrait::ConstantLike>() || isScalarIdentity(op))
    return true;
  auto rankOf = [](Value value) {
    return llvm::cast<mlir::ShapedType>(value.getType()).getRank();
  };
  bool keepsRank = llvm::isa<hlo::BitcastConvertOp>(op) &&
                   rankOf(op->getOperand(0)) == rankOf(op->getResult(0));
  return op->getNumRegions() == 0 &&
         (keepsRank || op->hasTrait<hlo::Elementwise>() ||
          llvm::isa<hlo::SelectOp, hlo::ClampOp>(op)) &&
         llvm::all_of(op->getResultTypes(), isStaticTensor);
}

llvm::SmallVector<Value> widenBody(StablehloBuilder &b, mlir::Block &body,
                                   mlir::ValueRange arguments,
                                   llvm::ArrayRef<int64_t> shape) {
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  auto widened = [&](Value scalar) {
    if (mapping.contains(scalar))
      return mapping.lookup(scalar);
    Value inside = scalar;
    mlir::Operation *source = scalar.getDefiningOp();
    if (source && source->hasTrait<mlir::OpTrait::ConstantLike>())
      inside = b.builder.clone(*source)->getResult(0);
    mapping.map(scalar, b.broadcastInDim(inside, shape, {}));
    return mapping.lookup(scalar);
  };
  for (mlir::Operation &inner : body.without_terminator()) {
    if (inner.hasTrait<mlir::OpTrait::ConstantLike>())
      continue; // cloned at its uses
    llvm::SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(widened(operand));
    if (isScalarIdentity(&inner)) {
      mapping.map(inner.getResults(), operands);
      continue;
    }
    llvm::SmallVector<mlir::Type> types;
    for (mlir::Type type : inner.getResultTypes())
      types.push_back(llvm::cast<RankedTensorType>(type).clone(shape));
    llvm::SmallVector<mlir::NamedAttribute> attributes(
        inner.getAttrDictionary().getValue());
    mlir::Operation *wide =
        b.op(inner.getName().getStringRef(), types, operands, attributes);
    mapping.map(inner.getResults(), wide->getResults());
  }
  llvm::SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(widened(value));
  return results;
}

} // namespace xlac::transforms
