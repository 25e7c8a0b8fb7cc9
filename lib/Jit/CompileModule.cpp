#include "xlac/Jit/Jit.h"

#include "FatalErrors.h"
#include "FenceIntegerChains.h"
#include "Target.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Passes that pay off for emitted kernels (docs/internals). The emitters have
/// already vectorized, so only redundancy within and around loops is left. The
/// fixpoint check of a textual "instcombine" would be fatal.
static constexpr const char *kPasses =
    "always-inline,function(sroa,early-cse<memssa>,instcombine<no-verify-"
    "fixpoint>,"
    "loop-mssa(licm),early-cse<memssa>,simplifycfg,dce)";

namespace {
/// Collects the errors that LLVM reports through a context, and ignores
/// warnings.
class DiagnosticCollector : public DiagnosticHandler {
public:
  explicit DiagnosticCollector(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(errors);
    if (!errors.empty())
      stream << "; ";
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};

/// Replaces the context's diagnostic handler by a collector in its lifetime.
class DiagnosticScope {
public:
  explicit DiagnosticScope(LLVMContext &context)
      : context(context), previous(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<DiagnosticCollector>(errors));
  }
  ~DiagnosticScope() { context.setDiagnosticHandler(std::move(previous)); }

  Error take() {
    if (errors.empty())
      return Error::success();
    return createStringError(errors);
  }

private:
  LLVMContext &context;
  std::unique_ptr<DiagnosticHandler> previous;
  std::string errors;
};
} // namespace

static Error verify(Module &module) {
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    return createStringError("malformed LLVM module '" + module.getName() +
                             "': " + message);
  return Error::success();
}

/// Sets what code generation for the profile needs on every definition. A blob
/// does not share names with other modules, so nothing goes through a GOT.
static void stamp(Module &module, const xlac::TargetProfile &profile) {
  std::string features = xlac::jit::featureString(profile);
  std::string width = std::to_string(profile.vector_bits);
  for (Function &function : module) {
    function.addFnAttr(Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    function.setDSOLocal(true);
    function.addFnAttr("target-cpu", xlac::jit::cpuLevel(profile));
    if (!features.empty())
      function.addFnAttr("target-features", features);
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr("no-jump-tables", "true");
    function.addFnAttr("no-builtins");
  }
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration())
      variable.setDSOLocal(true);
}

namespace xlac::jit {

Error prepareModule(Module &module, const TargetProfile &profile) {
  Expected<TargetMachine *> machine = targetMachine(profile);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple(targetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  // Module::setPICLevel would add a second flag to a module that has one.
  module.setModuleFlag(Module::Min, "PIC Level", PICLevel::SmallPIC);
  stamp(module, profile);
  return Error::success();
}

Error optimize(Module &module, const TargetProfile &profile) {
  if (Error error = verify(module))
    return error;
  stamp(module, profile);
  Expected<TargetMachine *> machine = targetMachine(profile);
  if (!machine)
    return machine.takeError();
  DiagnosticScope diagnostics(module.getContext());
  Error failure = catchFatalErrors([&]() -> Error {
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    PassBuilder builder(*machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    ModulePassManager passes;
    if (Error error = builder.parsePassPipeline(passes, kPasses))
      return error;
    passes.addPass(createModuleToFunctionPassAdaptor(FenceIntegerChainsPass()));
    passes.run(module, modules);
    return Error::success();
  });
  return joinErrors(std::move(failure), diagnostics.take());
}

static Error generate(Module &module, const TargetProfile &profile,
                      CodeGenOptLevel level, CodeGenFileType type,
                      raw_pwrite_stream &stream) {
#ifndef NDEBUG
  // The module was verified before optimization.
  if (Error error = verify(module))
    return error;
#endif
  stamp(module, profile);
  Expected<TargetMachine *> machine = targetMachine(profile);
  if (!machine)
    return machine.takeError();
  if (module.getDataLayout() != (*machine)->createDataLayout())
    return createStringError("module '" + module.getName() +
                             "' was not prepared for code generation");
  if (llvm::all_of(module, [](const Function &function) {
        return function.isDeclaration() || function.hasOptNone();
      }))
    level = CodeGenOptLevel::None;
  (*machine)->setOptLevel(level);
  DiagnosticScope diagnostics(module.getContext());
  Error failure = catchFatalErrors([&]() -> Error {
    legacy::PassManager passes;
    if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, type,
                                        /*DisableVerify=*/true))
      return createStringError("LLVM cannot emit this kind of file");
    passes.run(module);
    return Error::success();
  });
  return joinErrors(std::move(failure), diagnostics.take());
}

Expected<Object> compileToObject(Module &module, const TargetProfile &profile,
                                 CodeGenOptLevel level) {
  Object object;
  raw_svector_ostream stream(object);
  if (Error error =
          generate(module, profile, level, CodeGenFileType::ObjectFile, stream))
    return error;
  return object;
}

Expected<std::string> compileToAssembly(Module &module,
                                        const TargetProfile &profile) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  if (Error error = generate(module, profile, CodeGenOptLevel::Default,
                             CodeGenFileType::AssemblyFile, stream))
    return error;
  return std::string(text);
}

Expected<runtime::Blob> compileToBlob(Module &module,
                                      const TargetProfile &profile) {
  if (Error error = optimize(module, profile))
    return error;
  Expected<Object> object = compileToObject(module, profile);
  if (!object)
    return object.takeError();
  return linkBlob(*object, profile);
}

} // namespace xlac::jit
