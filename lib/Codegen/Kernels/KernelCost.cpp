#include "KernelCost.h"

#include "KernelEmitters.h"

#include "xlac/Dialect/Stablehlo/OpCost.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/Reducer.h"
#include "xlac/ops/elementwise.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

int64_t elementCount(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (__builtin_mul_overflow(count, size, &count))
      return INT64_MAX;
  return count;
}

int64_t elementsOf(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? elementCount(tensor.getShape())
                                           : 0;
}

static int64_t countOf(mlir::Value value) {
  return elementsOf(value.getType());
}

static int64_t saturatingProduct(int64_t left, int64_t right) {
  int64_t product;
  return __builtin_mul_overflow(left, right, &product) ? INT64_MAX / 4
                                                       : product;
}

int64_t bytesOf(mlir::Type type) {
  return saturatingProduct(elementsOf(type),
                           elementBytes(mlir::getElementTypeOrSelf(type)));
}

static int64_t flopsOf(mlir::Operation &op) {
  if (op.hasTrait<mlir::OpTrait::ConstantLike>() || op.getNumResults() == 0 ||
      isa<ir::PackOp, ir::PackedOp, ir::AbsentOp>(op))
    return 0;
  int64_t count = countOf(op.getResult(0));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return countOf(reduce.getInputs()[0]) *
           int64_t(reduce.getBody().front().getOperations().size());
  if (auto window = dyn_cast<ReduceWindowOp>(op))
    return saturatingProduct(
        count, ir::describeScan(window)
                   ? 1
                   : 3 * elementCount(window.getWindowDimensions()));
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    int64_t depth = 1;
    for (int64_t dim :
         dot.getDotDimensionNumbers().getLhsContractingDimensions())
      depth *= cast<RankedTensorType>(dot.getLhs().getType()).getDimSize(dim);
    return saturatingProduct(count, 2 * depth);
  }
  if (auto convolution = dyn_cast<ConvolutionOp>(op)) {
    auto type = cast<RankedTensorType>(convolution.getRhs().getType());
    int64_t features = type.getDimSize(
        convolution.getDimensionNumbers().getKernelOutputFeatureDimension());
    return saturatingProduct(count, 2 * countOf(convolution.getRhs()) /
                                        std::max<int64_t>(1, features));
  }
  return saturatingProduct(count, costPerElement(&op));
}

KernelCost costOf(ir::KernelOp kernel) {
  KernelCost cost;
  auto addBytes = [&](mlir::Value value) {
    cost.bytes += bytesOf(value.getType());
  };
  mlir::Block &body = kernel.getBody().front();
  for (mlir::Value argument : body.getArguments())
    addBytes(argument);
  for (mlir::Value result : kernel.getYield()->getOperands())
    addBytes(result);
  for (mlir::Operation &op : body.without_terminator()) {
    int64_t flops = std::min(flopsOf(op), INT64_MAX / 1024);
    cost.flops += flops;
    if (isa<DotGeneralOp, ConvolutionOp>(op))
      cost.products += flops;
  }
  return cost;
}

int64_t KernelCost::nanoseconds(const TargetProfile &profile) const {
  int64_t lanes = std::max(1, profile.vector_bits / 32);
  return std::max(bytes / 8, flops / (2 * lanes));
}

/// Returns the tasks of the core that gets most of them.
static int64_t mostTasksOfCore(int64_t tasks, int64_t grain, int64_t cores) {
  return divideCeil(divideCeil(tasks, grain), cores) * grain;
}

int64_t grainOf(int64_t tasks, int64_t nanoseconds,
                const TargetProfile &profile) {
  constexpr int64_t pieceNanoseconds = 8000;
  // Beyond this number per core, unequal shares hardly matter.
  constexpr int64_t piecesPerCore = 8;
  bool hasMany = profile.cores > TargetProfile::kLeastCores;
  int64_t mostPieces = std::max<int64_t>(64, 4 * int64_t(profile.cores));
  int64_t pieces =
      std::clamp<int64_t>(nanoseconds / pieceNanoseconds, 1, mostPieces);
  int64_t grain = std::max<int64_t>(1, divideCeil(tasks, pieces));
  // Most machines with few cores have two or four.
  int64_t cores = hasMany ? profile.cores : pieces < 4 ? 2 : 4;
  if (pieces == 1 || pieces >= piecesPerCore * cores)
    return grain;
  int64_t best = grain, least = mostTasksOfCore(tasks, grain, cores);
  for (int64_t other = grain - 1; other >= std::max<int64_t>(1, grain / 2);
       --other) {
    int64_t most = mostTasksOfCore(tasks, other, cores);
    // A small gain is not worth more pieces.
    if (most * 50 < least * 49) {
      best = other;
      least = most;
    }
    if (grain - other > 4096)
      break;
  }
  return best;
}

unsigned laneCountOf(ir::KernelOp kernel, const TargetProfile &profile) {
  int64_t widest = 1;
  auto note = [&](mlir::Value value, bool isResult) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || (type.getRank() == 0 && !isResult))
      return;
    mlir::Type element = type.getElementType();
    if (auto complex = dyn_cast<mlir::ComplexType>(element))
      element = complex.getElementType();
    if (isa<mlir::FloatType>(element))
      widest = std::max<int64_t>({widest, 4, elementBytes(element)});
    else if (isResult)
      widest = std::max(widest, elementBytes(element));
  };
  for (mlir::Operation &op : kernel.getBody().front().without_terminator())
    for (mlir::Value result : op.getResults())
      note(result, false);
  for (mlir::Value result : kernel.getYield()->getOperands())
    note(result, true);
  return std::max<int64_t>(1, profile.vector_bits / 8 / widest);
}

/// Returns the cost of computing an element of `value` from operands, results
/// of reductions and elements of other shapes.
static int64_t costOfElement(mlir::Value value) {
  auto shapeOf = [](mlir::Value of) {
    return cast<mlir::ShapedType>(of.getType()).getShape();
  };
  SmallVector<mlir::Value> pending{value};
  llvm::DenseSet<mlir::Value> seen;
  int64_t cost = 0;
  while (!pending.empty()) {
    mlir::Value next = pending.pop_back_val();
    mlir::Operation *op = next.getDefiningOp();
    if (!op || isa<ReduceOp>(op) || !seen.insert(next).second)
      continue;
    cost += shapeOf(next) == shapeOf(value) ? costPerElement(op) : 0;
    llvm::append_range(pending, op->getOperands());
  }
  return cost;
}

static int64_t costOfExponential() {
  return ops::cost_of(ops::OpKind::Exponential, ElementType::F32);
}

bool takesLong(mlir::Value value) {
  return costOfElement(value) >= costOfExponential();
}

unsigned vectorsAtOnce(mlir::ValueRange values, int64_t extent, unsigned lanes,
                       const TargetProfile &profile) {
  constexpr int64_t leastVectors = 8;
  // With AVX-512, it was not measured whether two vectors are faster.
  if (profile.vector_bits > 256 || extent < leastVectors * lanes)
    return 1;
  int64_t cost = 0, unit = costOfExponential();
  for (mlir::Value value : values)
    cost = std::max(cost, costOfElement(value));
  // Longer sequences overlap inside themselves, and take long to compile.
  return cost >= unit && cost <= 25 * unit ? 2 : 1;
}

} // namespace xlac::codegen
