// The environment variables that xlac reads, in one table (settings.def). A
// value that the table does not allow counts as unset: readers return the
// failure or report it once as a warning. Variables that begin with XLAC_ and
// are not in the table are also reported once.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// The format of a setting's value.
enum class SettingType {
  Text,
  Flag,    ///< 1, true, on or yes; 0, false, off or no; case-insensitive
  Integer, ///< a decimal number
  Bytes,   ///< a decimal number, optionally with K, M, G or T (powers of 1024)
  Seconds, ///< a positive decimal number, optionally with a fraction
  Choice,  ///< one of the words of `values`
  List,    ///< comma-separated words of `values`
};

/// The section of docs/reference/settings.md that lists a setting.
enum class SettingGroup { Execution, Devices, Cache, Diagnostics, Jobs };

enum class SettingId {
#define XLAC_SETTING(id, ...) id,
#include "xlac/support/settings.def"
};

struct Setting {
  const char *name;
  SettingGroup group;
  SettingType type;
  int64_t least, most;            ///< bounds of numbers
  std::string_view default_value; ///< described in words
  std::string_view values;        ///< of a Choice or List
  std::string_view use;           ///< its effect, without a full stop
};

/// All settings, in the order of SettingId.
std::span<const Setting> all_settings();

/// Accepted values of the setting for messages: "a whole number from 1 to
/// 4096".
std::string accepted_values(const Setting &setting);

/// The value of the setting; empty if the variable is unset or empty. A value
/// that the table does not allow is a User failure with variable, value and
/// accepted values. Words of a Choice or List are converted to lower case.
Result<std::optional<std::string>> read_text(SettingId id);
Result<std::optional<bool>> read_flag(SettingId id);
/// An Integer, or the number of bytes.
Result<std::optional<int64_t>> read_integer(SettingId id);
Result<std::optional<double>> read_seconds(SettingId id);

/// The same, for readers with a default: a value that the table does not allow
/// is reported once as a warning and counts as unset.
std::optional<std::string> text_setting(SettingId id);
bool flag_setting(SettingId id, bool otherwise = false);
std::optional<int64_t> integer_setting(SettingId id);
/// The words of a List, combined by value_bit(); 0 if unset.
uint32_t list_setting(SettingId id);

/// A distinct bit for each word of a Choice or List; `word` must be one of
/// them.
uint32_t value_bit(SettingId id, std::string_view word);

/// Environment variables that begin with XLAC_ and are not settings, sorted.
/// Variables of xlac's own tests and scripts are excluded, such as those that
/// begin with XLAC_TEST_.
std::vector<std::string> unknown_settings();

} // namespace xlac
