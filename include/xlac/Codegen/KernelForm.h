// The form of an emitted kernel: its LLVM IR without the numbers that depend on
// sizes. Two kernels with the same form differ only in these numbers, so that
// one machine code can serve both if it reads the numbers that differ from
// memory.
#ifndef XLAC_CODEGEN_KERNELFORM_H
#define XLAC_CODEGEN_KERNELFORM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace xlac::codegen {

/// What distinguishes a kernel from others with the same form.
struct KernelNumbers {
  /// The integers and floats of the code, in the order of its instructions. A
  /// vector of equal or evenly spaced elements counts as its first element and
  /// the distance.
  std::vector<uint64_t> constants;
  /// Properties of instructions that allow the code generator more: alignments
  /// and flags such as `nsw`. Code that is valid for fewer of them is valid for
  /// more.
  std::vector<uint32_t> claims;
};

/// The claims that both have.
uint32_t commonClaims(uint32_t left, uint32_t right);

struct KernelForm {
  std::string key; ///< hash of everything except the numbers
  KernelNumbers numbers;
  /// Indices of constants, in ascending order, that code for several sizes
  /// always reads at run time.
  std::vector<uint32_t> decisions = {};
};

/// Returns `number` as an instruction, so that the builder does not fold what
/// is computed from it. The form then depends on `number` only as a constant.
llvm::Value *emitSize(llvm::IRBuilder<> &ir, int64_t number);
/// The same for a number that the scheduler has chosen from sizes, such as the
/// number of tiles. It may be equal for some sizes by coincidence.
llvm::Value *emitDecision(llvm::IRBuilder<> &ir, int64_t number);

/// Returns the form of a kernel whose phases are `phases`, before any pass has
/// run. Names of the phases and of values have no influence.
KernelForm formOf(llvm::ArrayRef<llvm::Function *> phases);

/// Constants of a form that kernels read at run time.
struct KernelParameters {
  static constexpr int32_t kFixed = -1;
  /// For each constant the index of the parameter that has its value, or
  /// kFixed.
  std::vector<int32_t> parameter;
  int32_t count = 0;
};

/// Makes the phases of a kernel read parameters from the array that their
/// argument `extents` points to, and weakens the claims of their instructions
/// to `claims`. The phases must have the form to which the arguments belong.
void parameterize(llvm::ArrayRef<llvm::Function *> phases,
                  const KernelParameters &parameters,
                  llvm::ArrayRef<uint32_t> claims);

} // namespace xlac::codegen

#endif
