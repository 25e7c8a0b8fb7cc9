// Reads environment variables as text and numbers. settings.h defines those of
// xlac.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlac {

/// The variable's text; empty if it is unset or empty.
std::optional<std::string> environment_text(const char *name);

/// The variable as an integer; empty if it is unset or not an integer.
std::optional<int64_t> environment_number(const char *name);

/// Parses a byte count: "4096", "512M", "8G", "1T" (powers of 1024). Empty for
/// other text.
std::optional<int64_t> parse_bytes(std::string_view text);

} // namespace xlac
