// Links shared objects, and reads this library's build id.
#ifndef XLAC_LIB_COMPILER_SHAREDOBJECT_H
#define XLAC_LIB_COMPILER_SHAREDOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace xlac::compiler {

/// Links one object file with the system's linker (ld.lld or ld) and returns
/// the bytes of the shared object.
llvm::Expected<std::string> linkSharedObject(llvm::StringRef object);

/// Returns the ELF build id of this library in hex, which changes with its
/// code, and LLVM's version.
std::string ownBuildId();

} // namespace xlac::compiler

#endif
