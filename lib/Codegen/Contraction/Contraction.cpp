// The contraction kind: computes a dot_general or convolution as a packed,
// register-tiled GEMM. There are up to three phases: copy operands that cannot
// be read in place, pack B if several tasks share it, and multiply. If tasks
// multiply parts of K, a further phase adds them up.
#include "ContractionKernel.h"
#include "Kernels/KernelCost.h"
#include "Kernels/KernelEmitters.h"
#include "Loops.h"
#include "Scalar/ScalarOps.h"
#include "Services.h"

using namespace llvm;

namespace xlac::codegen {

static mlir::LogicalResult scheduleContraction(ir::KernelOp kernel,
                                               const TargetProfile &profile) {
  std::optional<ContractionKernel> what = analyzeContraction(kernel, profile);
  if (!what) {
    // The loop kind supports every kernel whose elements can be computed one by
    // one.
    kernel.setScheduleAttr(ir::ScheduleAttr::get(
        kernel.getContext(), ir::ScheduleKind::Loop, {}, {}, {}, 0, 0, 0));
    return loopKind.schedule(kernel, profile);
  }
  KernelCost cost = costOf(kernel);
  if (what->onlyPacks)
    cost.flops = 0;
  const ContractionPlan &plan = what->plan;
  SmallVector<int64_t> tasks, grain;
  for (ContractionPhase phase : what->phases) {
    tasks.push_back(what->tasks(phase));
    int64_t nanoseconds = cost.nanoseconds(profile);
    if (phase != ContractionPhase::Multiply)
      nanoseconds = (what->workspace + cost.bytes) / 8;
    grain.push_back(grainOf(tasks.back(), nanoseconds, profile));
  }
  setSchedule(kernel, tasks, grain,
              {plan.tileRows, plan.panelColumns(), plan.blockK()},
              what->workspace, cost.flops, cost.bytes);
  return mlir::success();
}

static Value *addressOf(KernelFunction &function, IRBuilder<> &ir,
                        const ContractionKernel &kernel,
                        const ContractionOperand &operand) {
  Type *element = memoryType(ir, kernel.plan.gemm, operand.format);
  Value *base = operand.isCopied()
                    ? ir.CreateGEP(ir.getInt8Ty(), function.workspace,
                                   ir.getInt64(operand.workspace))
                    : function.operandPointers[operand.argument.getArgNumber()];
  return ir.CreateGEP(element, base, ir.getInt64(operand.offset));
}

static Widening wideningOf(KernelFunction &function,
                           const ContractionKernel &kernel,
                           const ContractionOperand &operand) {
  Widening widening;
  if (operand.format == NumberFormat::Plain)
    return widening;
  mlir::Type type = mlir::getElementTypeOrSelf(operand.value.getType());
  widening.memory =
      Type::getIntNTy(function.function->getContext(), operand.elementBits());
  raw_string_ostream(widening.name) << '.' << type;
  if (auto integer = dyn_cast<mlir::IntegerType>(type)) {
    unsigned bits = kernel.plan.gemm.isDouble ? 64 : 32;
    bool isSigned = !integer.isUnsigned();
    widening.emit = [=](IRBuilder<> &ir, Value *raw) {
      Type *wide = raw->getType()->getWithNewBitWidth(bits);
      return isSigned ? ir.CreateSExt(raw, wide) : ir.CreateZExt(raw, wide);
    };
    return widening;
  }
  auto narrow = cast<mlir::FloatType>(type);
  widening.emit = [&function, narrow](IRBuilder<> &ir, Value *raw) {
    auto *vector = dyn_cast<FixedVectorType>(raw->getType());
    unsigned width = vector ? vector->getNumElements() : 1;
    ScalarEmitter scalar{ir, width, function.profile};
    return decodeNarrowFloat(scalar, narrow, raw);
  };
  return widening;
}

/// Returns the addresses and formats of the operands, before they are swapped.
static GemmPointers pointersOf(KernelFunction &function, IRBuilder<> &ir,
                               const ContractionKernel &kernel) {
  const ContractionOperand &a = kernel.swapsOperands ? kernel.rhs : kernel.lhs;
  const ContractionOperand &b = kernel.swapsOperands ? kernel.lhs : kernel.rhs;
  const ContractionOperand *absent =
      kernel.onlyPacks ? &kernel.sideA() : nullptr;
  GemmPointers pointers;
  if (&a != absent)
    pointers.a = addressOf(function, ir, kernel, a);
  if (&b != absent)
    pointers.b = addressOf(function, ir, kernel, b);
  pointers.c = function.resultPointers[0];
  if (!kernel.plan.usesPairs) {
    pointers.widenA = wideningOf(function, kernel, a);
    pointers.widenB = wideningOf(function, kernel, b);
  }
  if (kernel.onlyPacks)
    pointers.shared = function.resultPointers[0];
  else if (kernel.plan.gemm.prepacked)
    pointers.shared =
        function.operandPointers[kernel.sideB().argument.getArgNumber()];
  else if (kernel.plan.shareB)
    pointers.shared = ir.CreateGEP(ir.getInt8Ty(), function.workspace,
                                   ir.getInt64(kernel.shared));
  if (kernel.packsA())
    pointers.sharedA = ir.CreateGEP(ir.getInt8Ty(), function.workspace,
                                    ir.getInt64(kernel.sharedA));
  return pointers;
}

static Error emitContraction(KernelFunction &function, IRBuilder<> &ir,
                             unsigned phase) {
  std::optional<ContractionKernel> kernel =
      analyzeContraction(function.kernel, function.profile);
  if (!kernel || phase >= kernel->phases.size())
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " was not scheduled as a contraction");
  if (kernel->workspace > 0 && !function.workspace)
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " was scheduled for another target");
  if (kernel->phases[phase] == ContractionPhase::Copy) {
    emitOperandCopies(function, ir, *kernel);
    return Error::success();
  }
  GemmPointers pointers = pointersOf(function, ir, *kernel);
  if (kernel->phases[phase] == ContractionPhase::Pack) {
    if (int64_t bytes = kernel->plan.scratchStage)
      pointers.scratch = requestScratch(function, ir, bytes);
    emitSharedPack(ir, kernel->plan, pointers, kernel->packsB(), function.begin,
                   function.end);
    return Error::success();
  }
  auto finish = [&](const AccumulatedTile &tile) {
    emitEpilogue(function, ir, *kernel, tile);
  };
  if (kernel->plan.dividesK())
    pointers.parts = ir.CreateGEP(ir.getInt8Ty(), function.workspace,
                                  ir.getInt64(kernel->parts));
  if (kernel->phases[phase] == ContractionPhase::Sum) {
    if (int64_t bytes = kernel->plan.scratchSwapped)
      pointers.scratch = requestScratch(function, ir, bytes);
    emitPartSums(ir, kernel->plan, pointers, function.begin, function.end,
                 finish);
    return Error::success();
  }
  auto multiply = [&](const ContractionPlan &plan) {
    GemmPointers own = pointers;
    if (int64_t bytes = plan.scratchBytes())
      own.scratch = requestScratch(function, ir, bytes);
    emitGemm(ir, plan, own, function.begin, function.end, finish);
  };
  if (!kernel->plan.forFewRows) {
    multiply(kernel->plan);
    return Error::success();
  }
  Value *isFew = ir.CreateICmpNE(emitDecision(ir, kernel->plan.hasFewRows),
                                 ir.getInt64(0));
  emitIf(ir, isFew, [&] { multiply(*kernel->plan.forFewRows); });
  emitIf(ir, ir.CreateNot(isFew), [&] { multiply(kernel->plan); });
  return Error::success();
}

const KernelKind contractionKind = {scheduleContraction, emitContraction};

} // namespace xlac::codegen
