#include "Target.h"

#include "llvm-c/Target.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace llvm;

namespace xlac::jit {

/// Emitted loops step through memory as the target likes best already, and loop
/// strength reduction takes longer than all the rest of code generation. LLVM
/// has no other switch for it than this option of the process.
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
      {kFeatureAvx512Vnni, "+avx512vnni"}, {kFeatureAvx512Bf16, "+avx512bf16"},
      {kFeatureAvx512Fp16, "+avx512fp16"}, {kFeatureAmxTile, "+amx-tile"},
      {kFeatureAmxInt8, "+amx-int8"},      {kFeatureAmxBf16, "+amx-bf16"},
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
struct KeptMachine {
  std::string key;
  std::unique_ptr<TargetMachine> machine;
};

/// Machines that no thread has. As many as there were threads at once.
class IdleMachines {
public:
  std::unique_ptr<TargetMachine> take(StringRef key) {
    std::lock_guard lock(mutex);
    auto found = llvm::find_if(
        idle, [&](const KeptMachine &one) { return one.key == key; });
    if (found == idle.end())
      return nullptr;
    std::unique_ptr<TargetMachine> machine = std::move(found->machine);
    idle.erase(found);
    return machine;
  }
  void give(KeptMachine one) {
    std::lock_guard lock(mutex);
    idle.push_back(std::move(one));
  }

private:
  std::mutex mutex;
  std::vector<KeptMachine> idle;
};

/// A thread's own machine, which others may have once the thread has ended.
struct ThreadMachine : KeptMachine {
  ~ThreadMachine();
};
} // namespace

static IdleMachines &idleMachines() {
  // Outlives every thread.
  static auto *machines = new IdleMachines;
  return *machines;
}

ThreadMachine::~ThreadMachine() {
  if (machine)
    idleMachines().give(std::move(*this));
}

static thread_local ThreadMachine kept;

Expected<TargetMachine *> targetMachine(const TargetProfile &profile) {
  std::string features = featureString(profile);
  std::string key = (cpuLevel(profile) + "," + features).str();
  if (kept.machine && kept.key == key)
    return kept.machine.get();
  std::unique_ptr<TargetMachine> machine = idleMachines().take(key);
  if (!machine) {
    Expected<const Target *> target = x86Target();
    if (!target)
      return target.takeError();
    TargetOptions options;
    options.FunctionSections = true;
    options.DataSections = true;
    machine.reset((*target)->createTargetMachine(
        targetTriple(), cpuLevel(profile), features, options, Reloc::PIC_,
        CodeModel::Small, CodeGenOptLevel::Default));
  }
  if (!machine)
    return createStringError("LLVM cannot generate code for the profile '" +
                             profile.name + "'");
  if (kept.machine)
    idleMachines().give(std::move(kept));
  kept.key = std::move(key);
  kept.machine = std::move(machine);
  return kept.machine.get();
}

void forgetTargetMachine() {
  // Not destroyed: a fatal error may have left it in pieces.
  (void)kept.machine.release();
}

} // namespace xlac::jit
