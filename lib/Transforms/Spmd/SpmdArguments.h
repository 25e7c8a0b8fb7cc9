// Searches shardings of the arguments of a program that leaves them open.
#ifndef XLAC_LIB_TRANSFORMS_SPMDARGUMENTS_H
#define XLAC_LIB_TRANSFORMS_SPMDARGUMENTS_H

#include "SpmdPropagation.h"

#include "xlac/Transforms/CallPartitioning.h"

namespace xlac::transforms {

/// Arguments with one sharding: those that elementwise ops tie to each other,
/// and those of the same types and uses, such as the layers of a model.
struct ArgumentRole {
  /// The numbers of the arguments' values and of results that reuse them.
  llvm::SmallVector<unsigned> slots;
  double weight = 0; ///< elements of the arguments and of what uses them
};

/// Returns the roles of all arguments of rank 1 and more that no annotation
/// fixes, the one with the largest weight first.
std::vector<ArgumentRole> argumentRoles(mlir::func::FuncOp function,
                                        const SpmdPropagation &shardings);

/// Searches shardings of the arguments that the program leaves open, for
/// `devices` devices. Returns the best plans, the fastest first; none if an
/// embedder infers shardings of a call. The number of steps is limited in
/// proportion to the number of ops, and the result is always the same.
std::vector<ArgumentPlan> searchArguments(mlir::func::FuncOp function,
                                          int64_t devices,
                                          const CallPartitioning &embedded);

} // namespace xlac::transforms

#endif
