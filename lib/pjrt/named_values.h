// Named values: attributes and properties that the plugin returns, and options
// that it receives.
#pragma once

#include "c_api.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlac::pjrt {

/// Returns a string value. `name` and `text` must outlive it.
PJRT_NamedValue named_value(std::string_view name, std::string_view text);
/// Returns an integer value. `name` must outlive it.
PJRT_NamedValue named_value(std::string_view name, int64_t value);
/// Returns a float value. `name` must outlive it.
PJRT_NamedValue named_value(std::string_view name, float value);
/// Returns a list of `size` integers. `name` and `list` must outlive it.
PJRT_NamedValue named_value(std::string_view name, const int64_t *list,
                            size_t size);

/// The options of a call. Options of another type than requested are ignored.
class Options {
public:
  /// `values` must outlive the object.
  Options(const PJRT_NamedValue *values, size_t count)
      : values_(values), count_(count) {}
  /// Returns the integer option of that name, or nothing.
  std::optional<int64_t> integer(std::string_view name) const;
  /// Returns the string option of that name, or nothing.
  std::optional<std::string> text(std::string_view name) const;

private:
  const PJRT_NamedValue *find(std::string_view name,
                              PJRT_NamedValue_Type type) const;
  const PJRT_NamedValue *values_;
  size_t count_;
};

} // namespace xlac::pjrt
