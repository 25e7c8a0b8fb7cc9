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
/// A phase: its name and the passes that it adds.
struct Phase {
  llvm::StringLiteral name;
  void (*addPasses)(OpPassManager &passes, const PipelineOptions &options);
};
} // namespace

static void addPrepare(OpPassManager &passes, const PipelineOptions &options) {
  // Everything after this sees one function. Annotations must be gone before
  // equal ops are compared.
  transforms::PrepareModuleOptions prepare;
  prepare.entry = options.entry;
  prepare.partitions = options.partitions;
  for (const auto &[argument, sharding] : options.argumentShardings)
    prepare.shardings.push_back(std::to_string(argument) + ":" +
                                sharding.str());
  passes.addPass(transforms::createPrepareModule(std::move(prepare)));
}

static void addExpand(OpPassManager &passes, const PipelineOptions &) {
  // CHLO first: it expands into StableHLO ops, some of them rare.
  passes.addPass(transforms::createExpandChlo());
  passes.addPass(transforms::createExpandRareOps());
}

static void addPartition(OpPassManager &passes,
                         const PipelineOptions &options) {
  // Before anything that looks at sizes or costs, which are a shard's; after
  // expansion, so that fewer kinds of ops need to know how they are cut, and
  // random numbers are numbered in the whole program.
  transforms::PartitionOptions partition;
  partition.entry = options.entry;
  partition.automatic = options.partitionAutomatically;
  passes.addPass(transforms::createPartition(std::move(partition)));
}

static void addSimplify(OpPassManager &passes, const PipelineOptions &) {
  // What the trips of loops turn into is simplified with all else.
  passes.addPass(transforms::createUnrollLoops());
  // After expansion, which leaves shape arithmetic on constants and chains of
  // movement; before fusion, whose costs assume that no op is idle.
  passes.addPass(transforms::createSimplify());
}

static void addPrologue(OpPassManager &passes, const PipelineOptions &options) {
  // Before fusion, which would mix what is computed once with what is
  // computed at every run.
  if (!options.invariantArguments.empty())
    passes.addPass(transforms::createSplitPrologue(
        {llvm::to_vector(options.invariantArguments)}));
}

static void addKernels(OpPassManager &passes, const PipelineOptions &) {
  // Before fusion, which keeps exchanges in order; after the prologue, which
  // knows the ops by their StableHLO names.
  passes.addPass(transforms::createBucketAllReduces());
  passes.addPass(transforms::createLowerCollectives());
  passes.addPass(transforms::createFuseKernels());
}

static void addSchedule(OpPassManager &passes, const PipelineOptions &options) {
  // Before buffers are planned, as kernels ask for workspace of the arena.
  passes.addPass(codegen::createScheduleKernelsPass(options.target));
}

static void addProgram(OpPassManager &passes, const PipelineOptions &) {
  // Last: the order of launches must not change once buffers share memory.
  passes.addPass(transforms::createStartCollectives());
  passes.addPass(transforms::createOrderLaunches());
  passes.addPass(transforms::createPlanBuffers());
}

/// All phases in their order, each with the reason for its place.
static constexpr Phase kPhases[] = {
    {"prepare", addPrepare},     {"expand", addExpand},
    {"partition", addPartition}, {"simplify", addSimplify},
    {"prologue", addPrologue},   {"kernels", addKernels},
    {"schedule", addSchedule},   {"program", addProgram}};

namespace {
/// Shows the module to the caller's observer. Changes nothing.
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
    // Not a raw_fd_ostream, which ends the process where the disk is full.
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
