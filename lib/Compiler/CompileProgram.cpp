#include "CompileProgram.h"

#include "CompileKernels.h"
#include "Constants.h"
#include "DescribeCollectives.h"
#include "DescribeKernels.h"
#include "PhaseClock.h"
#include "WorkerThread.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/Import/Import.h"
#include "xlac/Jit/Jit.h"
#include "xlac/Pipelines/Pipelines.h"
#include "xlac/Transforms/HostEffects.h"
#include "xlac/support/hash.h"
#include "xlac/support/program_names.h"
#include "xlac/support/settings.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace xlac::compiler {

static Error unsupported(const llvm::Twine &message) {
  return llvm::createStringError(std::make_error_code(std::errc::not_supported),
                                 message);
}

/// Names every kernel by its structure, so that code of equal kernels is
/// interchangeable between programs. Equal kernels of this program are merged.
static std::vector<KernelTask> nameKernels(ModuleOp module,
                                           const CompilerOptions &options,
                                           const KernelTemplates *templates,
                                           StringRef buildId) {
  std::vector<KernelTask> tasks;
  llvm::StringSet<> taken, made;
  for (Operation &op : *module.getBody())
    if (auto name = SymbolTable::getSymbolName(&op))
      taken.insert(name.getValue());
  llvm::StringMap<std::string> renamed;
  OpPrintingFlags flags;
  // Print completely: two kernels may differ only in one element of a constant.
  flags.useLocalScope().printGenericOpForm();
  for (ir::KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<ir::KernelOp>())) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    std::string name = kernel.getSymName().str();
    kernel.setSymName("");
    kernel->print(stream, flags);
    kernel.setSymName(name);
    Hasher hasher;
    hasher.update(buildId.str());
    hasher.update(options.target.cache_name());
    hasher.update(text);
    std::string hash = to_hex(hasher.finish());
    std::string unique = "k" + hash.substr(0, 24);
    if (!made.insert(unique).second) {
      // The reducer of a collective may equal a kernel of the program.
      renamed[name] = unique;
      kernel.erase();
      continue;
    }
    if (taken.insert(unique).second) {
      renamed[name] = unique;
      kernel.setSymName(unique);
    }
    KernelTask &task = tasks.emplace_back();
    task.kernel = kernel;
    task.hash = hash;
    task.name = name;
    if (!templates)
      continue;
    if (auto found = templates->variants.find(name);
        found != templates->variants.end())
      task.variants = found->second;
  }
  auto current = [&](StringRef name) {
    auto found = renamed.find(name);
    return found == renamed.end() ? name : StringRef(found->second);
  };
  // One walk for all names: renaming symbols one by one would visit all ops
  // each time.
  llvm::StringSet<> reducers;
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<ir::LaunchOp>(op)) {
      launch.setKernel(current(launch.getKernel()));
    } else if (auto collective = dyn_cast<ir::CollectiveOp>(op);
               collective && collective.getReducers()) {
      SmallVector<Attribute> names;
      for (auto name :
           collective.getReducers()->getAsRange<FlatSymbolRefAttr>())
        names.push_back(
            FlatSymbolRefAttr::get(op->getContext(), current(name.getValue())));
      for (Attribute name : names)
        reducers.insert(cast<FlatSymbolRefAttr>(name).getValue());
      collective.setReducersAttr(ArrayAttr::get(op->getContext(), names));
    }
  });
  // The runtime calls reducers without extents.
  for (KernelTask &task : tasks)
    task.takesExtents = !reducers.contains(task.kernel.getSymName());
  return tasks;
}

std::optional<KernelTemplates> templatesFor(const CompilerOptions &options) {
  if (!options.kernels || options.family.empty())
    return std::nullopt;
  return KernelTemplates::read(options.kernels->find_templates(options.family));
}

static Error compileKernels(std::vector<KernelTask> &tasks,
                            const CompilerOptions &options,
                            KernelTemplates *templates,
                            std::vector<runtime::Blob> &blobs,
                            CompileReport *report) {
  std::vector<KernelTask *> missing;
  for (KernelTask &task : tasks) {
    std::optional<runtime::Blob> blob;
    if (options.kernels)
      blob = options.kernels->find(task.hash);
    if (blob && (blob->features & ~options.target.features) == 0) {
      task.blob = blobs.size();
      task.needs = blob->needs;
      task.symbol = task.kernel.getSymName().str();
      blobs.push_back(std::move(*blob));
    } else {
      missing.push_back(&task);
    }
  }
  if (report) {
    report->kernels = tasks.size();
    report->kernels_from_cache = tasks.size() - missing.size();
  }
  if (Error error = compileTasks(missing, options, templates, blobs, report))
    return error;
  if (templates && templates->hasChanged())
    options.kernels->put_templates(options.family, templates->write());
  return Error::success();
}

static Expected<std::vector<Type>> toTypes(llvm::ArrayRef<mlir::Type> types) {
  std::vector<Type> plain;
  for (mlir::Type type : types) {
    std::optional<Type> converted = convertType(type);
    if (!converted) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return unsupported("the program's signature holds " + text +
                         ", which has no buffer form");
    }
    plain.push_back(*converted);
  }
  return plain;
}

/// Estimates the run time from work and traffic. The runtime decides by it
/// which thread makes the first run.
static int64_t estimateNanoseconds(ModuleOp module, ir::ProgramOp program) {
  SymbolTable symbols(module);
  double total = 0;
  program.walk([&](ir::LaunchOp launch) {
    auto kernel = symbols.lookup<ir::KernelOp>(launch.getKernel());
    if (!kernel)
      return;
    ir::ScheduleAttr schedule = kernel.getSchedule();
    double one = 200 + schedule.getFlops() / 20.0 + schedule.getBytes() / 5.0;
    for (Operation *parent = launch->getParentOp(); parent != program;
         parent = parent->getParentOp())
      if (isa<ir::WhileOp>(parent))
        one *= 64;
    total += one;
  });
  // How long a called function takes is not known.
  program.walk([&](ir::CollectiveOp collective) {
    bool isCall =
        collective.getWhat().getKind() == ir::CollectiveKind::CustomCall;
    total += isCall ? 1e6 : 200;
  });
  return static_cast<int64_t>(std::min(total, 1e15));
}

/// The number of constants of all programs of the module.
static unsigned constantCount(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](ir::ConstantOp constant) {
    count = std::max<unsigned>(count, constant.getIndex() + 1);
  });
  return count;
}

static void setConstant(unsigned index, std::span<const int64_t> numbers,
                        runtime::ExecutableImage &image) {
  if (image.constants.size() <= index)
    image.constants.resize(index + 1);
  auto bytes = std::as_bytes(numbers);
  image.constants[index] =
      SharedBytes(std::vector<std::byte>(bytes.begin(), bytes.end()));
}

/// Adds the extents of kernels behind the constants of the programs.
static void addExtents(llvm::ArrayRef<KernelTask> tasks,
                       const codegen::KernelTable &table,
                       runtime::ExecutableImage &image) {
  for (const KernelTask &task : tasks) {
    ir::KernelOp kernel = task.kernel;
    setConstant(*table.at(kernel.getSymName()).extents, task.extents, image);
  }
}

static void collectConstants(ir::ProgramOp program,
                             runtime::ExecutableImage &image) {
  program.walk([&](ir::ConstantOp constant) {
    size_t index = constant.getIndex();
    if (image.constants.size() <= index)
      image.constants.resize(index + 1);
    if (auto bytes = constantBytes(constant.getValue()))
      image.constants[index] = SharedBytes(std::move(*bytes));
  });
}

static Error describe(ModuleOp module, ir::ProgramOp entry,
                      ir::ProgramOp prologue, runtime::ExecutableImage &image) {
  auto type = cast<FunctionType>(entry.getFunctionType());
  auto arguments = toTypes(type.getInputs());
  if (!arguments)
    return arguments.takeError();
  auto results = toTypes(type.getResults());
  if (!results)
    return results.takeError();
  image.arguments = std::move(*arguments);
  image.results = std::move(*results);
  image.arena_bytes = entry.getArenaBytes();
  llvm::ArrayRef<int64_t> aliases = entry.getAliases();
  for (size_t i = 0; i + 1 < aliases.size(); i += 2)
    image.aliases.push_back({static_cast<uint32_t>(aliases[i]),
                             static_cast<uint32_t>(aliases[i + 1])});
  collectConstants(entry, image);
  image.estimated_nanoseconds = estimateNanoseconds(module, entry);
  if (!prologue)
    return Error::success();
  auto prologueType = cast<FunctionType>(prologue.getFunctionType());
  image.prologue.arena_bytes = prologue.getArenaBytes();
  for (int64_t number :
       prologue.getProgramArguments().value_or(llvm::ArrayRef<int64_t>()))
    image.prologue.arguments.push_back(static_cast<uint32_t>(number));
  auto prologueResults = toTypes(prologueType.getResults());
  if (!prologueResults)
    return prologueResults.takeError();
  for (const Type &result : *prologueResults)
    image.prologue.result_bytes.push_back(
        result.tensor().byte_count().value_or(0));
  // The program takes the prologue's results after its own arguments.
  assert(image.arguments.size() >= prologueResults->size() &&
         "the program takes the prologue's results");
  image.arguments.resize(image.arguments.size() - prologueResults->size());
  collectConstants(prologue, image);
  return Error::success();
}

static Error emitPrograms(ModuleOp module, llvm::Module &target,
                          const codegen::KernelTable &table,
                          codegen::LaunchTables *launches = nullptr,
                          codegen::DriverNumbers *numbers = nullptr) {
  for (ir::ProgramOp program : module.getOps<ir::ProgramOp>())
    if (Error error =
            codegen::emitDriver(program, target, table, launches, numbers))
      return unsupported(llvm::toString(std::move(error)));
  return Error::success();
}

/// Returns true if a call of the kernel costs more than its work: it computes
/// few elements in one piece, such as the counter and predicate of a loop.
static bool isTiny(ir::KernelOp kernel) {
  constexpr int64_t mostBytes = 64, mostFlops = 16;
  ir::ScheduleAttr schedule = kernel.getSchedule();
  return schedule.getKind() == ir::ScheduleKind::Loop &&
         schedule.getTasks().size() == 1 &&
         schedule.getTasks()[0] <= schedule.getGrain()[0] &&
         schedule.getWorkspace() == 0 && schedule.getBytes() <= mostBytes &&
         schedule.getFlops() <= mostFlops;
}

/// Adds the tiny kernels that loops launch to the driver, which inlines them.
static Error addTinyKernels(ModuleOp module, llvm::Module &driver,
                            const TargetProfile &target) {
  llvm::SetVector<ir::KernelOp> kernels;
  module.walk([&](ir::LaunchOp launch) {
    if (!launch->getParentOfType<ir::WhileOp>())
      return;
    auto kernel = SymbolTable::lookupNearestSymbolFrom<ir::KernelOp>(
        launch, launch.getKernelAttr());
    if (kernel && isTiny(kernel))
      kernels.insert(kernel);
  });
  for (ir::KernelOp kernel : kernels) {
    if (Error error = codegen::emitKernel(kernel, driver, target))
      return error;
    llvm::Function *function =
        driver.getFunction(codegen::phaseSymbol(kernel, 0));
    assert(function && "a kernel has one function for each phase");
    function->setVisibility(llvm::GlobalValue::DefaultVisibility);
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    // In another iteration of the loop, buffers may have changed places.
    for (llvm::BasicBlock &block : *function)
      for (llvm::Instruction &instruction : block) {
        instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
        instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
      }
  }
  codegen::defineSharedFunctions(driver);
  return Error::success();
}

/// Names a driver that reads numbers from memory.
static std::string keyOf(llvm::Module &driver, const CompilerOptions &options,
                         StringRef buildId) {
  SmallVector<llvm::Function *> programs;
  for (llvm::Function &function : driver)
    if (!function.isDeclaration())
      programs.push_back(&function);
  codegen::KernelForm form = codegen::formOf(programs);
  Hasher hasher;
  hasher.update("driver");
  hasher.update(buildId.str());
  hasher.update(options.target.cache_name());
  for (llvm::Function *program : programs)
    hasher.update(program->getName().str());
  hasher.update(form.key);
  hasher.update(std::as_bytes(std::span(form.numbers.constants)));
  hasher.update(std::as_bytes(std::span(form.numbers.claims)));
  return to_hex(hasher.finish());
}

/// With `numbers`, the driver is one that programs of other sizes may have left
/// in the kernel store. `isReused` becomes true if they have.
static Expected<runtime::Blob>
compileDriver(ModuleOp module, const CompilerOptions &options,
              const codegen::KernelTable &table,
              codegen::LaunchTables &launches, codegen::DriverNumbers *numbers,
              StringRef buildId, bool &isReused) {
  assert((!numbers || options.kernels) && "shared drivers are in the store");
  llvm::LLVMContext context;
  llvm::Module driver("driver", context);
  if (Error error = jit::prepareModule(driver, options.target))
    return std::move(error);
  // Code with numbers in it serves only these sizes.
  if (!numbers)
    if (Error error = addTinyKernels(module, driver, options.target))
      return std::move(error);
  if (Error error = emitPrograms(module, driver, table, &launches, numbers))
    return std::move(error);
  std::string key;
  if (numbers) {
    key = keyOf(driver, options, buildId);
    if (auto blob = options.kernels->find(key);
        blob && (blob->features & ~options.target.features) == 0) {
      isReused = true;
      return std::move(*blob);
    }
  }
  // A driver without loops only launches and copies, once in each run. Compile
  // time matters more than its speed.
  auto repeats = [&](StringRef name) {
    auto program = module.lookupSymbol<ir::ProgramOp>(name);
    return program &&
           program.walk([](ir::WhileOp) { return WalkResult::interrupt(); })
               .wasInterrupted();
  };
  for (llvm::Function &function : driver)
    if (!function.isDeclaration() && !function.hasLocalLinkage() &&
        !repeats(function.getName())) {
      function.addFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::OptimizeNone);
    }
  Expected<runtime::Blob> blob = jit::compileToBlob(driver, options.target);
  if (blob && numbers)
    options.kernels->put(key, *blob);
  return blob;
}

/// Reports all dropped calls in one line.
static void warnOfDropped(ArrayRef<Location> dropped, CompileReport *report) {
  if (dropped.empty() || !report)
    return;
  constexpr size_t most = 8;
  std::string text = std::to_string(dropped.size()) +
                     (dropped.size() == 1 ? " callback is" : " callbacks are") +
                     " left out";
  const char *separator = ": ";
  for (Location place : dropped.take_front(most))
    if (std::string where = placeOf(place); !where.empty()) {
      text += separator + where;
      separator = ", ";
    }
  if (dropped.size() > most)
    text += ", …";
  report->warnings.push_back(text);
}

/// Adds the kernels that the program has with the options' other sizes.
static void addTextsOfOtherSizes(ModuleOp module,
                                 const CompilerOptions &options,
                                 pipelines::PipelineOptions pipeline,
                                 codegen::KernelTexts &texts) {
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  pipeline.kernelTexts = nullptr;
  pipeline.dumpDirectory.clear();
  pipeline.calls.onPartitioned = nullptr;
  pipeline.calls.onSharding = nullptr;
  pipeline.stopAfter = "kernels";
  for (const ArgumentSizes &sizes : options.other_sizes) {
    // Unknown sizes are refined to others, and known ones are changed.
    (options.argument_sizes.empty() ? pipeline.changedSizes
                                    : pipeline.argumentSizes) = sizes;
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager passes(module.getContext());
    pipelines::buildPipeline(passes, pipeline);
    if (succeeded(passes.run(*copy)))
      codegen::addKernelTexts(*copy, texts);
  }
}

Error lowerToKernels(ModuleOp module, const CompilerOptions &options,
                     StringRef entry, CompileReport *report,
                     KernelTemplates *templates,
                     const ArgumentSizes &changedSizes) {
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &said) {
    if (said.getSeverity() != DiagnosticSeverity::Error)
      return success();
    llvm::raw_string_ostream stream(message);
    if (!message.empty())
      stream << '\n';
    if (std::string place = placeOf(said.getLocation()); !place.empty())
      stream << place << ": ";
    stream << "error: " << said.str();
    return success();
  });
  if (options.ignore_callbacks)
    warnOfDropped(transforms::dropCallbacks(module), report);
  PassManager passes(module.getContext());
#ifdef NDEBUG
  // The imported module is verified. Only development builds verify between
  // passes.
  passes.enableVerifier(false);
#endif
  pipelines::PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.entry = entry.str();
  pipeline.invariantArguments = options.invariant_arguments;
  pipeline.findsInvariantArguments = options.find_invariant_arguments;
  pipeline.packLimit = integer_setting(SettingId::PackLimit);
  pipeline.memoryLimit = integer_setting(SettingId::MemoryLimit);
  pipeline.coldPercent = integer_setting(SettingId::ColdPercent);
  pipeline.partitions = options.partition.count;
  pipeline.argumentShardings = options.partition.arguments;
  pipeline.argumentSizes = options.argument_sizes;
  pipeline.changedSizes = changedSizes;
  pipeline.partitionAutomatically = options.partition.automatic;
  pipeline.requestedLayouts = options.requested_layouts;
  pipeline.dumpDirectory = options.dump_directory;
  pipeline.calls.partitioner = options.call_partitioner;
  pipeline.calls.readModule = [](StringRef bytes, MLIRContext &context,
                                 std::string &error) {
    return parseModule({.bytes = bytes, .name = "<partitioned call>"}, context,
                       error);
  };
  if (report)
    pipeline.calls.onPartitioned = [report](ModuleOp partitioned) {
      llvm::raw_string_ostream stream(report->partitioned);
      partitioned.print(stream, OpPrintingFlags().useLocalScope());
    };
  pipeline.calls.rates = options.partition.rates;
  pipeline.calls.mesh = options.partition.mesh;
  if (report && options.partition.explains)
    pipeline.calls.onPlan = [report](ArgumentPlan plan) {
      report->plans.push_back(std::move(plan));
    };
  if (report && options.partition.explains)
    pipeline.calls.onSharding = [report](OpSharding sharding) {
      report->shardings.push_back(std::move(sharding));
    };
  pipeline.batchTargets = options.batch_targets;
  // Code for any size uses masked loads, which older processors lack.
  bool hasVariants = false;
  if (templates && (options.target.features & kFeatureAvx2)) {
    addTextsOfOtherSizes(module, options, pipeline, templates->texts);
    pipeline.kernelTexts = &templates->texts;
    pipeline.sizeVariants = &templates->variants;
    if (options.any_size_code == AnySizeCode::Later &&
        !templates->hasAnySizeCode())
      pipeline.hasSizeVariants = &hasVariants;
  }
  pipelines::buildPipeline(passes, pipeline);
  PhaseClock clock(report ? &report->phases : nullptr);
  LogicalResult result = passes.run(module);
  clock.mark("transforms");
  if (failed(result))
    return llvm::createStringError(
        message.empty() ? "the pipeline failed without a message" : message);
  if (report)
    report->lacks_any_size_code = hasVariants;
  return Error::success();
}

/// The code of the driver and of the kernels. KernelTask::blob is an index
/// into the latter.
struct ImageCode {
  runtime::Blob driver;
  std::vector<runtime::Blob> kernels;
  bool isDriverReused = false; ///< from a program of other sizes
};

/// Compiles the driver in a thread of its own, and the kernels meanwhile.
static Expected<ImageCode>
compileCode(ModuleOp module, std::vector<KernelTask> &tasks,
            const codegen::KernelTable &table, codegen::LaunchTables &launches,
            codegen::DriverNumbers *numbers, const CompilerOptions &options,
            StringRef buildId, CompileReport *report,
            KernelTemplates *templates) {
  ImageCode code;
  std::optional<Expected<runtime::Blob>> driver;
  std::optional<Error> failure;
  WorkerThread driverThread([&] {
    driver.emplace(compileDriver(module, options, table, launches, numbers,
                                 buildId, code.isDriverReused));
  });
  // No exception may leave this function while the driver's thread is running.
  std::exception_ptr problem = exceptionOf([&] {
    failure.emplace(
        compileKernels(tasks, options, templates, code.kernels, report));
  });
  if (std::exception_ptr thrown = driverThread.join(); thrown && !problem)
    problem = thrown;
  if (problem)
    std::rethrow_exception(problem);
  if (Error error = std::move(*failure)) {
    llvm::consumeError(driver->takeError());
    return std::move(error);
  }
  if (!*driver)
    return driver->takeError();
  code.driver = std::move(**driver);
  assert(llvm::all_of(tasks,
                      [&](const KernelTask &task) {
                        return task.blob < code.kernels.size();
                      }) &&
         "every kernel has code");
  return code;
}

/// Adds the code to the image, the driver's first.
static void addCode(ImageCode code, runtime::ExecutableImage &image) {
  image.blobs.push_back(std::move(code.driver));
  for (runtime::Blob &blob : code.kernels)
    image.blobs.push_back(std::move(blob));
  for (const runtime::Blob &blob : image.blobs)
    image.features |= blob.features;
}

/// Adds an entry for each phase of each kernel.
static void addKernelEntries(ArrayRef<KernelTask> tasks,
                             runtime::ExecutableImage &image) {
  for (const KernelTask &task : tasks) {
    image.needs.add(task.needs);
    ir::KernelOp kernel = task.kernel;
    ir::ScheduleAttr schedule = kernel.getSchedule();
    for (unsigned phase = 0; phase < schedule.getTasks().size(); ++phase) {
      runtime::KernelEntry entry;
      entry.symbol = codegen::phaseSymbol(task.symbol, phase);
      entry.blob = task.blob + 1; // after the driver
      entry.kind = ir::stringifyScheduleKind(schedule.getKind());
      entry.source_ops = sourceOps(kernel);
      entry.flops = phase == 0 ? schedule.getFlops() : 0;
      entry.bytes = phase == 0 ? schedule.getBytes() : 0;
      entry.name = task.name;
      entry.signature = signatureText(kernel);
      image.kernels.push_back(std::move(entry));
    }
  }
}

/// Reports how much of the code serves other sizes.
static void reportSharing(ArrayRef<KernelTask> tasks, bool isDriverReused,
                          CompileReport &report) {
  report.driver_for_other_sizes = isDriverReused;
  report.kernels_for_any_size =
      llvm::count_if(tasks, [](const KernelTask &task) {
        return !task.extents.empty() &&
               (!task.sharesCode || ir::KernelOp(task.kernel).getAnySize());
      });
}

Expected<runtime::ExecutableImage>
buildImage(ModuleOp module, const CompilerOptions &options, StringRef buildId,
           CompileReport *report, KernelTemplates *templates) {
  PhaseClock clock(report ? &report->phases : nullptr);
  runtime::ExecutableImage image;
  image.target_profile = options.target.name;
  image.name = module.getSymName().value_or("").str();
  std::vector<KernelTask> tasks =
      nameKernels(module, options, templates, buildId);
  clock.mark("name kernels");
  unsigned constants = constantCount(module), entries = 0;
  codegen::KernelTable table;
  for (KernelTask &task : tasks) {
    codegen::KernelPlace &place = table[task.kernel.getSymName()];
    place.entry = entries;
    entries += task.kernel.getSchedule().getTasks().size();
    if (templates)
      place.extents = constants++;
  }
  std::optional<codegen::DriverNumbers> numbers;
  if (templates && templates->hasOtherSizes())
    numbers.emplace().constant = constants++;
  codegen::LaunchTables launches;
  launches.constant = constants++;
  Expected<ImageCode> code =
      compileCode(module, tasks, table, launches, numbers ? &*numbers : nullptr,
                  options, buildId, report, templates);
  if (!code)
    return code.takeError();
  if (report)
    reportSharing(tasks, code->isDriverReused, *report);
  addCode(std::move(*code), image);
  clock.mark("code");

  addKernelEntries(tasks, image);
  SymbolTable symbols(module);
  auto entry = symbols.lookup<ir::ProgramOp>(names::kEntrySymbol);
  auto prologue = symbols.lookup<ir::ProgramOp>(names::kPrologueSymbol);
  if (!entry)
    return llvm::createStringError("the pipeline left no program");
  if (Error error = describe(module, entry, prologue, image))
    return std::move(error);
  if (templates)
    addExtents(tasks, table, image);
  if (numbers)
    setConstant(numbers->constant, numbers->values, image);
  if (!launches.words.empty())
    setConstant(launches.constant, launches.words, image);
  if (Error error = describeCollectives(entry, table, image))
    return std::move(error);
  image.grid = gridOf(module);
  describeSignature(module, image);
  if (Error error = describePartitions(module, image))
    return std::move(error);

  clock.mark("describe");
  return image;
}

Expected<std::unique_ptr<llvm::Module>>
buildWholeModule(ModuleOp module, const CompilerOptions &options,
                 llvm::LLVMContext &context) {
  auto whole = std::make_unique<llvm::Module>("program", context);
  if (Error error = jit::prepareModule(*whole, options.target))
    return std::move(error);
  codegen::KernelTable kernels;
  unsigned entries = 0;
  for (ir::KernelOp kernel : module.getOps<ir::KernelOp>()) {
    if (Error error = codegen::emitKernel(kernel, *whole, options.target))
      return std::move(error);
    kernels[kernel.getSymName()] = {entries, std::nullopt};
    entries += kernel.getSchedule().getTasks().size();
  }
  codegen::defineSharedFunctions(*whole);
  if (Error error = emitPrograms(module, *whole, kernels))
    return std::move(error);
  return whole;
}

} // namespace xlac::compiler
