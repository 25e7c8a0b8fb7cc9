// The implementation of compiler.h.
#include "BuildId.h"
#include "CheckCases.h"
#include "CompileKernels.h"
#include "CompileProgram.h"
#include "DrawProgram.h"
#include "LargeStack.h"
#include "PhaseClock.h"
#include "Symbolizer.h"
#include "WorkerThread.h"
#include "Workspace.h"

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/Import/Import.h"
#include "xlac/Import/PortableArtifact.h"
#include "xlac/Jit/Jit.h"
#include "xlac/Objects/Objects.h"
#include "xlac/Pipelines/Pipelines.h"
#include "xlac/support/cores.h"
#include "xlac/support/fork.h"
#include "xlac/support/logging.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include <atomic>

using namespace mlir;
using llvm::Expected;
using llvm::StringRef;

namespace xlac {

bool forks_are_handled_by_caller() { return true; }

namespace {

/// Warms up LLVM on a separate thread while the process's first program is
/// read. Does nothing on a single core, where it would only add work.
class WarmUp {
public:
  WarmUp() {
    static std::atomic<bool> done = false;
    if (available_cores() > 1 && !done.exchange(true))
      // A failure occurs again in the compilation itself.
      (void)compiler::exceptionOf([&] {
        thread = std::make_unique<compiler::WorkerThread>(
            [] { jit::warmUp(host_profile()); });
      });
  }

private:
  /// Not a direct member: an exception may leave the stack while it runs.
  std::unique_ptr<compiler::WorkerThread> thread;
};

using compiler::Workspace;

Failure fromError(llvm::Error error, FailureKind failure_kind) {
  return failure(failure_kind, llvm::toString(std::move(error)));
}

/// Converts an error of the stages after the pipeline: an unsupported program,
/// or else a failure of code generation.
Failure fromCodegen(llvm::Error error) {
  FailureKind fault = FailureKind::Internal;
  error = llvm::handleErrors(
      std::move(error), [&](std::unique_ptr<llvm::StringError> part) {
        if (part->convertToErrorCode() == std::errc::not_supported)
          fault = FailureKind::Unsupported;
        return llvm::Error(std::move(part));
      });
  return fromError(std::move(error), fault);
}

class CompilerImpl final : public Compiler {
public:
  std::string build_id() const override { return compiler::ownBuildId(); }

  Result<Signature> signature(const Source &source) override;
  Result<ProgramDescription> describe(const Source &source) override;
  Result<std::unique_ptr<ParsedProgram>> parse(const Source &source) override;
  Result<std::unique_ptr<ParsedProgram>>
  parse(const graph::Program &program) override;
  Result<runtime::ExecutableImage> compile(const Source &source,
                                           const CompilerOptions &options,
                                           CompileReport *report) override;
  Result<runtime::ExecutableImage> compile(const graph::Program &program,
                                           const CompilerOptions &options,
                                           CompileReport *report) override;
  Result<std::string> emit(const Source &source, const CompilerOptions &options,
                           Stage stage, CompileReport *report) override;
  Result<ObjectFiles> write_object(const ObjectRequest &request) override;
  Result<ProgramPicture> picture(const Source &source,
                                 const CompilerOptions &options) override;
  Result<std::string> print(const graph::Program &program,
                            bool debug_info) override;
  Result<std::string> print(const Source &source,
                            const TextOptions &options) override;
  Result<std::string> artifact(const Source &source,
                               const ArtifactOptions &options) override;
  Result<std::string> artifact(const graph::Program &program,
                               const ArtifactOptions &options) override;
  Result<std::string> program_key(const Source &source) override;
  Result<std::string> run_passes(const Source &source,
                                 std::string_view pipeline) override;
  Result<std::vector<CheckCase>> check_cases(const Source &source) override;
  std::string symbolize(uintptr_t address) override {
    return symbolizer.describe(address);
  }

private:
  compiler::Symbolizer symbolizer;
};

/// A module in its own workspace.
class ParsedModule final : public ParsedProgram {
public:
  explicit ParsedModule(StringRef entry) : entry(entry) {}

  Result<std::string> key() override;
  Result<std::string> family() override;
  Result<Signature> signature() override;
  bool has_calls_for(const CallPartitioner &partitioner) override;
  Result<runtime::ExecutableImage> compile(const CompilerOptions &options,
                                           CompileReport *report) override;

  WarmUp warmUp;
  Workspace workspace;
  OwningOpRef<ModuleOp> module;
  std::string entry;
  size_t sourceBytes = 0;
  std::vector<PhaseTime> phases; ///< of reading it
};

} // namespace

/// Parses into `workspace`. A failure lists all errors.
static Result<OwningOpRef<ModuleOp>> parseInto(Workspace &workspace,
                                               const Source &source) {
  std::string error;
  OwningOpRef<ModuleOp> module =
      parseModule(source, workspace.context(), error);
  if (!module)
    return failure(FailureKind::User, error);
  return module;
}

Result<Signature> CompilerImpl::signature(const Source &source) {
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  Expected<Signature> types = signatureOf(**module, source.entry);
  if (!types)
    return fromError(types.takeError(), FailureKind::User);
  workspace.passOn(source.bytes.size());
  return std::move(*types);
}

Result<ProgramDescription> CompilerImpl::describe(const Source &source) {
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  Expected<ProgramDescription> all = describeProgram(**module, source.entry);
  if (!all)
    return fromError(all.takeError(), FailureKind::User);
  workspace.passOn(source.bytes.size());
  return std::move(*all);
}

/// Compiles the program as it is for `changedSizes`, if there are any.
static Result<runtime::ExecutableImage>
compileForSizes(ModuleOp module, StringRef entry,
                const CompilerOptions &options,
                const ArgumentSizes &changedSizes, CompileReport *report) {
  std::optional<compiler::KernelTemplates> known =
      compiler::templatesFor(options);
  compiler::KernelTemplates *templates = known ? &*known : nullptr;
  if (llvm::Error error = compiler::lowerToKernels(
          module, options, entry, report, templates, changedSizes))
    return fromError(std::move(error), FailureKind::Unsupported);
  // Kernels are emitted on several threads that share the context's types.
  module.getContext()->enableMultithreading();
  Expected<runtime::ExecutableImage> image = compiler::buildImage(
      module, options, compiler::ownBuildId(), report, templates);
  module.getContext()->disableMultithreading();
  if (!image)
    return fromCodegen(image.takeError());
  return std::move(*image);
}

/// Compiles the program. With other sizes in `options`, its kernels get code
/// for any size, and so do those kernels that have another form with other
/// sizes.
static Result<runtime::ExecutableImage>
compileModule(ModuleOp module, StringRef entry, const CompilerOptions &options,
              CompileReport *report) {
  std::vector<OwningOpRef<ModuleOp>> copies;
  for (size_t i = 0; i < options.other_sizes.size(); ++i)
    copies.emplace_back(module.clone());
  auto image = compileForSizes(module, entry, options, {}, report);
  if (!image)
    return image;
  CompilerOptions other = options;
  other.other_sizes.clear();
  bool isDynamic = !options.argument_sizes.empty();
  for (auto [copy, sizes] : llvm::zip_equal(copies, options.other_sizes)) {
    if (options.is_cancelled && *options.is_cancelled)
      break;
    if (isDynamic)
      other.argument_sizes = sizes;
    // The program may be unable to have these sizes.
    (void)compileForSizes(*copy, entry, other,
                          isDynamic ? ArgumentSizes() : sizes, nullptr);
  }
  return image;
}

static size_t constantBytes(const runtime::ExecutableImage &image) {
  size_t bytes = 0;
  for (const SharedBytes &constant : image.constants)
    bytes += constant.size();
  return bytes;
}

static Result<std::string> keyOrFailure(Expected<std::string> key) {
  if (!key)
    return fromError(key.takeError(), FailureKind::User);
  return std::move(*key);
}

Result<std::string> ParsedModule::key() {
  return keyOrFailure(programKey(*module, entry));
}

Result<std::string> ParsedModule::family() {
  return keyOrFailure(familyKey(*module, entry));
}

Result<Signature> ParsedModule::signature() {
  Expected<Signature> types = signatureOf(*module, entry);
  if (!types)
    return fromError(types.takeError(), FailureKind::User);
  return std::move(*types);
}

bool ParsedModule::has_calls_for(const CallPartitioner &partitioner) {
  return module
      ->walk([&](stablehlo::CustomCallOp call) {
        return partitioner.handles(call.getCallTargetName().str())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

Result<runtime::ExecutableImage>
ParsedModule::compile(const CompilerOptions &options, CompileReport *report) {
  if (report)
    llvm::append_range(report->phases, phases);
  if (auto types = signature(); !types)
    return types.error();
  auto image = compileModule(*module, entry, options, report);
  if (image)
    workspace.passOn(sourceBytes + constantBytes(*image));
  return image;
}

Result<std::unique_ptr<ParsedProgram>>
CompilerImpl::parse(const Source &source) {
  auto parsed = std::make_unique<ParsedModule>(source.entry);
  compiler::PhaseClock clock(&parsed->phases);
  auto module = parseInto(parsed->workspace, source);
  if (!module)
    return module.error();
  parsed->module = std::move(*module);
  parsed->sourceBytes = source.bytes.size();
  clock.mark("parse");
  return std::unique_ptr<ParsedProgram>(std::move(parsed));
}

Result<std::unique_ptr<ParsedProgram>>
CompilerImpl::parse(const graph::Program &program) {
  auto parsed = std::make_unique<ParsedModule>("main");
  compiler::PhaseClock clock(&parsed->phases);
  auto module =
      importGraph(program, parsed->workspace.context(), /*debugInfo=*/false);
  if (!module)
    return fromError(module.takeError(), FailureKind::Internal);
  parsed->module = std::move(*module);
  clock.mark("import");
  return std::unique_ptr<ParsedProgram>(std::move(parsed));
}

Result<runtime::ExecutableImage>
CompilerImpl::compile(const Source &source, const CompilerOptions &options,
                      CompileReport *report) {
  auto program = parse(source);
  if (!program)
    return program.error();
  return (*program)->compile(options, report);
}

Result<runtime::ExecutableImage>
CompilerImpl::compile(const graph::Program &program,
                      const CompilerOptions &options, CompileReport *report) {
  auto parsed = parse(program);
  if (!parsed)
    return parsed.error();
  return (*parsed)->compile(options, report);
}

static std::string printed(ModuleOp module, const OpPrintingFlags &flags) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, flags);
  // If it prints aliases, the printer ends the last line itself.
  if (!StringRef(text).ends_with("\n"))
    stream << '\n';
  return text;
}

Result<std::string> CompilerImpl::emit(const Source &source,
                                       const CompilerOptions &options,
                                       Stage stage, CompileReport *report) {
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  if (stage == Stage::StableHLO)
    return printed(**module, OpPrintingFlags().useLocalScope());
  CompilerOptions lowering = options;
  // Without the runtime, the values of a prologue cannot be kept.
  if (stage != Stage::Kernels) {
    lowering.invariant_arguments.clear();
    lowering.find_invariant_arguments = false;
  }
  if (llvm::Error error =
          compiler::lowerToKernels(**module, lowering, source.entry, report))
    return fromError(std::move(error), FailureKind::Unsupported);
  if (stage == Stage::Kernels)
    return printed(**module, OpPrintingFlags().useLocalScope());

  llvm::LLVMContext context;
  auto whole = compiler::buildWholeModule(**module, options, context);
  if (!whole)
    return fromError(whole.takeError(), FailureKind::Unsupported);
  if (llvm::Error error = jit::optimize(**whole, options.target))
    return fromError(std::move(error), FailureKind::Internal);
  if (stage == Stage::Llvm) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (*whole)->print(stream, nullptr);
    return text;
  }
  auto text = jit::compileToAssembly(**whole, options.target);
  if (!text)
    return fromError(text.takeError(), FailureKind::Internal);
  return std::move(*text);
}

Result<ObjectFiles> CompilerImpl::write_object(const ObjectRequest &request) {
  auto files = objects::writeObject(request);
  if (!files)
    return fromError(files.takeError(), FailureKind::Runtime);
  return std::move(*files);
}

Result<ProgramPicture> CompilerImpl::picture(const Source &source,
                                             const CompilerOptions &options) {
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  Expected<Signature> signature = signatureOf(**module, source.entry);
  if (!signature)
    return fromError(signature.takeError(), FailureKind::User);
  if (llvm::Error error =
          compiler::lowerToKernels(**module, options, source.entry, nullptr))
    return fromError(std::move(error), FailureKind::Unsupported);
  Expected<ProgramPicture> picture =
      compiler::drawProgram(**module, std::move(*signature));
  if (!picture)
    return fromError(picture.takeError(), FailureKind::Internal);
  return std::move(*picture);
}

Result<std::string> CompilerImpl::print(const graph::Program &program,
                                        bool debug_info) {
  Workspace workspace;
  auto module = importGraph(program, workspace.context(), debug_info);
  if (!module)
    return fromError(module.takeError(), FailureKind::Internal);
  if (!debug_info)
    return printed(**module, OpPrintingFlags().useLocalScope());
  symbolizer.resolveLocations(**module);
  return printed(**module, OpPrintingFlags().enableDebugInfo());
}

Result<std::string> CompilerImpl::print(const Source &source,
                                        const TextOptions &options) {
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  OpPrintingFlags flags;
  if (options.generic)
    flags.printGenericOpForm();
  if (options.debug_info)
    flags.enableDebugInfo();
  workspace.passOn(source.bytes.size());
  return printed(**module, flags);
}

static Result<std::string> writeArtifact(ModuleOp module,
                                         const ArtifactOptions &options) {
  Expected<vhlo::Version> version = vhlo::parseTargetVersion(options.version);
  if (!version)
    return fromError(version.takeError(), FailureKind::User);
  if (options.strip_debug_info) {
    PassManager passes(module.getContext());
    passes.addPass(createStripDebugInfoPass());
    if (failed(passes.run(module)))
      return failure(FailureKind::Internal, "locations cannot be stripped");
  }
  Expected<std::string> bytes = writePortableArtifact(module, *version);
  if (!bytes)
    return fromError(bytes.takeError(), FailureKind::User);
  return std::move(*bytes);
}

Result<std::string> CompilerImpl::artifact(const Source &source,
                                           const ArtifactOptions &options) {
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  return writeArtifact(**module, options);
}

Result<std::string> CompilerImpl::artifact(const graph::Program &program,
                                           const ArtifactOptions &options) {
  Workspace workspace;
  auto module = importGraph(program, workspace.context(), /*debugInfo=*/true);
  if (!module)
    return fromError(module.takeError(), FailureKind::Internal);
  symbolizer.resolveLocations(**module);
  return writeArtifact(**module, options);
}

Result<std::string> CompilerImpl::program_key(const Source &source) {
  auto program = parse(source);
  if (!program)
    return program.error();
  return (*program)->key();
}

/// Adds the passes of `text`. Passes of builtin.module(...) run on the module
/// itself. MLIR would nest them in an existing pass manager and run them on
/// nested modules.
static LogicalResult addPasses(StringRef text, PassManager &passes,
                               llvm::raw_ostream &errors) {
  std::string anchor = (passes.getOpAnchorName() + "(").str();
  if (!text.ltrim().starts_with(anchor))
    return parsePassPipeline(text, passes, errors);
  FailureOr<OpPassManager> parsed = parsePassPipeline(text, errors);
  if (succeeded(parsed))
    static_cast<OpPassManager &>(passes) = std::move(*parsed);
  return parsed;
}

Result<std::string> CompilerImpl::run_passes(const Source &source,
                                             std::string_view pipeline) {
  static const bool registered = (pipelines::registerAllPasses(), true);
  (void)registered;
  Workspace workspace;
  auto module = parseInto(workspace, source);
  if (!module)
    return module.error();
  std::string message;
  llvm::raw_string_ostream stream(message);
  PassManager passes(&workspace.context(), ModuleOp::getOperationName());
  if (failed(addPasses(pipeline, passes, stream)))
    // The lines after the first repeat the pipeline.
    return failure(FailureKind::User,
                   "pass pipeline: " + message.substr(0, message.find('\n')));
  ScopedDiagnosticHandler handler(
      &workspace.context(), [&](Diagnostic &diagnostic) {
        stream << diagnostic.getLocation() << ": " << diagnostic << '\n';
        return success();
      });
  if (failed(passes.run(**module)))
    return failure(FailureKind::User,
                   message.empty() ? "a pass failed" : message);
  return printed(**module, OpPrintingFlags().useLocalScope());
}

Result<std::vector<CheckCase>> CompilerImpl::check_cases(const Source &source) {
  std::vector<CheckCase> cases;
  SmallVector<StringRef> chunks;
  if (mlir::isBytecode(llvm::MemoryBufferRef(source.bytes, source.name)))
    chunks.push_back(source.bytes);
  else
    StringRef(source.bytes).split(chunks, "// -----");
  unsigned line = 0;
  for (StringRef chunk : chunks) {
    // Leading blank lines preserve the line numbers in messages.
    std::string padded = std::string(line, '\n') + chunk.str();
    line += chunk.count('\n');
    Source piece{padded, source.name, source.entry};
    Workspace workspace;
    auto module = parseInto(workspace, piece);
    if (!module) {
      CheckCase broken;
      broken.name = source.name + ":" + std::to_string(line);
      broken.unsupported = module.error().message;
      cases.push_back(std::move(broken));
      continue;
    }
    for (const std::string &name : compiler::caseNames(**module)) {
      OwningOpRef<ModuleOp> copy = (*module)->clone();
      CheckCase one = compiler::makeCheckCase(*copy, name);
      one.name = source.name + ":" + name;
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

} // namespace xlac

extern "C" __attribute__((visibility("default"))) xlac::Compiler *
xlac_compiler_create(uint32_t abi) {
  if (abi != xlac::kCompilerInterface)
    return nullptr;
  static xlac::CompilerImpl compiler;
  static auto guarded = xlac::compiler::onLargeStack(compiler);
  return guarded.get();
}

extern "C" __attribute__((visibility("default"))) void
xlac_compiler_set_log(xlac::LogReceiver receive) {
  xlac::forward_log(receive);
}
