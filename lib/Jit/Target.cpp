#include "Target.h"

#include "llvm-c/Target.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"

#include <list>
#include <mutex>

using namespace llvm;

namespace xlac::jit {

/// Disables loop strength reduction. Emitted loops already access memory as the
/// target prefers, and the pass takes longer than the rest of code generation.
/// LLVM's only switch for it is this process-wide option.
static void disableLoopStrengthReduction() {
  auto &options = cl::getRegisteredOptions();
  if (auto found = options.find("disable-lsr"); found != options.end())
    static_cast<cl::opt<bool> *>(found->second)->setValue(true);
}

const Triple &targetTriple() {
  static const Triple triple("x86_64-unknown-linux-gnu");
  return triple;
}

Expected<const Target *> x86Target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86Disassembler();
    disableLoopStrengthReduction();
  });
  std::string message;
  if (const Target *target =
          TargetRegistry::lookupTarget(targetTriple(), message))
    return target;
  return createStringError("this LLVM has no x86-64 target: " + message);
}

StringRef cpuLevel(const TargetProfile &profile) {
  if (profile.features & kFeatureAvx512)
    return "x86-64-v4";
  if (profile.features & kFeatureAvx2)
    return "x86-64-v3";
  return "x86-64-v2";
}

std::string featureString(const TargetProfile &profile) {
  static constexpr std::pair<uint64_t, const char *> kNames[] = {
      {kFeatureAvxVnni, "+avxvnni"},       {kFeatureAvx512Vnni, "+avx512vnni"},
      {kFeatureAvx512Bf16, "+avx512bf16"}, {kFeatureAvx512Fp16, "+avx512fp16"},
      {kFeatureAmxTile, "+amx-tile"},      {kFeatureAmxInt8, "+amx-int8"},
      {kFeatureAmxBf16, "+amx-bf16"},
  };
  std::string features;
  for (auto [bit, name] : kNames) {
    if (!(profile.features & bit))
      continue;
    if (!features.empty())
      features += ',';
    features += name;
  }
  return features;
}

namespace {
struct PooledTargetMachine {
  std::string key;
  std::unique_ptr<TargetMachine> machine;
};

/// One machine or none. Moving it between lists needs no memory, which an
/// ending thread must not need.
using Machines = std::list<PooledTargetMachine>;

/// Machines that no thread uses. At most as many as there were threads at the
/// same time.
class TargetMachinePool {
public:
  Machines take(StringRef key) {
    std::lock_guard lock(mutex);
    auto found = llvm::find_if(
        idle, [&](const PooledTargetMachine &one) { return one.key == key; });
    Machines taken;
    if (found != idle.end())
      taken.splice(taken.begin(), idle, found);
    return taken;
  }
  void give(Machines &machines) {
    std::lock_guard lock(mutex);
    idle.splice(idle.end(), machines);
  }

private:
  std::mutex mutex;
  Machines idle;
};

/// A thread's machine. It returns to the pool when the thread ends.
struct ThreadTargetMachine {
  ~ThreadTargetMachine();
  Machines machine;
};
} // namespace

static TargetMachinePool &idleMachines() {
  // It outlives every thread.
  static auto *machines = new TargetMachinePool;
  return *machines;
}

ThreadTargetMachine::~ThreadTargetMachine() {
  if (!machine.empty())
    idleMachines().give(machine);
}

static thread_local ThreadTargetMachine kept;

void releaseTargetMachine() { idleMachines().give(kept.machine); }

Expected<TargetMachine *> targetMachine(const TargetProfile &profile) {
  std::string features = featureString(profile);
  std::string key = (cpuLevel(profile) + "," + features).str();
  if (!kept.machine.empty() && kept.machine.front().key == key)
    return kept.machine.front().machine.get();
  Machines found = idleMachines().take(key);
  if (found.empty()) {
    Expected<const Target *> target = x86Target();
    if (!target)
      return target.takeError();
    TargetOptions options;
    options.FunctionSections = true;
    options.DataSections = true;
    std::unique_ptr<TargetMachine> machine((*target)->createTargetMachine(
        targetTriple(), cpuLevel(profile), features, options, Reloc::PIC_,
        CodeModel::Small, CodeGenOptLevel::Default));
    if (!machine)
      return createStringError("LLVM cannot generate code for the profile '" +
                               profile.name + "'");
    found.push_back({std::move(key), std::move(machine)});
  }
  idleMachines().give(kept.machine);
  kept.machine.splice(kept.machine.begin(), found);
  return kept.machine.front().machine.get();
}

void forgetTargetMachine() {
  // Do not destroy them: a fatal error may have left them inconsistent.
  for (PooledTargetMachine &one : kept.machine)
    (void)one.machine.release();
  kept.machine.clear();
}

} // namespace xlac::jit
