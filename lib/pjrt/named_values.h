// Named values: attributes and properties that the plugin gives, options that
// it gets.
#pragma once

#include "c_api.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlac::pjrt {

/// Their names, texts and lists must outlive the values.
PJRT_NamedValue named_value(std::string_view name, std::string_view text);
PJRT_NamedValue named_value(std::string_view name, int64_t value);
PJRT_NamedValue named_value(std::string_view name, float value);
PJRT_NamedValue named_value(std::string_view name, const int64_t *list,
                            size_t size);

/// The options of a call by name; those of other types than asked for count as
/// absent.
class Options {
public:
  Options(const PJRT_NamedValue *values, size_t count)
      : values_(values), count_(count) {}
  std::optional<int64_t> integer(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;

private:
  const PJRT_NamedValue *find(std::string_view name,
                              PJRT_NamedValue_Type type) const;
  const PJRT_NamedValue *values_;
  size_t count_;
};

} // namespace xlac::pjrt
