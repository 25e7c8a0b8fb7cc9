// Opens libxlac_compiler.so when something must really be compiled, and knows
// its build id without opening it: a warm start never maps LLVM.
#pragma once

#include "xlac/compiler.h"

#include <filesystem>
#include <string>

namespace xlac {

/// Where libxlac_compiler.so lies: XLAC_COMPILER_LIBRARY, else beside the
/// library or program that holds this code, else in ../lib of that.
Result<std::filesystem::path> find_compiler_library();

/// Hex of the library's ELF build id, read from the file's notes. Part of every
/// cache key.
Result<std::string> compiler_build_id();

/// The compiler, opened once a process. Fails when the library is missing, does
/// not load, speaks another interface or has changed since its id was read.
Result<Compiler *> open_compiler();

/// True once open_compiler has opened the library.
bool compiler_is_open();

} // namespace xlac
