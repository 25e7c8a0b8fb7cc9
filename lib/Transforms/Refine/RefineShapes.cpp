// One walk over the function in program order: operands are refined before the
// ops that use them. Integer arithmetic on small constants is folded on the
// way, since sizes come out of it.
#include "RefineShapes.h"

#include "DynamicCalls.h"
#include "Expand/CustomCalls.h"
#include "Simplify/SimplifyPatterns.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/support/program_names.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace xlac::transforms {

FailureOr<SmallVector<SizedArgument>> readSizes(func::FuncOp function,
                                                ArrayRef<std::string> texts) {
  SmallVector<SizedArgument> all;
  for (const std::string &text : texts) {
    auto [number, shape] = StringRef(text).split(':');
    SizedArgument &argument = all.emplace_back();
    SmallVector<StringRef> words;
    shape.split(words, 'x', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    bool isBad = number.getAsInteger(10, argument.first);
    for (StringRef word : words)
      isBad |= word.getAsInteger(10, argument.second.emplace_back());
    if (isBad)
      return function.emitOpError("the option 'sizes' has the entry '")
             << text << "', where number:2x3 is expected";
  }
  return all;
}

bool hasDynamicShapes(func::FuncOp function) {
  auto isDynamic = [](mlir::Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::any_of(function.getArgumentTypes(), isDynamic))
    return true;
  return function
      .walk([&](Operation *op) {
        auto call = dyn_cast<stablehlo::CustomCallOp>(op);
        return (call && isDynamicCall(call)) ||
                       llvm::any_of(op->getResultTypes(), isDynamic)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// `type` with the sizes of `other` where its own are unknown. Returns `type`
/// itself unless both are ranked tensors of one rank.
static mlir::Type mergedType(mlir::Type type, mlir::Type other) {
  auto first = dyn_cast<RankedTensorType>(type);
  auto second = dyn_cast<RankedTensorType>(other);
  if (!first || !second || first.getRank() != second.getRank() ||
      first.hasStaticShape())
    return type;
  SmallVector<int64_t> sizes;
  for (auto [a, b] : llvm::zip_equal(first.getShape(), second.getShape()))
    sizes.push_back(ShapedType::isDynamic(a) ? b : a);
  // Bounds of sizes that are known now have no meaning any more.
  Attribute encoding = llvm::is_contained(sizes, ShapedType::kDynamic)
                           ? first.getEncoding()
                           : Attribute();
  return RankedTensorType::get(sizes, first.getElementType(), encoding);
}

namespace {

class Refiner {
public:
  explicit Refiner(MLIRContext *context) : rewriter(context) {
    RewritePatternSet all(context);
    populateMovementPatterns(all);
    populateIdentityPatterns(all);
    populateFoldPatterns(all);
    patterns = std::move(all);
  }

  LogicalResult refineBlock(Block &block);

private:
  LogicalResult refine(Operation *op);
  LogicalResult refineLoop(stablehlo::WhileOp loop);
  LogicalResult refineBranches(Operation *op);
  LogicalResult refineCall(stablehlo::CustomCallOp call);
  LogicalResult checkAssertion(stablehlo::CustomCallOp call);
  LogicalResult inferResults(Operation *op);
  bool writeStaticSlice(Operation *op);
  bool foldConcatenation(Operation *op);
  void fold(Operation *op);

  IRRewriter rewriter;
  FrozenRewritePatternSet patterns;
};

} // namespace

LogicalResult Refiner::refineBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(refine(&op)))
      return mlir::failure();
  return success();
}

LogicalResult Refiner::refine(Operation *op) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return refineCall(call);
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
    return refineLoop(loop);
  if (isa<stablehlo::CaseOp, stablehlo::IfOp>(op))
    return refineBranches(op);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (writeStaticSlice(op))
    return success();
  if (failed(inferResults(op)))
    return mlir::failure();
  fold(op);
  return success();
}

/// The result types of `op` by its shape rule, or by its operand for
/// annotations of other dialects.
LogicalResult Refiner::inferResults(Operation *op) {
  if (llvm::all_of(op->getResultTypes(), isStaticTensor))
    return success();
  if (!opKind(op->getName())) {
    // An annotation: the result has the type of the operand.
    if (op->getNumOperands() == 1 && op->getNumResults() == 1)
      op->getResult(0).setType(
          mergedType(op->getResult(0).getType(), op->getOperand(0).getType()));
    return success();
  }
  FailureOr<SmallVector<mlir::Type>> types = refinedResultTypes(op);
  if (failed(types))
    return mlir::failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), *types))
    result.setType(mergedType(result.getType(), type));
  return success();
}

/// A loop carries values of one shape through all of its iterations.
LogicalResult Refiner::refineLoop(stablehlo::WhileOp loop) {
  for (Region &region : loop->getRegions()) {
    Block &block = region.front();
    for (auto [argument, operand] :
         llvm::zip_equal(block.getArguments(), loop->getOperands()))
      argument.setType(mergedType(argument.getType(), operand.getType()));
    if (failed(refineBlock(block)))
      return mlir::failure();
  }
  Operation *end = loop->getRegion(1).front().getTerminator();
  for (auto [number, operand, next] :
       llvm::enumerate(loop->getOperands(), end->getOperands())) {
    if (operand.getType() != next.getType())
      return loop.emitOpError("carries value ")
             << number << " of type " << operand.getType()
             << ", which an iteration turns into " << next.getType()
             << "; values of a loop cannot change their shape";
    loop->getResult(number).setType(operand.getType());
  }
  return success();
}

/// Results of a `case` or `if`. If the predicate is known, only the branch that
/// is taken counts: others may not fit these sizes.
LogicalResult Refiner::refineBranches(Operation *op) {
  if (Region *branch = takenBranch(op)) {
    if (failed(refineBlock(branch->front())))
      return mlir::failure();
    inlineBranch(op, *branch, rewriter);
    return success();
  }
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    Block &block = region.front();
    if (failed(refineBlock(block)))
      return mlir::failure();
    for (auto [result, value] : llvm::zip_equal(
             op->getResults(), block.getTerminator()->getOperands())) {
      mlir::Type merged = mergedType(result.getType(), value.getType());
      if (merged != value.getType())
        return op->emitOpError("has branches of different shapes: ")
               << merged << " and, in branch " << number << ", "
               << value.getType();
      result.setType(merged);
    }
  }
  return success();
}

/// A custom call may name, for each result, the operand that holds its shape.
LogicalResult Refiner::refineCall(stablehlo::CustomCallOp call) {
  if (call.getCallTargetName() == names::kShapeAssertion)
    return checkAssertion(call);
  if (isDynamicCall(call)) {
    FailureOr<Operation *> op = writeDynamicCall(call);
    if (failed(op))
      return mlir::failure();
    return *op ? refine(*op) : success();
  }
  auto shapes =
      call->getAttrOfType<DenseIntElementsAttr>(names::kIndicesOfShapeOperands);
  if (!shapes) {
    FailureOr<Operation *> op = writeAsOp(call);
    if (failed(op))
      return mlir::failure();
    if (*op)
      return refine(*op);
    if (returnsOperands(call))
      for (auto [result, operand] :
           llvm::zip_equal(call->getResults(), call->getOperands()))
        result.setType(mergedType(result.getType(), operand.getType()));
    return success();
  }
  if (shapes.getNumElements() != call->getNumResults())
    return call.emitOpError("has ")
           << shapes.getNumElements() << " indices of shape operands for "
           << call->getNumResults() << " results";
  for (auto [result, index] :
       llvm::zip_equal(call->getResults(), shapes.getValues<APInt>())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    int64_t number = index.getSExtValue();
    if (!type || number < 0 || number >= call->getNumOperands())
      return call.emitOpError("has no operand ")
             << number << " that could hold the shape of a result";
    std::optional<SmallVector<int64_t>> sizes =
        sizesOf(call->getOperand(number));
    if (!sizes)
      continue;
    if (static_cast<int64_t>(sizes->size()) != type.getRank() ||
        llvm::any_of(*sizes, [](int64_t size) { return size < 0; }))
      return call.emitOpError("has no shape of a result of type ")
             << type << " in operand " << number;
    result.setType(
        mergedType(type, RankedTensorType::get(*sizes, type.getElementType())));
  }
  return success();
}

/// `text` with the numbers of `values` in place of "{0}", "{1}" and so on.
static std::string filledIn(StringRef text, ArrayRef<int64_t> values) {
  std::string filled;
  while (!text.empty()) {
    size_t open = text.find('{');
    filled += text.substr(0, open);
    if (open == StringRef::npos)
      break;
    text = text.substr(open);
    StringRef rest = text.drop_front();
    unsigned number = 0;
    if (!rest.consumeInteger(10, number) && rest.consume_front("}") &&
        number < values.size()) {
      filled += std::to_string(values[number]);
      text = rest;
    } else {
      filled += '{';
      text = text.drop_front();
    }
  }
  return filled;
}

/// The first operand must be true. The others are numbers for the message.
LogicalResult Refiner::checkAssertion(stablehlo::CustomCallOp call) {
  if (call->getNumOperands() == 0 || call->getNumResults() != 0)
    return call.emitOpError("is a shape assertion and takes a condition, "
                            "perhaps numbers, and has no results");
  std::optional<SmallVector<int64_t>> holds = sizesOf(call->getOperand(0));
  if (!holds || holds->size() != 1)
    return call.emitOpError("asserts what is known only when the program runs");
  if (holds->front() != 0) {
    call.erase();
    return success();
  }
  SmallVector<int64_t> numbers;
  for (Value operand : call->getOperands().drop_front()) {
    std::optional<SmallVector<int64_t>> value = sizesOf(operand);
    numbers.push_back(value && value->size() == 1 ? value->front() : 0);
  }
  auto text = call->getAttrOfType<StringAttr>("error_message");
  return emitError(call.getLoc())
         << (text ? filledIn(text.getValue(), numbers)
                  : std::string("a shape assertion of the program fails"));
}

/// The constant addend of a sum of `start` and a constant.
static std::optional<SmallVector<int64_t>> lengthBehind(Value start,
                                                        Value limit) {
  auto sum = limit.getDefiningOp<stablehlo::AddOp>();
  if (!sum)
    return std::nullopt;
  if (sum->getOperand(0) == start)
    return sizesOf(sum->getOperand(1));
  if (sum->getOperand(1) == start)
    return sizesOf(sum->getOperand(0));
  return std::nullopt;
}

/// A slice of constant length whose start is known at run time is a
/// dynamic_slice. Its producers clamp the start, so that both ops agree.
bool Refiner::writeStaticSlice(Operation *op) {
  auto slice = dyn_cast<stablehlo::RealDynamicSliceOp>(op);
  if (!slice || !isStaticTensor(slice->getOperand(0).getType()))
    return false;
  Value start = slice->getOperand(1);
  auto strides = sizesOf(slice->getOperand(3));
  auto lengths = lengthBehind(start, slice->getOperand(2));
  if (sizesOf(start) || !lengths || !strides ||
      llvm::any_of(*strides, [](int64_t stride) { return stride != 1; }))
    return false;
  auto type = StablehloBuilder::typeOf(slice->getOperand(0));
  for (auto [length, size] : llvm::zip_equal(*lengths, type.getShape()))
    if (length < 0 || length > size)
      return false;
  rewriter.setInsertionPoint(slice);
  StablehloBuilder b(rewriter, slice.getLoc());
  SmallVector<Value> operands = {slice->getOperand(0)};
  for (int64_t d = 0; d < type.getRank(); ++d)
    operands.push_back(b.element(start, d));
  rewriter.replaceOp(
      slice,
      b.value("stablehlo.dynamic_slice",
              RankedTensorType::get(*lengths, type.getElementType()), operands,
              {rewriter.getNamedAttr(
                  "slice_sizes", rewriter.getDenseI64ArrayAttr(*lengths))}));
  return true;
}

/// Joins constants along their major dimension, which is how programs build the
/// shape operand of an op. Simplification leaves it to kernels.
bool Refiner::foldConcatenation(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto concatenate = dyn_cast<stablehlo::ConcatenateOp>(op);
  if (!concatenate || !type || concatenate.getDimension() != 0)
    return false;
  SmallVector<APInt> numbers;
  for (Value operand : op->getOperands()) {
    auto elements = dyn_cast<DenseIntElementsAttr>(constantOf(operand));
    if (!elements)
      return false;
    llvm::append_range(numbers, elements.getValues<APInt>());
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(
      op, DenseElementsAttr::get(type, numbers));
  return true;
}

/// Computes `op` if it is arithmetic on constants that may be sizes.
void Refiner::fold(Operation *op) {
  if (auto size = dyn_cast<stablehlo::GetDimensionSizeOp>(op)) {
    auto type = StablehloBuilder::typeOf(size->getOperand(0));
    int64_t length = type.getDimSize(size.getDimension());
    if (ShapedType::isDynamic(length))
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(
        op, DenseElementsAttr::get(StablehloBuilder::typeOf(size->getResult(0)),
                                   APInt(32, static_cast<uint64_t>(length),
                                         /*isSigned=*/true,
                                         /*implicitTrunc=*/true)));
    return;
  }
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      op->getNumRegions() != 0)
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrIndex() ||
      type.getNumElements() > kMostSizeElements ||
      !llvm::all_of(op->getOperands(),
                    [](Value operand) { return bool(constantOf(operand)); }))
    return;
  if (foldConcatenation(op))
    return;
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  (void)applyOpPatternsGreedily({op}, patterns, config);
}

/// `type` with the sizes that an argument of the program has.
static FailureOr<mlir::Type> sizedType(func::FuncOp function,
                                       const SizedArgument &argument) {
  const auto &[number, sizes] = argument;
  auto fail = [&](const Twine &why) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleave(sizes, stream, "x");
    return function.emitOpError("argument ")
           << number << " is " << function.getArgument(number).getType()
           << ", but got the sizes " << text << why;
  };
  auto type =
      dyn_cast<RankedTensorType>(function.getArgument(number).getType());
  if (!type || type.getRank() != static_cast<int64_t>(sizes.size()))
    return fail("");
  auto bounds =
      dyn_cast_or_null<stablehlo::TypeExtensionsAttr>(type.getEncoding());
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size < 0)
      return fail(": size " + Twine(size) + " is negative");
    if (!type.isDynamicDim(d) && type.getDimSize(d) != size)
      return fail(": dimension " + Twine(d) + " must have size " +
                  Twine(type.getDimSize(d)));
    if (bounds && type.isDynamicDim(d) && d < bounds.getBounds().size() &&
        !ShapedType::isDynamic(bounds.getBounds()[d]) &&
        size > bounds.getBounds()[d])
      return fail(": dimension " + Twine(d) + " has at most " +
                  Twine(bounds.getBounds()[d]) + " elements");
  }
  return mlir::Type(RankedTensorType::get(sizes, type.getElementType()));
}

static LogicalResult setArgumentTypes(func::FuncOp function,
                                      ArrayRef<SizedArgument> sizes) {
  for (const SizedArgument &argument : sizes) {
    if (argument.first >= function.getNumArguments())
      return function.emitOpError("has no argument ")
             << argument.first << ", of which sizes are given";
    FailureOr<mlir::Type> type = sizedType(function, argument);
    if (failed(type))
      return mlir::failure();
    if (!isStaticTensor(function.getArgument(argument.first).getType()))
      function.getArgument(argument.first).setType(*type);
  }
  for (BlockArgument argument : function.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType());
        type && !type.hasStaticShape())
      return function.emitOpError("argument ")
             << argument.getArgNumber() << " is " << type
             << "; its sizes must be given";
  return success();
}

static LogicalResult checkIsStatic(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && !tensor.hasStaticShape())
        return WalkResult(
            op->emitOpError("has a result of type ")
            << tensor
            << ", whose size depends on values that are known only "
               "when the program runs; this is not supported");
    return WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}

LogicalResult refineShapes(func::FuncOp function,
                           ArrayRef<SizedArgument> sizes) {
  assert(llvm::hasSingleElement(function.getBody()) && "calls are inlined");
  if (failed(setArgumentTypes(function, sizes)))
    return mlir::failure();
  Block &body = function.getBody().front();
  if (failed(Refiner(function.getContext()).refineBlock(body)) ||
      failed(checkIsStatic(function)))
    return mlir::failure();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  // An op whose results had known sizes may not fit the sizes of its operands.
  return verify(function);
}

} // namespace xlac::transforms
