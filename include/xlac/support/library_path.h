// Finds the libraries that xlac opens at run time.
#pragma once

#include "xlac/support/result.h"

#include <filesystem>
#include <string_view>

namespace xlac {

/// The path of a library of xlac: in the folder of the library or program that
/// contains this function, or, for a program in bin, in the library folders
/// beside bin. Runtime failure that lists the searched folders if it is in none
/// of them.
Result<std::filesystem::path> find_own_library(std::string_view name);

} // namespace xlac
