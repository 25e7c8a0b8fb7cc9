// Expands rare StableHLO ops to common ones, so that later passes and code
// generation need not support them. Ops with dynamic shapes stay.
#include "ExpandPatterns.h"
#include "PatternFunctions.h"
#include "Simplify/WidenBody.h"

#include "xlac/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace xlac::transforms {

#define GEN_PASS_DEF_EXPANDRAREOPS
#include "xlac/Transforms/Passes.h.inc"

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

/// Attribute of an rng op: the number of rng ops before it in the module.
static constexpr llvm::StringLiteral kRngNumber = "xlac.rng_number";

static mlir::LogicalResult expandBroadcast(hlo::BroadcastOp op,
                                           mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value operand = op->getOperand(0);
  int64_t rank = StablehloBuilder::typeOf(operand).getRank();
  llvm::SmallVector<int64_t> positions;
  for (int64_t d = StablehloBuilder::typeOf(op->getResult(0)).getRank() - rank;
       d < StablehloBuilder::typeOf(op->getResult(0)).getRank(); ++d)
    positions.push_back(d);
  rewriter.replaceOp(
      op, b.broadcastInDim(
              operand, StablehloBuilder::typeOf(op->getResult(0)).getShape(),
              positions));
  return mlir::success();
}

static mlir::LogicalResult expandCreateToken(hlo::CreateTokenOp op,
                                             mlir::PatternRewriter &rewriter) {
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(
      op, b.value("stablehlo.after_all", op->getResult(0).getType(), {}));
  return mlir::success();
}

namespace {

struct ExpandTorchIndexSelect
    : mlir::OpRewritePattern<hlo::TorchIndexSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(hlo::TorchIndexSelectOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!isStaticOp(op))
      return mlir::failure();
    StablehloBuilder b(rewriter, op.getLoc());
    Value operand = op->getOperand(0), index = op->getOperand(1);
    RankedTensorType type = StablehloBuilder::typeOf(operand);
    int64_t indexRank = StablehloBuilder::typeOf(index).getRank();
    int64_t rank = type.getRank();
    int64_t dim = integer(op, "dim"), batch = integer(op, "batch_dims");
    // Negative numbers count from the end, like in PyTorch.
    dim = dim < 0 ? dim + rank : dim;
    batch = batch < 0 ? batch + indexRank : batch;
    if (dim < batch || dim >= rank || batch > indexRank)
      return mlir::failure();
    llvm::SmallVector<int64_t> offsets, batching, sizes(type.getShape());
    for (int64_t d = 0; d < batch; ++d) {
      batching.push_back(d);
      sizes[d] = std::min<int64_t>(1, sizes[d]);
    }
    sizes[dim] = std::min<int64_t>(1, sizes[dim]);
    for (int64_t d = batch; d < dim; ++d)
      offsets.push_back(d);
    for (int64_t d = dim + 1; d < rank; ++d)
      offsets.push_back(d - 1 + indexRank - batch);
    auto numbers = hlo::GatherDimensionNumbersAttr::get(
        getContext(), offsets, /*collapsed_slice_dims=*/{dim}, batching,
        batching, /*start_index_map=*/{dim}, /*index_vector_dim=*/indexRank);
    rewriter.replaceOp(
        op,
        b.value("stablehlo.gather", StablehloBuilder::typeOf(op->getResult(0)),
                {operand, index},
                {rewriter.getNamedAttr("dimension_numbers", numbers),
                 rewriter.getNamedAttr("slice_sizes",
                                       rewriter.getDenseI64ArrayAttr(sizes)),
                 rewriter.getNamedAttr("indices_are_sorted",
                                       rewriter.getBoolAttr(false))}));
    return mlir::success();
  }

private:
  static int64_t integer(mlir::Operation *op, llvm::StringRef name) {
    return op->getAttrOfType<mlir::IntegerAttr>(name).getInt();
  }
};

} // namespace

/// Expands map with elementwise ops to the same ops on tensors.
static mlir::LogicalResult expandMap(hlo::MapOp op,
                                     mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  mlir::Block &body = op->getRegion(0).front();
  for (mlir::Operation &inner : body.without_terminator())
    if (!canWiden(&inner))
      return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(
      op, widenBody(b, body, op->getOperands(),
                    StablehloBuilder::typeOf(op->getResult(0)).getShape()));
  return mlir::success();
}

namespace {

/// Expands rng to a counter-based generator. StableHLO's rng has no state, so
/// the op's position among the module's rng ops is the key, and programs are
/// repeatable. An attribute stores the position before any op is rewritten.
struct ExpandRng : mlir::OpRewritePattern<hlo::RngOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(hlo::RngOp op,
                  mlir::PatternRewriter &rewriter) const override {
    auto type = llvm::dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() || !op->hasAttr(kRngNumber))
      return mlir::failure();
    mlir::Type element = type.getElementType();
    StablehloBuilder b(rewriter, op.getLoc());
    Value low = b.broadcastInDim(op->getOperand(0), type.getShape(), {});
    Value high = b.broadcastInDim(op->getOperand(1), type.getShape(), {});
    bool normal = op.getRngDistribution() == hlo::RngDistribution::NORMAL;
    Value result;
    if (llvm::isa<mlir::FloatType>(element)) {
      auto work =
          element.isF64() ? rewriter.getF64Type() : rewriter.getF32Type();
      Value unit = unitInterval(b, op, type.clone(work));
      if (normal)
        result =
            b.add(b.multiply(b.convert(toNormal(b, unit), element), high), low);
      else
        result = scaled(b, b.convert(unit, element), low, high);
    } else if (llvm::isa<mlir::IntegerType>(element) && !normal) {
      result = integers(b, op, type, low, high);
    } else {
      return mlir::failure();
    }
    rewriter.replaceOp(op, result);
    return mlir::success();
  }

private:
  static Value bits(StablehloBuilder &b, hlo::RngOp op, RankedTensorType type) {
    mlir::OpBuilder &builder = b.builder;
    mlir::Type word = builder.getIntegerType(64, /*isSigned=*/false);
    auto stateType = RankedTensorType::get({2}, word);
    int64_t number = op->getAttrOfType<mlir::IntegerAttr>(kRngNumber).getInt();
    uint64_t key[] = {0x9e3779b97f4a7c15ull * uint64_t(number + 1), 0};
    Value state =
        b.value("stablehlo.constant", stateType, {},
                {builder.getNamedAttr(
                    "value", mlir::DenseElementsAttr::get(
                                 stateType, llvm::ArrayRef<uint64_t>(key)))});
    return b
        .op("stablehlo.rng_bit_generator", {stateType, type}, {state},
            {builder.getNamedAttr(
                "rng_algorithm",
                hlo::RngAlgorithmAttr::get(builder.getContext(),
                                           hlo::RngAlgorithm::THREE_FRY))})
        ->getResult(1);
  }

  /// Returns uniform numbers in [0, 1) of an f32 or f64 type, with all mantissa
  /// bits random.
  static Value unitInterval(StablehloBuilder &b, hlo::RngOp op,
                            RankedTensorType type) {
    bool isDouble = type.getElementType().isF64();
    unsigned width = isDouble ? 64 : 32, dropped = isDouble ? 11 : 8;
    mlir::Type word = b.builder.getIntegerType(width, /*isSigned=*/false);
    RankedTensorType words = type.clone(word);
    Value shifted = b.value("stablehlo.shift_right_logical", words,
                            {bits(b, op, words), b.splat(words, dropped)});
    Value number = b.convert(shifted, type.getElementType());
    return b.multiply(number, b.splat(type, isDouble ? 0x1p-53 : 0x1p-24));
  }

  /// The quantile function: sqrt(2) erf_inv(2 u - 1), with u moved away from 0
  /// and 1.
  static Value toNormal(StablehloBuilder &b, Value unit) {
    RankedTensorType type = StablehloBuilder::typeOf(unit);
    double half = type.getElementType().isF64() ? 0x1p-54 : 0x1p-25;
    Value centered = b.add(unit, b.splat(type, half));
    Value symmetric =
        b.subtract(b.multiply(centered, b.splat(type, 2)), b.splat(type, 1));
    Value quantile = b.value("chlo.erf_inv", type, {symmetric});
    return b.multiply(quantile, b.splat(type, 0x1.6a09e667f3bcdp+0));
  }

  /// Rounding may give `high`, which the interval does not contain.
  static Value scaled(StablehloBuilder &b, Value unit, Value low, Value high) {
    Value drawn = b.add(b.multiply(unit, b.subtract(high, low)), low);
    Value outside = b.compare(hlo::ComparisonDirection::GE, drawn, high);
    return b.select(outside, low, drawn);
  }

  /// The range is computed in 64 bits, because it may exceed the positive range
  /// of the type.
  static Value integers(StablehloBuilder &b, hlo::RngOp op,
                        RankedTensorType type, Value low, Value high) {
    mlir::Type word = b.builder.getIntegerType(64, /*isSigned=*/false);
    RankedTensorType words = type.clone(word);
    Value range = b.subtract(b.convert(high, word), b.convert(low, word));
    if (type.getElementType().isInteger(1))
      range = b.splat(words, 2);
    Value drawn = b.remainder(bits(b, op, words), range);
    if (type.getElementType().isInteger(1))
      return b.compare(hlo::ComparisonDirection::NE, drawn, b.splat(words, 0));
    return b.add(b.convert(drawn, type.getElementType()), low);
  }
};

/// Computes triangular_solve and cholesky of narrow floats in f32, because
/// LAPACK does not support them.
struct WidenFactorization : mlir::RewritePattern {
  WidenFactorization(mlir::MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!llvm::isa<hlo::TriangularSolveOp, hlo::CholeskyOp>(op))
      return mlir::failure();
    auto type = llvm::dyn_cast<RankedTensorType>(op->getResult(0).getType());
    auto element = type ? llvm::dyn_cast<mlir::FloatType>(type.getElementType())
                        : mlir::FloatType();
    if (!element || element.isF32() || element.isF64())
      return mlir::failure();
    StablehloBuilder b(rewriter, op->getLoc());
    llvm::SmallVector<Value> wide;
    for (Value operand : op->getOperands())
      wide.push_back(b.convert(operand, rewriter.getF32Type()));
    mlir::Operation *solved = rewriter.clone(*op);
    solved->setOperands(wide);
    solved->getResult(0).setType(type.clone(rewriter.getF32Type()));
    rewriter.replaceOp(op, b.convert(solved->getResult(0), element));
    return mlir::success();
  }
};

} // namespace

/// Expands cross-replica-sum to an all_reduce.
static mlir::LogicalResult
expandCrossReplicaSum(hlo::CrossReplicaSumOp op,
                      mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  mlir::OperationState state(
      op.getLoc(), "stablehlo.all_reduce", op->getOperands(),
      op->getResultTypes(),
      {rewriter.getNamedAttr("replica_groups", op->getAttr("replica_groups"))});
  mlir::Region *region = state.addRegion();
  {
    mlir::OpBuilder::InsertionGuard guard(rewriter);
    auto *block = new mlir::Block;
    region->push_back(block);
    auto scalar = RankedTensorType::get(
        {}, StablehloBuilder::typeOf(op->getResult(0)).getElementType());
    block->addArguments({scalar, scalar}, {op.getLoc(), op.getLoc()});
    rewriter.setInsertionPointToStart(block);
    Value total = b.add(block->getArgument(0), block->getArgument(1));
    b.op("stablehlo.return", {}, {total});
  }
  mlir::Operation *reduce = rewriter.create(state);
  rewriter.replaceOp(op, reduce->getResults());
  return mlir::success();
}

mlir::LogicalResult expandAll(mlir::ModuleOp module,
                              mlir::RewritePatternSet patterns) {
  mlir::GreedyRewriteConfig config;
  config.enableFolding(false);
  config.setRegionSimplificationLevel(
      mlir::GreedySimplifyRegionLevel::Disabled);
  return mlir::applyPatternsGreedily(module, std::move(patterns), config);
}

namespace {

struct ExpandRareOpsPass : impl::ExpandRareOpsBase<ExpandRareOpsPass> {
  /// Normal random numbers use erf_inv.
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<hlo::StablehloDialect, xlac::chlo::ChloDialect>();
  }

  void runOnOperation() override {
    if (mlir::failed(expandQuantized(getOperation())))
      return signalPassFailure();
    int64_t number = 0;
    mlir::Builder builder(&getContext());
    getOperation().walk([&](hlo::RngOp op) {
      op->setAttr(kRngNumber, builder.getI64IntegerAttr(number++));
    });
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<WidenFactorization, ExpandTorchIndexSelect, ExpandRng>(
        &getContext());
    addFunctions<expandBroadcast, expandCreateToken, expandMap,
                 expandCrossReplicaSum>(patterns);
    addBatchNormPatterns(patterns);
    addContractionPatterns(patterns);
    addConvolutionPatterns(patterns);
    addDynamicPatterns(patterns);
    if (mlir::failed(expandAll(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

} // namespace xlac::transforms
