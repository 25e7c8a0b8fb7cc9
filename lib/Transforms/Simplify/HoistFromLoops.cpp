// Computes before a loop what is the same in each iteration, and products of
// weights with slices of an array, of which each iteration reads another one:
// one product of the whole array uses the processor better than one for each
// slice.
#include "xlac/Transforms/Passes.h"

#include "Fusion/FusionCost.h"
#include "StablehloBuilder.h"
#include "TripCount.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_HOISTFROMLOOPS
#include "xlac/Transforms/Passes.h.inc"

using stablehlo::DotGeneralOp;
using stablehlo::DynamicSliceOp;

namespace {

/// A slice of an array, with one index along one dimension.
struct Slice {
  Value array, index{};
  int64_t dim = -1;
  bool isDropped = false; ///< the dimension, by a reshape
};

class LoopMotion {
public:
  explicit LoopMotion(stablehlo::WhileOp loop)
      : loop(loop), body(loop.getBody().front()), trips(tripCount(loop)),
        builder(loop) {}

  void run() {
    if (trips && *trips < 2)
      return;
    for (Operation &op : body.without_terminator())
      if (mayMove(op) && llvm::all_of(op.getOperands(), [&](Value operand) {
            return isInvariant(operand);
          }))
        invariant.insert(&op);
    // A product of a slice may be the reason that its weights move.
    for (Operation &op : llvm::make_early_inc_range(body))
      if (auto dot = dyn_cast<DotGeneralOp>(op);
          dot && !invariant.contains(dot))
        moveProductOfSlices(dot);
    for (Operation &op : llvm::make_early_inc_range(body))
      if (invariant.contains(&op) && isReadByOthers(op) && paysToMove(op))
        op.replaceAllUsesWith(moved(&op)->getResults());
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

private:
  /// Returns whether the op computes the same before the loop, and its regions
  /// read nothing else.
  static bool mayMove(Operation &op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    return captured.empty() && isMemoryEffectFree(&op) &&
           roleOf(&op) != FusionRole::Control;
  }

  bool isInvariant(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &body)
      return body.getTerminator()->getOperand(argument.getArgNumber()) == value;
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == &body ? invariant.contains(op) : true;
  }

  /// Returns the ops of the body that compute `op`, and it itself, in the order
  /// of the body.
  SmallVector<Operation *> opsBehind(Operation *op) const {
    llvm::SetVector<Operation *> ops;
    ops.insert(op);
    for (size_t i = 0; i < ops.size(); ++i)
      for (Value operand : ops[i]->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && source->getBlock() == &body)
          ops.insert(source);
    SmallVector<Operation *> ordered = ops.takeVector();
    llvm::sort(ordered, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    return ordered;
  }

  /// Returns the invariant value before the loop.
  Value before(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &body)
      return loop->getOperand(argument.getArgNumber());
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body)
      return value;
    return moved(op)->getResult(cast<OpResult>(value).getResultNumber());
  }

  /// Returns the copy of an invariant op before the loop.
  Operation *moved(Operation *op) {
    if (!copies.contains(op))
      for (Operation *source : opsBehind(op))
        if (!copies.contains(source)) {
          IRMapping mapping;
          for (Value operand : source->getOperands())
            mapping.map(operand, before(operand));
          copies[source] = builder.clone(*source, mapping);
        }
    return copies[op];
  }

  bool isReadByOthers(Operation &op) const {
    return llvm::any_of(op.getUsers(), [&](Operation *user) {
      Operation *inBody = body.findAncestorOpInBlock(*user);
      return inBody && !invariant.contains(inBody);
    });
  }

  /// Compares the work that makes the results with reading them from memory.
  bool paysToMove(Operation &op) const {
    // Products transpose what they read.
    if (isa<stablehlo::TransposeOp>(op) &&
        llvm::all_of(op.getUsers(), [](Operation *user) {
          return roleOf(user) == FusionRole::Contraction;
        }))
      return false;
    double work = 0;
    for (Operation *source : opsBehind(&op))
      if (isHeavyTranspose(source))
        work += resultBytes(source) * 2;
      else if (roleOf(source) != FusionRole::Constant)
        work += elementCost(source) * double(elementsOf(source));
    return work > 2 * resultBytes(&op);
  }

  /// Returns what slice of an invariant array `value` is.
  std::optional<Slice> sliceOf(Value value) const {
    auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>();
    auto op = (reshape ? reshape.getOperand() : value)
                  .getDefiningOp<DynamicSliceOp>();
    if (!op || op->getBlock() != &body || !isInvariant(op.getOperand()) ||
        !isStaticOp(op))
      return std::nullopt;
    Slice slice{op.getOperand()};
    for (auto [dim, size] : llvm::enumerate(shapeOf(op))) {
      if (size == shapeOf(slice.array)[dim])
        continue;
      if (size != 1 || slice.dim >= 0)
        return std::nullopt;
      slice.dim = int64_t(dim);
      slice.index = op.getStartIndices()[dim];
    }
    if (slice.dim < 0)
      return std::nullopt;
    slice.isDropped = reshape != nullptr;
    SmallVector<int64_t> shape(shapeOf(op));
    if (slice.isDropped)
      shape.erase(shape.begin() + slice.dim);
    if (ArrayRef(shape) != shapeOf(value))
      return std::nullopt;
    return slice;
  }

  void moveProductOfSlices(DotGeneralOp dot) {
    if (!isStaticOp(dot))
      return;
    for (unsigned side : {0, 1}) {
      std::optional<Slice> slice = sliceOf(dot->getOperand(side));
      if (!slice || !isInvariant(dot->getOperand(1 - side)))
        continue;
      if (moveProduct(dot, side, *slice))
        return;
    }
  }

  /// Multiplies the whole array, and takes the slice of the product.
  bool moveProduct(DotGeneralOp dot, unsigned side, const Slice &slice);

  stablehlo::WhileOp loop;
  Block &body;
  std::optional<int64_t> trips;
  OpBuilder builder; ///< before the loop
  DenseSet<Operation *> invariant;
  DenseMap<Operation *, Operation *> copies;
};

} // namespace

/// Returns the slice of `array` with `index` along one dimension.
static Value sliceAt(StablehloBuilder &b, Value array, int64_t dim,
                     Value index) {
  RankedTensorType type = StablehloBuilder::typeOf(array);
  Value zero = b.splat(StablehloBuilder::typeOf(index), 0);
  SmallVector<Value> operands(1 + type.getRank(), zero);
  operands[0] = array;
  operands[1 + dim] = index;
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] = 1;
  return b.value("stablehlo.dynamic_slice", type.clone(sizes), operands,
                 {b.builder.getNamedAttr(
                     "slice_sizes", b.builder.getDenseI64ArrayAttr(sizes))});
}

bool LoopMotion::moveProduct(DotGeneralOp dot, unsigned side,
                             const Slice &slice) {
  // A product of more rows is fast by itself, and the product of the array must
  // fit the memory. With fewer multiplications in all iterations, another
  // kernel takes longer.
  constexpr int64_t mostRows = 64, leastSlices = 4, leastProducts = 1 << 16;
  constexpr double mostBytes = 64 << 20;
  stablehlo::DotDimensionNumbersAttr numbers = dot.getDotDimensionNumbers();
  auto ofSide = [&](unsigned which, bool contracting) -> ArrayRef<int64_t> {
    if (contracting)
      return which == 0 ? numbers.getLhsContractingDimensions()
                        : numbers.getRhsContractingDimensions();
    return which == 0 ? numbers.getLhsBatchingDimensions()
                      : numbers.getRhsBatchingDimensions();
  };
  auto inArray = [&](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t dim) {
      return dim + (slice.isDropped && dim >= slice.dim);
    });
  };
  SmallVector<int64_t> batch = inArray(ofSide(side, false)),
                       contracting = inArray(ofSide(side, true));
  int64_t slices = shapeOf(slice.array)[slice.dim];
  if (llvm::is_contained(batch, slice.dim) ||
      llvm::is_contained(contracting, slice.dim) || slices < leastSlices ||
      !trips || *trips < slices / 2 ||
      resultBytes(dot) * double(slices) > mostBytes ||
      elementCost(dot) / 2 * double(elementsOf(dot.getOperation()) * slices) <
          leastProducts)
    return false;
  // The array is on the left: rows of its slices stay contiguous.
  int64_t rows = 1, place = 0, freeDims = 0;
  for (auto [dim, size] : llvm::enumerate(shapeOf(slice.array))) {
    if (llvm::is_contained(batch, int64_t(dim)) ||
        llvm::is_contained(contracting, int64_t(dim)))
      continue;
    if (int64_t(dim) == slice.dim)
      place = int64_t(batch.size()) + freeDims;
    else
      rows *= size;
    ++freeDims;
  }
  if (rows > mostRows)
    return false;
  StablehloBuilder b(builder, dot.getLoc());
  Value product = b.dotGeneral(
      before(slice.array), before(dot->getOperand(1 - side)), batch,
      ofSide(1 - side, false), contracting, ofSide(1 - side, true),
      dot.getType().getElementType(), dot->getAttr("precision_config"));
  OpBuilder inBody(dot);
  StablehloBuilder in(inBody, dot.getLoc());
  Value part = sliceAt(in, product, place, slice.index);
  SmallVector<int64_t> sizes(shapeOf(part));
  if (slice.isDropped) {
    sizes.erase(sizes.begin() + place);
    --freeDims;
  }
  part = in.reshape(part, sizes);
  if (side == 1) {
    // The free dimensions of the weights are first in the result.
    int64_t first = batch.size(), rank = sizes.size();
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, first));
    llvm::append_range(order, llvm::seq(first + freeDims, rank));
    llvm::append_range(order, llvm::seq(first, first + freeDims));
    part = in.transpose(part, order);
  }
  dot.getResult().replaceAllUsesWith(part);
  dot.erase();
  return true;
}

namespace {
class HoistFromLoops : public impl::HoistFromLoopsBase<HoistFromLoops> {
  void runOnOperation() override {
    // Inner loops first: what leaves one may leave the next.
    getOperation().walk<WalkOrder::PostOrder>(
        [](stablehlo::WhileOp loop) { LoopMotion(loop).run(); });
  }
};
} // namespace

} // namespace xlac::transforms
