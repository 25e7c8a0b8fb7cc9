// Machine code of functions that kernels share (SharedFunction of
// xlac/Codegen/Codegen.h): the common ones were compiled with this library,
// others by earlier compilations of the process. Private to the component.
#ifndef XLAC_LIB_COMPILER_SHAREDOBJECTS_H
#define XLAC_LIB_COMPILER_SHAREDOBJECTS_H

#include "xlac/Jit/Jit.h"
#include "xlac/support/recently_used.h"
#include "xlac/support/target_profile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace xlac::compiler {

/// An ELF object that defines a shared function.
struct SharedObject {
  llvm::ArrayRef<char> code;
  std::shared_ptr<const jit::Object> owner; ///< null: part of this library

  explicit operator bool() const { return !code.empty(); }
};

/// The members may be called from several threads.
class SharedObjects {
public:
  static SharedObjects &process();

  /// Returns an object with the function `name` for `target`, or an empty one.
  SharedObject find(const TargetProfile &target, llvm::StringRef name);
  /// Keeps an object that defines `names`.
  void keep(const TargetProfile &target, llvm::ArrayRef<llvm::StringRef> names,
            const jit::Object &object);

private:
  SharedObjects();

  llvm::StringMap<llvm::ArrayRef<char>> included;
  RecentlyUsed<std::string, std::shared_ptr<const jit::Object>> compiled{4096};
};

} // namespace xlac::compiler

#endif
