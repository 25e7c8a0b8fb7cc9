// One flat JSON object, written in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xlac::tool {

class Json {
public:
  void add(std::string_view key, double value);
  void add(std::string_view key, int64_t value);
  void add(std::string_view key, bool value);
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, const char *value) {
    add(key, std::string_view(value));
  }
  /// `value` is JSON already.
  void add_raw(std::string_view key, std::string_view value);
  std::string text() const { return "{" + body_ + "}"; }

private:
  std::string body_;
};

/// `text` in quotes, escaped.
std::string quoted(std::string_view text);

} // namespace xlac::tool
