#include "LoopRepeats.h"

#include "Element/ElementEmitter.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/OpCost.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

namespace {

/// A set of dimensions of the kernel's results.
using Dims = uint64_t;

/// Adds up the cost of ops by the dimensions of the results that their elements
/// depend on.
class WorkFinder {
public:
  /// Follows `value`, whose index along its dimension i depends on `dims[i]`.
  void visit(mlir::Value value, ArrayRef<Dims> dims);

  struct Work {
    Dims dims;
    int64_t cost;
  };
  SmallVector<Work> work;
  /// Whether there is an op that `visit` does not follow.
  bool isIncomplete = false;

private:
  void visitOp(BroadcastInDimOp op, ArrayRef<Dims> dims);
  void visitOp(TransposeOp op, ArrayRef<Dims> dims);
  void visitOp(ReshapeOp op, ArrayRef<Dims> dims);
  void visitOp(GatherOp op, ArrayRef<Dims> dims);
  void visitOp(ConcatenateOp op, ArrayRef<Dims> dims) {
    for (mlir::Value input : op.getInputs())
      visit(input, dims);
  }
  void visitOp(IotaOp, ArrayRef<Dims>) {}
  template <class Op> void visitSameDims(Op op, ArrayRef<Dims> dims) {
    visit(op.getOperand(), dims);
  }

  std::set<std::pair<void *, std::vector<Dims>>> seen;
};

} // namespace

static Dims unite(ArrayRef<Dims> dims) {
  Dims all = 0;
  for (Dims one : dims)
    all |= one;
  return all;
}

void WorkFinder::visitOp(BroadcastInDimOp op, ArrayRef<Dims> dims) {
  SmallVector<Dims> own;
  for (auto [size, dim] :
       zip_equal(sizesOf(op.getOperand()), op.getBroadcastDimensions()))
    own.push_back(size == 1 ? 0 : dims[dim]);
  visit(op.getOperand(), own);
}

void WorkFinder::visitOp(TransposeOp op, ArrayRef<Dims> dims) {
  SmallVector<Dims> own(dims.size());
  for (auto [to, from] : enumerate(op.getPermutation()))
    own[from] = dims[to];
  visit(op.getOperand(), own);
}

void WorkFinder::visitOp(ReshapeOp op, ArrayRef<Dims> dims) {
  ArrayRef<int64_t> from = sizesOf(op.getOperand()), to = sizesOf(op);
  auto isLong = [](int64_t size) { return size != 1; };
  SmallVector<Dims> own(from.size(), 0);
  if (!equal(make_filter_range(from, isLong), make_filter_range(to, isLong))) {
    own.assign(from.size(), unite(dims));
  } else {
    // Only dimensions of size 1 come and go.
    size_t at = 0;
    for (auto [size, one] : zip_equal(from, own)) {
      if (size == 1)
        continue;
      while (to[at] == 1)
        ++at;
      one = dims[at++];
    }
  }
  visit(op.getOperand(), own);
}

/// The start indices depend on the batch dimensions alone.
void WorkFinder::visitOp(GatherOp op, ArrayRef<Dims> dims) {
  constexpr int64_t costOfStart = 6, costOfLoad = 8;
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  SmallVector<Dims> own;
  for (auto [dim, one] : enumerate(dims))
    if (!is_contained(numbers.getOffsetDims(), int64_t(dim)))
      own.push_back(one);
  int64_t vectorDim = numbers.getIndexVectorDim();
  if (vectorDim < int64_t(sizesOf(op.getStartIndices()).size()))
    own.insert(own.begin() + vectorDim, 0);
  int64_t starts = int64_t(numbers.getStartIndexMap().size());
  work.push_back({unite(own), costOfStart * starts});
  work.push_back({unite(dims), costOfLoad});
  visit(op.getStartIndices(), own);
  visit(op.getOperand(),
        SmallVector<Dims>(sizesOf(op.getOperand()).size(), unite(dims)));
}

void WorkFinder::visit(mlir::Value value, ArrayRef<Dims> dims) {
  constexpr size_t mostVisited = 256;
  mlir::Operation *op = value.getDefiningOp();
  if (isIncomplete ||
      !seen.insert({value.getAsOpaquePointer(), {dims.begin(), dims.end()}})
           .second)
    return;
  isIncomplete =
      seen.size() > mostVisited || dims.size() != sizesOf(value).size();
  if (!op || isIncomplete || op->hasTrait<mlir::OpTrait::ConstantLike>())
    return;
  TypeSwitch<mlir::Operation *>(op)
      .Case<BroadcastInDimOp, TransposeOp, ReshapeOp, GatherOp, ConcatenateOp,
            IotaOp>([&](auto known) { visitOp(known, dims); })
      .Case<SliceOp, ReverseOp>([&](auto known) { visitSameDims(known, dims); })
      .Default([&](mlir::Operation *) {
        isIncomplete = !isScalarOp(op);
        if (isIncomplete)
          return;
        work.push_back({unite(dims), costPerElement(op)});
        for (mlir::Value operand : op->getOperands())
          if (sizesOf(operand).size() == dims.size())
            visit(operand, dims);
      });
}

std::optional<size_t> findRepeatedGroup(ir::KernelOp kernel,
                                        ArrayRef<SmallVector<int64_t>> groups) {
  // A vector of every index of the group is stored before the next vector, so
  // that the memory of the results is not written in its order.
  constexpr int64_t leastCost = 16;
  if (groups.size() < 2)
    return std::nullopt;
  WorkFinder finder;
  mlir::OperandRange results = kernel.getYield()->getOperands();
  if (sizesOf(results[0]).size() > 64)
    return std::nullopt;
  SmallVector<Dims> identity;
  for (size_t dim = 0; dim < sizesOf(results[0]).size(); ++dim)
    identity.push_back(Dims(1) << dim);
  for (mlir::Value result : results) {
    if (sizesOf(result) != sizesOf(results[0]))
      return std::nullopt;
    finder.visit(result, identity);
  }
  if (finder.isIncomplete)
    return std::nullopt;

  auto dimsOf = [](ArrayRef<int64_t> group) {
    Dims dims = 0;
    for (int64_t dim : group)
      dims |= Dims(1) << dim;
    return dims;
  };
  // What is the same in a row of vectors is computed once for each row anyway.
  Dims inner = dimsOf(groups.back());
  std::optional<size_t> best;
  int64_t most = leastCost - 1, total = 0;
  for (const WorkFinder::Work &work : finder.work)
    total += work.dims & inner ? work.cost : 0;
  for (auto [number, group] : enumerate(groups.drop_back())) {
    int64_t same = 0;
    for (const WorkFinder::Work &work : finder.work)
      if ((work.dims & inner) && !(work.dims & dimsOf(group)))
        same += work.cost;
    if (same > most && 2 * same >= total) {
      most = same;
      best = number;
    }
  }
  return best;
}

} // namespace xlac::codegen
