// Computes elements, or vectors of elements, of any value in a kernel's body at
// given indices. Only this class lowers fused StableHLO ops to LLVM IR.
// Emitters of all schedule kinds call it for the ops around their own loops.
#ifndef XLAC_LIB_CODEGEN_ELEMENTEMITTER_H
#define XLAC_LIB_CODEGEN_ELEMENTEMITTER_H

#include "xlac/Codegen/KernelForm.h"
#include "xlac/Codegen/KernelNeeds.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include "Element.h"
#include "IndexMath.h"

#include <functional>
#include <map>
#include <string>

namespace xlac::codegen {

/// An i64 index along one dimension for each lane: base + lane * stride, with a
/// compile-time stride (0 means the same index in all lanes). Irregular indices
/// are in the vector `lanes` instead.
struct LaneIndex {
  llvm::Value *base = nullptr;
  int64_t stride = 0;
  llvm::Value *lanes = nullptr;
  /// If it is set, `lanes` are `base` plus these.
  llvm::ConstantDataVector *offsets = nullptr;
};

class ElementEmitter;

using ElementGenerator =
    std::function<Element(llvm::ArrayRef<LaneIndex> indices)>;

/// The values and state of an emitted kernel function.
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
  /// Base addresses of operands, results and the workspace, loaded on entry.
  llvm::SmallVector<llvm::Value *> operandPointers, resultPointers;
  llvm::Value *workspace = nullptr;
  /// Operands that are smaller than all results and so share their memory with
  /// none, by address, and the alias scope of loads from them. Null if there
  /// are none.
  llvm::SmallPtrSet<llvm::Value *, 8> unshared;
  llvm::MDNode *unsharedScope = nullptr;
  /// The first op that could not be emitted. emitKernel reports it; emitters
  /// continue with poison.
  std::string error;

  /// Constants that are globals of the module, by attribute.
  llvm::DenseMap<mlir::Attribute, llvm::Constant *> constants;

  /// What the code that has been emitted asks of the runtime.
  KernelNeeds needs;

  /// Set after a non-temporal store was emitted: the kernel then ends with a
  /// fence.
  bool needsFence = false;

  /// Returns whether result `number` is written with non-temporal stores.
  bool isStreamed(unsigned number) {
    return llvm::is_contained(kernel.getStreamed(), int64_t(number));
  }

  /// Whether the code is for any size: numbers that depend on sizes must not
  /// change its structure.
  bool anySize() { return kernel.getAnySize(); }
  /// Returns a size as a constant. If the code is for any size, returns an
  /// instruction that the builder does not fold.
  llvm::Value *size(llvm::IRBuilder<> &ir, int64_t number) {
    return anySize() ? emitSize(ir, number) : ir.getInt64(number);
  }
  /// The same for a number that the scheduler has chosen from sizes.
  llvm::Value *decision(llvm::IRBuilder<> &ir, int64_t number) {
    return anySize() ? emitDecision(ir, number) : ir.getInt64(number);
  }

  /// An extent in code for any size: its end, the end of its whole vectors, and
  /// the elements that are left.
  struct VectorExtent {
    llvm::Value *end, *whole, *left;
  };
  VectorExtent vectorExtent(llvm::IRBuilder<> &ir, int64_t number,
                            unsigned width) {
    llvm::Value *end = size(ir, number);
    llvm::Value *left = ir.CreateURem(end, ir.getInt64(width));
    return {end, ir.CreateSub(end, left), left};
  }

  /// Marks a load from `base` if no result shares its memory, so that LLVM
  /// moves it out of loops that store results. Returns the load.
  llvm::LoadInst *loadFrom(llvm::Value *base, llvm::LoadInst *load) {
    if (unshared.contains(base))
      load->setMetadata(llvm::LLVMContext::MD_alias_scope, unsharedScope);
    return load;
  }
  /// Marks a store to anything but an operand whose memory no result shares.
  void storeApart(llvm::StoreInst *store) {
    if (unsharedScope)
      store->setMetadata(llvm::LLVMContext::MD_noalias, unsharedScope);
  }

  /// Records that `op` cannot be emitted, and why.
  void fail(mlir::Operation *op, const llvm::Twine &why);
};

class ElementEmitter {
public:
  /// Emits code for `width` lanes at the builder's insertion point, which moves
  /// along.
  ElementEmitter(KernelFunction &kernel, llvm::IRBuilder<> &builder,
                 unsigned width);

  /// Returns the element(s) of `value`, a value in the kernel's body, at
  /// `indices` (one for each dimension). Indices must be in bounds in every
  /// lane, except where `collapsibleDims` allows an index to count through
  /// several dimensions.
  Element emit(mlir::Value value, llvm::ArrayRef<LaneIndex> indices);

  /// States that only lanes whose bit in `mask` (<width x i1>) is set have
  /// elements. Other lanes are neither loaded from buffers nor stored, and
  /// their values are unspecified.
  void setActive(llvm::Value *mask) { active = loadMask = mask; }

  /// Makes `generator` compute `value` from now on, instead of its defining op
  /// or buffer (for example a contraction's accumulators). `collapsibleDims`
  /// states which dimensions the generator allows to be collapsed.
  void bind(mlir::Value value, ElementGenerator generator,
            uint64_t collapsibleDims = 0);

  /// States that `value` is `element` at exactly these indices. At others it is
  /// computed.
  void memoize(mlir::Value value, llvm::ArrayRef<LaneIndex> indices,
               Element element);

  /// Returns `value`, the result of a convolution, at `block` indices that
  /// ascend from `indices` along its spatial dimension `blockDim`. One loop
  /// over the window computes all of them.
  llvm::SmallVector<Element> emitConvolution(mlir::OpResult value,
                                             llvm::ArrayRef<LaneIndex> indices,
                                             int64_t blockDim = -1,
                                             int64_t block = 1);

  /// Stores result `number` of the kernel at `indices`. Lanes whose bit in
  /// `mask` (<width x i1>) is clear are not written.
  void store(unsigned number, llvm::ArrayRef<LaneIndex> indices,
             Element element, llvm::Value *mask = nullptr);

  /// Stores all elements along the innermost dimension of result `number`:
  /// `elements[k]` has those of index k, one for each lane. `indices` are those
  /// of elements[0]; lanes count through the dimension before. All lanes are
  /// written.
  void storeInterleaved(unsigned number, llvm::ArrayRef<LaneIndex> indices,
                        llvm::ArrayRef<Element> elements);

  /// Loads from, or stores to, row-major memory of `type` at `base`. Lanes
  /// whose bit in `mask` is clear are not accessed.
  Element load(mlir::RankedTensorType type, llvm::Value *base,
               llvm::ArrayRef<LaneIndex> indices, llvm::Value *mask = nullptr);
  /// With `streamed`, `base` must be 64-byte aligned, and vectors that are
  /// known to be aligned are written with non-temporal stores.
  void storeTo(mlir::RankedTensorType type, llvm::Value *base,
               llvm::ArrayRef<LaneIndex> indices, Element element,
               llvm::Value *mask = nullptr, bool streamed = false);

  /// Emits a region of StableHLO scalar ops (a reducer, a comparator) on
  /// elements.
  llvm::SmallVector<Element> emitRegion(mlir::Region &region,
                                        llvm::ArrayRef<Element> arguments);

  /// Converts the elements of `values` to the element types of `wanted`. A
  /// reducer's arguments may be wider than its inputs.
  llvm::SmallVector<Element> convert(mlir::Operation *op,
                                     mlir::ValueRange values,
                                     llvm::ArrayRef<Element> elements,
                                     mlir::TypeRange wanted);

  /// Forgets all memoized values. Call this after moving to a block that their
  /// definitions may not dominate.
  void forget();

  /// Forgets at its end what was memoized in its lifetime. Use it for code in a
  /// loop or branch, which does not dominate later code.
  class Scope {
  public:
    explicit Scope(ElementEmitter &emitter);
    ~Scope();

  private:
    ElementEmitter &emitter;
    size_t mark;
    IndexMath::Mark indexMark;
  };

  /// Emits for (i = begin; i < end; i += step) with loop-carried elements,
  /// whose types must not change. The body is a scope.
  using LoopBody = llvm::function_ref<llvm::SmallVector<Element>(
      llvm::Value *index, llvm::ArrayRef<Element> carried)>;
  llvm::SmallVector<Element> loop(llvm::Value *begin, llvm::Value *end,
                                  int64_t step, llvm::ArrayRef<Element> initial,
                                  LoopBody body);
  /// Emits nested loops over all indices below `sizes`, in row-major order.
  llvm::SmallVector<Element>
  loopNest(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<Element> initial,
           llvm::function_ref<
               llvm::SmallVector<Element>(llvm::ArrayRef<llvm::Value *> indices,
                                          llvm::ArrayRef<Element> carried)>
               body);

  /// Returns the collapsible dimensions of `value`. Bit i is set if dimension i
  /// can be collapsed with the next dimension larger than 1. Callers may then
  /// pass index 0 for dimension i and, for the next one, an index that counts
  /// through both.
  uint64_t collapsibleDims(mlir::Value value);

  unsigned width() const { return laneCount; }
  llvm::IRBuilder<> &builder() { return ir; }
  IndexMath &indexMath() { return math; }
  KernelFunction &function() { return kernel; }

  // Arithmetic on indices, for each lane.
  LaneIndex uniform(llvm::Value *index) { return {index, 0, nullptr}; }
  LaneIndex uniform(int64_t index) { return {ir.getInt64(index), 0, nullptr}; }
  LaneIndex add(LaneIndex left, LaneIndex right);
  LaneIndex add(LaneIndex index, int64_t offset);
  LaneIndex scale(LaneIndex index, int64_t factor);
  /// Returns `base` plus an offset for each lane.
  LaneIndex offsetLanes(llvm::Value *base, llvm::ArrayRef<int64_t> offsets);
  /// Returns the offsets of the lanes from `index.base`, or nothing if they are
  /// unknown.
  std::optional<llvm::SmallVector<int64_t>> offsetsOf(LaneIndex index);
  /// Returns quotient and remainder of a non-negative index and `divisor` > 0.
  /// The index is less than `bound`, by default the largest number of elements
  /// of a tensor.
  std::pair<LaneIndex, LaneIndex> divide(LaneIndex index, int64_t divisor,
                                         std::optional<int64_t> bound = {});
  /// Clamps the index to [low, high].
  LaneIndex clamp(LaneIndex index, int64_t low, int64_t high);
  /// Converts indices to the row-major number of an element in a tensor with
  /// `sizes`, and back. `delinearize` does not reduce the outermost index.
  LaneIndex linearize(llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<LaneIndex> indices);
  llvm::SmallVector<LaneIndex> delinearize(llvm::ArrayRef<int64_t> sizes,
                                           LaneIndex linear);
  /// Returns one i64 for each lane, or a scalar if the width is 1.
  llvm::Value *lanesOf(LaneIndex index);
  bool isUniform(LaneIndex index) const {
    return laneCount == 1 || (!index.lanes && index.stride == 0);
  }
  /// Returns an element of the integer tensor `value` as an index. Unsigned
  /// numbers above 2^63 - 1 are clamped to it.
  LaneIndex emitIndex(mlir::Value value, llvm::ArrayRef<LaneIndex> indices);
  /// Returns whether 0 <= index < size: a single i1 if all lanes agree, null if
  /// it is known to be true, and the constant false if it is known to be false.
  llvm::Value *inBounds(LaneIndex index, int64_t size);
  /// Returns whether a condition from inBounds or both() is never true.
  static bool isKnownFalse(llvm::Value *condition) {
    auto *bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(condition);
    return bit && bit->isZero();
  }
  /// Returns a range that contains the indices of all lanes, if one is known.
  std::optional<IndexMath::Range> rangeOf(LaneIndex index);
  /// Converts `index` of an operand dilated with dilation - 1 holes between its
  /// `size` elements to an index of the operand, clamped into bounds. Clears
  /// `valid` (null means true) in lanes that are out of bounds or at a hole.
  LaneIndex undilate(LaneIndex index, int64_t size, int64_t dilation,
                     llvm::Value *&valid);
  /// Returns the element of `operand` where `valid` is set, else `otherwise`.
  /// `indices` are in bounds. `free` are the same indices before clamping, or
  /// empty if they changed otherwise; they keep lanes contiguous.
  Element emitWhere(llvm::Value *valid, mlir::Value operand,
                    llvm::ArrayRef<LaneIndex> indices,
                    llvm::ArrayRef<LaneIndex> free, Element otherwise);
  Element select(llvm::Value *condition, Element yes, Element no);
  /// Returns the conjunction of two conditions of one or `width` bits. Null
  /// means true.
  llvm::Value *both(llvm::Value *left, llvm::Value *right);
  /// Broadcasts a scalar to all lanes.
  llvm::Value *splat(llvm::Value *scalar);
  Element splat(Element scalar);
  /// Returns zero of `elementType` in all lanes.
  Element zero(mlir::Type elementType);
  Element constant(mlir::Type elementType, mlir::Attribute value);
  /// Returns poison of the LLVM type that represents elements of `elementType`.
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
  Element emitRandomState(mlir::OpResult value,
                          llvm::ArrayRef<LaneIndex> indices);
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
  // ElementMemory.cpp
  llvm::Type *memoryType(mlir::Type part);
  llvm::Value *bitsOf(mlir::Type type, Element element);
  Element ofBits(mlir::Type type, llvm::Value *bits);
  llvm::Value *loadRaw(llvm::Type *scalar, llvm::Value *base, LaneIndex offset,
                       llvm::Value *mask);
  llvm::Value *loadShuffled(llvm::Type *scalar, llvm::Value *base,
                            llvm::Value *first,
                            llvm::ArrayRef<int64_t> offsets);
  llvm::Value *loadStrided(llvm::FixedVectorType *type, llvm::Value *base,
                           LaneIndex offset, llvm::Value *mask);
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
  llvm::Value *active = nullptr;   ///< lanes with elements; null means all
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

/// Sets the emitter's width in its lifetime, for example to 1 to compute the
/// scalar of a value that is the same in all lanes.
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

/// Returns the bytes of one element of `type` in a buffer, or 0 if buffers
/// cannot hold the type.
int64_t elementBytes(mlir::Type type);

/// Returns, for each dimension of a gather's result, the dimension of the
/// operand that it counts through, or -1.
llvm::SmallVector<int64_t> windowSources(xlac::stablehlo::GatherOp gather);

/// Returns the sizes of `value`'s ranked tensor type.
inline llvm::ArrayRef<int64_t> sizesOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

} // namespace xlac::codegen

#endif
