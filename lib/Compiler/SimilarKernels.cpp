#include "SimilarKernels.h"

#include "xlac/Codegen/FastNumbers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace xlac::compiler {

/// Constants that the instructions of one innermost loop may read from memory.
/// Each takes a register. With more, addresses of a loop that reads at many
/// constant distances no longer fit into instructions.
static constexpr unsigned kMostRead = 2;

namespace {
/// A kernel with code of its own.
struct Leader {
  EmittedKernel *kernel;
  /// For each constant the innermost loop that is faster with it, or 0;
  /// computed when a kernel has other constants.
  std::vector<uint32_t> loops;
  /// Those of them that the kernels which share the code have different.
  std::vector<bool> differ;
};
} // namespace

/// Returns true if one code can serve both kernels, which have the same key,
/// without a loss of speed. The leader's code then serves both.
static bool share(Leader &leader, const EmittedKernel &other) {
  const codegen::KernelNumbers &mine = leader.kernel->form.numbers;
  const codegen::KernelNumbers &theirs = other.form.numbers;
  if (mine.constants == theirs.constants && mine.claims == theirs.claims)
    return true;
  if (!leader.kernel->mayReadNumbers ||
      mine.constants.size() != theirs.constants.size() ||
      mine.claims.size() != theirs.claims.size())
    return false;
  if (leader.loops.empty()) {
    leader.loops = codegen::loopsOfFastNumbers(leader.kernel->phases);
    leader.differ.resize(leader.loops.size());
  }
  std::vector<bool> differ = leader.differ;
  llvm::SmallDenseMap<uint32_t, unsigned> read; // by each loop
  for (size_t i = 0; i < mine.constants.size(); ++i) {
    if (leader.loops[i] == 0)
      continue;
    if (mine.constants[i] != theirs.constants[i])
      differ[i] = true;
    if (differ[i] && ++read[leader.loops[i]] > kMostRead)
      return false;
  }
  leader.differ = std::move(differ);
  return true;
}

void findSimilarKernels(llvm::ArrayRef<EmittedKernel *> kernels) {
  llvm::StringMap<std::vector<Leader>> leaders;
  for (EmittedKernel *kernel : kernels) {
    std::vector<Leader> &known = leaders[kernel->form.key];
    auto found = llvm::find_if(
        known, [&](Leader &leader) { return share(leader, *kernel); });
    if (found == known.end()) {
      known.push_back({kernel, {}, {}});
      continue;
    }
    kernel->leader = found->kernel;
    found->kernel->followers.push_back(kernel);
  }
}

} // namespace xlac::compiler
