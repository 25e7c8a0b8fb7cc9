// Turns products of large matrices and vectors, batched or not, into
// reductions. The time of such a product is the time to read the matrix, which
// packing it for a GEMM would only prolong.
#include "xlac/Transforms/Passes.h"

#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/TypeUtilities.h"

namespace xlac::transforms {
#define GEN_PASS_DEF_LOWERVECTORPRODUCTS
#include "xlac/Transforms/Passes.h.inc"

using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;
using stablehlo::DotGeneralOp;

namespace {

/// Smaller matrices stay in the first-level caches, and their products have
/// precompiled microkernels.
constexpr int64_t kLeastBytes = 256 << 10;

/// One operand of a product, and its dimensions by kind.
struct Side {
  Value value;
  ArrayRef<int64_t> batch, contracting;

  RankedTensorType type() const {
    return mlir::cast<RankedTensorType>(value.getType());
  }
  bool isFree(int64_t dim) const {
    return !llvm::is_contained(batch, dim) &&
           !llvm::is_contained(contracting, dim);
  }
  /// Whether all dimensions that are in the result only have size 1.
  bool isVector() const {
    for (auto [dim, size] : llvm::enumerate(type().getShape()))
      if (isFree(dim) && size != 1)
        return false;
    return true;
  }
};

} // namespace

/// Returns the type in which products are summed, or null if a reduction would
/// not give the product's result.
static Type sumType(DotGeneralOp op) {
  auto element = [](Value value) {
    return mlir::getElementTypeOrSelf(value.getType());
  };
  Type lhs = element(op.getLhs()), rhs = element(op.getRhs());
  Type result = element(op.getResult());
  auto floating = mlir::dyn_cast<mlir::FloatType>(lhs);
  if (lhs != rhs)
    return nullptr;
  if (!floating)
    return mlir::isa<mlir::IntegerType>(lhs) && lhs == result &&
                   lhs.getIntOrFloatBitWidth() >= 32
               ? lhs
               : nullptr;
  auto wide = mlir::dyn_cast<mlir::FloatType>(result);
  if (!wide || floating.getWidth() < 16 || wide.getWidth() < 16)
    return nullptr;
  if (floating.getWidth() > 32 || wide.getWidth() > 32)
    return lhs == result ? lhs : nullptr;
  return mlir::Float32Type::get(op.getContext());
}

/// Returns the product as a reduction over the matrix's dimensions, or null if
/// the order of the result's dimensions is another one.
static Value reduceProducts(StablehloBuilder &b, const Side &matrix,
                            const Side &vector, Type sum,
                            RankedTensorType result) {
  // The result has the batch dimensions first, in the order of the operands'
  // lists; a reduction keeps the order of the matrix.
  ArrayRef<int64_t> sizes = matrix.type().getShape();
  for (auto [place, dim] : llvm::enumerate(matrix.batch))
    if (dim != int64_t(place))
      return nullptr;
  // The vector's dimensions, without the free ones, and where the matrix has
  // them.
  SmallVector<int64_t> shape, mapping;
  for (auto [dim, size] : llvm::enumerate(vector.type().getShape())) {
    if (vector.isFree(dim))
      continue;
    auto placeIn = [&](ArrayRef<int64_t> list) {
      return llvm::find(list, int64_t(dim)) - list.begin();
    };
    bool isBatch = llvm::is_contained(vector.batch, int64_t(dim));
    shape.push_back(size);
    mapping.push_back(isBatch
                          ? matrix.batch[placeIn(vector.batch)]
                          : matrix.contracting[placeIn(vector.contracting)]);
  }
  // Fused into the reduction, the ops that make the vector would run again for
  // many of the matrix's elements.
  Value once =
      b.value("stablehlo.optimization_barrier", vector.type(), {vector.value});
  Value factors = b.convert(b.reshape(once, shape), sum);
  Value products = b.multiply(b.convert(matrix.value, sum),
                              b.broadcastInDim(factors, sizes, mapping));
  SmallVector<int64_t> reduced(matrix.contracting);
  llvm::sort(reduced);
  Value sums = b.sum(products, reduced);
  return b.reshape(b.convert(sums, result.getElementType()), result.getShape());
}

static void lower(DotGeneralOp op) {
  Type sum = sumType(op);
  if (!isStaticOp(op) || !sum)
    return;
  stablehlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  Side lhs{op.getLhs(), numbers.getLhsBatchingDimensions(),
           numbers.getLhsContractingDimensions()};
  Side rhs{op.getRhs(), numbers.getRhsBatchingDimensions(),
           numbers.getRhsContractingDimensions()};
  if (lhs.contracting.empty() || (!lhs.isVector() && !rhs.isVector()))
    return;
  const Side &matrix = lhs.isVector() ? rhs : lhs;
  RankedTensorType type = matrix.type();
  if (type.getNumElements() * type.getElementTypeBitWidth() / 8 < kLeastBytes)
    return;
  mlir::OpBuilder builder(op);
  StablehloBuilder b(builder, op.getLoc());
  Value made = reduceProducts(b, matrix, lhs.isVector() ? lhs : rhs, sum,
                              mlir::cast<RankedTensorType>(op.getType()));
  if (!made)
    return;
  op.getResult().replaceAllUsesWith(made);
  op.erase();
}

namespace {
class LowerVectorProducts
    : public impl::LowerVectorProductsBase<LowerVectorProducts> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> ops;
    getOperation().walk([&](DotGeneralOp op) { ops.push_back(op); });
    llvm::for_each(ops, lower);
  }
};
} // namespace

} // namespace xlac::transforms
