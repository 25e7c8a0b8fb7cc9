// Reads debug information, by which errors name source lines. It is part of the
// compiler library, so the component that opens the library sets it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xlac {

/// "file:line" of the code at an address, "" if it has no debug information;
/// empty if the symbolizer is not available.
using Symbolizer = std::optional<std::string> (*)(uintptr_t address);

/// Sets the symbolizer; errors name no source lines before this call.
void set_symbolizer(Symbolizer symbolizer);

} // namespace xlac
