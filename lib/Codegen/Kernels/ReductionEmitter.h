// Emits kernels of the reduction kind. ReductionKernel.cpp contains the passes
// along rows, ReductionStreams.cpp what reads several rows or parts at a time,
// ReductionPartial.cpp the two phases through the workspace.
#ifndef XLAC_LIB_CODEGEN_REDUCTIONEMITTER_H
#define XLAC_LIB_CODEGEN_REDUCTIONEMITTER_H

#include "Element/ElementEmitter.h"
#include "LoopKernel.h"
#include "PairwiseSum.h"
#include "ReductionPlan.h"

namespace xlac::codegen {

/// Returns how many elements the reductions have at each place together: one
/// for each input.
size_t countInputs(llvm::ArrayRef<xlac::stablehlo::ReduceOp> reduces);

/// Returns the shortest pairwiseBlock() of the reducers.
std::optional<int64_t>
leastPairwiseBlock(llvm::ArrayRef<xlac::stablehlo::ReduceOp> reduces);

class ReductionEmitter {
  using Elements = llvm::SmallVector<Element>;
  template <typename T> using ArrayRef = llvm::ArrayRef<T>;
  template <typename T> using SmallVector = llvm::SmallVector<T>;
  using Value = llvm::Value;
  using ReduceOp = xlac::stablehlo::ReduceOp;
  using RankedTensorType = mlir::RankedTensorType;

public:
  ReductionEmitter(KernelFunction &function, llvm::IRBuilder<> &ir,
                   ReductionPlan &plan)
      : function(function), ir(ir), plan(plan) {}

  void emitRows();
  /// The second phase of a kernel with rows that combines rows, too.
  void emitSums();
  void emitPartials();
  void emitFinal();
  /// Returns the options of the second phase: a loop over the results in which
  /// each reduction combines its chunks. They refer to this emitter.
  LoopOptions finalOptions();

private:
  /// A known value of the current row.
  struct Fact {
    mlir::Value value;
    Element element;
  };

  /// A row or the part of one that a loop reduces beside others.
  struct Stream {
    Value *number;
    SmallVector<LaneIndex> row;
    Value *begin; ///< along the inner extent
  };

  void prepare(ElementEmitter &emitter) {
    for (const Fact &fact : facts)
      emitter.memoize(fact.value, row, fact.element);
  }
  void enterRow(Value *number);
  void prefetchNextRow(Value *at);
  // Where the kept values of a row are stored: in the result, or in scratch if
  // the result has another type or must not enter the caches.
  RankedTensorType keptType() {
    auto type = mlir::cast<RankedTensorType>(plan.kept.value.getType());
    return scratch ? RankedTensorType::get({plan.inner}, type.getElementType())
                   : type;
  }
  Value *keptBase() {
    return scratch ? scratch : function.resultPointers[plan.kept.result];
  }
  ArrayRef<LaneIndex> keptIndices(ArrayRef<LaneIndex> indices) {
    return scratch ? indices.slice(plan.innerDims.back(), 1) : indices;
  }
  void keep(ElementEmitter &emitter, ArrayRef<ReduceOp> reduces,
            ArrayRef<LaneIndex> indices);
  void recall(ElementEmitter &emitter, ArrayRef<LaneIndex> indices);
  using Extent = KernelFunction::VectorExtent;
  /// The inner extent of any size.
  Extent innerExtent() {
    return function.vectorExtent(ir, plan.inner, plan.width);
  }
  Elements addRest(ElementEmitter &emitter, ElementEmitter &narrow,
                   ArrayRef<ReduceOp> reduces, ArrayRef<Value *> outer,
                   LaneIndex inner, ArrayRef<Element> carried);
  Elements reduceMaskedTail(ArrayRef<ReduceOp> reduces, ArrayRef<Value *> outer,
                            Elements carried, Value *tailWanted);
  SmallVector<LaneIndex> indicesIn(ElementEmitter &emitter,
                                   ArrayRef<Value *> outer, LaneIndex inner);
  // These handle the values of several reductions, one after the other.
  Elements identities(ElementEmitter &emitter, ArrayRef<ReduceOp> reduces);
  Elements inputsAt(ElementEmitter &emitter, ArrayRef<ReduceOp> reduces,
                    ArrayRef<LaneIndex> indices);
  Elements combine(ElementEmitter &emitter, ArrayRef<ReduceOp> reduces,
                   ArrayRef<Element> left, ArrayRef<Element> right);
  CombineElements combineBy(ElementEmitter &emitter,
                            ArrayRef<ReduceOp> reduces);
  Elements reduceRange(ArrayRef<ReduceOp> reduces, ArrayRef<Value *> outer,
                       Elements carried, unsigned accumulators, Value *begin,
                       Value *end, bool withTail, Value *tailWanted);
  Elements horizontal(ArrayRef<ReduceOp> reduces, Elements carried,
                      unsigned accumulators);
  Elements reduceRow(ArrayRef<ReduceOp> reduces, Value *outerBegin,
                     Value *outerEnd, Value *begin, Value *end,
                     Value *tailWanted);
  Elements reduceStreams(ArrayRef<ReduceOp> reduces, ArrayRef<Stream> streams,
                         Value *length, int64_t most);
  Elements addRests(ArrayRef<ReduceOp> reduces, ArrayRef<Stream> streams,
                    ArrayRef<Element> carried);
  Elements reduceParts(ReduceOp reduce, Value *begin, Value *end,
                       Value *tailWanted);
  Elements addInitial(ReduceOp reduce, ArrayRef<Element> elements);
  void addFacts(ArrayRef<ReduceOp> reduces, ArrayRef<Element> sums);
  void storeRowResults();
  void emitRow(Value *number, Value *chunk);
  void emitRowStreams(Value *task);
  void storeRowResult(unsigned number);
  void storeFullResults(Value *chunk);
  void clearPartials(Value *chunk);
  void addToSums(ElementEmitter &emitter, Value *chunk, LaneIndex inner,
                 ArrayRef<LaneIndex> indices);
  void emitColumnPartial(Value *chunk, Value *column, unsigned width,
                         int64_t firstColumn);
  void sweepChunk(Value *chunk);
  void forPartials(Value *chunk, Value *base, unsigned width, int64_t level,
                   llvm::function_ref<Elements(ElementEmitter &emitter,
                                               ReduceOp reduce, Elements now)>
                       update);
  void carryPartials(Value *chunk, Value *groups);
  void sweepColumn(Value *chunk, Value *base, unsigned width,
                   ArrayRef<Value *> outer, Value *begin, Value *spacing,
                   Value *end);
  Elements emitFinalSum(ElementEmitter &emitter, ReduceOp reduce,
                        unsigned first, LaneIndex linear);
  void forColumns(llvm::function_ref<void(Value *base, unsigned width)> body);

  KernelFunction &function;
  llvm::IRBuilder<> &ir;
  ReductionPlan &plan;
  SmallVector<LaneIndex> row; ///< indices of the kept dimensions
  Value *rowNumber = nullptr;
  /// Scratch for one row's kept values, unless in the result.
  Value *scratch = nullptr;
  Value *sweepPart = nullptr; ///< of the current task
  bool isKept = false; ///< a pass over the current row has stored the value
  SmallVector<Fact> facts;
};

} // namespace xlac::codegen

#endif
