// Converts quantized tensors to tensors of their storage type. Ops on them are
// computed in the expressed type, like dequantize_op_quantize of the
// specification.
#include "ExpandPatterns.h"
#include "StablehloBuilder.h"

#include "xlac/ops/op.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;
namespace quant = mlir::quant;

static quant::QuantizedType quantizedElement(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::TensorType>(type);
  return tensor ? llvm::dyn_cast<quant::QuantizedType>(tensor.getElementType())
                : nullptr;
}

static bool isQuantized(mlir::Type type) {
  return bool(quantizedElement(type));
}

static mlir::Type storageElement(quant::QuantizedType type) {
  return mlir::IntegerType::get(type.getContext(),
                                type.getStorageTypeIntegralWidth(),
                                type.isSigned() ? mlir::IntegerType::Signless
                                                : mlir::IntegerType::Unsigned);
}

static mlir::Type storageType(mlir::Type type) {
  quant::QuantizedType element = quantizedElement(type);
  if (!element)
    return type;
  return llvm::cast<mlir::TensorType>(type).clone(storageElement(element));
}

static mlir::Type expressedType(mlir::Type type) {
  quant::QuantizedType element = quantizedElement(type);
  if (!element)
    return type;
  return llvm::cast<mlir::TensorType>(type).clone(element.getExpressedType());
}

namespace {
/// Scale and zero point of each element, as tensors.
struct Parameters {
  Value scales;         ///< in the expressed type
  Value zeroPoints;     ///< in the expressed type, rounded
  Value wideZeroPoints; ///< i32
};
} // namespace

/// The values are null for non-uniform quantization.
static Parameters parametersOf(StablehloBuilder &b, mlir::Type type) {
  quant::QuantizedType element = quantizedElement(type);
  auto tensor = llvm::cast<RankedTensorType>(type);
  RankedTensorType floats = tensor.clone(element.getExpressedType());
  RankedTensorType integers = tensor.clone(b.builder.getI32Type());
  if (auto uniform = llvm::dyn_cast<quant::UniformQuantizedType>(element))
    return {b.splat(floats, uniform.getScale()),
            b.splat(floats, double(uniform.getZeroPoint())),
            b.splat(integers, double(uniform.getZeroPoint()))};
  auto perAxis = llvm::dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!perAxis)
    return {};
  int64_t axis = perAxis.getQuantizedDimension();
  auto broadcastNumbers = [&](llvm::function_ref<double(size_t)> number,
                              RankedTensorType result) {
    llvm::SmallVector<Value> entries;
    for (size_t i = 0; i < perAxis.getScales().size(); ++i)
      entries.push_back(b.splat(
          RankedTensorType::get({1}, result.getElementType()), number(i)));
    return b.broadcastInDim(b.concatenate(entries, 0), result.getShape(),
                            {axis});
  };
  auto scale = [&](size_t i) { return perAxis.getScales()[i]; };
  auto zero = [&](size_t i) { return double(perAxis.getZeroPoints()[i]); };
  return {broadcastNumbers(scale, floats), broadcastNumbers(zero, floats),
          broadcastNumbers(zero, integers)};
}

static Value reinterpret(StablehloBuilder &b, Value value, mlir::Type type) {
  return b.value("stablehlo.bitcast_convert", type, {value});
}

static Value dequantize(StablehloBuilder &b, Value value) {
  Parameters parameters = parametersOf(b, value.getType());
  Value storage = reinterpret(b, value, storageType(value.getType()));
  // In i32, in which the difference cannot wrap.
  Value difference = b.subtract(b.convert(storage, b.builder.getI32Type()),
                                parameters.wideZeroPoints);
  quant::QuantizedType element = quantizedElement(value.getType());
  return b.multiply(b.convert(difference, element.getExpressedType()),
                    parameters.scales);
}

static Value quantize(StablehloBuilder &b, Value value, mlir::Type type) {
  Parameters parameters = parametersOf(b, type);
  quant::QuantizedType element = quantizedElement(type);
  Value expressed = b.convert(value, element.getExpressedType());
  RankedTensorType floats = StablehloBuilder::typeOf(expressed);
  Value shifted =
      b.add(b.divide(expressed, parameters.scales), parameters.zeroPoints);
  Value clamped =
      b.value("stablehlo.clamp", floats,
              {b.splat(floats, double(element.getStorageTypeMin())), shifted,
               b.splat(floats, double(element.getStorageTypeMax()))});
  Value rounded = b.value("stablehlo.round_nearest_even", floats, {clamped});
  return reinterpret(b, b.convert(rounded, storageElement(element)), type);
}

static bool hasQuantized(mlir::Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isQuantized) ||
      llvm::any_of(op->getResultTypes(), isQuantized))
    return true;
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isQuantized))
        return true;
  return false;
}

/// Reducing collectives read values only in their computations, whose ops are
/// expanded themselves.
static bool isCollective(mlir::Operation *op) {
  std::optional<ops::OpKind> kind = ops::find_op(op->getName().getStringRef());
  return kind && ops::facts(*kind).op_class == ops::OpClass::Collective;
}

/// Returns true for ops that only pass values on.
static bool onlyPasses(mlir::Operation *op) {
  return isCollective(op) || op->hasTrait<mlir::OpTrait::IsTerminator>() ||
         op->hasTrait<mlir::OpTrait::ConstantLike>() ||
         op->getName().getDialectNamespace() == "func" ||
         llvm::isa<hlo::WhileOp, hlo::IfOp, hlo::CaseOp, hlo::TupleOp,
                   hlo::GetTupleElementOp, hlo::OptimizationBarrierOp,
                   hlo::BitcastConvertOp>(op);
}

static mlir::LogicalResult canExpand(mlir::Operation *op) {
  auto uniform = [](mlir::Type type) {
    quant::QuantizedType element = quantizedElement(type);
    return !element || (llvm::isa<RankedTensorType>(type) &&
                        llvm::cast<RankedTensorType>(type).hasStaticShape() &&
                        llvm::isa<quant::UniformQuantizedType,
                                  quant::UniformQuantizedPerAxisType>(element));
  };
  if (!onlyPasses(op) && op->getNumRegions() != 0)
    return op->emitOpError("is not supported on quantized tensors");
  if (!llvm::all_of(op->getOperandTypes(), uniform) ||
      !llvm::all_of(op->getResultTypes(), uniform))
    return op->emitOpError("needs uniform quantization and static shapes");
  return mlir::success();
}

/// Creates the op on expressed types, with conversions around it.
static void expandOp(mlir::Operation *op) {
  mlir::OpBuilder builder(op);
  StablehloBuilder b(builder, op->getLoc());
  llvm::SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isQuantized(operand.getType()) ? dequantize(b, operand)
                                                      : operand);
  llvm::SmallVector<Value> results;
  if (llvm::isa<hlo::UniformQuantizeOp, hlo::UniformDequantizeOp>(op)) {
    results = operands;
  } else {
    llvm::SmallVector<mlir::Type> types;
    for (mlir::Type type : op->getResultTypes())
      types.push_back(expressedType(type));
    llvm::SmallVector<mlir::NamedAttribute> attributes(
        op->getAttrDictionary().getValue());
    mlir::Operation *wide =
        b.op(op->getName().getStringRef(), types, operands, attributes);
    results.assign(wide->result_begin(), wide->result_end());
  }
  for (auto [old, value] : llvm::zip_equal(op->getResults(), results))
    old.replaceAllUsesWith(
        isQuantized(old.getType()) ? quantize(b, value, old.getType()) : value);
  op->erase();
}

/// Processes that receive nothing get quantized zeros, so record the storage
/// value of zero.
static void addFill(mlir::Operation *op) {
  if (!llvm::isa<hlo::CollectivePermuteOp, hlo::CollectiveBroadcastOp,
                 hlo::CollectiveReduceOp>(op))
    return;
  llvm::SmallVector<int64_t> bits;
  for (mlir::Type type : op->getResultTypes()) {
    auto uniform = llvm::dyn_cast_or_null<quant::UniformQuantizedType>(
        quantizedElement(type));
    bits.push_back(uniform ? std::clamp(uniform.getZeroPoint(),
                                        uniform.getStorageTypeMin(),
                                        uniform.getStorageTypeMax())
                           : 0);
  }
  op->setAttr("xlac.fill",
              mlir::DenseI64ArrayAttr::get(op->getContext(), bits));
}

/// Changes the type of every quantized value to its storage type.
static void retype(mlir::ModuleOp module) {
  module.walk([](mlir::Operation *op) {
    for (Value result : op->getResults())
      result.setType(storageType(result.getType()));
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (Value argument : block.getArguments())
          argument.setType(storageType(argument.getType()));
    if (auto constant = op->getAttrOfType<mlir::DenseElementsAttr>("value"))
      if (op->getNumResults() == 1 &&
          op->getResult(0).getType() != constant.getType() &&
          isStaticTensor(op->getResult(0).getType()) &&
          !isQuantized(constant.getType()))
        op->setAttr("value", mlir::DenseElementsAttr::getFromRawBuffer(
                                 llvm::cast<mlir::ShapedType>(
                                     op->getResult(0).getType()),
                                 constant.getRawData()));
    if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op)) {
      auto converted = [](mlir::TypeRange types) {
        llvm::SmallVector<mlir::Type> storage;
        for (mlir::Type type : types)
          storage.push_back(storageType(type));
        return storage;
      };
      mlir::FunctionType type = function.getFunctionType();
      function.setFunctionType(
          mlir::FunctionType::get(op->getContext(), converted(type.getInputs()),
                                  converted(type.getResults())));
    }
  });
  module.walk([](hlo::BitcastConvertOp op) {
    if (op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

mlir::LogicalResult expandQuantized(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> quantized;
  module.walk([&](mlir::Operation *op) {
    if (hasQuantized(op))
      quantized.push_back(op);
  });
  if (quantized.empty())
    return mlir::success();
  for (mlir::Operation *op : quantized)
    if (mlir::failed(canExpand(op)))
      return mlir::failure();
  for (mlir::Operation *op : quantized)
    onlyPasses(op) ? addFill(op) : expandOp(op);
  retype(module);
  return mlir::success();
}

} // namespace xlac::transforms
