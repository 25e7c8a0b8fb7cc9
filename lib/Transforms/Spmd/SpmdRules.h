// What each op allows its dimensions to be cut along. A factor is an index that
// an op runs over: one dimension of each tensor that has it, or a part of one
// where a reshape joins or splits dimensions. Whatever cuts a factor cuts all
// dimensions made of it; a dimension without factors has to be whole.
#ifndef XLAC_LIB_TRANSFORMS_SPMDRULES_H
#define XLAC_LIB_TRANSFORMS_SPMDRULES_H

#include "SpmdMesh.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::transforms {

struct SpmdFactor {
  enum Kind {
    /// Each index computes its part of the results on its own.
    Parallel,
    /// Results do not have it: each device has a part of them, to be combined.
    Reduced,
    /// A dimension of a gather's operand, or of a scatter's, that indices look
    /// into.
    Indexed,
  };
  int64_t size = 1;
  Kind kind = Parallel;
  /// The op may compute on padding at its end.
  bool pads = true;
};

/// For each dimension of a tensor its factors, the slowest first.
using DimFactors = llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 4>;

struct SpmdRule {
  llvm::SmallVector<SpmdFactor> factors;
  /// One for each operand and each result; no entries for a value that is no
  /// static tensor.
  llvm::SmallVector<DimFactors> operands, results;
  /// Nothing is known of the op: its operands have to be whole.
  bool gathers = false;
  /// The op moves or computes elements one by one: propagated first.
  bool simple = false;

  unsigned addFactor(int64_t size, SpmdFactor::Kind kind = SpmdFactor::Parallel,
                     bool pads = true) {
    factors.push_back({size, kind, pads});
    return factors.size() - 1;
  }
};

/// The rule of an op other than while, if, case and the terminators.
SpmdRule spmdRule(mlir::Operation *op);

/// Gathers, scatters and convolutions.
void addGatherFactors(xlac::stablehlo::GatherOp op, SpmdRule &rule);
void addScatterFactors(xlac::stablehlo::ScatterOp op, SpmdRule &rule);
void addConvolutionFactors(xlac::stablehlo::ConvolutionOp op, SpmdRule &rule);

/// True if partial results of `type` can be summed over devices: the element
/// type has addition and a zero, which f8E8M0FNU lacks.
bool canSum(mlir::RankedTensorType type);

/// How parts of a reduce along a cut dimension are put together.
enum class SpmdReducer {
  /// Its computation is one op that does not mind the order and has an
  /// identity; it runs over devices as it stands.
  OneOp,
  /// It picks one of its operands, so that initial values may count more than
  /// once: all devices' results are gathered and reduced once more.
  Picks,
  /// Anything else: the dimension has to be whole.
  None,
};
SpmdReducer reducerOf(xlac::stablehlo::ReduceOp op);
/// What a one-op reducer leaves alone; nothing where an initial value may count
/// more than once.
std::optional<double> identityOf(xlac::stablehlo::ReduceOp op);

/// True if a computation of two scalars only adds them.
bool isPlainSum(mlir::Region &computation);

/// A value that each device makes at no cost in whatever shard is wanted: a
/// constant, an iota, a broadcast scalar.
bool isFreeToMake(mlir::Value value);

/// The type of `value` if it is a tensor of known sizes, else null.
mlir::RankedTensorType shardableType(mlir::Value value);

/// Which axes cut each factor, as far as `sharding` of a tensor with `dims`
/// says; axes that no factor can take are dropped.
llvm::SmallVector<AxisList> factorAxes(const SpmdRule &rule,
                                       const DimFactors &dims,
                                       const AxisSharding &sharding,
                                       const DeviceMesh &mesh);

/// Lets factors be cut further as `said` has it, where that extends what cuts
/// them and an axis does not cut two.
void mergeAxes(llvm::MutableArrayRef<AxisList> axes,
               llvm::ArrayRef<AxisList> said);

/// The sharding of a tensor with `dims` if `axes` cut the factors.
AxisSharding shardingOf(const DimFactors &dims, llvm::ArrayRef<AxisList> axes);

/// Takes axes from factors that cannot have them: where padding is not allowed
/// and sizes do not divide, and where a faster factor of a dimension is cut
/// while a slower one is not cut to single indices.
void dropImpossible(const SpmdRule &rule, const DeviceMesh &mesh,
                    llvm::MutableArrayRef<AxisList> axes);

} // namespace xlac::transforms

#endif
