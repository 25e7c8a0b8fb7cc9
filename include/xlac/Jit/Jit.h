// LLVM modules to native code: the short pass list, code generation for a
// target profile, and JITLink to cut one position-independent blob.
#ifndef XLAC_JIT_JIT_H
#define XLAC_JIT_JIT_H

#include "xlac/runtime/image.h"
#include "xlac/support/target_profile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace xlac::jit {

/// Sets triple, data layout, and on every function the target features, the
/// preferred vector width, no-jump-tables and nounwind. Call before emitting
/// into the module.
llvm::Error prepareModule(llvm::Module &module, const TargetProfile &profile);

/// Runs the pass list of design section 3 over the module.
llvm::Error optimize(llvm::Module &module, const TargetProfile &profile);

/// The module as an ELF object or assembly text.
llvm::Expected<llvm::SmallVector<char, 0>>
compileToObject(llvm::Module &module, const TargetProfile &profile);
llvm::Expected<std::string> compileToAssembly(llvm::Module &module,
                                              const TargetProfile &profile);

/// True for the symbols that a blob is cut for; empty means all global ones.
using RootFilter = std::function<bool(llvm::StringRef symbol)>;

/// Links the object against nothing, keeping what the roots reach. Fails,
/// naming the symbol, when the code needs one, and naming the relocation when
/// it is absolute.
llvm::Expected<Blob> linkBlob(llvm::ArrayRef<char> object,
                              const TargetProfile &profile,
                              RootFilter isRoot = {});

/// optimize, compileToObject and linkBlob.
llvm::Expected<Blob> compileToBlob(llvm::Module &module,
                                   const TargetProfile &profile);

} // namespace xlac::jit

#endif
