// JSON objects and lists of reports, based on nlohmann/json. That header takes
// three seconds to compile, so only one source file includes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace xlac::cli {

/// An object, whose members keep their order, or a list.
class Json {
public:
  /// Makes an empty object.
  Json();
  /// Makes an empty list.
  static Json list();
  Json(Json &&other) noexcept;
  Json &operator=(Json &&other) noexcept;
  ~Json();

  /// Adds a member to an object. Numbers that are not finite become null.
  void add(std::string_view key, double value);
  void add(std::string_view key, int64_t value);
  void add(std::string_view key, bool value);
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, const char *value) {
    add(key, std::string_view(value));
  }
  void add(std::string_view key, Json value);

  /// Adds an element to a list.
  void push(double value);
  void push(int64_t value);
  void push(std::string_view value);
  void push(Json value);

  /// Returns one line of UTF-8; invalid bytes in strings become U+FFFD.
  std::string text() const;

private:
  struct Value;
  std::unique_ptr<Value> value_;
};

} // namespace xlac::cli
