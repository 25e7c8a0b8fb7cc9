#include "xlac/Pipelines/Pipelines.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Transforms/Passes.h"
#include "xlac/support/file_writer.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace xlac::pipelines {

namespace {
/// A phase: its name and a function that adds its passes.
struct Phase {
  llvm::StringLiteral name;
  void (*addPasses)(OpPassManager &passes, const PipelineOptions &options);
};
} // namespace

/// Sizes as the options of passes give them: number:2x3.
template <class Options>
static void
addSizes(ArrayRef<std::pair<uint32_t, std::vector<int64_t>>> arguments,
         Options &options) {
  for (const auto &[argument, sizes] : arguments) {
    std::string text = std::to_string(argument) + ":";
    llvm::raw_string_ostream stream(text);
    llvm::interleave(sizes, stream, "x");
    options.sizes.push_back(std::move(text));
  }
}

static void addPrepare(OpPassManager &passes, const PipelineOptions &options) {
  // Later passes see a single function. Annotations must be removed before
  // equal ops are compared.
  transforms::PrepareModuleOptions prepare;
  prepare.entry = options.entry;
  prepare.partitions = options.partitions;
  prepare.layouts = options.requestedLayouts;
  for (const auto &[argument, sharding] : options.argumentShardings)
    prepare.shardings.push_back(std::to_string(argument) + ":" +
                                sharding.str());
  addSizes(options.argumentSizes, prepare);
  passes.addPass(transforms::createPrepareModule(std::move(prepare)));
}

static void addExpand(OpPassManager &passes, const PipelineOptions &options) {
  // CHLO first: it expands to StableHLO ops, some of which are rare.
  passes.addPass(transforms::createExpandChlo());
  passes.addPass(transforms::createExpandRareOps());
  // Sharding rules, which it uses, exist for the ops that remain. Before
  // partitioning and simplification, which depend on sizes.
  if (!options.changedSizes.empty()) {
    transforms::ChangeSizesOptions change;
    change.entry = options.entry;
    addSizes(options.changedSizes, change);
    passes.addPass(transforms::createChangeSizes(std::move(change)));
  }
}

static void addPartition(OpPassManager &passes,
                         const PipelineOptions &options) {
  // Before all passes that use sizes or costs, which must be those of shards.
  // After expansion, so that fewer kinds of ops need sharding rules, and random
  // numbers are numbered in the global program.
  transforms::PartitionOptions partition;
  partition.entry = options.entry;
  partition.automatic = options.partitionAutomatically;
  partition.batchTargets.assign(options.batchTargets.begin(),
                                options.batchTargets.end());
  passes.addPass(
      transforms::createPartition(std::move(partition), options.calls));
  // Layouts are those of shards. Before simplification, which composes the
  // transpositions with others.
  if (options.requestedLayouts)
    passes.addPass(transforms::createAssignLayouts({options.entry}));
}

static bool hasInvariants(const PipelineOptions &options) {
  return !options.invariantArguments.empty() || options.findsInvariantArguments;
}

static void addSimplify(OpPassManager &passes, const PipelineOptions &options) {
  // Unrolled iterations are simplified together with other ops.
  passes.addPass(transforms::createUnrollLoops());
  // After expansion, which leaves shape arithmetic on constants and chains of
  // movement ops. Before fusion, whose costs assume that every op is needed.
  passes.addPass(transforms::createSimplify());
  // On simplified masks, before they leave loops.
  passes.addPass(transforms::createSkipMaskedColumns());
  // On simplified loops, whose bodies have few ops.
  passes.addPass(transforms::createHoistFromLoops());
  // On simplified ops, of which fewer are borders. Before the prologue, which
  // transposes weights that do not change once.
  passes.addPass(transforms::createChannelsLast({hasInvariants(options)}));
}

static void addPrologue(OpPassManager &passes, const PipelineOptions &options) {
  // Before fusion, which would mix values that are computed once with values of
  // every run.
  if (hasInvariants(options))
    passes.addPass(transforms::createSplitPrologue(
        {llvm::to_vector(options.invariantArguments),
         options.findsInvariantArguments}));
}

static void addKernels(OpPassManager &passes, const PipelineOptions &) {
  // Before fusion, which keeps collectives in order. After the prologue, which
  // recognizes these ops by their StableHLO names.
  passes.addPass(transforms::createBucketAllReduces());
  passes.addPass(transforms::createLowerCollectives());
  // On lowered collectives: a reduce_scatter of StableHLO has one operand. What
  // is gathered twice is put into buckets of the later use.
  passes.addPass(transforms::createRegatherShards());
  passes.addPass(transforms::createBucketCollectives());
  // After simplification, which moves transpositions into products.
  passes.addPass(transforms::createLowerVectorProducts());
  passes.addPass(transforms::createHoistTransposes());
  // Last, because no other pass expects padding outside of convolutions.
  passes.addPass(transforms::createPadJoinedImages());
  passes.addPass(transforms::createFuseKernels());
}

static void addSchedule(OpPassManager &passes, const PipelineOptions &options) {
  if (options.kernelTexts)
    passes.addPass(codegen::createFindSizeVariantsPass(
        *options.kernelTexts, *options.sizeVariants, options.hasSizeVariants));
  // Kernels for any size are not packed: the plan for few rows reads weights in
  // place.
  if (hasInvariants(options))
    passes.addPass(
        codegen::createPackInvariantsPass(options.target, options.packLimit));
  // After that pass, which packs better what it can: once.
  passes.addPass(codegen::createPackLastReadsPass(options.target));
  // Before buffers are planned, because kernels need workspace in the arena.
  passes.addPass(codegen::createScheduleKernelsPass(options.target));
}

static void addProgram(OpPassManager &passes, const PipelineOptions &options) {
  // Last, because the order of launches must not change once buffers share
  // memory.
  passes.addPass(transforms::createStartCollectives());
  passes.addPass(transforms::createPrefetchGathers());
  passes.addPass(transforms::createOrderLaunches());
  // In the final order, which decides what is in memory at a time.
  if (options.memoryLimit)
    passes.addPass(transforms::createRematerialize({*options.memoryLimit}));
  passes.addPass(codegen::createSliceLaunchesPass(options.target));
  passes.addPass(transforms::createPlanBuffers());
  passes.addPass(codegen::createFindColdKernelsPass(
      options.target, options.coldPercent.value_or(codegen::kColdPercent)));
}

/// All phases in order. Their functions give the reasons for the order.
static constexpr Phase kPhases[] = {
    {"prepare", addPrepare},     {"expand", addExpand},
    {"partition", addPartition}, {"simplify", addSimplify},
    {"prologue", addPrologue},   {"kernels", addKernels},
    {"schedule", addSchedule},   {"program", addProgram}};

namespace {
/// Passes the module to the caller's observer and writes it to the dump
/// directory. Does not change the module.
class EndPhase : public PassWrapper<EndPhase, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EndPhase)
  EndPhase(unsigned number, const PipelineOptions &options)
      : number(number), directory(options.dumpDirectory),
        onPhase(options.onPhase) {}

private:
  void runOnOperation() override {
    if (onPhase)
      onPhase(kPhases[number].name, getOperation());
    if (directory.empty())
      return;
    if (std::error_code error = llvm::sys::fs::create_directories(directory)) {
      getOperation().emitError(directory + ": " + error.message());
      return signalPassFailure();
    }
    llvm::SmallString<128> path(directory);
    std::string name;
    llvm::raw_string_ostream(name)
        << llvm::format("%02u-", number) << kPhases[number].name << ".mlir";
    llvm::sys::path::append(path, name);
    // A raw_fd_ostream would end the process if the disk is full.
    std::string text;
    llvm::raw_string_ostream os(text);
    getOperation().print(os);
    if (xlac::Status written = write_whole_file(path.str().str(), text);
        !written) {
      getOperation().emitError(written.error().message);
      return signalPassFailure();
    }
  }

  unsigned number;
  std::string directory;
  std::function<void(llvm::StringRef, ModuleOp)> onPhase;
};
} // namespace

void buildPipeline(OpPassManager &passes, const PipelineOptions &options) {
  bool watched = options.onPhase || !options.dumpDirectory.empty();
  for (unsigned i = 0; i < std::size(kPhases); ++i) {
    kPhases[i].addPasses(passes, options);
    if (watched)
      passes.addPass(std::make_unique<EndPhase>(i, options));
    if (kPhases[i].name == options.stopAfter)
      return;
  }
}

void registerAllPasses() {
  transforms::registerTransformsPasses();
  registerPass(
      [] { return codegen::createScheduleKernelsPass(host_profile()); });
  registerPass([] {
    return codegen::createPackInvariantsPass(host_profile(), std::nullopt);
  });
  registerPass([] { return codegen::createPackLastReadsPass(host_profile()); });
  registerPass([] { return codegen::createSliceLaunchesPass(host_profile()); });
  registerPass([] {
    return codegen::createFindColdKernelsPass(host_profile(),
                                              codegen::kColdPercent);
  });
  registerCanonicalizerPass();
  registerCSEPass();
  registerSymbolDCEPass();
  auto add = [](std::string name, std::string about, std::string last) {
    PassPipelineRegistration<>(name, about, [last](OpPassManager &passes) {
      PipelineOptions options;
      options.target = host_profile();
      options.stopAfter = last;
      buildPipeline(passes, options);
    });
  };
  add("xlac", "StableHLO to a program of kernels", "");
  for (const Phase &phase : kPhases)
    add(("xlac-to-" + phase.name).str(),
        ("StableHLO up to the end of phase '" + phase.name + "'").str(),
        phase.name.str());
}

} // namespace xlac::pipelines
