// The compiler as an ordered list of phases, from StableHLO to a program of
// kernel launches. Tools can stop after any phase and print the module.
#ifndef XLAC_PIPELINES_PIPELINES_H
#define XLAC_PIPELINES_PIPELINES_H

#include "xlac/Codegen/SizeVariants.h"
#include "xlac/Transforms/CallPartitioning.h"
#include "xlac/support/sharding.h"
#include "xlac/support/target_profile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xlac::pipelines {

struct PipelineOptions {
  TargetProfile target;
  /// The function to compile.
  std::string entry = "main";
  /// Numbers of arguments that stay the same over many runs. Values that depend
  /// only on them are computed once, by the program `xlac_prologue`.
  std::vector<uint32_t> invariantArguments;
  /// Also treats arguments that the program uses as weights as invariant.
  bool findsInvariantArguments = false;
  /// Limit on the bytes of packed invariant operands; see
  /// createPackInvariantsPass().
  std::optional<int64_t> packLimit;
  /// Bytes that a device should need for arguments, results and the arena; see
  /// createRematerialize().
  std::optional<int64_t> memoryLimit;
  /// The pass xlac-find-cold-kernels; nothing means its default.
  std::optional<int64_t> coldPercent;
  /// The number of partitions. 0 means the number that the module states.
  int64_t partitions = 0;
  /// Shardings of arguments by number. They override annotations.
  std::vector<std::pair<uint32_t, Sharding>> argumentShardings;
  /// Sizes of arguments by number, for types with unknown dimensions.
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> argumentSizes;
  /// Sizes of arguments by number, to which the program is changed.
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> changedSizes;
  /// Shards large arguments of programs without annotations.
  bool partitionAutomatically = false;
  /// Custom calls that the embedder partitions, and targets of calls that
  /// compute each index of their batch dimensions independently.
  transforms::CallPartitioning calls;
  std::vector<std::string> batchTargets;
  /// Gives arguments and results the memory layouts that their attributes
  /// request. Otherwise all are row-major.
  bool requestedLayouts = false;
  /// If set, kernels that differ only in sizes from one of these are compiled
  /// for any size, and all kernels are added.
  codegen::KernelTexts *kernelTexts = nullptr;
  /// Gets what was found in them. Must be set if they are.
  codegen::SizeVariants *sizeVariants = nullptr;
  /// If set, no kernel is compiled for any size, and it becomes true if one
  /// differs so.
  bool *hasSizeVariants = nullptr;
  /// The name of the phase after which to stop. Empty means no stop.
  std::string stopAfter;
  /// The directory to which every phase writes the module as NN-phase.mlir.
  /// Empty means none.
  std::string dumpDirectory;
  /// Called with the module after every phase.
  std::function<void(llvm::StringRef phase, mlir::ModuleOp module)> onPhase;
};

/// Adds the phases to `passes`, which runs on a module of StableHLO. The result
/// has an xlac.program `xlac_entry`, optionally a program `xlac_prologue`, and
/// scheduled kernels. An unknown `stopAfter` has no effect.
void buildPipeline(mlir::OpPassManager &passes, const PipelineOptions &options);

/// Registers every pass, and the pipelines `xlac` and `xlac-to-<phase>`, for
/// tools that look them up by name.
void registerAllPasses();

} // namespace xlac::pipelines

#endif
