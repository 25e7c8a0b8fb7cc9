#include "json.h"

#include <fmt/format.h>

#include <cmath>

namespace xlac::tool {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

void Json::add_raw(std::string_view key, std::string_view value) {
  if (!body_.empty())
    body_ += ", ";
  body_ += quoted(key);
  body_ += ": ";
  body_ += value;
}

void Json::add(std::string_view key, double value) {
  add_raw(key, std::isfinite(value) ? fmt::format("{:.6g}", value) : "null");
}
void Json::add(std::string_view key, int64_t value) {
  add_raw(key, fmt::format("{}", value));
}
void Json::add(std::string_view key, bool value) {
  add_raw(key, value ? "true" : "false");
}
void Json::add(std::string_view key, std::string_view value) {
  add_raw(key, quoted(value));
}

} // namespace xlac::tool
