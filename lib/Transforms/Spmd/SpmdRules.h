// The dimensions along which each op can be sharded. A factor is an index that
// an op iterates over: one dimension of each tensor that has it, or a part of
// one if a reshape collapses or splits dimensions. Axes that shard a factor
// shard all dimensions that consist of it. A dimension without factors cannot
// be sharded.
#ifndef XLAC_LIB_TRANSFORMS_SPMDRULES_H
#define XLAC_LIB_TRANSFORMS_SPMDRULES_H

#include "SpmdMesh.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::transforms {

struct SpmdFactor {
  enum Kind {
    /// Each index computes its part of the results independently.
    Parallel,
    /// Results do not have the factor: each device computes a partial result,
    /// to be combined.
    Reduced,
    /// A dimension of a gather's or scatter's operand that indices select from.
    Indexed,
  };
  int64_t size = 1;
  Kind kind = Parallel;
  /// The op may compute on padding at its end.
  bool pads = true;
  /// Rows of results depend on other rows of operands than those of the same
  /// shard: devices exchange rows (SpmdHalos.h).
  bool halo = false;
};

/// The factors of each dimension of a tensor, the slowest first.
using DimFactors = llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 4>;

struct SpmdRule {
  llvm::SmallVector<SpmdFactor> factors;
  /// One entry for each operand and each result. The entry is empty for values
  /// other than static tensors.
  llvm::SmallVector<DimFactors> operands, results;
  /// The op has no rule: its operands must not be sharded.
  bool gathers = false;
  /// The op moves or computes elements one by one. Such ops are propagated
  /// first.
  bool simple = false;

  unsigned addFactor(int64_t size, SpmdFactor::Kind kind = SpmdFactor::Parallel,
                     bool pads = true) {
    factors.push_back({size, kind, pads});
    return factors.size() - 1;
  }
};

/// Returns the rule of an op other than while, if, case and the terminators.
SpmdRule spmdRule(mlir::Operation *op);

/// Add the factors of gathers, scatters and convolutions.
void addGatherFactors(xlac::stablehlo::GatherOp op, SpmdRule &rule);
void addScatterFactors(xlac::stablehlo::ScatterOp op, SpmdRule &rule);
void addConvolutionFactors(xlac::stablehlo::ConvolutionOp op, SpmdRule &rule);

/// Add factors with halos, for dimensions that have no factor yet.
void addHaloFactors(mlir::Operation *op, SpmdRule &rule);
void addSpatialFactors(xlac::stablehlo::ConvolutionOp op, SpmdRule &rule);

/// Returns the only op of `body` if its operands are both arguments; else null.
mlir::Operation *onlyOp(mlir::Block &body);

/// Returns whether each device can compute prefixes of its own shard, to be
/// combined with those of the shards before.
bool canScan(xlac::stablehlo::ReduceWindowOp op);

/// Attributes of prepared custom calls: the text of Shardy's sharding rule, and
/// how many leading dimensions of all operands and results are batches.
inline constexpr llvm::StringLiteral kRuleName = "xlac.sharding_rule";
inline constexpr llvm::StringLiteral kBatchName = "xlac.batch_dims";

/// Adds the factors of Shardy's rule `text` of `op` to `rule`. All factors that
/// may be sharded are parallel, because the function that partitions the call
/// combines partial results. Returns false and sets `problem` if the text is
/// malformed or does not fit the types.
bool addSdyRule(llvm::StringRef text, mlir::Operation *op, SpmdRule &rule,
                std::string &problem);
/// Adds factors for the leading `count` dimensions of all operands and results,
/// if all have these dimensions in the same sizes.
void addBatchDims(mlir::Operation *op, int64_t count, SpmdRule &rule);

/// Returns whether partial results of `type` can be summed over devices: the
/// element type needs an addition and a zero, which f8E8M0FNU does not have.
bool canSum(mlir::RankedTensorType type);
/// Returns whether rows of `type` that one device has, and others replace by
/// zeros, can be summed over devices. Booleans are summed as bytes.
bool canCombineRows(mlir::RankedTensorType type);

/// How the parts of a reduce along a sharded dimension are combined.
enum class SpmdReducer {
  /// The computation is one commutative and associative op with an identity. It
  /// becomes the computation of a collective.
  OneOp,
  /// The computation selects one of its operands, so initial values may count
  /// more than once. All devices' results are gathered and reduced again.
  Picks,
  /// Any other computation: the dimension cannot be sharded.
  None,
};
SpmdReducer reducerOf(xlac::stablehlo::ReduceOp op);
/// Returns the identity of a one-op reducer, or nothing if an initial value may
/// count more than once.
std::optional<double> identityOf(xlac::stablehlo::ReduceOp op);
/// The same for updates of a scatter along a sharded dimension of its indices,
/// and for the input, which is an initial value.
SpmdReducer reducerOf(xlac::stablehlo::ScatterOp op);
std::optional<double> identityOf(xlac::stablehlo::ScatterOp op);

/// Returns whether each device can draw its own elements of the output: the
/// state is one that the compiler supports.
bool canDrawParts(xlac::stablehlo::RngBitGeneratorOp op);

/// Returns whether a computation on two scalars only adds them.
bool isPlainSum(mlir::Region &computation);

/// Returns whether the op of `value` shows that all elements are zero.
bool isZero(mlir::Value value);

/// Returns whether devices get addends of the result if each runs `op` on a
/// part of a dimension that the result does not have.
bool givesSummands(mlir::Operation *op);

/// Returns the operands in which `op` is linear: from their addends, and the
/// complete other operands, devices compute addends of the only result. Empty
/// if the op is not linear. For a product, it is the operand for which
/// `isUnreduced` is true.
llvm::SmallVector<unsigned>
linearOperands(mlir::Operation *op,
               llvm::function_ref<bool(mlir::Value)> isUnreduced);

/// Returns whether each device can compute any shard of `value` at no cost: a
/// constant, an iota, a broadcast scalar.
bool isFreeToMake(mlir::Value value);

/// Returns the type of `value` if it is a tensor of static shape, else null.
mlir::RankedTensorType shardableType(mlir::Value value);

/// Returns the axes that shard each factor according to `sharding` of a tensor
/// with `dims`. Axes that no factor can take are dropped.
FactorAxes factorAxes(const SpmdRule &rule, const DimFactors &dims,
                      const AxisSharding &sharding, const DeviceMesh &mesh);

/// Extends the axes of factors by `said`. An extension must continue the
/// current axes, and no axis may shard two factors.
void mergeAxes(llvm::MutableArrayRef<AxisList> axes,
               llvm::ArrayRef<AxisList> said);

/// Returns the sharding of a tensor with `dims` if `axes` shard the factors.
AxisSharding shardingOf(const DimFactors &dims, llvm::ArrayRef<AxisList> axes);

/// Removes axes from factors that cannot have them. Sizes must divide unless
/// padding is allowed. A faster factor of a dimension can be sharded only if
/// the slower ones are sharded down to single indices.
void dropImpossible(const SpmdRule &rule, const DeviceMesh &mesh,
                    llvm::MutableArrayRef<AxisList> axes);

} // namespace xlac::transforms

#endif
