// Turns products of large matrices and vectors, batched or not, into
// reductions. The time of such a product is the time to read the matrix, which
// packing it for a GEMM would only prolong. Products of a large matrix and a
// few columns become products of a few rows, for which a GEMM reads the matrix
// in place.
#include "xlac/Transforms/Passes.h"

#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

/// One operand of a product, and its dimensions by kind. The free ones are in
/// the order of the result.
struct Side {
  Side(Value value, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracting)
      : value(value), batch(batch), contracting(contracting) {
    for (int64_t dim : llvm::seq<int64_t>(0, type().getRank())) {
      if (!llvm::is_contained(batch, dim) &&
          !llvm::is_contained(contracting, dim))
        free.push_back(dim);
      places.push_back({dim});
    }
  }

  Value value;
  SmallVector<int64_t> batch, contracting, free;
  /// The dimensions of `value` that each dimension of the operand consists of.
  SmallVector<SmallVector<int64_t>> places;
  /// The types to which the elements of `value` are converted in turn.
  SmallVector<Type> conversions;

  RankedTensorType type() const {
    return mlir::cast<RankedTensorType>(value.getType());
  }
  /// Whether all dimensions that are in the result only have size 1.
  bool isVector() const {
    return llvm::all_of(
        free, [&](int64_t dim) { return type().getDimSize(dim) == 1; });
  }
  SmallVector<int64_t> placesOf(ArrayRef<int64_t> dims) const {
    SmallVector<int64_t> all;
    for (int64_t dim : dims)
      llvm::append_range(all, places[dim]);
    return all;
  }
  /// Replaces the value by what it transposes or converts, or whose dimensions
  /// it joins.
  void readInPlace() {
    while (mlir::Operation *op = value.getDefiningOp()) {
      SmallVector<mlir::ReassociationIndices> origins;
      if (auto transpose = mlir::dyn_cast<stablehlo::TransposeOp>(op)) {
        for (int64_t dim : transpose.getPermutation())
          origins.push_back({dim});
      } else if (mlir::isa<stablehlo::ConvertOp>(op)) {
        conversions.insert(conversions.begin(), type().getElementType());
        for (int64_t dim : llvm::seq<int64_t>(0, type().getRank()))
          origins.push_back({dim});
      } else if (mlir::isa<stablehlo::ReshapeOp>(op)) {
        auto from = mlir::cast<RankedTensorType>(op->getOperand(0).getType());
        auto joined =
            from.getRank() > type().getRank()
                ? mlir::getReassociationIndicesForReshape(from, type())
                : std::nullopt;
        if (!joined)
          return;
        origins = std::move(*joined);
      } else {
        return;
      }
      for (SmallVector<int64_t> &group : places) {
        SmallVector<int64_t> before = std::exchange(group, {});
        for (int64_t dim : before)
          llvm::append_range(group, origins[dim]);
      }
      value = op->getOperand(0);
    }
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

/// Returns `sums`, which has the dimensions of the matrix in their order, with
/// those that the product's result has: batch dimensions, then free ones.
static Value orderSums(StablehloBuilder &b, Value sums, const Side &matrix) {
  SmallVector<int64_t> wanted = matrix.placesOf(matrix.batch);
  llvm::append_range(wanted, matrix.placesOf(matrix.free));
  SmallVector<int64_t> found(wanted), permutation;
  llvm::sort(found);
  for (int64_t dim : wanted)
    permutation.push_back(llvm::find(found, dim) - found.begin());
  return llvm::is_sorted(permutation) ? sums : b.transpose(sums, permutation);
}

/// Returns the product as a reduction over the matrix's dimensions.
static Value reduceProducts(StablehloBuilder &b, const Side &matrix,
                            const Side &vector, Type sum,
                            RankedTensorType result) {
  ArrayRef<int64_t> sizes = matrix.type().getShape();
  // The vector's dimensions, without the free ones, and where the matrix has
  // them.
  SmallVector<int64_t> shape, mapping;
  for (int64_t dim = 0; dim < vector.type().getRank(); ++dim) {
    if (llvm::is_contained(vector.free, dim))
      continue;
    auto placeIn = [&](ArrayRef<int64_t> list) {
      return llvm::find(list, dim) - list.begin();
    };
    int64_t partner = llvm::is_contained(vector.batch, dim)
                          ? matrix.batch[placeIn(vector.batch)]
                          : matrix.contracting[placeIn(vector.contracting)];
    for (int64_t place : matrix.places[partner]) {
      shape.push_back(sizes[place]);
      mapping.push_back(place);
    }
  }
  // Fused into the reduction, the ops that make the vector would run again for
  // many of the matrix's elements.
  Value once =
      b.value("stablehlo.optimization_barrier", vector.type(), {vector.value});
  Value factors = b.convert(b.reshape(once, shape), sum);
  Value elements = matrix.value;
  for (Type type : matrix.conversions)
    elements = b.convert(elements, type);
  Value products = b.multiply(b.convert(elements, sum),
                              b.broadcastInDim(factors, sizes, mapping));
  SmallVector<int64_t> reduced = matrix.placesOf(matrix.contracting);
  llvm::sort(reduced);
  Value sums = orderSums(b, b.sum(products, reduced), matrix);
  return b.reshape(b.convert(sums, result.getElementType()), result.getShape());
}

/// Erases the ops that make `value`, as far as nothing uses them. A kernel
/// would store what they read.
static void eraseUnused(Value value) {
  mlir::Operation *op = value.getDefiningOp();
  while (op && mlir::isOpTriviallyDead(op)) {
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    op = operands.empty() ? nullptr : operands.front().getDefiningOp();
  }
}

/// Returns whether a transposition makes the last dimension of `value`.
static bool hasTransposedRows(Value value) {
  auto transpose = value.getDefiningOp<stablehlo::TransposeOp>();
  return transpose && transpose.getPermutation().back() !=
                          int64_t(transpose.getPermutation().size()) - 1;
}

/// Exchanges the operands of a product with few columns, if the rows of its
/// large operand are contiguous.
static void exchangeOperands(DotGeneralOp op, const Side &matrix,
                             const Side &columns) {
  // With more columns, packing them takes less time than adding the lanes of
  // their sums.
  constexpr int64_t mostColumns = 6, leastDepth = 12;
  RankedTensorType type = matrix.type();
  Type element = type.getElementType();
  if (op.getType().getElementType() != element ||
      !(element.isF32() || element.isF64()) || !matrix.batch.empty() ||
      ArrayRef(matrix.contracting) != ArrayRef{type.getRank() - 1} ||
      hasTransposedRows(matrix.value))
    return;
  SmallVector<int64_t> order(columns.free);
  order.append(columns.contracting);
  int64_t depth = type.getShape().back();
  int64_t count = columns.type().getNumElements() / depth;
  if (count > mostColumns || depth < leastDepth * count ||
      type.getNumElements() / depth <= mostColumns)
    return;
  mlir::OpBuilder builder(op);
  StablehloBuilder b(builder, op.getLoc());
  // The GEMM would read the columns transposed.
  Value rows = b.transpose(columns.value, order);
  rows = b.value("stablehlo.optimization_barrier", rows.getType(), {rows});
  Value product = b.dotGeneral(
      rows, matrix.value, {}, {}, {int64_t(order.size()) - 1},
      {type.getRank() - 1}, element, op->getAttr("precision_config"));
  int64_t rank = StablehloBuilder::typeOf(product).getRank();
  auto permutation =
      llvm::to_vector(llvm::seq<int64_t>(columns.free.size(), rank));
  llvm::append_range(permutation, llvm::seq<int64_t>(0, columns.free.size()));
  op.getResult().replaceAllUsesWith(b.transpose(product, permutation));
  op.erase();
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
  bool isVectorFirst = lhs.isVector();
  Side &matrix = isVectorFirst ? rhs : lhs;
  RankedTensorType type = matrix.type();
  if (lhs.contracting.empty() ||
      type.getNumElements() * type.getElementTypeBitWidth() / 8 < kLeastBytes)
    return;
  if (!lhs.isVector() && !rhs.isVector()) {
    exchangeOperands(op, lhs, rhs);
    return;
  }
  mlir::OpBuilder builder(op);
  StablehloBuilder b(builder, op.getLoc());
  Value operand = matrix.value;
  matrix.readInPlace();
  Value made = reduceProducts(b, matrix, isVectorFirst ? lhs : rhs, sum,
                              mlir::cast<RankedTensorType>(op.getType()));
  op.getResult().replaceAllUsesWith(made);
  op.erase();
  eraseUnused(operand);
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
