// The compiler as an ordered list of phases, from StableHLO to a program of
// kernel launches. One can stop behind any of them and print what there is.
#ifndef XLAC_PIPELINES_PIPELINES_H
#define XLAC_PIPELINES_PIPELINES_H

#include "xlac/support/sharding.h"
#include "xlac/support/target_profile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace xlac::pipelines {

struct PipelineOptions {
  TargetProfile target;
  /// The function to compile.
  std::string entry = "main";
  /// Numbers of arguments that stay the same over many runs: what depends on
  /// them alone is computed once, by the program `xlac_prologue`.
  std::vector<uint32_t> invariantArguments;
  /// The number of partitions; 0: as the module says.
  int64_t partitions = 0;
  /// Shardings of arguments by number, in place of their annotations.
  std::vector<std::pair<uint32_t, Sharding>> argumentShardings;
  /// Shards large arguments of programs without annotations.
  bool partitionAutomatically = false;
  /// The name of the phase after which to stop; empty: none.
  std::string stopAfter;
  /// Where every phase leaves the module as NN-phase.mlir; empty: nowhere.
  std::string dumpDirectory;
  /// Called with the module after every phase.
  std::function<void(llvm::StringRef phase, mlir::ModuleOp module)> onPhase;
};

/// Adds the phases to `passes`, which runs on a module of StableHLO. What comes
/// out has an xlac.program `xlac_entry`, perhaps `xlac_prologue`, and kernels
/// with schedules. An unknown `stopAfter` stops nowhere.
void buildPipeline(mlir::OpPassManager &passes, const PipelineOptions &options);

/// Registers every pass, and the pipelines `xlac` and `xlac-to-<phase>`, for
/// tools that take them by name.
void registerAllPasses();

} // namespace xlac::pipelines

#endif
