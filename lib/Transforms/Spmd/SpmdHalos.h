// The rows that ops along a sharded dimension need from the shards of other
// devices. Factors with `halo` are such dimensions: operand and result are
// sharded by the same axes, but a device's rows of the result depend on other
// rows than its own.
#ifndef XLAC_LIB_TRANSFORMS_SPMDHALOS_H
#define XLAC_LIB_TRANSFORMS_SPMDHALOS_H

#include "SpmdExchange.h"
#include "SpmdRules.h"

namespace xlac::transforms {

/// Rows of an operand whose neighbours are `dilation` positions apart: starts
/// and length count these positions.
struct HaloRows {
  llvm::SmallVector<int64_t> starts;
  int64_t length = 0, dilation = 1;
};

/// Window of an op along one dimension.
struct WindowDim {
  int64_t size = 1, stride = 1, low = 0, baseDilation = 1, dilation = 1;
  bool reversed = false;
};

/// Returns whether `op` needs rows of other devices of operand `number` along
/// `dim`, if the operand's factor there has `halo`.
bool takesHalo(mlir::Operation *op, unsigned number);

/// Returns the rows of operand `number` that each of `pieces` devices needs.
HaloRows haloOf(mlir::Operation *op, unsigned number, int64_t dim,
                int64_t pieces);

/// Operands of a concatenation that are sharded along its dimension, by number.
using SourceOperands = llvm::SmallVector<std::pair<unsigned, SourceRows>>;
/// Plans how `pieces` devices get their rows of the result from the shards of
/// `sources`, which are one after the other in a buffer of each device.
ExchangePlan planConcatenation(stablehlo::ConcatenateOp op, int64_t pieces,
                               const SourceOperands &sources);

/// How a device gets its rows. If neighbours are more than one position apart,
/// `phases[i]` positions come before the first row of device i.
struct HaloPlan {
  ExchangePlan exchange;
  llvm::SmallVector<int64_t> phases;
  int64_t length = 0, dilation = 1;
};
HaloPlan planHalo(const HaloRows &rows, SourceRows source);

/// Returns the number of the spatial dimension of a convolution's left operand,
/// or -1.
int64_t spatialOf(stablehlo::ConvolutionOp op, int64_t lhsDim);

/// Returns whether a device's part of the kernel of a convolution makes a
/// partial sum along the spatial dimension: the kernel is larger than the
/// result, as in gradients of kernels.
bool contractsKernel(stablehlo::ConvolutionOp op, int64_t spatial);

/// Returns whether a reduce_window computes prefixes along `dim`, or suffixes.
enum class ScanKind { None, Prefix, Suffix };
ScanKind scanKind(mlir::Operation *op, int64_t dim);

/// The rows of a select_and_scatter's result that come from `length` rows of
/// its operand, of which the own ones start at `own[i]`.
struct ScatterRows {
  HaloRows operand, source;
  llvm::SmallVector<int64_t> own;
};
ScatterRows scatterRows(stablehlo::SelectAndScatterOp op, int64_t dim,
                        int64_t pieces);

/// If all operands of a concatenation are parts of one value along its
/// dimension, returns this value.
mlir::Value rotatedValue(stablehlo::ConcatenateOp op);

} // namespace xlac::transforms

#endif
