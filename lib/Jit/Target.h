// The LLVM target of the Jit component, and its description by a TargetProfile:
// a micro-architecture level and feature bits, never the name of a CPU.
#ifndef XLAC_JIT_TARGET_H
#define XLAC_JIT_TARGET_H

#include "xlac/support/target_profile.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace xlac::jit {

/// x86-64 Linux ELF, on any build machine.
const llvm::Triple &targetTriple();

/// Returns the x86 target, initialized on the first call.
llvm::Expected<const llvm::Target *> x86Target();

/// Returns "x86-64-v2", "-v3" or "-v4": the level that the profile's features
/// imply.
llvm::StringRef cpuLevel(const TargetProfile &profile);

/// Returns the features beyond the level, such as "+avx512vnni,+avx512bf16".
std::string featureString(const TargetProfile &profile);

/// Returns this thread's machine for the profile: PIC, small code model, one
/// section for each function and datum. It is cached, because creating it and
/// its tables takes as long as compiling a small kernel.
llvm::Expected<llvm::TargetMachine *>
targetMachine(const TargetProfile &profile);

/// Lets another thread use this thread's machine.
void releaseTargetMachine();

/// Drops this thread's machine after an error that may have left it
/// inconsistent.
void forgetTargetMachine();

} // namespace xlac::jit

#endif
