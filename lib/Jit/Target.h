// The one LLVM target of the Jit, and how a TargetProfile names it: a
// micro-architecture level and feature bits, never the name of a CPU.
#ifndef XLAC_JIT_TARGET_H
#define XLAC_JIT_TARGET_H

#include "xlac/support/target_profile.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace xlac::jit {

/// x86-64 Linux ELF, whatever the machine this was built for.
const llvm::Triple &targetTriple();

/// The x86 target, initialised on the first call.
llvm::Expected<const llvm::Target *> x86Target();

/// "x86-64-v2", "-v3" or "-v4": the level that the profile's features imply.
llvm::StringRef cpuLevel(const TargetProfile &profile);

/// The features beyond the level, as in "+avx512vnni,+avx512bf16".
std::string featureString(const TargetProfile &profile);

/// This thread's machine for the profile: PIC, small code model, one section a
/// function and a datum. Kept, since building one and its tables costs as much
/// as compiling a small kernel.
llvm::Expected<llvm::TargetMachine *>
targetMachine(const TargetProfile &profile);

/// Drops what this thread keeps, after an error that may have left it broken.
void forgetTargetMachine();

} // namespace xlac::jit

#endif
