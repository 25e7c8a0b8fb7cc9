// The reader of debug information, which errors find the program's lines with.
// It is in the compiler's library, so the component that opens it sets it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xlac {

/// "file:line" of the code at an address, "" without debug information of it;
/// nothing where the reader is not there.
using Symbolizer = std::optional<std::string> (*)(uintptr_t address);

/// Errors name no lines until this is called.
void set_symbolizer(Symbolizer symbolizer);

} // namespace xlac
