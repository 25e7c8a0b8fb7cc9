// Expands dynamic ops whose result type is static. The result then determines
// the shape operand. Offsets and padding that are not constant become index
// arithmetic and a gather.
#include "ExpandPatterns.h"
#include "PatternFunctions.h"
#include "StablehloBuilder.h"

#include "mlir/IR/Matchers.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

static std::optional<llvm::SmallVector<int64_t>> constantVector(Value value) {
  mlir::DenseIntElementsAttr dense;
  if (!mlir::matchPattern(value, mlir::m_Constant(&dense)))
    return std::nullopt;
  llvm::SmallVector<int64_t> numbers;
  for (const llvm::APInt &number : dense.getValues<llvm::APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

static bool hasStaticData(mlir::Operation *op) {
  return isStaticTensor(op->getOperand(0).getType()) &&
         isStaticTensor(op->getResult(0).getType());
}

static RankedTensorType resultType(mlir::Operation *op) {
  return StablehloBuilder::typeOf(op->getResult(0));
}

/// Broadcasts entry `index` of the vector `numbers` to an i64 tensor.
static Value spreadEntry(StablehloBuilder &b, Value numbers, int64_t index,
                         llvm::ArrayRef<int64_t> shape) {
  Value entry = b.element(b.convert(numbers, b.builder.getI64Type()), index);
  return b.broadcastInDim(entry, shape, {});
}

/// Implements stablehlo.pad with amounts that are known only at run time.
static Value padAtRunTime(StablehloBuilder &b, Value operand, Value padding,
                          Value low, Value interior, RankedTensorType result) {
  RankedTensorType type = StablehloBuilder::typeOf(operand);
  Value outside = b.broadcastInDim(padding, result.getShape(), {});
  if (type.getRank() == 0)
    return operand;
  if (type.getNumElements() == 0)
    return outside;
  auto indexType =
      RankedTensorType::get(result.getShape(), b.builder.getI64Type());
  Value zero = b.splat(indexType, 0), one = b.splat(indexType, 1);
  llvm::SmallVector<Value> indices;
  Value inside;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Value offset = b.subtract(b.iota(indexType, d),
                              spreadEntry(b, low, d, result.getShape()));
    Value step = b.add(spreadEntry(b, interior, d, result.getShape()), one);
    Value index = b.divide(offset, step);
    Value size = b.splat(indexType, double(type.getDimSize(d)));
    Value fits = b.logicalAnd(
        b.logicalAnd(b.compare(hlo::ComparisonDirection::GE, offset, zero),
                     b.compare(hlo::ComparisonDirection::LT, index, size)),
        b.compare(hlo::ComparisonDirection::EQ, b.remainder(offset, step),
                  zero));
    inside = inside ? b.logicalAnd(inside, fits) : fits;
    indices.push_back(index);
  }
  return b.select(inside, b.gatherElements(operand, indices), outside);
}

static mlir::LogicalResult expandDynamicIota(hlo::DynamicIotaOp op,
                                             mlir::PatternRewriter &rewriter) {
  if (!isStaticTensor(op->getResult(0).getType()))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(
      op,
      b.iota(resultType(op),
             op->getAttrOfType<mlir::IntegerAttr>("iota_dimension").getInt()));
  return mlir::success();
}

static mlir::LogicalResult
expandDynamicReshape(hlo::DynamicReshapeOp op,
                     mlir::PatternRewriter &rewriter) {
  if (!hasStaticData(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(op,
                     b.reshape(op->getOperand(0), resultType(op).getShape()));
  return mlir::success();
}

static mlir::LogicalResult
expandDynamicBroadcast(hlo::DynamicBroadcastInDimOp op,
                       mlir::PatternRewriter &rewriter) {
  if (!hasStaticData(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(
      op,
      b.value("stablehlo.broadcast_in_dim", resultType(op), {op->getOperand(0)},
              {rewriter.getNamedAttr("broadcast_dimensions",
                                     op->getAttr("broadcast_dimensions"))}));
  return mlir::success();
}

static mlir::LogicalResult
expandDynamicGather(hlo::DynamicGatherOp op, mlir::PatternRewriter &rewriter) {
  if (!hasStaticData(op) || !isStaticTensor(op->getOperand(1).getType()))
    return mlir::failure();
  hlo::GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  RankedTensorType type = StablehloBuilder::typeOf(op->getOperand(0));
  // Slice sizes are 1 for collapsed and batching dimensions, and the result's
  // sizes for the others.
  llvm::SmallVector<int64_t> sizes;
  unsigned offset = 0;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    bool single = llvm::is_contained(numbers.getCollapsedSliceDims(), d) ||
                  llvm::is_contained(numbers.getOperandBatchingDims(), d);
    if (!single && offset >= numbers.getOffsetDims().size())
      return mlir::failure();
    sizes.push_back(
        single ? 1
               : resultType(op).getDimSize(numbers.getOffsetDims()[offset++]));
  }
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(
      op, b.value("stablehlo.gather", resultType(op),
                  {op->getOperand(0), op->getOperand(1)},
                  {rewriter.getNamedAttr("dimension_numbers", numbers),
                   rewriter.getNamedAttr("slice_sizes",
                                         rewriter.getDenseI64ArrayAttr(sizes)),
                   rewriter.getNamedAttr("indices_are_sorted",
                                         rewriter.getBoolAttr(false))}));
  return mlir::success();
}

static mlir::LogicalResult expandDynamicPad(hlo::DynamicPadOp op,
                                            mlir::PatternRewriter &rewriter) {
  if (!hasStaticData(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value operand = op->getOperand(0), padding = op->getOperand(1);
  auto low = constantVector(op->getOperand(2));
  auto high = constantVector(op->getOperand(3));
  auto interior = constantVector(op->getOperand(4));
  rewriter.replaceOp(op,
                     low && high && interior
                         ? b.pad(operand, *low, *high, *interior, padding)
                         : padAtRunTime(b, operand, padding, op->getOperand(2),
                                        op->getOperand(4), resultType(op)));
  return mlir::success();
}

static mlir::LogicalResult
expandRealDynamicSlice(hlo::RealDynamicSliceOp op,
                       mlir::PatternRewriter &rewriter) {
  if (!hasStaticData(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  RankedTensorType result = resultType(op);
  if (result.getRank() == 0) {
    rewriter.replaceOp(op, op->getOperand(0));
    return mlir::success();
  }
  if (result.getNumElements() == 0) {
    rewriter.replaceOp(op, b.splat(result, 0));
    return mlir::success();
  }
  auto indexType =
      RankedTensorType::get(result.getShape(), rewriter.getI64Type());
  llvm::SmallVector<Value> indices;
  for (int64_t d = 0; d < result.getRank(); ++d)
    indices.push_back(b.add(
        spreadEntry(b, op->getOperand(1), d, result.getShape()),
        b.multiply(b.iota(indexType, d),
                   spreadEntry(b, op->getOperand(3), d, result.getShape()))));
  rewriter.replaceOp(op, b.gatherElements(op->getOperand(0), indices));
  return mlir::success();
}

namespace {

/// Pads the left side first, then convolves without padding or dilating it.
struct ExpandDynamicConv : mlir::OpRewritePattern<hlo::DynamicConvOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(hlo::DynamicConvOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!hasStaticData(op) || !isStaticTensor(op->getOperand(1).getType()))
      return mlir::failure();
    StablehloBuilder b(rewriter, op.getLoc());
    llvm::SmallVector<mlir::NamedAttribute> attributes;
    for (mlir::NamedAttribute attribute : op->getAttrs())
      attributes.push_back(attribute);
    // f8E8M0FNU has no zero to pad with.
    auto widen = [&](Value side) {
      bool hasZero = !llvm::isa<mlir::Float8E8M0FNUType>(
          StablehloBuilder::typeOf(side).getElementType());
      return hasZero ? side : b.convert(side, rewriter.getF32Type());
    };
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    Value padding = op->getOperand(2);
    if (auto amounts = constantVector(padding)) {
      auto type = RankedTensorType::get(
          StablehloBuilder::typeOf(padding).getShape(), rewriter.getI64Type());
      attributes.push_back(rewriter.getNamedAttr(
          "padding", mlir::DenseIntElementsAttr::get(type, *amounts)));
      rewriter.replaceOp(op, b.value("stablehlo.convolution", resultType(op),
                                     {lhs, rhs}, attributes));
      return mlir::success();
    }
    // The result's size determines the input's size, unless the result is
    // empty.
    if (resultType(op).getNumElements() == 0) {
      rewriter.replaceOp(op, b.splat(resultType(op), 0));
      return mlir::success();
    }
    llvm::erase_if(attributes, [](mlir::NamedAttribute attribute) {
      return attribute.getName() == "lhs_dilation";
    });
    rewriter.replaceOp(op, b.value("stablehlo.convolution", resultType(op),
                                   {paddedInput(b, op, widen(lhs)), widen(rhs)},
                                   attributes));
    return mlir::success();
  }

private:
  /// Returns the dilated and padded left side, with the size that the number of
  /// windows in the result requires.
  static Value paddedInput(StablehloBuilder &b, hlo::DynamicConvOp op,
                           Value lhs) {
    Value rhs = op->getOperand(1), padding = op->getOperand(2);
    hlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
    RankedTensorType type = StablehloBuilder::typeOf(lhs);
    auto entry = [&](llvm::StringRef name, size_t index) -> int64_t {
      auto list = op->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
      return list ? list[index] : 1;
    };
    llvm::SmallVector<int64_t> shape(type.getShape());
    llvm::SmallVector<int64_t> interior(type.getRank(), 0);
    auto scalar = RankedTensorType::get({1}, b.builder.getI64Type());
    llvm::SmallVector<Value> low(type.getRank(), b.splat(scalar, 0));
    Value amounts = b.convert(padding, b.builder.getI64Type());
    for (auto [i, d] : llvm::enumerate(numbers.getInputSpatialDimensions())) {
      int64_t window = StablehloBuilder::typeOf(rhs).getDimSize(
          numbers.getKernelSpatialDimensions()[i]);
      int64_t dilated = (window - 1) * entry("rhs_dilation", i) + 1;
      int64_t count =
          resultType(op).getDimSize(numbers.getOutputSpatialDimensions()[i]);
      shape[d] = (count - 1) * entry("window_strides", i) + dilated;
      interior[d] = entry("lhs_dilation", i) - 1;
      low[d] = b.reshape(b.slice(amounts, {int64_t(i), 0}, {int64_t(i) + 1, 1}),
                         {1});
    }
    Value zero = b.splat(RankedTensorType::get({}, type.getElementType()), 0);
    return padAtRunTime(b, lhs, zero, b.concatenate(low, 0), b.vector(interior),
                        type.clone(shape));
  }
};

} // namespace

static mlir::LogicalResult
expandGetDimensionSize(hlo::GetDimensionSizeOp op,
                       mlir::PatternRewriter &rewriter) {
  auto type = llvm::dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t d = op->getAttrOfType<mlir::IntegerAttr>("dimension").getInt();
  if (!type || type.isDynamicDim(d))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(op, b.splat(resultType(op), double(type.getDimSize(d))));
  return mlir::success();
}

static mlir::LogicalResult
expandSetDimensionSize(hlo::SetDimensionSizeOp op,
                       mlir::PatternRewriter &rewriter) {
  // The shape stays static only if the new size equals the dimension's size.
  auto size = constantVector(op->getOperand(1));
  int64_t d = op->getAttrOfType<mlir::IntegerAttr>("dimension").getInt();
  if (!hasStaticData(op) || !size || size->size() != 1 ||
      op->getOperand(0).getType() != op->getResult(0).getType() ||
      resultType(op).getDimSize(d) != (*size)[0])
    return mlir::failure();
  rewriter.replaceOp(op, op->getOperand(0));
  return mlir::success();
}

void addDynamicPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandDynamicConv>(patterns.getContext());
  addFunctions<expandDynamicIota, expandDynamicReshape, expandDynamicBroadcast,
               expandDynamicGather, expandDynamicPad, expandRealDynamicSlice,
               expandGetDimensionSize, expandSetDimensionSize>(patterns);
}

} // namespace xlac::transforms
