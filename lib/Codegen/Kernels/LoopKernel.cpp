// The loop kind: computes every element of the results on its own. The result's
// index space is divided into boxes: one, unless pads, concatenations or
// updates give more. Boxes are divided into tasks of whole rows or blocks of a
// row, and rows into vectors. Neighbouring dimensions are collapsed if the body
// allows it.
#include "LoopKernel.h"

#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Loops.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace xlac::codegen {

mlir::LogicalResult checkLoopResults(ir::KernelOp kernel) {
  mlir::OperandRange results = kernel.getYield()->getOperands();
  for (mlir::Value result : results) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape() ||
        elementBytes(type.getElementType()) == 0)
      return kernel.emitOpError("has a result of type ")
             << result.getType() << ", which is not supported";
    if (elementCount(type.getShape()) != elementCount(sizesOf(results[0])))
      return kernel.emitOpError("has results of different element counts");
    if (elementCount(type.getShape()) >= INT64_MAX / 16)
      return kernel.emitOpError("has a result that is too large");
  }
  return mlir::success();
}

static mlir::LogicalResult scheduleLoop(ir::KernelOp kernel,
                                        const TargetProfile &profile) {
  if (mlir::failed(checkLoopResults(kernel)))
    return mlir::failure();
  LLVMContext context;
  IRBuilder<> ir(context);
  KernelFunction function(kernel, profile);
  int64_t tasks = countLoopTasks(function, ir, {});
  KernelCost cost = costOf(kernel);
  setSchedule(kernel, {tasks},
              {grainOf(tasks, cost.nanoseconds(profile), profile)}, {}, 0,
              cost.flops, cost.bytes);
  return mlir::success();
}

/// Elements of a strip of a divided loop. In short strips, what one loop reads
/// from memory arrives while the other one computes.
static constexpr int64_t kStripElements = 64;

namespace {
class LoopEmitter {
public:
  LoopEmitter(KernelFunction &function, IRBuilder<> &ir,
              const LoopOptions &options)
      : function(function), ir(ir), options(options) {}

  void run() {
    LoopPlan plan = planLoop(function, ir, options);
    windows = plan.windows;
    for (IterationBox &box : plan.boxes) {
      if (box.tasks() == 0)
        continue;
      Value *low = function.begin, *high = function.end;
      if (plan.boxes.size() == 1) {
        emitBox(box, plan.width, low, high);
        continue;
      }
      Value *first = ir.getInt64(box.firstTask);
      Value *last = ir.getInt64(box.tasks());
      auto within = [&](Value *task) {
        Value *local = ir.CreateSub(task, first);
        local =
            ir.CreateBinaryIntrinsic(Intrinsic::smax, local, ir.getInt64(0));
        return ir.CreateBinaryIntrinsic(Intrinsic::smin, local, last);
      };
      low = within(low);
      high = within(high);
      emitIf(ir, ir.CreateICmpSLT(low, high),
             [&] { emitBox(box, plan.width, low, high); });
    }
  }

private:
  /// Emits tasks [low, high) of the box. Requires low < high.
  void emitBox(IterationBox &box, unsigned width, Value *low, Value *high) {
    findOffsets(box);
    if (function.anySize()) {
      emitAnyBox(box, width, low, high);
      return;
    }
    int64_t rest = box.inner % width;
    Value *mainEnd = ir.getInt64(box.inner - rest);
    if (box.rows == 1) {
      Value *begin = ir.CreateMul(low, ir.getInt64(box.block));
      Value *end = ir.CreateMul(high, ir.getInt64(box.block));
      end = ir.CreateBinaryIntrinsic(Intrinsic::smin, end, mainEnd);
      if (box.inner != rest)
        emitVectors(box, width, {}, begin, end);
      if (rest)
        emitIf(ir, ir.CreateICmpEQ(high, ir.getInt64(box.blocks)),
               [&] { emitVectors(box, rest, {}, mainEnd, nullptr); });
      return;
    }
    emitFor(ir, low, high, 1, [&](Value *task) {
      IndexMath math(ir);
      Value *row = math.div(task, box.blocks);
      Value *block = math.rem(task, box.blocks);
      Value *begin = math.mul(block, box.block);
      Value *end = math.add(begin, box.block);
      if (box.inner != rest)
        emitVectors(box, width, row, begin,
                    box.blocks == 1 ? mainEnd : math.min(end, mainEnd));
      if (!rest)
        return;
      auto tail = [&] { emitVectors(box, rest, row, mainEnd, nullptr); };
      if (box.blocks == 1)
        tail();
      else
        emitIf(ir, ir.CreateICmpEQ(block, ir.getInt64(box.blocks - 1)), tail);
    });
  }

  /// The same for any sizes. The last vector of a row is whole, but only lanes
  /// that are left are active.
  void emitAnyBox(IterationBox &box, unsigned width, Value *low, Value *high) {
    KernelFunction::VectorExtent inner =
        function.vectorExtent(ir, box.inner, width);
    Value *each = function.decision(ir, box.block);
    Value *blocks = function.decision(ir, box.blocks);
    auto tail = [&](Value *row, Value *isLast) {
      if (width == 1)
        return;
      Value *hasTail = ir.CreateICmpNE(inner.left, ir.getInt64(0));
      emitIf(ir, ir.CreateAnd(isLast, hasTail), [&] {
        emitVectors(box, width, row, inner.whole, nullptr,
                    leadingMask(ir, width, inner.left));
      });
    };
    bool isOneRow = box.straddles || box.extents.size() <= 1;
    if (isOneRow) {
      Value *end = ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateMul(high, each), inner.whole);
      emitVectors(box, width, {}, ir.CreateMul(low, each), end);
      tail({}, ir.CreateICmpEQ(high, blocks));
      return;
    }
    emitFor(ir, low, high, 1, [&](Value *task) {
      Value *row = ir.CreateUDiv(task, blocks);
      Value *block = ir.CreateURem(task, blocks);
      Value *begin = ir.CreateMul(block, each);
      Value *end = ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateAdd(begin, each), inner.whole);
      emitVectors(box, width, row, begin, end);
      tail(row, ir.CreateICmpEQ(ir.CreateAdd(block, ir.getInt64(1)), blocks));
    });
  }

  void findOffsets(IterationBox &box) {
    offsets.clear();
    ElementEmitter scalar(function, ir, 1);
    for (size_t dim = 0; dim < box.offsets.size(); ++dim) {
      if (!box.update) {
        offsets.push_back(ir.getInt64(box.offsets[dim]));
        continue;
      }
      int64_t lastStart =
          sizesOf(box.update.getOperand())[dim] - box.sizes[dim];
      assert(lastStart >= 0 && "an update fits its operand");
      offsets.push_back(
          lastStart == 0
              ? ir.getInt64(0)
              : scalar
                    .clamp(
                        scalar.emitIndex(box.update.getStartIndices()[dim], {}),
                        0, lastStart)
                    .base);
    }
  }

  /// Emits vectors of `width` from `begin` to `end` of the inner extent of row
  /// `row`. Without `end`, emits one vector. With `active`, only these lanes
  /// have elements.
  void emitVectors(IterationBox &box, unsigned width, Value *row, Value *begin,
                   Value *end, Value *active = nullptr) {
    ElementEmitter emitter(function, ir, width);
    emitter.setActive(active);
    if (options.prepare)
      options.prepare(emitter);
    if (box.isPart && row)
      emitter.indexMath().setRange(row, 0, box.rows - 1);
    auto step = [&](Value *position) {
      ElementEmitter::Scope scope(emitter);
      emitVector(emitter, box, row, position);
    };
    if (!end)
      step(begin);
    else if (!box.stored.empty() && !active)
      emitStrips(emitter, box, row, begin, end);
    else
      emitFor(ir, begin, end, width, step);
  }

  /// Emits vectors from `begin` to `end`, strip by strip: one loop stores
  /// values of the strip, and another one computes the results from them.
  void emitStrips(ElementEmitter &emitter, IterationBox &box, Value *row,
                  Value *begin, Value *end) {
    int64_t width = emitter.width();
    int64_t vectors = std::max<int64_t>(1, kStripElements / width);
    auto emitLoop = [&](Value *first, Value *last, auto body) {
      emitFor(ir, first, last, width, [&](Value *position) {
        ElementEmitter::Scope scope(emitter);
        Value *number = IndexMath(ir).div(ir.CreateSub(position, first), width);
        body(indicesAt(emitter, box, row, position), number);
      });
    };
    emitFor(ir, begin, end, vectors * width, [&](Value *first) {
      Value *last = ir.CreateAdd(first, ir.getInt64(vectors * width));
      last = ir.CreateBinaryIntrinsic(Intrinsic::smin, last, end);
      SmallVector<AllocaInst *> strips; // of vectors
      auto addressIn = [&](AllocaInst *strip, Value *number) {
        return ir.CreateInBoundsGEP(strip->getAllocatedType(), strip,
                                    {ir.getInt64(0), number});
      };
      emitLoop(first, last, [&](ArrayRef<LaneIndex> indices, Value *number) {
        SmallVector<LaneIndex> place = placeOf(emitter, box, indices);
        for (mlir::Value value : box.stored) {
          Value *vector = emitter.emit(value, place).real;
          strips.push_back(emitFrameMemory(
              ir, ArrayType::get(vector->getType(), vectors), Align(64)));
          ir.CreateStore(vector, addressIn(strips.back(), number));
        }
      });
      emitLoop(first, last, [&](ArrayRef<LaneIndex> indices, Value *number) {
        SmallVector<LaneIndex> place = placeOf(emitter, box, indices);
        for (auto [value, strip] : zip_equal(box.stored, strips)) {
          Type *type = strip->getAllocatedType()->getArrayElementType();
          Value *vector = ir.CreateLoad(type, addressIn(strip, number));
          emitter.memoize(value, place, {vector, nullptr});
        }
        emitResults(emitter, box, indices);
      });
    });
  }

  /// Returns the indices in the box of the vector at `position` of row `row`.
  static SmallVector<LaneIndex> indicesAt(ElementEmitter &emitter,
                                          IterationBox &box, Value *row,
                                          Value *position) {
    emitter.indexMath().setMultiple(
        position, std::gcd<int64_t>(emitter.width(), box.block));
    if (box.isPart)
      emitter.indexMath().setRange(position, 0, box.inner - emitter.width());
    LaneIndex inner{position, emitter.width() > 1 ? 1 : 0, nullptr};
    SmallVector<LaneIndex> byGroup;
    if (box.straddles)
      byGroup = emitter.delinearize(box.extents, inner);
    else if (!box.extents.empty())
      byGroup = indicesOfRow(emitter, box, row, inner);
    SmallVector<LaneIndex> indices(box.sizes.size(),
                                   emitter.uniform(int64_t(0)));
    for (auto [group, index] : zip_equal(box.groups, byGroup))
      indices[group.back()] = index;
    return indices;
  }

  void emitVector(ElementEmitter &emitter, IterationBox &box, Value *row,
                  Value *position) {
    SmallVector<LaneIndex> indices = indicesAt(emitter, box, row, position);
    if (box.rowBlock > 1) {
      emitRows(emitter, box, indices);
      return;
    }
    if (box.interleaved > 1) {
      emitInterleaved(emitter, box, indices);
      return;
    }
    emitResults(emitter, box, indices);
    if (box.repeated)
      emitRepetitions(emitter, box, indices);
  }

  /// Returns the index of each group at `inner` of row `row`; 0 of the repeated
  /// and of the interleaved group.
  static SmallVector<LaneIndex> indicesOfRow(ElementEmitter &emitter,
                                             const IterationBox &box,
                                             Value *row, LaneIndex inner) {
    bool interleaves = box.interleaved > 1;
    SmallVector<int64_t> extents(
        ArrayRef(box.extents).drop_back(interleaves ? 2 : 1));
    if (box.repeated)
      extents.erase(extents.begin() + *box.repeated);
    SmallVector<LaneIndex> byGroup;
    if (!extents.empty()) {
      extents.back() /= box.rowBlock;
      byGroup = emitter.delinearize(extents, row ? emitter.uniform(row)
                                                 : emitter.uniform(int64_t(0)));
      byGroup.back() = emitter.scale(byGroup.back(), box.rowBlock);
    }
    if (box.repeated)
      byGroup.insert(byGroup.begin() + *box.repeated,
                     emitter.uniform(int64_t(0)));
    byGroup.push_back(inner);
    if (interleaves)
      byGroup.push_back(emitter.uniform(int64_t(0)));
    return byGroup;
  }

  /// Emits the results at the other indices of the repeated group. The emitter
  /// knows what it has computed at the first one.
  void emitRepetitions(ElementEmitter &emitter, IterationBox &box,
                       ArrayRef<LaneIndex> indices) {
    int64_t count = box.repetitions();
    emitFor(ir, ir.getInt64(1), ir.getInt64(count), 1, [&](Value *repetition) {
      ElementEmitter::Scope scope(emitter);
      emitter.indexMath().setRange(repetition, 1, count - 1);
      SmallVector<LaneIndex> at(indices);
      at[box.groups[*box.repeated].back()] = emitter.uniform(repetition);
      emitResults(emitter, box, at);
    });
  }

  /// Emits a block of rows at and behind `indices`.
  void emitRows(ElementEmitter &emitter, IterationBox &box,
                ArrayRef<LaneIndex> indices) {
    int64_t dim = box.groups[box.groups.size() - 2].back();
    auto rowAt = [&](int64_t row) {
      SmallVector<LaneIndex> at(indices);
      at[dim] = emitter.add(at[dim], row);
      return at;
    };
    for (mlir::Operation *window : windows) {
      mlir::OpResult value = window->getResult(0);
      SmallVector<Element> elements = emitter.emitConvolution(
          value, placeOf(emitter, box, indices), dim, box.rowBlock);
      for (auto [row, element] : llvm::enumerate(elements))
        emitter.memoize(value, placeOf(emitter, box, rowAt(int64_t(row))),
                        element);
    }
    for (int64_t row = 0; row < box.rowBlock; ++row)
      emitResults(emitter, box, rowAt(row));
  }

  /// Emits all elements of the interleaved group at `indices`.
  void emitInterleaved(ElementEmitter &emitter, IterationBox &box,
                       ArrayRef<LaneIndex> indices) {
    SmallVector<SmallVector<Element>> byResult(box.values.size());
    SmallVector<SmallVector<LaneIndex>> firstPlaces;
    for (int64_t number = 0; number < box.interleaved; ++number) {
      SmallVector<LaneIndex> at(indices);
      at[box.groups.back().back()] = emitter.uniform(number);
      ResultVectors vectors = emitElements(emitter, box, at);
      for (auto [all, element] : zip_equal(byResult, vectors.elements))
        all.push_back(element);
      if (number == 0)
        firstPlaces = std::move(vectors.places);
    }
    for (auto [number, elements] : llvm::enumerate(byResult))
      emitter.storeInterleaved(number, firstPlaces[number], elements);
  }

  /// Returns the indices in the results of those in a part of them.
  static SmallVector<LaneIndex> placeOf(ElementEmitter &emitter,
                                        const IterationBox &box,
                                        ArrayRef<LaneIndex> indices) {
    SmallVector<LaneIndex> place(indices);
    if (box.isPart)
      for (auto [index, offset] : zip_equal(place, box.offsets))
        index = emitter.add(index, offset);
    return place;
  }

  void emitResults(ElementEmitter &emitter, IterationBox &box,
                   ArrayRef<LaneIndex> indices) {
    // Compute all elements before the first store: a result may share its
    // buffer with an operand.
    ResultVectors vectors = emitElements(emitter, box, indices);
    for (auto [number, element] : llvm::enumerate(vectors.elements))
      emitter.store(number, vectors.places[number], element);
  }

  /// An element of each result, and its indices there.
  struct ResultVectors {
    SmallVector<Element> elements;
    SmallVector<SmallVector<LaneIndex>> places;
  };
  ResultVectors emitElements(ElementEmitter &emitter, IterationBox &box,
                             ArrayRef<LaneIndex> indices) {
    ResultVectors vectors;
    auto &[elements, places] = vectors;
    for (auto [number, value] : llvm::enumerate(box.values)) {
      ArrayRef<int64_t> sizes = sizesOf(value);
      SmallVector<LaneIndex> own;
      if (sizes == ArrayRef<int64_t>(box.sizes) || box.isPart)
        own = placeOf(emitter, box, indices);
      else if (!sizes.empty())
        own = emitter.delinearize(sizes, emitter.linearize(box.sizes, indices));
      elements.push_back(emitter.emit(value, own));
      if (box.isPart) {
        places.push_back(own);
        continue;
      }
      if (sizes == ArrayRef<int64_t>(box.sizes) || sizes.empty()) {
        own.assign(indices.begin(), indices.end());
        for (size_t dim = 0; dim < own.size(); ++dim)
          own[dim] = emitter.add(own[dim], emitter.uniform(offsets[dim]));
      }
      places.push_back(own);
    }
    return vectors;
  }

  KernelFunction &function;
  IRBuilder<> &ir;
  const LoopOptions &options;
  SmallVector<Value *> offsets;
  SmallVector<mlir::Operation *> windows;
};
} // namespace

int64_t countLoopTasks(KernelFunction &function, IRBuilder<> &ir,
                       const LoopOptions &options) {
  return planLoop(function, ir, options).tasks;
}

void emitLoopTasks(KernelFunction &function, IRBuilder<> &ir,
                   const LoopOptions &options, unsigned phase) {
  assert(countLoopTasks(function, ir, options) ==
             function.kernel.getSchedule().getTasks()[phase] &&
         "the loop was scheduled with these options");
  LoopEmitter(function, ir, options).run();
}

static Error emitLoop(KernelFunction &function, IRBuilder<> &ir,
                      unsigned phase) {
  emitLoopTasks(function, ir, {}, phase);
  return Error::success();
}

const KernelKind loopKind = {scheduleLoop, emitLoop};

} // namespace xlac::codegen
