// Computes single elements, or vectors of them, of any value in a kernel's body
// at given indices: the one place where fused StableHLO ops become LLVM IR.
// Emitters of all schedule kinds call it for what surrounds their own loops.
#ifndef XLAC_LIB_CODEGEN_ELEMENTEMITTER_H
#define XLAC_LIB_CODEGEN_ELEMENTEMITTER_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include "Element.h"
#include "IndexMath.h"

#include <functional>
#include <map>
#include <string>

namespace xlac::codegen {

/// An i64 index along one dimension for each lane: base + lane * stride with a
/// compile-time stride (0: the same in all lanes), or, when the lanes follow no
/// such rule, the vector `lanes`.
struct LaneIndex {
  llvm::Value *base = nullptr;
  int64_t stride = 0;
  llvm::Value *lanes = nullptr;
};

class ElementEmitter;

using ElementGenerator =
    std::function<Element(llvm::ArrayRef<LaneIndex> indices)>;

/// Names of the pieces of an emitted kernel function.
struct KernelFunction {
  KernelFunction(ir::KernelOp kernel, const TargetProfile &profile)
      : kernel(kernel), profile(profile) {}

  ir::KernelOp kernel;
  const TargetProfile &profile;
  llvm::Function *function = nullptr;
  llvm::Value *context = nullptr;               ///< const xlac_ctx *
  llvm::Value *buffers = nullptr;               ///< void *const *
  llvm::Value *extents = nullptr;               ///< const int64_t *
  llvm::Value *begin = nullptr, *end = nullptr; ///< i64 task range
  /// Base address of each operand, result and the workspace, loaded on entry.
  llvm::SmallVector<llvm::Value *> operandPointers, resultPointers;
  llvm::Value *workspace = nullptr;
  /// The first thing that could not be emitted; emitKernel reports it. Emitters
  /// go on with poison.
  std::string error;

  /// Constants that stand in the module as globals, by their attribute.
  llvm::DenseMap<mlir::Attribute, llvm::Constant *> constants;

  /// Set once a store past the caches was emitted: the kernel ends with a
  /// fence.
  bool needsFence = false;

  /// True if result `number` is to be written past the caches.
  bool isStreamed(unsigned number) {
    return llvm::is_contained(kernel.getStreamed(), int64_t(number));
  }

  /// Notes that `op` cannot be emitted, and why.
  void fail(mlir::Operation *op, const llvm::Twine &why);
};

class ElementEmitter {
public:
  /// `width` lanes; builder's insertion point moves as code is emitted.
  ElementEmitter(KernelFunction &kernel, llvm::IRBuilder<> &builder,
                 unsigned width);

  /// Element(s) of `value`, which lies in the kernel's body, at `indices` (one
  /// for each dimension of its type). Indices must be in bounds in every lane,
  /// save where `collapsibleDims` lets dimensions run as one.
  Element emit(mlir::Value value, llvm::ArrayRef<LaneIndex> indices);

  /// From now on `value` comes from `generator` instead of its defining op or
  /// buffer (a contraction's accumulators, a reduction's result).
  /// `collapsibleDims` is the freedom of indices that the generator grants.
  void bind(mlir::Value value, ElementGenerator generator,
            uint64_t collapsibleDims = 0);

  /// `value` at exactly these indices is `element`; elsewhere it is computed.
  void memoize(mlir::Value value, llvm::ArrayRef<LaneIndex> indices,
               Element element);

  /// Writes result `number` of the kernel at `indices`. With `mask` (<width x
  /// i1>) lanes that are off are left alone.
  void store(unsigned number, llvm::ArrayRef<LaneIndex> indices,
             Element element, llvm::Value *mask = nullptr);

  /// Loads from / stores to row-major memory of `type` at `base`. Lanes that
  /// `mask` turns off are not touched.
  Element load(mlir::RankedTensorType type, llvm::Value *base,
               llvm::ArrayRef<LaneIndex> indices, llvm::Value *mask = nullptr);
  /// With `streamed`, memory at `base` is aligned to 64 bytes, and whole
  /// vectors that are known to be aligned are written past the caches.
  void storeTo(mlir::RankedTensorType type, llvm::Value *base,
               llvm::ArrayRef<LaneIndex> indices, Element element,
               llvm::Value *mask = nullptr, bool streamed = false);

  /// Runs a region of StableHLO scalar ops (a reducer, a comparator) on
  /// elements.
  llvm::SmallVector<Element> emitRegion(mlir::Region &region,
                                        llvm::ArrayRef<Element> arguments);

  /// The elements of `values`, converted to the element types of `wanted`: a
  /// reducer's arguments may be wider than what is reduced.
  llvm::SmallVector<Element> convert(mlir::Operation *op,
                                     mlir::ValueRange values,
                                     llvm::ArrayRef<Element> elements,
                                     mlir::TypeRange wanted);

  /// Code was moved to another block where earlier values may not dominate.
  void forget();

  /// While one lives, what is emitted is forgotten at its end: for code in a
  /// loop or a branch, which does not dominate what follows.
  class Scope {
  public:
    explicit Scope(ElementEmitter &emitter);
    ~Scope();

  private:
    ElementEmitter &emitter;
    size_t mark;
    IndexMath::Mark indexMark;
  };

  /// for (i = begin; i < end; i += step) over elements carried from trip to
  /// trip; their types must not change. The body is a scope.
  using LoopBody = llvm::function_ref<llvm::SmallVector<Element>(
      llvm::Value *index, llvm::ArrayRef<Element> carried)>;
  llvm::SmallVector<Element> loop(llvm::Value *begin, llvm::Value *end,
                                  int64_t step, llvm::ArrayRef<Element> initial,
                                  LoopBody body);
  /// Nested loops over all indices below `sizes`, in row-major order.
  llvm::SmallVector<Element>
  loopNest(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<Element> initial,
           llvm::function_ref<
               llvm::SmallVector<Element>(llvm::ArrayRef<llvm::Value *> indices,
                                          llvm::ArrayRef<Element> carried)>
               body);

  /// Bit i is set where dimension i of `value` and the next one larger than 1
  /// may run as one: index 0 for dimension i, and for the next one an index
  /// that counts on through both.
  uint64_t collapsibleDims(mlir::Value value);

  unsigned width() const { return laneCount; }
  llvm::IRBuilder<> &builder() { return ir; }
  IndexMath &indexMath() { return math; }
  KernelFunction &function() { return kernel; }

  // Arithmetic on indices, lane by lane.
  LaneIndex uniform(llvm::Value *index) { return {index, 0, nullptr}; }
  LaneIndex uniform(int64_t index) { return {ir.getInt64(index), 0, nullptr}; }
  LaneIndex add(LaneIndex left, LaneIndex right);
  LaneIndex add(LaneIndex index, int64_t offset);
  LaneIndex scale(LaneIndex index, int64_t factor);
  /// Quotient and remainder of a non-negative index by `divisor` > 0.
  /// `bound` is above all of what is divided; by default that is an index of
  /// elements of a tensor.
  std::pair<LaneIndex, LaneIndex> divide(LaneIndex index, int64_t divisor,
                                         std::optional<int64_t> bound = {});
  /// The index forced into [low, high].
  LaneIndex clamp(LaneIndex index, int64_t low, int64_t high);
  /// The row-major number of an element in a tensor with `sizes`, and back. The
  /// outermost index of the way back is not reduced.
  LaneIndex linearize(llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<LaneIndex> indices);
  llvm::SmallVector<LaneIndex> delinearize(llvm::ArrayRef<int64_t> sizes,
                                           LaneIndex linear);
  /// One i64 a lane (a scalar when the width is 1).
  llvm::Value *lanesOf(LaneIndex index);
  bool isUniform(LaneIndex index) const {
    return laneCount == 1 || (!index.lanes && index.stride == 0);
  }
  /// Element of integer tensor `value` as an index; unsigned numbers past
  /// 2^63 - 1 become that.
  LaneIndex emitIndex(mlir::Value value, llvm::ArrayRef<LaneIndex> indices);
  /// True where 0 <= index < size: one i1 if that is the same in all lanes.
  llvm::Value *inBounds(LaneIndex index, int64_t size);
  /// The operand's index behind `index` of the operand with dilation - 1 holes
  /// between its `size` elements: forced into bounds, with `valid` (null: true)
  /// cleared in lanes that were out of them or meet a hole.
  LaneIndex undilate(LaneIndex index, int64_t size, int64_t dilation,
                     llvm::Value *&valid);
  /// The element of `operand` where `valid`, else `otherwise`. `indices` are in
  /// bounds; `free` are those before they were forced there, if they were not
  /// otherwise changed: lanes side by side then stay so.
  Element emitWhere(llvm::Value *valid, mlir::Value operand,
                    llvm::ArrayRef<LaneIndex> indices,
                    llvm::ArrayRef<LaneIndex> free, Element otherwise);
  Element select(llvm::Value *condition, Element yes, Element no);
  /// Conjunction of two conditions of one or `width` bits; null means true.
  llvm::Value *both(llvm::Value *left, llvm::Value *right);
  /// The same scalar in all lanes.
  llvm::Value *splat(llvm::Value *scalar);
  Element splat(Element scalar);
  /// Zero of `elementType` in all lanes.
  Element zero(mlir::Type elementType);
  Element constant(mlir::Type elementType, mlir::Attribute value);
  /// Poison of the type that elements of `elementType` travel as.
  Element poison(mlir::Type elementType);

private:
  using Key = std::vector<const void *>;

  Element emitDefinition(mlir::OpResult value,
                         llvm::ArrayRef<LaneIndex> indices);
  Element emitElementwise(mlir::OpResult value,
                          llvm::ArrayRef<LaneIndex> indices);
  Element emitConstant(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices);
  // ElementMovement.cpp
  bool emitMovement(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices,
                    Element &result);
  Element emitReshape(mlir::Value from, mlir::RankedTensorType type,
                      llvm::ArrayRef<LaneIndex> indices);
  Element emitBitcast(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices);
  Element emitPad(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices);
  Element emitConcatenate(mlir::OpResult value,
                          llvm::ArrayRef<LaneIndex> indices);
  Element emitDynamicSlice(mlir::OpResult value,
                           llvm::ArrayRef<LaneIndex> indices);
  Element emitDynamicUpdateSlice(mlir::OpResult value,
                                 llvm::ArrayRef<LaneIndex> indices);
  Element emitIota(mlir::RankedTensorType type, LaneIndex index);
  uint64_t computeCollapsibleDims(mlir::OpResult value);
  uint64_t reshapeCollapsibleDims(mlir::RankedTensorType from,
                                  mlir::RankedTensorType to, uint64_t bits);
  bool fitsPiece(LaneIndex index, int64_t offset, int64_t size);
  // ElementGather.cpp
  Element emitGather(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices);
  Element emitRandomBits(mlir::OpResult value,
                         llvm::ArrayRef<LaneIndex> indices);
  // ElementLoops.cpp
  bool emitInnerLoop(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices,
                     Element &result);
  llvm::SmallVector<Element> emitReduce(mlir::Operation *op,
                                        llvm::ArrayRef<LaneIndex> indices);
  llvm::SmallVector<Element>
  emitReduceWindow(mlir::Operation *op, llvm::ArrayRef<LaneIndex> indices);
  Element emitDot(mlir::OpResult value, llvm::ArrayRef<LaneIndex> indices);
  Element emitConvolution(mlir::OpResult value,
                          llvm::ArrayRef<LaneIndex> indices);
  // ElementMemory.cpp
  llvm::Type *memoryType(mlir::Type part);
  llvm::Value *bitsOf(mlir::Type type, Element element);
  Element ofBits(mlir::Type type, llvm::Value *bits);
  llvm::Value *loadRaw(llvm::Type *scalar, llvm::Value *base, LaneIndex offset,
                       llvm::Value *mask);
  llvm::Value *loadEverySecond(llvm::FixedVectorType *type, llvm::Value *start,
                               llvm::Value *mask);
  void storeRaw(llvm::Value *raw, llvm::Value *base, LaneIndex offset,
                llvm::Value *mask, bool streamed);
  bool masksLoads(mlir::Value operand);
  bool storeStreamed(llvm::Value *raw, llvm::Value *base, LaneIndex offset);
  llvm::Value *decode(mlir::Type type, llvm::Value *raw);
  llvm::Value *encode(mlir::Type type, llvm::Value *value);

  Key keyOf(mlir::Value value, llvm::ArrayRef<LaneIndex> indices);
  llvm::SmallVector<LaneIndex> normalize(mlir::Value value,
                                         llvm::ArrayRef<LaneIndex> indices);
  void remember(const Key &key, Element element);
  Element check(llvm::Expected<Element> element, mlir::Operation *op,
                mlir::Type type);

  KernelFunction &kernel;
  llvm::IRBuilder<> &ir;
  unsigned laneCount;
  IndexMath math;
  llvm::Value *loadMask = nullptr; ///< lanes of buffers that may be read
  bool smallIndices = true; ///< no tensor has more than 2^31 - 1 elements
  struct Bound {
    ElementGenerator generator;
    uint64_t collapsibleDims;
  };
  llvm::DenseMap<mlir::Value, Bound> bound;
  llvm::DenseMap<mlir::Value, uint64_t> collapsibleDimsOf;
  std::map<Key, Element> known;
  std::vector<std::map<Key, Element>::iterator> knownOrder;

  friend class WidthScope;
};

/// While one lives, the emitter works on one lane: for values that are the same
/// in all lanes and whose scalar is wanted.
class WidthScope {
public:
  explicit WidthScope(ElementEmitter &emitter, unsigned width = 1)
      : emitter(emitter), saved(emitter.laneCount) {
    emitter.laneCount = width;
  }
  ~WidthScope() { emitter.laneCount = saved; }

private:
  ElementEmitter &emitter;
  unsigned saved;
};

/// Bytes of one element of `type` in a buffer; 0 if no buffer can hold it.
int64_t elementBytes(mlir::Type type);

/// Sizes of `value`'s ranked tensor type.
inline llvm::ArrayRef<int64_t> sizesOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

} // namespace xlac::codegen

#endif
