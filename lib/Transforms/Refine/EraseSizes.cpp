// The pass that replaces sizes of a static program by unknown ones. Shape
// refinement for the original sizes must give an equal program, so random
// programs test it.
#include "xlac/Transforms/Passes.h"

#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <random>

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_ERASESIZES
#include "xlac/Transforms/Passes.h.inc"

namespace {

class SizeEraser {
public:
  SizeEraser(func::FuncOp function, uint64_t seed)
      : function(function), random(seed) {}

  void run();

private:
  /// A dimension of an argument whose size is unknown.
  struct Source {
    int64_t size;
    Value argument;
    int64_t dimension;
  };

  bool oneOf(unsigned count) { return random() % count == 0; }
  mlir::Type withoutSomeSizes(Value value);
  void eraseArguments();
  void erase(Operation *op);
  bool writeDynamic(Operation *op);
  Value sizeValue(StablehloBuilder &b, int64_t size);
  Value shapeValue(StablehloBuilder &b, ArrayRef<int64_t> shape);

  func::FuncOp function;
  std::mt19937_64 random;
  SmallVector<Source> sources;
};

struct EraseSizes : impl::EraseSizesBase<EraseSizes> {
  using EraseSizesBase::EraseSizesBase;
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (main && llvm::hasSingleElement(main.getBody()))
      SizeEraser(main, seed).run();
  }
};

} // namespace

/// Returns the type of `value` with unknown sizes, each in one of two cases. A
/// call and a loop state the types of what they take, so that those stay.
mlir::Type SizeEraser::withoutSomeSizes(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor || tensor.getEncoding() ||
      llvm::any_of(value.getUsers(), [](Operation *user) {
        return isa<func::CallOp, stablehlo::CompositeOp, stablehlo::WhileOp>(
            user);
      }))
    return value.getType();
  SmallVector<int64_t> sizes(tensor.getShape());
  for (int64_t &size : sizes)
    if (oneOf(2))
      size = ShapedType::kDynamic;
  return RankedTensorType::get(sizes, tensor.getElementType());
}

void SizeEraser::eraseArguments() {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    argument.setType(withoutSomeSizes(argument));
    auto erased = cast<RankedTensorType>(argument.getType());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (erased.isDynamicDim(d))
        sources.push_back({type.getDimSize(d), argument, d});
  }
}

/// Returns an i32 scalar that has the value `size`, computed from an unknown
/// size if there is one.
Value SizeEraser::sizeValue(StablehloBuilder &b, int64_t size) {
  auto scalar = RankedTensorType::get({}, b.builder.getI32Type());
  auto constant = [&](int64_t number) {
    return b.splat(scalar, static_cast<double>(number));
  };
  if (sources.empty() || oneOf(4))
    return constant(size);
  const Source &source = sources[random() % sources.size()];
  Value known =
      b.value("stablehlo.get_dimension_size", scalar, source.argument,
              b.builder.getNamedAttr(
                  "dimension", b.builder.getI64IntegerAttr(source.dimension)));
  if (source.size > 0 && size % source.size == 0)
    return b.multiply(known, constant(size / source.size));
  if (size > 0 && source.size > 0 && source.size % size == 0)
    return b.divide(known, constant(source.size / size));
  return b.add(known, constant(size - source.size));
}

/// Returns the operand that gives an op its result shape.
Value SizeEraser::shapeValue(StablehloBuilder &b, ArrayRef<int64_t> shape) {
  SmallVector<Value> sizes;
  for (int64_t size : shape)
    sizes.push_back(b.reshape(sizeValue(b, size), {1}));
  return sizes.size() == 1 ? sizes.front() : b.concatenate(sizes, 0);
}

/// Replaces an op that states its shape in its type by the op that takes the
/// shape as an operand.
bool SizeEraser::writeDynamic(Operation *op) {
  StringRef dynamic = isa<stablehlo::BroadcastInDimOp>(op)
                          ? "stablehlo.dynamic_broadcast_in_dim"
                      : isa<stablehlo::ReshapeOp>(op)
                          ? "stablehlo.dynamic_reshape"
                      : isa<stablehlo::IotaOp>(op) ? "stablehlo.dynamic_iota"
                                                   : StringRef();
  if (dynamic.empty())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || type.getRank() == 0 || type.getEncoding())
    return true;
  OpBuilder builder(op);
  StablehloBuilder b(builder, op->getLoc());
  SmallVector<Value> operands(op->getOperands());
  operands.push_back(shapeValue(b, type.getShape()));
  Operation *replacement = b.op(dynamic, withoutSomeSizes(op->getResult(0)),
                                operands, llvm::to_vector(op->getAttrs()));
  op->replaceAllUsesWith(replacement);
  op->erase();
  return true;
}

/// True if the results have the sizes that the operands determine, or that
/// writeDynamic() makes operands. An op that takes sizes as operands may take
/// sizes that are unknown before the program runs.
static bool hasInferredSizes(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !opKind(op->getName()))
    return false;
  // Without global ids a group includes all partitions, whose number no op has.
  if (isa<stablehlo::AllGatherOp, stablehlo::ReduceScatterOp>(op) &&
      op->hasAttr("channel_handle") && !op->hasAttr("use_global_device_ids"))
    return false;
  return !isa<func::CallOp, stablehlo::CaseOp, stablehlo::CompositeOp,
              stablehlo::ConstantOp, stablehlo::CustomCallOp,
              stablehlo::DynamicBroadcastInDimOp, stablehlo::DynamicConvOp,
              stablehlo::DynamicGatherOp, stablehlo::DynamicIotaOp,
              stablehlo::DynamicPadOp, stablehlo::DynamicReshapeOp,
              stablehlo::IfOp, stablehlo::RealDynamicSliceOp,
              stablehlo::RngBitGeneratorOp, stablehlo::RngOp,
              stablehlo::SetDimensionSizeOp, stablehlo::WhileOp>(op);
}

/// Erases result sizes that follow from the operands.
void SizeEraser::erase(Operation *op) {
  if (!hasInferredSizes(op) || writeDynamic(op))
    return;
  for (Value result : op->getResults())
    result.setType(withoutSomeSizes(result));
}

void SizeEraser::run() {
  eraseArguments();
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body))
    erase(&op);
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}

} // namespace xlac::transforms
