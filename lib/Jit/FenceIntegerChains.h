// Keeps instruction selection linear for long chains of integer operations.
// Private to the component.
#ifndef XLAC_LIB_JIT_FENCEINTEGERCHAINS_H
#define XLAC_LIB_JIT_FENCEINTEGERCHAINS_H

#include "llvm/IR/PassManager.h"

namespace xlac::jit {

/// Cuts long chains of integer operations on vectors, such as those of random
/// number generators, into short ones for instruction selection.
///
/// To find bits that are known, the selection of LLVM looks six operations
/// back from each one. Where each operation combines two values, this is
/// a tree of up to 64 visits, and took half of the compile time of such
/// kernels. An arithmetic fence stops the search and becomes no instruction.
/// Run this after all passes that use known bits.
struct FenceIntegerChainsPass : llvm::PassInfoMixin<FenceIntegerChainsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace xlac::jit

#endif
