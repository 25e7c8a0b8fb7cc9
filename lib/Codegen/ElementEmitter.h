// Computes single elements, or vectors of them, of any value in a kernel's body
// at given indices: the one place where fused StableHLO ops become LLVM IR.
// Emitters of all schedule kinds call it for what surrounds their own loops.
#ifndef XLAC_LIB_CODEGEN_ELEMENTEMITTER_H
#define XLAC_LIB_CODEGEN_ELEMENTEMITTER_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <functional>

namespace xlac::codegen {

/// One element for each lane: an LLVM scalar when the width is 1, else a vector.
/// Complex numbers come as two. Booleans are i1; integers have their own width
/// (i2/i4: i8, sign- or zero-extended); f16 and bf16 travel as float, rounded
/// after every op; f32 and f64 are themselves.
struct Element {
  llvm::Value *real = nullptr;
  llvm::Value *imag = nullptr;
};

/// An i64 index along one dimension for each lane: base + lane * stride with a
/// compile-time stride (0: the same in all lanes), or, when the lanes follow no
/// such rule, the vector `lanes`.
struct LaneIndex {
  llvm::Value *base = nullptr;
  int64_t stride = 0;
  llvm::Value *lanes = nullptr;
};

using ElementGenerator =
    std::function<Element(llvm::ArrayRef<LaneIndex> indices)>;

/// Names of the pieces of an emitted kernel function.
struct KernelFunction {
  ir::KernelOp kernel;
  const TargetProfile &profile;
  llvm::Function *function = nullptr;
  llvm::Value *context = nullptr;   ///< const xlac_ctx *
  llvm::Value *buffers = nullptr;   ///< void *const *
  llvm::Value *extents = nullptr;   ///< const int64_t *
  llvm::Value *begin = nullptr, *end = nullptr; ///< i64 task range
  /// Base address of each operand, result and the workspace, loaded on entry.
  llvm::SmallVector<llvm::Value *> operandPointers, resultPointers;
  llvm::Value *workspace = nullptr;
};

class ElementEmitter {
public:
  /// `width` lanes; builder's insertion point moves as code is emitted.
  ElementEmitter(KernelFunction &kernel, llvm::IRBuilder<> &builder,
                 unsigned width);

  /// Element(s) of `value`, which lies in the kernel's body, at `indices` (one
  /// for each dimension of its type). Indices must be in bounds in every lane.
  Element emit(mlir::Value value, llvm::ArrayRef<LaneIndex> indices);

  /// From now on `value` comes from `generator` instead of its defining op or
  /// buffer (a contraction's accumulators, a reduction's result).
  void bind(mlir::Value value, ElementGenerator generator);

  /// Writes result `number` of the kernel at `indices`. With `mask` (<width x
  /// i1>) lanes that are off are left alone.
  void store(unsigned number, llvm::ArrayRef<LaneIndex> indices,
             Element element, llvm::Value *mask = nullptr);

  /// Loads from / stores to row-major memory of `type` at `base`.
  Element load(mlir::RankedTensorType type, llvm::Value *base,
               llvm::ArrayRef<LaneIndex> indices,
               llvm::Value *mask = nullptr);
  void storeTo(mlir::RankedTensorType type, llvm::Value *base,
               llvm::ArrayRef<LaneIndex> indices, Element element,
               llvm::Value *mask = nullptr);

  /// Runs a region of StableHLO scalar ops (a reducer, a comparator) on elements.
  llvm::SmallVector<Element> emitRegion(mlir::Region &region,
                                        llvm::ArrayRef<Element> arguments);

  /// Code was moved to another block where earlier values may not dominate.
  void forget();

  unsigned width() const { return laneCount; }
  llvm::IRBuilder<> &builder() { return ir; }

private:
  KernelFunction &kernel;
  llvm::IRBuilder<> &ir;
  unsigned laneCount;
  llvm::DenseMap<mlir::Value, ElementGenerator> bound;
};

} // namespace xlac::codegen

#endif
