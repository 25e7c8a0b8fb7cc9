#include "SpmdHalos.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace xlac::transforms {

static int64_t at(std::optional<ArrayRef<int64_t>> numbers, int64_t d) {
  return !numbers || numbers->empty() ? 1 : (*numbers)[d];
}

static int64_t lowPadding(DenseIntElementsAttr padding, int64_t d) {
  return padding ? padding.getValues<int64_t>()[2 * d] : 0;
}

static int64_t sizeOf(Value value, int64_t dim) {
  return shardableType(value).getDimSize(dim);
}

int64_t spatialOf(stablehlo::ConvolutionOp op, int64_t lhsDim) {
  for (auto [i, d] :
       llvm::enumerate(op.getDimensionNumbers().getInputSpatialDimensions()))
    if (d == lhsDim)
      return int64_t(i);
  return -1;
}

static int64_t kernelSize(stablehlo::ConvolutionOp op, int64_t spatial) {
  return sizeOf(op->getOperand(1),
                op.getDimensionNumbers().getKernelSpatialDimensions()[spatial]);
}

static int64_t resultSize(stablehlo::ConvolutionOp op, int64_t spatial) {
  return sizeOf(op->getResult(0),
                op.getDimensionNumbers().getOutputSpatialDimensions()[spatial]);
}

bool contractsKernel(stablehlo::ConvolutionOp op, int64_t spatial) {
  return kernelSize(op, spatial) > resultSize(op, spatial);
}

static WindowDim windowOf(stablehlo::ConvolutionOp op, int64_t spatial) {
  WindowDim window;
  window.size = kernelSize(op, spatial);
  window.stride = at(op.getWindowStrides(), spatial);
  window.low = lowPadding(op.getPaddingAttr(), spatial);
  window.baseDilation = at(op.getLhsDilation(), spatial);
  window.dilation = at(op.getRhsDilation(), spatial);
  window.reversed =
      op.getWindowReversal() && (*op.getWindowReversal())[spatial];
  return window;
}

static WindowDim windowOf(stablehlo::ReduceWindowOp op, int64_t d) {
  WindowDim window;
  window.size = op.getWindowDimensions()[d];
  window.stride = at(op.getWindowStrides(), d);
  window.low = lowPadding(op.getPaddingAttr(), d);
  window.baseDilation = at(op.getBaseDilations(), d);
  window.dilation = at(op.getWindowDilations(), d);
  return window;
}

bool takesHalo(Operation *op, unsigned number) {
  if (isa<stablehlo::ConvolutionOp>(op))
    return number == 0;
  return true;
}

/// `step` positions between devices, the first at `start`.
static HaloRows evenRows(int64_t pieces, int64_t start, int64_t step,
                         int64_t length, int64_t dilation = 1) {
  HaloRows rows{{}, length, dilation};
  for (int64_t i = 0; i < pieces; ++i)
    rows.starts.push_back(start + i * step);
  return rows;
}

/// The positions under the windows of each device's results.
static HaloRows rowsUnder(const WindowDim &window, int64_t pieces,
                          int64_t results) {
  int64_t reach = (window.size - 1) * window.dilation + 1;
  return evenRows(pieces, -window.low, results * window.stride,
                  (results - 1) * window.stride + reach, window.baseDilation);
}

/// The positions that each device's part of the kernel is multiplied with.
static HaloRows rowsOfKernel(const WindowDim &window, int64_t pieces,
                             int64_t results) {
  int64_t part = shardSize(window.size, pieces);
  int64_t length =
      (results - 1) * window.stride + (part - 1) * window.dilation + 1;
  int64_t step = part * window.dilation;
  if (window.reversed)
    return evenRows(pieces, (window.size - part) * window.dilation - window.low,
                    -step, length, window.baseDilation);
  return evenRows(pieces, -window.low, step, length, window.baseDilation);
}

ScatterRows scatterRows(stablehlo::SelectAndScatterOp op, int64_t d,
                        int64_t pieces) {
  int64_t window = at(op.getWindowDimensions(), d);
  int64_t stride = at(op.getWindowStrides(), d);
  int64_t low = lowPadding(op.getPaddingAttr(), d);
  int64_t shard = shardSize(sizeOf(op->getResult(0), d), pieces);
  ScatterRows rows;
  int64_t windows = 1;
  for (int64_t i = 0; i < pieces; ++i) {
    // All windows that reach a row of the shard, and windows over all of it.
    int64_t first =
        std::min(llvm::divideCeilSigned(i * shard + low - window + 1, stride),
                 llvm::divideFloorSigned(i * shard + low, stride));
    int64_t end = (i + 1) * shard + low;
    int64_t last = std::max(llvm::divideFloorSigned(end - 1, stride),
                            llvm::divideCeilSigned(end - window, stride));
    windows = std::max(windows, last - first + 1);
    rows.source.starts.push_back(first);
    rows.operand.starts.push_back(first * stride - low);
    rows.own.push_back(i * shard - rows.operand.starts.back());
  }
  rows.source.length = windows;
  rows.operand.length = (windows - 1) * stride + window;
  return rows;
}

HaloRows haloOf(Operation *op, unsigned number, int64_t dim, int64_t pieces) {
  int64_t whole = sizeOf(op->getOperand(number), dim);
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    int64_t spatial = spatialOf(convolution, dim);
    WindowDim window = windowOf(convolution, spatial);
    int64_t results = resultSize(convolution, spatial);
    if (contractsKernel(convolution, spatial))
      return rowsOfKernel(window, pieces, results);
    return rowsUnder(window, pieces, shardSize(results, pieces));
  }
  int64_t shard = shardSize(sizeOf(op->getResult(0), dim), pieces);
  return llvm::TypeSwitch<Operation *, HaloRows>(op)
      .Case([&](stablehlo::SliceOp slice) {
        int64_t stride = slice.getStrides()[dim];
        return evenRows(pieces, slice.getStartIndices()[dim], shard * stride,
                        (shard - 1) * stride + 1);
      })
      .Case([&](stablehlo::PadOp pad) {
        return evenRows(pieces, -pad.getEdgePaddingLow()[dim], shard, shard,
                        pad.getInteriorPadding()[dim] + 1);
      })
      .Case([&](stablehlo::ConcatenateOp) {
        int64_t before = 0;
        for (unsigned i = 0; i < number; ++i)
          before += sizeOf(op->getOperand(i), dim);
        return evenRows(pieces, -before, shard, shard);
      })
      .Case([&](stablehlo::ReverseOp) {
        return evenRows(pieces, whole - shard, -shard, shard);
      })
      .Case([&](stablehlo::ReduceWindowOp window) {
        return rowsUnder(windowOf(window, dim), pieces, shard);
      })
      .Case([&](stablehlo::SelectAndScatterOp window) {
        ScatterRows rows = scatterRows(window, dim, pieces);
        return number == 0 ? rows.operand : rows.source;
      })
      .Default([](Operation *) {
        llvm_unreachable("the op has no halo");
        return HaloRows();
      });
}

ExchangePlan planConcatenation(stablehlo::ConcatenateOp op, int64_t pieces,
                               const SourceOperands &sources) {
  int64_t dim = int64_t(op.getDimension()), base = 0;
  SourceRows buffer{0, 0, pieces};
  for (const auto &[number, rows] : sources) {
    buffer.shard += rows.shard;
    buffer.size += rows.size;
  }
  ExchangePlan plan(buffer, pieces,
                    shardSize(sizeOf(op->getResult(0), dim), pieces));
  for (const auto &[number, rows] : sources) {
    HaloRows halo = haloOf(op, number, dim, pieces);
    plan.add({halo.starts, halo.length, 0, rows.size}, rows, base);
    base += rows.shard;
  }
  plan.schedule();
  return plan;
}

HaloPlan planHalo(const HaloRows &rows, SourceRows source) {
  NeededRows needed{{}, 1, 0, source.size};
  SmallVector<int64_t> phases;
  for (int64_t start : rows.starts) {
    int64_t first = llvm::divideCeilSigned(start, rows.dilation);
    int64_t phase = first * rows.dilation - start;
    needed.starts.push_back(first);
    needed.length = std::max(
        needed.length,
        llvm::divideFloorSigned(rows.length - 1 - phase, rows.dilation) + 1);
    phases.push_back(phase);
  }
  return {ExchangePlan(source, needed), std::move(phases), rows.length,
          rows.dilation};
}

ScanKind scanKind(Operation *op, int64_t dim) {
  auto window = dyn_cast<stablehlo::ReduceWindowOp>(op);
  if (!window || !window.getPaddingAttr())
    return ScanKind::None;
  WindowDim one = windowOf(window, dim);
  int64_t size = sizeOf(op->getOperand(0), dim);
  int64_t high = window.getPaddingAttr().getValues<int64_t>()[2 * dim + 1];
  if (size < 2 || one.size != size || one.stride != 1 ||
      one.baseDilation != 1 || one.dilation != 1)
    return ScanKind::None;
  if (one.low == size - 1 && high == 0)
    return ScanKind::Prefix;
  return one.low == 0 && high == size - 1 ? ScanKind::Suffix : ScanKind::None;
}

Value rotatedValue(stablehlo::ConcatenateOp op) {
  Value source;
  int64_t along = int64_t(op.getDimension());
  for (Value operand : op->getOperands()) {
    auto slice = operand.getDefiningOp<stablehlo::SliceOp>();
    if (!slice || (source && source != slice->getOperand(0)))
      return {};
    source = slice->getOperand(0);
    RankedTensorType type = shardableType(source);
    for (int64_t d = 0; type && d < type.getRank(); ++d)
      if (slice.getStrides()[d] != 1 ||
          (d != along && (slice.getStartIndices()[d] != 0 ||
                          slice.getLimitIndices()[d] != type.getDimSize(d))))
        return {};
    if (!type)
      return {};
  }
  return source;
}

} // namespace xlac::transforms
