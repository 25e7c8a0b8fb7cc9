// Rewrites a function whose values have shardings to the program of one device.
#ifndef XLAC_LIB_TRANSFORMS_SPMDPARTITIONER_H
#define XLAC_LIB_TRANSFORMS_SPMDPARTITIONER_H

#include "SpmdCost.h"
#include "SpmdHalos.h"
#include "SpmdPropagation.h"

#include "mlir/IR/IRMapping.h"

namespace xlac::transforms {

class SpmdPartitioner {
public:
  SpmdPartitioner(mlir::func::FuncOp function, const DeviceMesh &mesh,
                  const SpmdPropagation &shardings, const SpmdCalls &calls,
                  int64_t replicas, int64_t channel);

  /// Rewrites the function in place. Arguments and results become shards.
  /// Fails, with an error on the op, if the shards of a manual computation do
  /// not fit, or if a custom call cannot be partitioned.
  mlir::LogicalResult run();

  /// The shardings of arguments and results, with device numbers.
  const std::vector<Sharding> &arguments() const { return argumentShardings; }
  const std::vector<Sharding> &results() const { return resultShardings; }

private:
  /// Shards of a value with shardings other than its own.
  using Others =
      llvm::DenseMap<mlir::Value,
                     llvm::SmallVector<std::pair<AxisSharding, mlir::Value>>>;

  mlir::LogicalResult partitionBlock(mlir::Block &block);
  mlir::LogicalResult partitionOp(mlir::Operation *op);
  mlir::LogicalResult partitionRegion(mlir::Region &from, mlir::Region &to,
                                      mlir::Operation *op);
  mlir::LogicalResult partitionControl(mlir::Operation *op);
  mlir::LogicalResult partitionAnnotation(mlir::Operation *op);
  mlir::LogicalResult partitionCall(mlir::Operation *op);
  void cloneManual(mlir::Operation *op);
  void partitionByRule(mlir::Operation *op);
  void logGathers(mlir::Operation *op, const SpmdRule &rule,
                  llvm::ArrayRef<AxisList> axes);

  /// Returns the shard of an old value with the given sharding.
  mlir::Value get(mlir::Value old, const AxisSharding &sharding);
  mlir::Value getWhole(mlir::Value old);
  /// Returns the axes that express `sharding` of a value with manual axes, or
  /// that cut the value into as many pieces.
  AxisSharding axesOf(const Sharding &sharding, mlir::Value value) const;
  mlir::Value makeFree(mlir::Value old, const AxisSharding &sharding);
  void set(mlir::Value old, mlir::Value shard) { shards[old] = shard; }
  /// Permutes shards from the device order of the axes to that of the
  /// annotation, or back.
  mlir::Value toAnnotated(mlir::Value shard, const AxisSharding &axes,
                          const std::optional<SpmdAnnotation> &annotation,
                          bool back);

  mlir::Operation *cloneLocal(mlir::Operation *op, const SpmdRule &rule,
                              llvm::ArrayRef<AxisList> axes,
                              mlir::ValueRange operands);
  mlir::Value localOperand(mlir::Operation *op, unsigned number,
                           const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  void fixAttributes(mlir::Operation *made, const SpmdRule &rule,
                     llvm::ArrayRef<AxisList> axes);
  void mapOuterValues(mlir::Operation *op, mlir::IRMapping &mapping);
  /// Sorts `operands` as `op` does and returns at most `rows` rows. If
  /// `padded`, the last operand says which elements are padding, which comes
  /// last.
  mlir::Operation *sortRows(mlir::Operation *op,
                            llvm::ArrayRef<mlir::Value> operands, int64_t dim,
                            int64_t rows, bool padded);
  void partitionFirstRows(xlac::stablehlo::SortOp op, const SpmdRule &rule,
                          llvm::ArrayRef<AxisList> axes);
  /// Transforms one dimension after the other if `axes` would gather the
  /// operand. Returns false if they do not, or if no other dimension can be
  /// sharded meanwhile.
  bool transformByDims(xlac::stablehlo::FftOp op, llvm::ArrayRef<AxisList> axes,
                       const SpmdRule &rule);
  void drawPart(xlac::stablehlo::RngBitGeneratorOp op, const SpmdRule &rule,
                llvm::ArrayRef<AxisList> axes);
  mlir::Value summable(mlir::Value rows);
  void dropPadding(mlir::Operation *op, mlir::Operation *made,
                   const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  /// The components of the indices of a gather or scatter, and which of them
  /// address sharded dimensions.
  struct CutIndices {
    /// Scalars of each component: what to subtract, the largest start, and the
    /// size of the shard.
    llvm::SmallVector<mlir::Value> firsts, limits, sizes;
    /// Components that select one row of a sharded dimension.
    llvm::SmallVector<int64_t> single;
    /// Sharded dimensions in which several rows are selected, and how many.
    llvm::SmallVector<std::pair<int64_t, int64_t>> windows;
    bool isCut = false;
  };
  CutIndices cutIndices(mlir::Operation *op, const SpmdRule &rule,
                        llvm::ArrayRef<AxisList> axes, mlir::Type element);
  llvm::SmallVector<mlir::Value> fitWindows(xlac::stablehlo::ScatterOp made);
  mlir::Value shiftIndices(mlir::Operation *op, mlir::Operation *made,
                           const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  mlir::Value insideRows(mlir::Operation *made, mlir::Value inside,
                         llvm::ArrayRef<int64_t> components);
  mlir::Value maskRows(mlir::Operation *made, mlir::Value inside);
  mlir::Value moveWindow(mlir::Operation *op, mlir::Operation *made,
                         const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  mlir::Value lateInit(mlir::Operation *op, const AxisList &partial);
  void keepOnFirst(xlac::stablehlo::ScatterOp op, mlir::Operation *made,
                   const AxisList &partial);
  void finish(mlir::Operation *op, mlir::Operation *made,
              llvm::SmallVector<mlir::Value> parts, const SpmdRule &rule,
              llvm::ArrayRef<AxisList> axes);
  mlir::Value combine(mlir::Value part, AxisSharding &now,
                      const AxisSharding &wanted, AxisList partial,
                      mlir::RankedTensorType whole, mlir::Region *computation);
  llvm::SmallVector<mlir::Value> reduceAgain(mlir::Operation *op,
                                             mlir::Operation *made,
                                             const AxisList &partial);

  //===- Halos (SpmdPartitionHalos.cpp) -----------------------------------===//

  /// Rows of an operand along a dimension: `low` and `high` positions are
  /// before and after them, and neighbours are `dilation` apart.
  struct FetchedRows {
    mlir::Value value;
    int64_t low = 0, high = 0, dilation = 1;
  };
  void partitionHalos(mlir::Operation *op, const SpmdRule &rule,
                      llvm::ArrayRef<AxisList> axes);
  FetchedRows fetchRows(mlir::Value value, int64_t dim, AxisRef axes,
                        const HaloPlan &plan, mlir::Value fill);
  mlir::Value concatenateRows(mlir::Operation *op, const SpmdRule &rule,
                              llvm::ArrayRef<AxisList> axes);
  mlir::Value rotateRows(mlir::Operation *op, mlir::Value source,
                         const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  mlir::Value selectAndScatterRows(mlir::Operation *op, const SpmdRule &rule,
                                   llvm::ArrayRef<AxisList> axes);
  mlir::Value repeatEnds(mlir::Value rows, int64_t dim, AxisRef axes,
                         const ExchangePlan &plan);
  mlir::Value addToEnds(mlir::Value rows, int64_t dim, AxisRef axes,
                        const ExchangePlan &plan);
  mlir::Value haloFill(mlir::Operation *op, unsigned number,
                       const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  mlir::Value reverseEqual(mlir::Operation *op, mlir::Value part,
                           const SpmdRule &rule, llvm::ArrayRef<AxisList> axes);
  void setWindow(mlir::Operation *made, int64_t dim, const FetchedRows &rows);
  mlir::Value combineScan(mlir::Operation *op, mlir::Value part, int64_t dim,
                          AxisRef axes);

  mlir::func::FuncOp function;
  const DeviceMesh &mesh;
  const SpmdPropagation &shardings;
  const SpmdCalls &calls;
  mlir::OpBuilder builder;
  std::unique_ptr<mlir::Block> body;
  SpmdEmitter emitter;
  SpmdCost costs;
  llvm::DenseMap<mlir::Value, mlir::Value> shards;
  Others others;
  std::vector<Sharding> argumentShardings, resultShardings;
};

} // namespace xlac::transforms

#endif
