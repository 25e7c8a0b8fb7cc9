// Expands CHLO ops without a scalar implementation to StableHLO: implicit
// broadcasts, constants, top-k, ragged dots and scans. Code generation supports
// elementwise CHLO ops, which stay. Ops with dynamic shapes stay, too.
#include "ExpandPatterns.h"
#include "PatternFunctions.h"
#include "StablehloBuilder.h"

#include "xlac/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace xlac::transforms {

#define GEN_PASS_DEF_EXPANDCHLO
#include "xlac/Transforms/Passes.h.inc"

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

/// Broadcasts `value` to `shape`. A value of lower rank is mapped to
/// `dimensions`, or to the last dimensions if none are given.
static Value broadcastTo(StablehloBuilder &b, Value value,
                         llvm::ArrayRef<int64_t> shape,
                         std::optional<llvm::ArrayRef<int64_t>> dimensions) {
  int64_t rank = StablehloBuilder::typeOf(value).getRank();
  int64_t missing = int64_t(shape.size()) - rank;
  llvm::SmallVector<int64_t> positions;
  if (dimensions && missing > 0)
    positions.assign(dimensions->begin(), dimensions->end());
  else
    for (int64_t d = 0; d < rank; ++d)
      positions.push_back(d + missing);
  return b.broadcastInDim(value, shape, positions);
}

namespace {

/// Expands chlo.broadcast_X: broadcasts the operands to one shape, then applies
/// X.
struct ExpandBroadcasting : mlir::RewritePattern {
  explicit ExpandBroadcasting(mlir::MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op,
                  mlir::PatternRewriter &rewriter) const override {
    llvm::StringRef name = op->getName().getStringRef();
    if (!name.consume_front("chlo.broadcast_") || !isStaticOp(op))
      return mlir::failure();
    auto result = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<llvm::ArrayRef<int64_t>> dimensions;
    if (auto attribute =
            op->getAttrOfType<mlir::DenseI64ArrayAttr>("broadcast_dimensions"))
      dimensions = attribute.asArrayRef();
    StablehloBuilder b(rewriter, op->getLoc());
    llvm::SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          broadcastTo(b, operand, result.getShape(), dimensions));
    bool staysChlo =
        name == "next_after" || name == "polygamma" || name == "zeta";
    std::string target = (staysChlo ? "chlo." : "stablehlo.") + name.str();
    rewriter.replaceOp(
        op, b.value(target, result, operands, attributesFor(op, rewriter)));
    return mlir::success();
  }

private:
  static llvm::SmallVector<mlir::NamedAttribute>
  attributesFor(mlir::Operation *op, mlir::OpBuilder &builder) {
    llvm::SmallVector<mlir::NamedAttribute> attributes;
    auto compare = llvm::dyn_cast<chlo::BroadcastCompareOp>(op);
    if (!compare)
      return attributes;
    mlir::MLIRContext *context = op->getContext();
    attributes.push_back(builder.getNamedAttr(
        "comparison_direction",
        hlo::ComparisonDirectionAttr::get(
            context,
            hlo::ComparisonDirection(compare.getComparisonDirection()))));
    if (auto type = compare.getCompareType())
      attributes.push_back(builder.getNamedAttr(
          "compare_type",
          hlo::ComparisonTypeAttr::get(context, hlo::ComparisonType(*type))));
    return attributes;
  }
};

} // namespace

static mlir::LogicalResult expandConstant(chlo::ConstantOp op,
                                          mlir::PatternRewriter &rewriter) {
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(
      op, b.value("stablehlo.constant", op->getResult(0).getType(), {},
                  {rewriter.getNamedAttr("value", op->getAttr("value"))}));
  return mlir::success();
}

namespace {

struct ExpandConstantLike : mlir::OpRewritePattern<chlo::ConstantLikeOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(chlo::ConstantLikeOp op,
                  mlir::PatternRewriter &rewriter) const override {
    auto type = llvm::dyn_cast<RankedTensorType>(op->getResult(0).getType());
    mlir::DenseElementsAttr dense = type && type.hasStaticShape()
                                        ? everywhere(op->getAttr("value"), type)
                                        : nullptr;
    if (!dense)
      return mlir::failure();
    StablehloBuilder b(rewriter, op.getLoc());
    rewriter.replaceOp(op, b.value("stablehlo.constant", type, {},
                                   {rewriter.getNamedAttr("value", dense)}));
    return mlir::success();
  }

private:
  /// Fills `type` with a number or with the only element of a tensor. Returns
  /// null if the element type differs.
  static mlir::DenseElementsAttr everywhere(mlir::Attribute value,
                                            RankedTensorType type) {
    if (auto scalar = llvm::dyn_cast<mlir::DenseElementsAttr>(value))
      return scalar.isSplat() &&
                     scalar.getElementType() == type.getElementType()
                 ? scalar.resizeSplat(type)
                 : nullptr;
    if (!llvm::isa<mlir::IntegerAttr, mlir::FloatAttr>(value) ||
        llvm::cast<mlir::TypedAttr>(value).getType() != type.getElementType())
      return nullptr;
    return mlir::DenseElementsAttr::get(type, value);
  }
};

/// Expands top_k to a stable descending sort of the last dimension with
/// indices.
struct ExpandTopK : mlir::OpRewritePattern<chlo::TopKOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(chlo::TopKOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!isStaticOp(op))
      return mlir::failure();
    StablehloBuilder b(rewriter, op.getLoc());
    Value operand = op->getOperand(0);
    RankedTensorType type = StablehloBuilder::typeOf(operand);
    int64_t last = type.getRank() - 1;
    mlir::Type indexElement =
        llvm::cast<RankedTensorType>(op->getResult(1).getType())
            .getElementType();
    Value positions = b.iota(type.clone(indexElement), last);
    mlir::OperationState state(
        op.getLoc(), "stablehlo.sort", {operand, positions},
        {type, positions.getType()},
        {rewriter.getNamedAttr("dimension", rewriter.getI64IntegerAttr(last)),
         rewriter.getNamedAttr("is_stable", rewriter.getBoolAttr(true))});
    addComparator(*state.addRegion(), type.getElementType(), indexElement, b);
    mlir::Operation *sort = rewriter.create(state);
    llvm::SmallVector<int64_t> starts(type.getRank(), 0);
    llvm::SmallVector<int64_t> limits(type.getShape());
    limits[last] = llvm::cast<RankedTensorType>(op->getResult(0).getType())
                       .getDimSize(last);
    rewriter.replaceOp(op, {b.slice(sort->getResult(0), starts, limits),
                            b.slice(sort->getResult(1), starts, limits)});
    return mlir::success();
  }

private:
  static void addComparator(mlir::Region &region, mlir::Type element,
                            mlir::Type indexElement, StablehloBuilder &b) {
    mlir::OpBuilder::InsertionGuard guard(b.builder);
    auto *block = new mlir::Block;
    region.push_back(block);
    mlir::Type value = RankedTensorType::get({}, element);
    mlir::Type index = RankedTensorType::get({}, indexElement);
    mlir::Location location = b.location;
    block->addArguments({value, value, index, index},
                        {location, location, location, location});
    b.builder.setInsertionPointToStart(block);
    mlir::MLIRContext *context = b.builder.getContext();
    bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
    // Total order puts NaN first. Otherwise the order would be undefined.
    hlo::ComparisonType order = llvm::isa<mlir::FloatType>(element)
                                    ? hlo::ComparisonType::TOTALORDER
                                : isUnsigned ? hlo::ComparisonType::UNSIGNED
                                             : hlo::ComparisonType::SIGNED;
    Value greater = b.value(
        "stablehlo.compare", RankedTensorType::get({}, b.builder.getI1Type()),
        {block->getArgument(0), block->getArgument(1)},
        {b.builder.getNamedAttr("comparison_direction",
                                hlo::ComparisonDirectionAttr::get(
                                    context, hlo::ComparisonDirection::GT)),
         b.builder.getNamedAttr("compare_type",
                                hlo::ComparisonTypeAttr::get(context, order))});
    b.op("stablehlo.return", {}, {greater});
  }
};

/// Expands a scan to a loop over the scanned dimension, with position, outputs,
/// carries and (unchanged) inputs as loop-carried values.
struct ExpandScan : mlir::OpRewritePattern<chlo::ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(chlo::ScanOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!isStaticOp(op))
      return mlir::failure();
    mlir::ValueRange inputs = op.getInputs(), inits = op.getInits();
    int64_t dimension =
        op->getAttrOfType<mlir::IntegerAttr>("dimension").getInt();
    std::optional<int64_t> length = scanLength(op, dimension);
    if (!length)
      return mlir::failure();
    StablehloBuilder b(rewriter, op.getLoc());
    llvm::SmallVector<Value> start;
    for (Value output : op.getOutputs())
      start.push_back(b.splat(StablehloBuilder::typeOf(output), 0));
    start.append(inits.begin(), inits.end());
    // A loop body cannot slice a dimension without elements.
    if (*length == 0) {
      rewriter.replaceOp(op, start);
      return mlir::success();
    }
    auto counter = RankedTensorType::get({}, rewriter.getI64Type());
    llvm::SmallVector<Value> state = {b.splat(counter, 0)};
    state.append(start);
    state.append(inputs.begin(), inputs.end());
    mlir::OperationState loop(op.getLoc(), "stablehlo.while", state,
                              mlir::ValueRange(state).getTypes());
    addCondition(*loop.addRegion(), state, *length, b);
    addBody(*loop.addRegion(), state, op, dimension, *length, b);
    mlir::Operation *result = rewriter.create(loop);
    rewriter.replaceOp(op, result->getResults().slice(1, op->getNumResults()));
    return mlir::success();
  }

private:
  static std::optional<int64_t> scanLength(chlo::ScanOp op, int64_t dimension) {
    if (auto size = op->getAttrOfType<mlir::IntegerAttr>("scan_dim_size"))
      return size.getInt();
    mlir::ValueRange scanned = op.getInputs();
    if (scanned.empty())
      scanned = op.getOutputs();
    if (!scanned.empty())
      return StablehloBuilder::typeOf(scanned.front()).getDimSize(dimension);
    return std::nullopt;
  }

  static mlir::Block *addBlock(mlir::Region &region, mlir::ValueRange state,
                               StablehloBuilder &b) {
    auto *block = new mlir::Block;
    region.push_back(block);
    for (mlir::Type type : state.getTypes())
      block->addArgument(type, b.location);
    b.builder.setInsertionPointToStart(block);
    return block;
  }

  static void addCondition(mlir::Region &region, mlir::ValueRange state,
                           int64_t length, StablehloBuilder &b) {
    mlir::OpBuilder::InsertionGuard guard(b.builder);
    mlir::Block *block = addBlock(region, state, b);
    Value counter = block->getArgument(0);
    Value limit = b.splat(StablehloBuilder::typeOf(counter), double(length));
    b.op("stablehlo.return", {},
         {b.compare(hlo::ComparisonDirection::LT, counter, limit)});
  }

  /// Returns the indices of the slice at `position`, with zero in all other
  /// dimensions.
  static llvm::SmallVector<Value> sliceIndices(int64_t rank, int64_t dimension,
                                               Value position, Value zero) {
    llvm::SmallVector<Value> indices(rank, zero);
    indices[dimension] = position;
    return indices;
  }

  static void addBody(mlir::Region &region, mlir::ValueRange state,
                      chlo::ScanOp op, int64_t dimension, int64_t length,
                      StablehloBuilder &b) {
    mlir::OpBuilder::InsertionGuard guard(b.builder);
    mlir::Block *block = addBlock(region, state, b);
    Value counter = block->getArgument(0);
    RankedTensorType counterType = StablehloBuilder::typeOf(counter);
    Value zero = b.splat(counterType, 0);
    Value position = counter;
    if (auto reverse = op->getAttrOfType<mlir::BoolAttr>("is_reverse");
        reverse && reverse.getValue())
      position = b.subtract(b.splat(counterType, double(length - 1)), counter);
    size_t outputs = op.getOutputs().size(), carries = op.getInits().size();
    mlir::ValueRange arguments = block->getArguments();

    mlir::Block &scanned = op->getRegion(0).front();
    mlir::IRMapping mapping;
    unsigned number = 0;
    for (Value input : arguments.drop_front(1 + outputs + carries)) {
      RankedTensorType type = StablehloBuilder::typeOf(input);
      llvm::SmallVector<int64_t> sizes(type.getShape());
      sizes[dimension] = 1;
      llvm::SmallVector<Value> operands = {input};
      operands.append(sliceIndices(type.getRank(), dimension, position, zero));
      Value slice =
          b.value("stablehlo.dynamic_slice", type.clone(sizes), operands,
                  {b.builder.getNamedAttr(
                      "slice_sizes", b.builder.getDenseI64ArrayAttr(sizes))});
      sizes.erase(sizes.begin() + dimension);
      mapping.map(scanned.getArgument(number++), b.reshape(slice, sizes));
    }
    for (Value carry : arguments.slice(1 + outputs, carries))
      mapping.map(scanned.getArgument(number++), carry);
    for (mlir::Operation &inner : scanned.without_terminator())
      b.builder.clone(inner, mapping);

    llvm::SmallVector<Value> next = {b.add(counter, b.splat(counterType, 1))};
    mlir::ValueRange yielded = scanned.getTerminator()->getOperands();
    for (size_t i = 0; i < outputs; ++i) {
      Value whole = arguments[1 + i];
      RankedTensorType type = StablehloBuilder::typeOf(whole);
      llvm::SmallVector<int64_t> sizes(type.getShape());
      sizes[dimension] = 1;
      Value update = b.reshape(mapping.lookupOrDefault(yielded[i]), sizes);
      llvm::SmallVector<Value> operands = {whole, update};
      operands.append(sliceIndices(type.getRank(), dimension, position, zero));
      next.push_back(b.value("stablehlo.dynamic_update_slice", type, operands));
    }
    for (Value carry : yielded.drop_front(outputs))
      next.push_back(mapping.lookupOrDefault(carry));
    for (Value input : arguments.drop_front(1 + outputs + carries))
      next.push_back(input);
    b.op("stablehlo.return", {}, next);
  }
};

struct ExpandChloPass : impl::ExpandChloBase<ExpandChloPass> {
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns
        .add<ExpandBroadcasting, ExpandConstantLike, ExpandTopK, ExpandScan>(
            &getContext());
    addFunctions<expandConstant>(patterns);
    addRaggedDotPattern(patterns);
    if (mlir::failed(expandAll(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

} // namespace xlac::transforms
