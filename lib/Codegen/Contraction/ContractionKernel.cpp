#include "ContractionKernel.h"

#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

static int64_t multiplyAll(ArrayRef<int64_t> sizes) {
  int64_t gemm = 1;
  for (int64_t size : sizes)
    gemm *= size;
  return gemm;
}

static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t dim = sizes.size(); dim-- > 0; stride *= sizes[dim])
    strides[dim] = stride;
  return strides;
}

int64_t ContractionOperand::elements() const { return multiplyAll(sizes); }
int64_t ContractionOperand::elementBits() const {
  int64_t bits =
      mlir::getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return bits > 16 ? 32 : bits > 8 ? 16 : 8;
}
int64_t ContractionOperand::copyRows() const {
  return sizes.empty() ? 1 : multiplyAll(ArrayRef(sizes).drop_back());
}
int64_t ContractionOperand::rowsPerTask() const {
  int64_t row = sizes.empty() ? 1 : sizes.back();
  return std::max<int64_t>(1, 16384 / std::max<int64_t>(row, 1));
}
int64_t ContractionOperand::copyTasks() const {
  return isCopied() ? (copyRows() + rowsPerTask() - 1) / rowsPerTask() : 0;
}

//===- Views --------------------------------------------------------------===//

namespace {
/// A strided view of a kernel argument, or of an operand that is packed or
/// absent. The argument is null for an absent one.
struct View {
  mlir::BlockArgument argument;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool isPacked = false;
};
} // namespace

/// Computes the strides of a reshape's result. Returns false if there are none:
/// the dimensions that the reshape collapses must be contiguous.
static bool reshapeStrides(ArrayRef<int64_t> from, ArrayRef<int64_t> strides,
                           ArrayRef<int64_t> to, SmallVector<int64_t> &result) {
  result.assign(to.size(), 0);
  size_t i = 0, j = 0;
  while (true) {
    while (i < from.size() && from[i] == 1)
      ++i;
    while (j < to.size() && to[j] == 1)
      ++j;
    if (i == from.size() || j == to.size())
      return i == from.size() && j == to.size();
    size_t firstFrom = i, firstTo = j;
    int64_t left = from[i++], right = to[j++];
    while (left != right) {
      if (left < right && i < from.size())
        left *= from[i++];
      else if (right < left && j < to.size())
        right *= to[j++];
      else
        return false;
    }
    int64_t stride = 0;
    for (size_t dim = i; dim-- > firstFrom;) {
      if (from[dim] == 1)
        continue;
      if (stride != 0 && strides[dim] != stride)
        return false;
      stride = strides[dim] * from[dim];
    }
    int64_t inner = i - 1;
    while (from[inner] == 1)
      --inner;
    stride = strides[inner];
    for (size_t dim = j; dim-- > firstTo;) {
      result[dim] = stride;
      stride *= to[dim];
    }
  }
}

static bool viewOf(mlir::Value value, View &view);

static bool viewOfOp(mlir::Operation *op, View &view) {
  if (op->getNumOperands() == 0 || !viewOf(op->getOperand(0), view))
    return false;
  ArrayRef<int64_t> from = sizesOf(op->getOperand(0));
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SmallVector<int64_t> strides;
    for (int64_t dim : transpose.getPermutation())
      strides.push_back(view.strides[dim]);
    view.strides = strides;
    return true;
  }
  if (isa<ReshapeOp>(op)) {
    SmallVector<int64_t> strides;
    if (!reshapeStrides(from, view.strides, sizesOf(op->getResult(0)), strides))
      return false;
    view.strides = strides;
    return true;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    for (size_t dim = 0; dim < from.size(); ++dim) {
      view.offset += slice.getStartIndices()[dim] * view.strides[dim];
      view.strides[dim] *= slice.getStrides()[dim];
    }
    return true;
  }
  if (auto reverse = dyn_cast<ReverseOp>(op)) {
    for (int64_t dim : reverse.getDimensions()) {
      view.offset += (from[dim] - 1) * view.strides[dim];
      view.strides[dim] = -view.strides[dim];
    }
    return true;
  }
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    ArrayRef<int64_t> to = sizesOf(op->getResult(0));
    SmallVector<int64_t> strides(to.size(), 0);
    for (auto [dim, target] : enumerate(broadcast.getBroadcastDimensions()))
      if (from[dim] == to[target])
        strides[target] = view.strides[dim];
    view.strides = strides;
    return true;
  }
  return false;
}

static bool viewOf(mlir::Value value, View &view) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return false;
  if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
    view = {argument, rowMajorStrides(type.getShape())};
    return true;
  }
  if (auto packed = value.getDefiningOp<ir::PackedOp>()) {
    view = {cast<mlir::BlockArgument>(packed.getSource()),
            rowMajorStrides(type.getShape()), 0, true};
    return true;
  }
  if (value.getDefiningOp<ir::AbsentOp>()) {
    view = {{}, rowMajorStrides(type.getShape())};
    return true;
  }
  return viewOfOp(value.getDefiningOp(), view);
}

static NumberFormat formatOf(mlir::Type element, bool isDouble) {
  if (element.isIntOrIndex()) {
    unsigned bits = element.getIntOrFloatBitWidth();
    if (bits == 32 && isDouble)
      return NumberFormat::I32;
    return bits == 16  ? NumberFormat::I16
           : bits == 8 ? NumberFormat::I8
                       : NumberFormat::Plain;
  }
  if (isDouble)
    return NumberFormat::Plain;
  if (element.isBF16())
    return NumberFormat::BF16;
  if (element.isF16())
    return NumberFormat::F16;
  return element.getIntOrFloatBitWidth() <= 8 ? NumberFormat::F8
                                              : NumberFormat::Plain;
}

static ContractionOperand describeOperand(mlir::Value value, bool isDouble) {
  ContractionOperand operand;
  operand.value = value;
  auto type = cast<RankedTensorType>(value.getType());
  operand.sizes.assign(type.getShape().begin(), type.getShape().end());
  operand.low.assign(operand.sizes.size(), 0);
  operand.dilation.assign(operand.sizes.size(), 1);
  mlir::Type element = type.getElementType();
  View view;
  operand.format = formatOf(element, isDouble);
  bool isPlain = element.getIntOrFloatBitWidth() == (isDouble ? 64 : 32);
  if ((isPlain || operand.format != NumberFormat::Plain) &&
      viewOf(value, view)) {
    operand.argument = view.argument;
    operand.isPacked = view.isPacked;
    operand.strides = view.strides;
    operand.offset = view.offset;
  } else {
    operand.strides = rowMajorStrides(operand.sizes);
  }
  return operand;
}

//===- Epilogue -----------------------------------------------------------===//

/// Returns true if `value` depends on `heart`'s result only through ops that
/// use its elements one by one, in the same row-major order. Sets `depending`
/// if `value` depends on it.
static bool usesInPlace(mlir::Value value, mlir::Operation *heart,
                        DenseMap<mlir::Value, bool> &depends, bool &depending) {
  depending = false;
  mlir::Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  if (op == heart) {
    depending = true;
    return true;
  }
  if (auto found = depends.find(value); found != depends.end()) {
    depending = found->second;
    return true;
  }
  bool inPlace = isScalarOp(op) || isa<ReshapeOp>(op);
  int64_t count = multiplyAll(sizesOf(heart->getResult(0)));
  for (mlir::Value operand : op->getOperands()) {
    bool one;
    if (!usesInPlace(operand, heart, depends, one))
      return false;
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (one && (!inPlace || !type || multiplyAll(type.getShape()) != count))
      return false;
    depending |= one;
  }
  depends[value] = depending;
  return true;
}

static bool hasSoundEpilogue(ir::KernelOp kernel, mlir::Operation *heart) {
  DenseMap<mlir::Value, bool> depends;
  int64_t count = multiplyAll(sizesOf(heart->getResult(0)));
  for (mlir::Value result : kernel.getYield()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    bool depending;
    if (!type || !type.hasStaticShape() ||
        multiplyAll(type.getShape()) != count ||
        !usesInPlace(result, heart, depends, depending))
      return false;
  }
  return kernel.getYield()->getNumOperands() > 0;
}

//===- Analysis -----------------------------------------------------------===//

static int64_t strideIn(ArrayRef<int64_t> strides, int64_t dim, int64_t step) {
  assert(dim < int64_t(strides.size()) && "a dimension of the operand");
  return dim < 0 ? 0 : strides[dim] * step;
}

namespace {
/// Determines the sides, dimension orders and plan of a kernel whose form is
/// known.
class Analysis {
public:
  Analysis(ContractionKernel &result, ir::KernelOp kernel)
      : result(result), form(result.form), kernel(kernel),
        resultStrides(rowMajorStrides(sizesOf(form.op->getResult(0)))) {}

  void run(const TargetProfile &profile) {
    describeOperands();
    chooseSides();
    orderDims();
    moveOuterColumns();
    result.plan = planContraction(makeGemm(), profile, kernel.getAnySize());
    layOutWorkspace();
  }

private:
  int64_t resultStride(const ir::ContractionDim &dim) {
    return strideIn(resultStrides, dim.resultDim, dim.resultStep);
  }
  int64_t rowSideStride(const ir::ContractionDim &dim) {
    return result.swapsOperands
               ? strideIn(result.rhs.strides, dim.rhsDim, dim.rhsStep)
               : strideIn(result.lhs.strides, dim.lhsDim, dim.lhsStep);
  }

  void describeOperands() {
    auto isWide = [](mlir::Value value) {
      return mlir::getElementTypeOrSelf(value.getType())
                 .getIntOrFloatBitWidth() == 64;
    };
    wide = llvm::any_of(form.op->getOperands(), isWide) ||
           isWide(form.op->getResult(0));
    result.lhs = describeOperand(form.op->getOperand(0), wide);
    result.rhs = describeOperand(form.op->getOperand(1), wide);
    if (form.padsLhs()) {
      result.lhs.argument = {};
      result.lhs.offset = 0;
      result.lhs.isPadded = true;
      // A type without zero cannot represent the padding.
      if (isa<mlir::Float8E8M0FNUType>(
              mlir::getElementTypeOrSelf(form.op->getOperand(0).getType())))
        result.lhs.format = NumberFormat::Plain;
      result.lhs.sizes = form.lhsPadded;
      result.lhs.low = form.lhsLow;
      result.lhs.dilation = form.lhsDilation;
      result.lhs.strides = rowMajorStrides(form.lhsPadded);
    }
    for (auto [dim, start] : enumerate(form.rhsStart))
      result.rhs.offset += start * result.rhs.strides[dim];
  }

  /// The side with the result's innermost dimension becomes N.
  void chooseSides() {
    auto innermost = [&](ArrayRef<ir::ContractionDim> dims) {
      int64_t least = INT64_MAX;
      for (const ir::ContractionDim &dim : dims)
        if (dim.size > 1)
          least = std::min(least, resultStride(dim));
      return least;
    };
    result.swapsOperands = innermost(form.lhsFree) < innermost(form.rhsFree);
    result.m = result.swapsOperands ? form.rhsFree : form.lhsFree;
    result.n = result.swapsOperands ? form.lhsFree : form.rhsFree;
    result.batch = form.batch;
    assert(llvm::all_of(form.contracting,
                        [](const ir::ContractionDim &dim) {
                          return dim.resultDim < 0;
                        }) &&
           "contracted dimensions have no stride in the result");
    result.k = form.contracting;
  }

  void orderDims() {
    auto byResult = [&](const ir::ContractionDim &x,
                        const ir::ContractionDim &y) {
      return resultStride(x) > resultStride(y);
    };
    auto byRows = [&](const ir::ContractionDim &x,
                      const ir::ContractionDim &y) {
      return std::abs(rowSideStride(x)) > std::abs(rowSideStride(y));
    };
    // Code for any size may have other sizes there.
    if (!kernel.getAnySize())
      for (auto *dims : {&result.batch, &result.m, &result.n, &result.k})
        llvm::erase_if(
            *dims, [](const ir::ContractionDim &dim) { return dim.size == 1; });
    llvm::stable_sort(result.batch, byResult);
    llvm::stable_sort(result.m, byResult);
    llvm::stable_sort(result.n, byResult);
    llvm::stable_sort(result.k, byRows);
  }

  /// Moves outer dimensions of N to the batch if N is not contiguous in the
  /// result. Keeps them if fewer than 32 columns are contiguous.
  void moveOuterColumns() {
    size_t inner = result.n.size();
    int64_t count = 1;
    while (inner > 0 && resultStride(result.n[inner - 1]) == count)
      count *= result.n[--inner].size;
    if (count < 32)
      return;
    result.batch.append(result.n.begin(), result.n.begin() + inner);
    result.n.erase(result.n.begin(), result.n.begin() + inner);
  }

  Gemm makeGemm() {
    auto convert = [&](ArrayRef<ir::ContractionDim> dims) {
      SmallVector<GemmDim> list;
      for (const ir::ContractionDim &dim : dims) {
        int64_t lhs = strideIn(result.lhs.strides, dim.lhsDim, dim.lhsStep);
        int64_t rhs = strideIn(result.rhs.strides, dim.rhsDim, dim.rhsStep);
        int64_t a = result.swapsOperands ? rhs : lhs;
        int64_t b = result.swapsOperands ? lhs : rhs;
        list.push_back({dim.size, a, b, resultStride(dim)});
      }
      return list;
    };
    Gemm gemm;
    gemm.batch = convert(result.batch);
    gemm.m = convert(result.m);
    gemm.n = convert(result.n);
    gemm.k = convert(result.k);
    gemm.isDouble = wide;
    gemm.isInteger =
        mlir::getElementTypeOrSelf(form.op->getResult(0)).isInteger();
    gemm.a = (result.swapsOperands ? result.rhs : result.lhs).format;
    gemm.b = (result.swapsOperands ? result.lhs : result.rhs).format;
    auto isUnsigned = [](const ContractionOperand &operand) {
      return mlir::getElementTypeOrSelf(operand.value.getType())
          .isUnsignedInteger();
    };
    gemm.unsignedA = isUnsigned(result.swapsOperands ? result.rhs : result.lhs);
    gemm.unsignedB = isUnsigned(result.swapsOperands ? result.lhs : result.rhs);
    gemm.mayUsePairs =
        !wide && (gemm.isInteger || !ir::requestsHighestPrecision(form.op));
    gemm.prepacked =
        result.onlyPacks || result.lhs.isPacked || result.rhs.isPacked;
    mlir::OperandRange yielded = kernel.getYield()->getOperands();
    mlir::Type type =
        mlir::getElementTypeOrSelf(form.op->getResult(0).getType());
    gemm.plainResult = yielded.size() == 1 &&
                       yielded[0] == form.op->getResult(0) &&
                       type.getIntOrFloatBitWidth() == (wide ? 64 : 32);
    return gemm;
  }

  void layOutWorkspace() {
    assert((!result.plan.gemm.prepacked ||
            (result.plan.packB && !result.sideA().isPacked)) &&
           "what was packed is the side that the plan packs");
    if (result.onlyPacks) {
      result.phases.push_back(ContractionPhase::Pack);
      return;
    }
    int64_t end = 0;
    auto take = [&](int64_t bytes) {
      int64_t begin = end;
      end += (bytes + 63) / 64 * 64;
      return begin;
    };
    for (ContractionOperand *operand : {&result.lhs, &result.rhs})
      if (operand->isCopied())
        operand->workspace =
            take(operand->elements() * (operand->format == NumberFormat::BF16
                                            ? 2
                                            : result.plan.elementSize()));
    if (end > 0)
      result.phases.push_back(ContractionPhase::Copy);
    if (result.packsB())
      result.shared = take(result.plan.sharedBytes);
    if (result.packsA())
      result.sharedA = take(result.plan.sharedBytesA);
    if (result.packsB() || result.packsA())
      result.phases.push_back(ContractionPhase::Pack);
    result.phases.push_back(ContractionPhase::Multiply);
    if (result.plan.dividesK()) {
      result.parts = take(result.plan.partBytes());
      result.phases.push_back(ContractionPhase::Sum);
    }
    assert(end % 64 == 0 && "parts of the workspace are aligned");
    result.workspace = end;
  }

  ContractionKernel &result;
  const ir::Contraction &form;
  ir::KernelOp kernel;
  SmallVector<int64_t> resultStrides;
  bool wide = false;
};
} // namespace

int64_t ContractionKernel::tasks(ContractionPhase phase) const {
  switch (phase) {
  case ContractionPhase::Copy:
    return lhs.copyTasks() + rhs.copyTasks();
  case ContractionPhase::Pack:
    if (plan.hasFewRows)
      return 0;
    return (packsB() ? plan.packTasks() : 0) +
           (packsA() ? plan.packTasksA() : 0);
  case ContractionPhase::Multiply:
    return plan.hasFewRows ? plan.forFewRows->tasks() : plan.tasks();
  case ContractionPhase::Sum:
    return plan.sumTasks();
  }
  llvm_unreachable("a phase of a contraction");
}

std::optional<ContractionKernel>
analyzeContraction(ir::KernelOp kernel, const TargetProfile &profile) {
  mlir::Operation *heart = nullptr;
  for (mlir::Operation &op : kernel.getBody().front())
    if (isa<DotGeneralOp, ConvolutionOp>(op)) {
      if (heart)
        return std::nullopt;
      heart = &op;
    }
  if (!heart || !ir::isContractionSupported(heart))
    return std::nullopt;
  ContractionKernel result;
  mlir::OperandRange yielded = kernel.getYield()->getOperands();
  result.onlyPacks =
      yielded.size() == 1 && yielded[0].getDefiningOp<ir::PackOp>();
  if (!result.onlyPacks && !hasSoundEpilogue(kernel, heart))
    return std::nullopt;
  result.form = *ir::describeContraction(heart);
  Analysis(result, kernel).run(profile);
  return result;
}

} // namespace xlac::codegen
