#include "xlac/Pipelines/Pipelines.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Transforms/Passes.h"
#include "xlac/support/file_writer.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace xlac::pipelines {

static constexpr llvm::StringLiteral kPhases[] = {
    "prepare",  "expand",  "partition", "simplify",
    "prologue", "kernels", "schedule",  "program"};

llvm::ArrayRef<llvm::StringLiteral> phaseNames() { return kPhases; }

namespace {
/// Shows the module to whoever asked for it. Changes nothing.
class EndPhase : public PassWrapper<EndPhase, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EndPhase)
  EndPhase(unsigned number, const PipelineOptions &options)
      : number(number), directory(options.dumpDirectory),
        onPhase(options.onPhase) {}

private:
  void runOnOperation() override {
    if (onPhase)
      onPhase(kPhases[number], getOperation());
    if (directory.empty())
      return;
    llvm::SmallString<128> path(directory);
    std::string name;
    llvm::raw_string_ostream(name)
        << llvm::format("%02u-", number) << kPhases[number] << ".mlir";
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

/// The passes of one phase, each with the reason for its place.
static void addPhase(OpPassManager &passes, StringRef phase,
                     const PipelineOptions &options) {
  using namespace transforms;
  if (phase == "prepare") {
    // Everything after this sees one function. Annotations must be gone before
    // equal ops are compared.
    passes.addPass(createPrepareModule({options.entry}));
  } else if (phase == "expand") {
    // CHLO first: it expands into StableHLO ops, some of them rare.
    passes.addPass(createExpandChlo());
    passes.addPass(createExpandRareOps());
  } else if (phase == "partition") {
    // Before anything that looks at sizes or costs, which are a shard's; after
    // expansion, so that fewer kinds of ops need to know how they are cut, and
    // random numbers are numbered in the whole program.
    passes.addPass(createPartition({.entry = options.entry}));
  } else if (phase == "simplify") {
    // What the trips of loops turn into is simplified with all else.
    passes.addPass(createUnrollLoops());
    // After expansion, which leaves shape arithmetic on constants and chains of
    // movement; before fusion, whose costs assume that no op is idle.
    passes.addPass(createSimplify());
  } else if (phase == "prologue") {
    // Before fusion, which would mix what is computed once with what is
    // computed at every run.
    if (!options.invariantArguments.empty())
      passes.addPass(
          createSplitPrologue({llvm::to_vector(options.invariantArguments)}));
  } else if (phase == "kernels") {
    // Before fusion, which keeps exchanges in order; after the prologue, which
    // knows the ops by their StableHLO names.
    passes.addPass(createBucketAllReduces());
    passes.addPass(createLowerCollectives());
    passes.addPass(createFuseKernels());
  } else if (phase == "schedule") {
    // Before buffers are planned, as kernels ask for workspace of the arena.
    passes.addPass(codegen::createScheduleKernelsPass(options.target));
  } else if (phase == "program") {
    // Last: the order of launches must not change once buffers share memory.
    passes.addPass(createStartExchanges());
    passes.addPass(createOrderLaunches());
    passes.addPass(createPlanBuffers());
  }
}

void buildPipeline(OpPassManager &passes, const PipelineOptions &options) {
  bool watched = options.onPhase || !options.dumpDirectory.empty();
  for (unsigned i = 0; i < std::size(kPhases); ++i) {
    addPhase(passes, kPhases[i], options);
    if (watched)
      passes.addPass(std::make_unique<EndPhase>(i, options));
    if (kPhases[i] == options.stopAfter)
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
  for (StringRef phase : kPhases)
    add(("xlac-to-" + phase).str(),
        ("StableHLO up to the end of phase '" + phase + "'").str(),
        phase.str());
}

} // namespace xlac::pipelines
