#include "xlac/support/environment.h"

#include <charconv>
#include <cstdlib>

namespace xlac {

std::optional<std::string> environment_text(const char *name) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return std::nullopt;
  return text;
}

static std::optional<int64_t> parse_number(std::string_view text) {
  int64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<int64_t> environment_number(const char *name) {
  auto text = environment_text(name);
  return text ? parse_number(*text) : std::nullopt;
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  int shift = 0;
  if (!text.empty()) {
    size_t unit = kUnits.find(text.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<int>(unit) + 1);
      text.remove_suffix(1);
    }
  }
  auto number = parse_number(text);
  if (!number || *number < 0 || *number > (INT64_MAX >> shift))
    return std::nullopt;
  return *number << shift;
}

} // namespace xlac
