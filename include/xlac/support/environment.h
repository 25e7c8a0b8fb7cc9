// Texts and numbers of environment variables. settings.h has those of xlac.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlac {

/// The variable's text; nothing when it is unset or empty.
std::optional<std::string> environment_text(const char *name);

/// The variable as a whole number; nothing when it is unset or is none.
std::optional<int64_t> environment_number(const char *name);

/// A count of bytes: "4096", "512M", "8G", "1T" (powers of 1024). Nothing for
/// any other text.
std::optional<int64_t> parse_bytes(std::string_view text);

} // namespace xlac
