// Copies operands that cannot be read in place (computed, padded or dilated
// ones) to the workspace once, in the layout that the GEMM reads.
#include "ContractionKernel.h"

#include "Loops.h"
#include "Scalar/ScalarOps.h"

using namespace llvm;

namespace xlac::codegen {

namespace {
class OperandCopy {
public:
  OperandCopy(KernelFunction &function, IRBuilder<> &ir,
              const ContractionKernel &kernel,
              const ContractionOperand &operand)
      : function(function), ir(ir), operand(operand),
        element(memoryType(ir, kernel.plan.gemm, operand.format)),
        lanes(kernel.plan.lanes), sizes(operand.sizes),
        sourceSizes(sizesOf(operand.value)) {
    base = ir.CreateGEP(ir.getInt8Ty(), function.workspace,
                        ir.getInt64(operand.workspace));
    size = sizes.empty() ? 1 : sizes.back();
    if (sizes.empty())
      return;
    // Elements of a source row that are inside the padded row.
    int64_t low = operand.low.back(), step = operand.dilation.back();
    begin = low < 0 ? (-low + step - 1) / step : 0;
    end = low >= size ? 0 : (size - 1 - low) / step + 1;
    end = std::min(end, sourceSizes.back());
  }

  /// Writes one row of the padded space. Positions without a source element are
  /// zero.
  void emitRow(Value *row) {
    Value *target =
        ir.CreateGEP(element, base, ir.CreateMul(row, ir.getInt64(size)));
    if (!operand.isPadded) {
      emitElements(target, outerIndices(row, nullptr));
      return;
    }
    fillZero(target);
    if (begin >= end)
      return;
    Value *valid = nullptr;
    SmallVector<Value *> outer = outerIndices(row, &valid);
    if (valid)
      emitIf(ir, valid, [&] { emitElements(target, outer); });
    else
      emitElements(target, outer);
  }

private:
  /// Returns the source indices of all dimensions except the innermost. `valid`
  /// becomes the condition that the row exists in the source; null if it always
  /// does.
  SmallVector<Value *> outerIndices(Value *row, Value **valid) {
    SmallVector<Value *> indices(sizes.empty() ? 0 : sizes.size() - 1);
    for (size_t dim = indices.size(); dim-- > 0;) {
      Value *extent = ir.getInt64(sizes[dim]);
      Value *index = dim == 0 ? row : ir.CreateURem(row, extent);
      row = ir.CreateUDiv(row, extent);
      int64_t low = operand.low[dim], step = operand.dilation[dim];
      if (valid && (low != 0 || step != 1 || sizes[dim] != sourceSizes[dim])) {
        index = ir.CreateSub(index, ir.getInt64(low));
        Value *inside = ir.CreateICmpULT(
            index, ir.getInt64((sourceSizes[dim] - 1) * step + 1));
        if (step != 1) {
          Value *rest = ir.CreateURem(index, ir.getInt64(step));
          inside = ir.CreateAnd(inside, ir.CreateICmpEQ(rest, ir.getInt64(0)));
          index = ir.CreateUDiv(index, ir.getInt64(step));
        }
        *valid = *valid ? ir.CreateAnd(*valid, inside) : inside;
      }
      indices[dim] = index;
    }
    return indices;
  }

  void fillZero(Value *target) {
    auto *vector = FixedVectorType::get(element, lanes);
    Align align(element->getPrimitiveSizeInBits() / 8);
    int64_t whole = size / lanes * lanes;
    emitFor(ir, ir.getInt64(0), ir.getInt64(whole), lanes, [&](Value *i) {
      ir.CreateAlignedStore(Constant::getNullValue(vector),
                            ir.CreateGEP(element, target, i), align);
    });
    for (int64_t i = whole; i < size; ++i)
      ir.CreateAlignedStore(Constant::getNullValue(element),
                            ir.CreateGEP(element, target, ir.getInt64(i)),
                            align);
  }

  void emitElements(Value *target, ArrayRef<Value *> outer) {
    if (sizes.empty()) {
      emitPiece(1, target, outer, nullptr);
      return;
    }
    int64_t first = operand.isPadded ? begin : 0;
    int64_t last = operand.isPadded ? end : size;
    int64_t whole = first + (last - first) / lanes * lanes;
    emitFor(ir, ir.getInt64(first), ir.getInt64(whole), lanes,
            [&](Value *i) { emitPiece(lanes, target, outer, i); });
    if (whole < last)
      emitPiece(last - whole, target, outer, ir.getInt64(whole));
  }

  void emitPiece(unsigned width, Value *target, ArrayRef<Value *> outer,
                 Value *inner) {
    ElementEmitter emitter(function, ir, width);
    SmallVector<LaneIndex> indices;
    for (Value *index : outer)
      indices.push_back(emitter.uniform(index));
    if (inner) {
      if (width == lanes && begin == 0)
        emitter.indexMath().setMultiple(inner, lanes);
      indices.push_back({inner, width > 1 ? 1 : 0, nullptr});
    }
    Value *value = emitter.emit(operand.value, indices).real;
    Type *type = width == 1 ? element : FixedVectorType::get(element, width);
    if (value->getType() == type)
      return store(width, value, target, inner);
    if (operand.format != NumberFormat::Plain) {
      ScalarEmitter scalar{ir, width, function.profile};
      auto narrow = cast<mlir::FloatType>(
          mlir::getElementTypeOrSelf(operand.value.getType()));
      value = encodeNarrowFloat(scalar, narrow, value);
    } else {
      if (!value->getType()->getScalarType()->isFloatTy())
        return; // rejected before, with an error
      value = ir.CreateFPExt(value, type);
    }
    store(width, value, target, inner);
  }

  void store(unsigned width, Value *value, Value *target, Value *inner) {
    Align align(element->getPrimitiveSizeInBits() / 8);
    int64_t step = 1, low = 0;
    if (operand.isPadded && inner) {
      step = operand.dilation.back();
      low = operand.low.back();
    }
    Value *place = ir.getInt64(0);
    if (inner)
      place = ir.CreateAdd(ir.CreateMul(inner, ir.getInt64(step)),
                           ir.getInt64(low));
    Value *address = ir.CreateGEP(element, target, place);
    if (step == 1 || width == 1) {
      ir.CreateAlignedStore(value, address, align);
      return;
    }
    for (unsigned lane = 0; lane < width; ++lane)
      ir.CreateAlignedStore(
          ir.CreateExtractElement(value, lane),
          ir.CreateGEP(element, address, ir.getInt64(lane * step)), align);
  }

  KernelFunction &function;
  IRBuilder<> &ir;
  const ContractionOperand &operand;
  Type *element;
  unsigned lanes;
  ArrayRef<int64_t> sizes, sourceSizes;
  Value *base = nullptr;
  int64_t size = 1, begin = 0, end = 1;
};
} // namespace

void emitOperandCopies(KernelFunction &function, IRBuilder<> &ir,
                       const ContractionKernel &kernel) {
  int64_t first = 0;
  for (const ContractionOperand *operand : {&kernel.lhs, &kernel.rhs}) {
    if (!operand->isCopied())
      continue;
    OperandCopy copy(function, ir, kernel, *operand);
    // The rows of this operand in tasks [begin, end).
    int64_t perTask = operand->rowsPerTask();
    auto rowOf = [&](Value *task) {
      Value *own = ir.CreateSub(task, ir.getInt64(first));
      own = ir.CreateBinaryIntrinsic(Intrinsic::smax, own, ir.getInt64(0));
      own = ir.CreateMul(own, ir.getInt64(perTask));
      return ir.CreateBinaryIntrinsic(Intrinsic::smin, own,
                                      ir.getInt64(operand->copyRows()));
    };
    emitFor(ir, rowOf(function.begin), rowOf(function.end), 1,
            [&](Value *row) { copy.emitRow(row); });
    first += operand->copyTasks();
  }
}

} // namespace xlac::codegen
