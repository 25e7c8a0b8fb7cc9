// The partition pass with custom calls that an embedder partitions.
#ifndef XLAC_TRANSFORMS_CALLPARTITIONING_H
#define XLAC_TRANSFORMS_CALLPARTITIONING_H

#include "xlac/Transforms/Passes.h"
#include "xlac/support/call_partitioner.h"
#include "xlac/support/op_sharding.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace xlac::transforms {

/// How custom calls of an embedder are partitioned.
struct CallPartitioning {
  /// Null if there are none. Must live as long as the pass.
  const CallPartitioner *partitioner = nullptr;
  /// Parses and verifies the StableHLO module that replaces a call. Returns
  /// null and sets `error` for invalid bytes. Required with a partitioner.
  std::function<mlir::OwningOpRef<mlir::ModuleOp>(
      llvm::StringRef bytes, mlir::MLIRContext &context, std::string &error)>
      readModule;
  /// Called with a program that had such calls, after it is partitioned. May be
  /// empty.
  std::function<void(mlir::ModuleOp module)> onPartitioned;
  /// Called with each op and its sharding, before the program is partitioned.
  /// May be empty.
  std::function<void(OpSharding sharding)> onSharding;
  /// What a search of shardings of arguments assumes of devices, and the sizes
  /// of the mesh; all meshes of one and two axes if there are none.
  DeviceRates rates = {};
  std::vector<int64_t> mesh = {};
  /// Called with each plan of that search, the best first. May be empty.
  std::function<void(ArgumentPlan plan)> onPlan = {};
};

/// Returns the partition pass with these custom calls.
std::unique_ptr<mlir::Pass> createPartition(PartitionOptions options,
                                            CallPartitioning calls);

} // namespace xlac::transforms

#endif
