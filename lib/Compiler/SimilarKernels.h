// Kernels of one program that share code. Private to the component.
#ifndef XLAC_LIB_COMPILER_SIMILARKERNELS_H
#define XLAC_LIB_COMPILER_SIMILARKERNELS_H

#include "xlac/Codegen/KernelForm.h"

namespace xlac::compiler {

struct KernelTask;

/// A kernel whose LLVM IR exists, and the kernel whose code it has.
struct EmittedKernel {
  KernelTask *task = nullptr;
  codegen::KernelForm form;
  llvm::SmallVector<llvm::Function *, 2> phases;
  /// Whether the code may read from memory what differs between the kernels
  /// that share it. Else they have equal code.
  bool mayReadNumbers = false;
  EmittedKernel *leader = nullptr; ///< null if it has code of its own
  std::vector<EmittedKernel *> followers;
};

/// Finds the kernels that the code of another one serves, and sets `leader` and
/// `followers`. `kernels` are in an order that does not depend on threads, and
/// so the result does not.
void findSimilarKernels(llvm::ArrayRef<EmittedKernel *> kernels);

} // namespace xlac::compiler

#endif
