#include "SimilarKernels.h"

#include "xlac/Codegen/FastNumbers.h"

#include "llvm/ADT/StringMap.h"

namespace xlac::compiler {

namespace {
/// A kernel with code of its own.
struct Leader {
  EmittedKernel *kernel;
  /// Constants that are the same in kernels that share the code; computed when
  /// the first one differs.
  std::vector<bool> fast;
};
} // namespace

/// Returns true if one code can serve both kernels, which have the same key,
/// without a loss of speed.
static bool canShare(Leader &leader, const EmittedKernel &other) {
  const codegen::KernelNumbers &mine = leader.kernel->form.numbers;
  const codegen::KernelNumbers &theirs = other.form.numbers;
  if (mine.constants == theirs.constants && mine.claims == theirs.claims)
    return true;
  if (!leader.kernel->mayReadNumbers ||
      mine.constants.size() != theirs.constants.size() ||
      mine.claims.size() != theirs.claims.size())
    return false;
  if (leader.fast.empty())
    leader.fast = codegen::fastNumbersOf(leader.kernel->phases);
  for (size_t i = 0; i < mine.constants.size(); ++i)
    if (leader.fast[i] && mine.constants[i] != theirs.constants[i])
      return false;
  return true;
}

void findSimilarKernels(llvm::ArrayRef<EmittedKernel *> kernels) {
  llvm::StringMap<std::vector<Leader>> leaders;
  for (EmittedKernel *kernel : kernels) {
    std::vector<Leader> &known = leaders[kernel->form.key];
    auto found = llvm::find_if(
        known, [&](Leader &leader) { return canShare(leader, *kernel); });
    if (found == known.end()) {
      known.push_back({kernel, {}});
      continue;
    }
    kernel->leader = found->kernel;
    found->kernel->followers.push_back(kernel);
  }
}

} // namespace xlac::compiler
