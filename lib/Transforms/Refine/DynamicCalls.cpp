#include "DynamicCalls.h"

#include "Expand/CustomCalls.h"
#include "Simplify/SimplifyPatterns.h"
#include "StablehloBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace xlac::transforms {

static constexpr llvm::StringLiteral kReduceWindow =
    "stablehlo.dynamic_reduce_window";
static constexpr llvm::StringLiteral kRngBitGenerator =
    "stablehlo.dynamic_rng_bit_generator";

std::optional<SmallVector<int64_t>> sizesOf(Value value) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(constantOf(value));
  if (!elements || elements.getNumElements() > kMostSizeElements)
    return std::nullopt;
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  SmallVector<int64_t> numbers;
  for (const APInt &number : elements.getValues<APInt>())
    numbers.push_back(isUnsigned || number.getBitWidth() == 1
                          ? static_cast<int64_t>(number.getZExtValue())
                          : number.getSExtValue());
  return numbers;
}

bool isDynamicCall(stablehlo::CustomCallOp call) {
  StringRef target = call.getCallTargetName();
  return target == kReduceWindow || target == kRngBitGenerator;
}

/// Replaces `call` by the op of `state`, which has the call's results.
static FailureOr<Operation *> replace(stablehlo::CustomCallOp call,
                                      const OperationState &state) {
  OpBuilder builder(call);
  Operation *op = builder.create(state);
  if (failed(op->getName().verifyInvariants(op)) ||
      failed(op->getName().verifyRegionInvariants(op)))
    return failure();
  call->replaceAllUsesWith(op);
  call->erase();
  return op;
}

/// The operands are the inputs, as many initial values, and the window's sizes,
/// strides, base dilations, dilations and padding.
static FailureOr<Operation *> writeReduceWindow(stablehlo::CustomCallOp call) {
  constexpr unsigned kShapeOperands = 5;
  unsigned count = call->getNumResults();
  func::FuncOp computation = computationOf(call);
  if (!computation || computation.isExternal() ||
      !llvm::hasSingleElement(computation.getBody()) || count == 0 ||
      call->getNumOperands() != 2 * count + kShapeOperands)
    return call.emitOpError(
        "takes inputs, as many initial values, five vectors "
        "of sizes and a computation");
  if (!computation.getOps<func::CallOp>().empty())
    return call.emitOpError("has a computation that calls functions, which is "
                            "not supported");
  SmallVector<SmallVector<int64_t>> sizes;
  for (Value operand : call->getOperands().drop_front(2 * count)) {
    std::optional<SmallVector<int64_t>> numbers = sizesOf(operand);
    if (!numbers)
      return static_cast<Operation *>(nullptr);
    sizes.push_back(std::move(*numbers));
  }
  Builder builder(call.getContext());
  OperationState state(call.getLoc(), "stablehlo.reduce_window",
                       call->getOperands().take_front(2 * count),
                       call->getResultTypes());
  constexpr llvm::StringLiteral kNames[] = {"window_dimensions",
                                            "window_strides", "base_dilations",
                                            "window_dilations"};
  for (auto [name, numbers] : llvm::zip(kNames, sizes))
    state.addAttribute(name, builder.getDenseI64ArrayAttr(numbers));
  auto padding = StablehloBuilder::typeOf(call->getOperands().back());
  state.addAttribute("padding", DenseIntElementsAttr::get(
                                    RankedTensorType::get(padding.getShape(),
                                                          builder.getI64Type()),
                                    ArrayRef<int64_t>(sizes.back())));
  cloneComputation(computation, *state.addRegion());
  return replace(call, state);
}

/// The operands are the state and the shape of the numbers.
static FailureOr<Operation *>
writeRngBitGenerator(stablehlo::CustomCallOp call) {
  auto algorithm =
      call->getAttrOfType<stablehlo::RngAlgorithmAttr>("rng_algorithm");
  auto type = call->getNumResults() == 2
                  ? dyn_cast<RankedTensorType>(call->getResult(1).getType())
                  : RankedTensorType();
  if (!algorithm || !type || call->getNumOperands() != 2)
    return call.emitOpError("takes a state, a shape and an rng_algorithm, and "
                            "gives a state and numbers");
  std::optional<SmallVector<int64_t>> sizes = sizesOf(call->getOperand(1));
  if (!sizes)
    return static_cast<Operation *>(nullptr);
  if (static_cast<int64_t>(sizes->size()) != type.getRank() ||
      llvm::any_of(*sizes, [](int64_t size) { return size < 0; }))
    return call.emitOpError("has no shape of its result ") << type;
  OperationState state(call.getLoc(), "stablehlo.rng_bit_generator",
                       call->getOperands().take_front(),
                       {call->getResult(0).getType(),
                        RankedTensorType::get(*sizes, type.getElementType())});
  state.addAttribute("rng_algorithm", algorithm);
  return replace(call, state);
}

FailureOr<Operation *> writeDynamicCall(stablehlo::CustomCallOp call) {
  return call.getCallTargetName() == kReduceWindow ? writeReduceWindow(call)
                                                   : writeRngBitGenerator(call);
}

} // namespace xlac::transforms
