// Loads libxlac_compiler.so on the first compilation and reads its build id
// without loading it. A start with a warm cache never maps LLVM.
#pragma once

#include "xlac/compiler.h"

#include <filesystem>
#include <string>

namespace xlac {

/// Path of libxlac_compiler.so: XLAC_COMPILER_LIBRARY, else in the directory of
/// the library or program that contains this code, else in a library directory
/// next to that, such as ../lib.
Result<std::filesystem::path> find_compiler_library();

/// The library's ELF build id in hexadecimal, read from the file's notes. It is
/// part of every cache key.
Result<std::string> compiler_build_id();

/// The compiler, opened once per process. Fails if the library is missing, does
/// not load, has another interface version, or has changed since its id was
/// read.
Result<Compiler *> open_compiler();

/// Whether open_compiler has opened the library.
bool compiler_is_open();

} // namespace xlac
