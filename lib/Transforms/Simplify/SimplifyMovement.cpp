#include "PatternFunctions.h"
#include "SimplifyPatterns.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

static RankedTensorType staticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

static void replaceBroadcast(PatternRewriter &rewriter, Operation *op,
                             Value operand, ArrayRef<int64_t> dims) {
  rewriter.replaceOpWithNewOp<BroadcastInDimOp>(
      op, op->getResult(0).getType(), operand,
      rewriter.getDenseI64ArrayAttr(dims));
}

static LogicalResult simplifyReshape(ReshapeOp op, PatternRewriter &rewriter) {
  Value operand = op.getOperand();
  if (operand.getType() == op.getType()) {
    rewriter.replaceOp(op, operand);
    return success();
  }
  if (auto inner = operand.getDefiningOp<ReshapeOp>()) {
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(),
                                           inner.getOperand());
    return success();
  }
  return failure();
}

/// Collects the elementwise ops from which `value` is computed and that nothing
/// else uses, each after its operands. Returns whether they begin at splats and
/// reshapes of values of this shape.
static bool collectReshaped(Value value, ArrayRef<int64_t> shape,
                            llvm::SetVector<Operation *> &ops) {
  constexpr size_t most = 16;
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    if (RankedTensorType from = staticType(reshape.getOperand());
        from && from.getShape() == shape)
      return true;
  if (DenseElementsAttr constant = constantOf(value))
    return constant.isSplat();
  Operation *op = value.getDefiningOp();
  if (!op || ops.contains(op))
    return op != nullptr;
  RankedTensorType type = staticType(value);
  if (!type || !op->hasTrait<stablehlo::Elementwise>() ||
      op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !llvm::all_equal(op->getUsers()))
    return false;
  for (Value operand : op->getOperands()) {
    RankedTensorType own = staticType(operand);
    if (!own || own.getShape() != type.getShape() || ops.size() >= most ||
        !collectReshaped(operand, shape, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

/// Computes elementwise ops between two reshapes in the shape before the first
/// one, if the second one returns to it. Gradients of norms contain such pairs.
static LogicalResult reshapeBack(ReshapeOp op, PatternRewriter &rewriter) {
  llvm::SetVector<Operation *> ops;
  RankedTensorType type = staticType(op);
  if (!type || !collectReshaped(op.getOperand(), type.getShape(), ops) ||
      ops.empty())
    return failure();
  IRMapping mapping;
  for (Operation *each : ops) {
    for (Value operand : each->getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand,
                    ReshapeOp::create(
                        rewriter, op.getLoc(),
                        staticType(operand).clone(type.getShape()), operand));
    Operation *clone = rewriter.clone(*each, mapping);
    clone->getResult(0).setType(
        staticType(each->getResult(0)).clone(type.getShape()));
  }
  rewriter.replaceOp(op, mapping.lookup(op.getOperand()));
  return success();
}

/// Returns whether a transpose only moves dimensions of size 1, so that it
/// moves no bytes.
static bool movesNoBytes(RankedTensorType type, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t dim : permutation) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

/// Joins transposed inputs instead of transposing what is joined, if that moves
/// no bytes of the inputs. Stacked vectors are joined along another dimension
/// then.
static LogicalResult transposeInputs(TransposeOp op,
                                     PatternRewriter &rewriter) {
  auto concatenate = op.getOperand().getDefiningOp<ConcatenateOp>();
  if (!concatenate || !concatenate->hasOneUse())
    return failure();
  ArrayRef<int64_t> permutation = op.getPermutation();
  for (Value input : concatenate.getInputs()) {
    RankedTensorType type = staticType(input);
    if (!type || !movesNoBytes(type, permutation))
      return failure();
  }
  SmallVector<Value> inputs;
  for (Value input : concatenate.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> sizes;
    for (int64_t dim : permutation)
      sizes.push_back(type.getDimSize(dim));
    inputs.push_back(
        ReshapeOp::create(rewriter, op.getLoc(), type.clone(sizes), input));
  }
  const auto *joined =
      llvm::find(permutation, int64_t(concatenate.getDimension()));
  rewriter.replaceOpWithNewOp<ConcatenateOp>(
      op, op.getType(), inputs,
      rewriter.getI64IntegerAttr(joined - permutation.begin()));
  return success();
}

/// Transposes once, behind the reshape, what is transposed before and behind a
/// reshape that splits dimensions.
static LogicalResult composeTransposes(TransposeOp op,
                                       PatternRewriter &rewriter) {
  auto reshape = op.getOperand().getDefiningOp<ReshapeOp>();
  auto inner =
      reshape ? reshape.getOperand().getDefiningOp<TransposeOp>() : nullptr;
  if (!inner)
    return failure();
  RankedTensorType from = staticType(inner), to = staticType(reshape);
  if (!from || !to || to.getRank() <= from.getRank())
    return failure();
  std::optional<SmallVector<ReassociationIndices>> parts =
      getReassociationIndicesForReshape(from, to);
  if (!parts)
    return failure();
  // The split dimensions in the order of the inner operand, and where those of
  // the reshape are among them.
  SmallVector<int64_t> shape, places(to.getRank());
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    size_t i = llvm::find(inner.getPermutation(), dim) -
               inner.getPermutation().begin();
    for (int64_t part : (*parts)[i]) {
      places[part] = shape.size();
      shape.push_back(to.getDimSize(part));
    }
  }
  SmallVector<int64_t> permutation;
  for (int64_t dim : op.getPermutation())
    permutation.push_back(places[dim]);
  auto split = ReshapeOp::create(rewriter, reshape.getLoc(), to.clone(shape),
                                 inner.getOperand());
  rewriter.replaceOpWithNewOp<TransposeOp>(
      op, op.getType(), split, rewriter.getDenseI64ArrayAttr(permutation));
  return success();
}

static LogicalResult simplifyTranspose(TransposeOp op,
                                       PatternRewriter &rewriter) {
  Value operand = op.getOperand();
  ArrayRef<int64_t> permutation = op.getPermutation();
  if (auto inner = operand.getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> both;
    for (int64_t dim : permutation)
      both.push_back(inner.getPermutation()[dim]);
    rewriter.replaceOpWithNewOp<TransposeOp>(
        op, op.getType(), inner.getOperand(),
        rewriter.getDenseI64ArrayAttr(both));
    return success();
  }
  RankedTensorType type = staticType(operand);
  if (!type || !movesNoBytes(type, permutation))
    return failure();
  if (operand.getType() == op.getType())
    rewriter.replaceOp(op, operand);
  else
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), operand);
  return success();
}

static LogicalResult simplifyBroadcast(BroadcastInDimOp op,
                                       PatternRewriter &rewriter) {
  Value operand = op.getOperand();
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  RankedTensorType from = staticType(operand), to = staticType(op.getResult());
  if (!from || !to)
    return failure();
  if (auto inner = operand.getDefiningOp<BroadcastInDimOp>()) {
    SmallVector<int64_t> both;
    for (int64_t dim : inner.getBroadcastDimensions())
      both.push_back(dims[dim]);
    replaceBroadcast(rewriter, op, inner.getOperand(), both);
    return success();
  }
  if (from.getNumElements() == to.getNumElements() && llvm::is_sorted(dims)) {
    if (from == to)
      rewriter.replaceOp(op, operand);
    else
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, operand);
    return success();
  }
  // The broadcast can absorb a reshape that only adds or removes dimensions of
  // size 1.
  auto reshape = operand.getDefiningOp<ReshapeOp>();
  RankedTensorType source =
      reshape ? staticType(reshape.getOperand()) : RankedTensorType();
  if (!source)
    return failure();
  SmallVector<int64_t> wanted, held, composed(source.getRank());
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (from.getDimSize(i) != 1)
      wanted.push_back(i);
  for (int64_t i = 0; i < source.getRank(); ++i)
    if (source.getDimSize(i) != 1)
      held.push_back(i);
  if (wanted.size() != held.size() || held.size() != composed.size())
    return failure();
  for (auto [i, j] : llvm::zip_equal(wanted, held)) {
    if (from.getDimSize(i) != source.getDimSize(j))
      return failure();
    composed[j] = dims[i];
  }
  replaceBroadcast(rewriter, op, reshape.getOperand(), composed);
  return success();
}

static LogicalResult simplifySlice(SliceOp op, PatternRewriter &rewriter) {
  if (op.getOperand().getType() == op.getType() && staticType(op.getResult())) {
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
  auto inner = op.getOperand().getDefiningOp<SliceOp>();
  if (!inner)
    return failure();
  SmallVector<int64_t> starts, limits, strides;
  for (int64_t i = 0, e = op.getStartIndices().size(); i < e; ++i) {
    int64_t stride = inner.getStrides()[i];
    starts.push_back(inner.getStartIndices()[i] +
                     op.getStartIndices()[i] * stride);
    limits.push_back(std::min(inner.getLimitIndices()[i],
                              inner.getStartIndices()[i] +
                                  op.getLimitIndices()[i] * stride));
    strides.push_back(stride * op.getStrides()[i]);
  }
  rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getOperand(),
                                       rewriter.getDenseI64ArrayAttr(starts),
                                       rewriter.getDenseI64ArrayAttr(limits),
                                       rewriter.getDenseI64ArrayAttr(strides));
  return success();
}

static LogicalResult simplifyDynamicSlice(DynamicSliceOp op,
                                          PatternRewriter &rewriter) {
  RankedTensorType from = staticType(op.getOperand());
  RankedTensorType to = staticType(op.getResult());
  if (!from || !to)
    return failure();
  SmallVector<int64_t> starts, limits;
  for (auto [i, index] : llvm::enumerate(op.getStartIndices())) {
    int64_t lastStart = from.getDimSize(i) - to.getDimSize(i), start = 0;
    if (lastStart != 0) {
      DenseElementsAttr constant = constantOf(index);
      if (!constant)
        return failure();
      auto value = constant.getSplatValue<APInt>();
      bool isUnsigned = constant.getElementType().isUnsignedInteger();
      if (isUnsigned)
        start =
            value.ugt(lastStart) ? lastStart : int64_t(value.getZExtValue());
      else
        start = std::clamp<int64_t>(value.getSExtValue(), 0, lastStart);
    }
    starts.push_back(start);
    limits.push_back(start + to.getDimSize(i));
  }
  rewriter.replaceOpWithNewOp<SliceOp>(
      op, to, op.getOperand(), rewriter.getDenseI64ArrayAttr(starts),
      rewriter.getDenseI64ArrayAttr(limits),
      rewriter.getDenseI64ArrayAttr(SmallVector<int64_t>(starts.size(), 1)));
  return success();
}

static LogicalResult simplifyUpdate(DynamicUpdateSliceOp op,
                                    PatternRewriter &rewriter) {
  if (!staticType(op.getResult()) ||
      op.getUpdate().getType() != op.getResult().getType())
    return failure();
  rewriter.replaceOp(op, op.getUpdate());
  return success();
}

static LogicalResult simplifyConcatenate(ConcatenateOp op,
                                         PatternRewriter &rewriter) {
  if (op.getInputs().size() == 1 &&
      op.getInputs()[0].getType() == op.getType()) {
    rewriter.replaceOp(op, op.getInputs()[0]);
    return success();
  }
  SmallVector<Value> kept;
  for (Value input : op.getInputs()) {
    RankedTensorType type = staticType(input);
    if (!type || type.getDimSize(op.getDimension()) != 0)
      kept.push_back(input);
  }
  if (kept.size() == op.getInputs().size() || kept.empty())
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op->setOperands(kept); });
  return success();
}

static LogicalResult simplifyPad(PadOp op, PatternRewriter &rewriter) {
  auto none = [](ArrayRef<int64_t> amounts) {
    return llvm::all_of(amounts, [](int64_t amount) { return amount == 0; });
  };
  if (!none(op.getEdgePaddingLow()) || !none(op.getEdgePaddingHigh()) ||
      op.getOperand().getType() != op.getType())
    return failure();
  RankedTensorType type = staticType(op.getResult());
  if (!type)
    return failure();
  for (auto [amount, extent] :
       llvm::zip_equal(op.getInteriorPadding(), type.getShape()))
    if (amount != 0 && extent > 1)
      return failure();
  rewriter.replaceOp(op, op.getOperand());
  return success();
}

static LogicalResult simplifyReverse(ReverseOp op, PatternRewriter &rewriter) {
  RankedTensorType type = staticType(op.getResult());
  if (!type)
    return failure();
  Value operand = op.getOperand();
  SmallVector<bool> reverses(type.getRank());
  for (int64_t dim : op.getDimensions())
    reverses[dim] = type.getDimSize(dim) > 1;
  auto before = operand.getDefiningOp<ReverseOp>();
  if (before) {
    operand = before.getOperand();
    for (int64_t dim : before.getDimensions())
      reverses[dim] = !reverses[dim] && type.getDimSize(dim) > 1;
  }
  SmallVector<int64_t> dims;
  for (auto [dim, reversed] : llvm::enumerate(reverses))
    if (reversed)
      dims.push_back(dim);
  if (dims.empty())
    rewriter.replaceOp(op, operand);
  else if (before || dims.size() < op.getDimensions().size())
    rewriter.replaceOpWithNewOp<ReverseOp>(op, op.getType(), operand,
                                           rewriter.getDenseI64ArrayAttr(dims));
  else
    return failure();
  return success();
}

static LogicalResult simplifyReduce(ReduceOp op, PatternRewriter &rewriter) {
  // Nothing is reduced, but the specification combines each element with the
  // initial value once. This changes nothing for common reducers.
  if (!op.getDimensions().empty() || op.getInputs().size() != 1)
    return failure();
  RankedTensorType type = staticType(op.getResult(0));
  Block &body = op.getBody().front();
  auto initType = cast<RankedTensorType>(op.getInitValues()[0].getType());
  if (!type || initType.getRank() != 0 ||
      !llvm::hasSingleElement(body.without_terminator()))
    return failure();
  Operation &inner = body.front();
  if (inner.getNumOperands() != 2 || inner.getNumResults() != 1 ||
      inner.getOperand(0) != body.getArgument(0) ||
      inner.getOperand(1) != body.getArgument(1) ||
      body.getTerminator()->getOperand(0) != inner.getResult(0) ||
      !inner.hasTrait<stablehlo::Elementwise>())
    return failure();
  Value init = BroadcastInDimOp::create(rewriter, op.getLoc(), type,
                                        op.getInitValues()[0],
                                        rewriter.getDenseI64ArrayAttr({}));
  IRMapping mapping;
  mapping.map(body.getArgument(0), init);
  mapping.map(body.getArgument(1), op.getInputs()[0]);
  Operation *wide = rewriter.clone(inner, mapping);
  wide->getResult(0).setType(type);
  rewriter.replaceOp(op, wide->getResults());
  return success();
}

void populateMovementPatterns(RewritePatternSet &patterns) {
  addFunctions<simplifyReshape, reshapeBack, simplifyTranspose,
               composeTransposes, transposeInputs, simplifyBroadcast,
               simplifySlice, simplifyDynamicSlice, simplifyUpdate,
               simplifyConcatenate, simplifyPad, simplifyReverse,
               simplifyReduce>(patterns);
}

} // namespace xlac::transforms
