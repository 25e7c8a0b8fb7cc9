// LLVM modules to native code: the short pass list, code generation for a
// target profile, and JITLink to cut one position-independent blob.
#ifndef XLAC_JIT_JIT_H
#define XLAC_JIT_JIT_H

#include "xlac/runtime/image.h"
#include "xlac/support/target_profile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <exception>
#include <functional>

namespace xlac::jit {

/// Sets triple, data layout, and on every function the target features, the
/// preferred vector width, no-jump-tables and nounwind. Call before emitting
/// into the module.
llvm::Error prepareModule(llvm::Module &module, const TargetProfile &profile);

/// Runs the pass list of design section 3 over the module.
llvm::Error optimize(llvm::Module &module, const TargetProfile &profile);

/// The bytes of an ELF object.
using Object = llvm::SmallVector<char, 0>;

/// The module as an object or assembly text.
llvm::Expected<Object> compileToObject(llvm::Module &module,
                                       const TargetProfile &profile);
llvm::Expected<std::string> compileToAssembly(llvm::Module &module,
                                              const TargetProfile &profile);

/// True for the symbols that a blob is cut for; empty means all global ones.
using RootFilter = std::function<bool(llvm::StringRef symbol)>;

/// Links the object against `libraries` alone into one blob for each of
/// `roots`, keeping what they reach; a blob does not depend on the others.
/// Fails, naming the symbol, when the code needs one that is nowhere, and
/// naming the relocation when it is absolute.
llvm::Expected<std::vector<runtime::Blob>>
linkBlobs(const Object &object, const TargetProfile &profile,
          llvm::ArrayRef<RootFilter> roots,
          llvm::ArrayRef<const Object *> libraries = {});

/// The same with all of the object in one blob.
llvm::Expected<runtime::Blob> linkBlob(const Object &object,
                                       const TargetProfile &profile);

/// optimize, compileToObject and linkBlob.
llvm::Expected<runtime::Blob> compileToBlob(llvm::Module &module,
                                            const TargetProfile &profile);

/// Compiles something small and throws it away: what LLVM sets up once a
/// process, and the code and the tables that it reads first, are then there for
/// what follows.
void warmUp(const TargetProfile &profile);

/// Does `work`, and returns what it threw, or null: std::bad_alloc if LLVM got
/// no memory, std::runtime_error with LLVM's reason after a fatal error. What
/// `work` was at in LLVM then leaks and must not be destroyed.
std::exception_ptr exceptionOf(llvm::function_ref<void()> work);

/// Where exceptionOf began on this thread, std::bad_alloc comes from there;
/// elsewhere it is thrown. Destroys nothing on the way.
[[noreturn]] void failForMemory();

} // namespace xlac::jit

#endif
