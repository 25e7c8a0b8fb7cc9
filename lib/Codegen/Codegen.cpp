// Creates a function for each phase of a kernel. The emitter of the kernel's
// schedule kind fills it in.
#include "xlac/Codegen/Codegen.h"

#include "Kernels/KernelCost.h"
#include "Kernels/KernelEmitters.h"

#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace xlac::codegen {

std::string phaseSymbol(StringRef kernel, unsigned phase) {
  return (kernel + "." + Twine(phase)).str();
}

std::string phaseSymbol(ir::KernelOp kernel, unsigned phase) {
  return phaseSymbol(kernel.getSymName(), phase);
}

void KernelFunction::fail(mlir::Operation *op, const Twine &why) {
  if (!error.empty())
    return;
  raw_string_ostream stream(error);
  stream << op->getLoc() << ": " << op->getName() << ": " << why;
}

/// Loads the addresses of all buffers in the entry block: operands, results,
/// and the workspace if there is one.
static void loadBuffers(KernelFunction &function, IRBuilder<> &ir) {
  assert(function.operandPointers.empty() && function.resultPointers.empty() &&
         "buffers are loaded once");
  unsigned number = 0;
  auto next = [&](const Twine &name) {
    Value *slot = ir.CreateConstInBoundsGEP1_64(ir.getPtrTy(), function.buffers,
                                                number++);
    return ir.CreateAlignedLoad(ir.getPtrTy(), slot, Align(8), name);
  };
  mlir::Block &body = function.kernel.getBody().front();
  for (unsigned i = 0, e = body.getNumArguments(); i < e; ++i)
    function.operandPointers.push_back(next("operand" + Twine(i)));
  unsigned results = function.kernel.getYield()->getNumOperands();
  for (unsigned i = 0; i < results; ++i)
    function.resultPointers.push_back(next("result" + Twine(i)));
  if (function.kernel.getSchedule().getWorkspace() > 0)
    function.workspace = next("workspace");
}

/// Finds operands that share their memory with no result, since they are
/// smaller: only buffers of one size are shared. Loops read larger ones at
/// other places in each iteration, and kernels that differ in such sizes share
/// code. The structure of code for any size must not depend on sizes.
static void findUnshared(KernelFunction &function) {
  if (function.anySize())
    return;
  auto isShared = [&](mlir::Type operand) {
    return llvm::any_of(
        function.kernel.getResultTypesOfBody(),
        [&](mlir::Type result) { return bytesOf(result) <= bytesOf(operand); });
  };
  for (auto [argument, pointer] : zip_equal(
           function.kernel.getBody().getArguments(), function.operandPointers))
    if (!isShared(argument.getType()))
      function.unshared.insert(pointer);
  if (function.unshared.empty())
    return;
  MDBuilder metadata(function.function->getContext());
  MDNode *scope = metadata.createAnonymousAliasScope(
      metadata.createAnonymousAliasScopeDomain());
  function.unsharedScope =
      MDNode::get(function.function->getContext(), {scope});
}

static Function *createPhase(ir::KernelOp kernel, unsigned phase,
                             llvm::Module &module,
                             const TargetProfile &profile) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getInt32Ty(context),
                                 {pointer, pointer, pointer, i64, i64}, false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage,
                                        phaseSymbol(kernel, phase), module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("no-jump-tables", "true");
  function->addFnAttr("prefer-vector-width",
                      std::to_string(profile.vector_bits));
  return function;
}

const KernelKind &kernelKind(ir::ScheduleKind kind) {
  switch (kind) {
  case ir::ScheduleKind::Loop:
    return loopKind;
  case ir::ScheduleKind::Scan:
    return scanKind;
  case ir::ScheduleKind::Reduction:
    return reductionKind;
  case ir::ScheduleKind::Contraction:
    return contractionKind;
  case ir::ScheduleKind::Transpose:
    return transposeKind;
  case ir::ScheduleKind::Scatter:
    return scatterKind;
  case ir::ScheduleKind::Sort:
    return sortKind;
  case ir::ScheduleKind::Library:
    return libraryKind;
  }
  llvm_unreachable("every kind of schedule has its functions");
}

Error emitKernel(ir::KernelOp kernel, llvm::Module &module,
                 const TargetProfile &profile, KernelNeeds *needs) {
  unsigned phases = kernel.getSchedule().getTasks().size();
  if (needs)
    *needs = {};
  for (unsigned phase = 0; phase < phases; ++phase) {
    if (module.getFunction(phaseSymbol(kernel, phase)))
      return createStringError("kernel @" + kernel.getSymName() +
                               " is already in the module");
    KernelFunction function(kernel, profile);
    function.function = createPhase(kernel, phase, module, profile);
    auto argument = [&](unsigned number, StringRef name) {
      function.function->getArg(number)->setName(name);
      return function.function->getArg(number);
    };
    function.context = argument(0, "context");
    function.buffers = argument(1, "buffers");
    function.extents = argument(2, "extents");
    function.begin = argument(3, "begin");
    function.end = argument(4, "end");
    assert(kernel.getSchedule().getGrain().size() == phases &&
           "every phase has tasks and a grain");
    IRBuilder<> ir(
        BasicBlock::Create(module.getContext(), "entry", function.function));
    loadBuffers(function, ir);
    findUnshared(function);
    if (Error error = kernelKind(kernel.getSchedule().getKind())
                          .emit(function, ir, phase))
      return error;
    if (!function.error.empty())
      return createStringError("kernel @" + kernel.getSymName() + ": " +
                               function.error);
    if (needs) {
      needs->scratchBytes =
          std::max(needs->scratchBytes, function.needs.scratchBytes);
      needs->routines |= function.needs.routines;
    }
    // Only a fence orders non-temporal stores.
    if (function.needsFence)
      ir.CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
    ir.CreateRet(ir.getInt32(0));
#ifndef NDEBUG
    // The whole module is verified before optimization. Verifying here lets the
    // error name the kernel.
    std::string problem;
    raw_string_ostream stream(problem);
    if (verifyFunction(*function.function, &stream))
      return createStringError("kernel @" + kernel.getSymName() +
                               ": emitted code is malformed: " + problem);
#endif
  }
  return Error::success();
}

} // namespace xlac::codegen
