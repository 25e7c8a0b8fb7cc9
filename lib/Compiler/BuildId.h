// This library's build id. Private to the component.
#ifndef XLAC_LIB_COMPILER_BUILDID_H
#define XLAC_LIB_COMPILER_BUILDID_H

#include <string>

namespace xlac::compiler {

/// Returns the ELF build id of this library in hex, which changes with its
/// code, and LLVM's version.
std::string ownBuildId();

} // namespace xlac::compiler

#endif
