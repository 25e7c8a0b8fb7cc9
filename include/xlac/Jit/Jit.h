// Compiles LLVM modules to native code: a short pass list, code generation for
// a target profile, and JITLink to link position-independent blobs.
#ifndef XLAC_JIT_JIT_H
#define XLAC_JIT_JIT_H

#include "xlac/runtime/image.h"
#include "xlac/support/target_profile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <exception>
#include <functional>

namespace xlac::jit {

/// Sets the triple and the data layout. Sets the target features, the preferred
/// vector width, no-jump-tables and nounwind on every function. Must be called
/// before functions are emitted into the module.
llvm::Error prepareModule(llvm::Module &module, const TargetProfile &profile);

/// Runs the optimization passes for emitted kernels on the module: scalar
/// replacement, CSE, instruction combining, LICM and CFG simplification.
llvm::Error optimize(llvm::Module &module, const TargetProfile &profile);

/// The bytes of an ELF object.
using Object = llvm::SmallVector<char, 0>;

/// Compiles the module to an object, or to assembly text. At the level None,
/// which also a module of `optnone` functions has, LLVM selects instructions
/// and allocates registers in its fastest ways.
llvm::Expected<Object>
compileToObject(llvm::Module &module, const TargetProfile &profile,
                llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default);
llvm::Expected<std::string> compileToAssembly(llvm::Module &module,
                                              const TargetProfile &profile);

/// Returns true for the global symbols that a blob must contain. An empty
/// filter selects all global symbols.
using RootFilter = std::function<bool(llvm::StringRef symbol)>;

/// Links the object with other objects, `libraries`, into one blob for each of
/// `roots`. A blob contains its roots and everything that they reference, and
/// does not depend on the other blobs. Fails, naming the symbol, if a symbol is
/// undefined, and naming the relocation if it is absolute.
llvm::Expected<std::vector<runtime::Blob>>
linkBlobs(const Object &object, const TargetProfile &profile,
          llvm::ArrayRef<RootFilter> roots,
          llvm::ArrayRef<llvm::ArrayRef<char>> libraries = {});

/// The same, with the whole object in one blob.
llvm::Expected<runtime::Blob> linkBlob(const Object &object,
                                       const TargetProfile &profile);

/// Runs optimize, compileToObject and linkBlob.
llvm::Expected<runtime::Blob> compileToBlob(llvm::Module &module,
                                            const TargetProfile &profile);

/// Compiles a small function and discards it. Afterwards LLVM has done its
/// initialization for the process, and its code and tables are in memory.
void warmUp(const TargetProfile &profile);

/// Runs `work` and returns the exception that it threw, or null. The exception
/// is std::bad_alloc if an allocation failed in LLVM, and std::runtime_error
/// with LLVM's message after a fatal error. LLVM objects in use then leak and
/// must not be destroyed.
std::exception_ptr exceptionOf(llvm::function_ref<void()> work);

/// Reports an allocation failure. Inside exceptionOf, execution continues at
/// its begin without running destructors, and it returns std::bad_alloc.
/// Elsewhere this function throws std::bad_alloc.
[[noreturn]] void failForMemory();

} // namespace xlac::jit

#endif
