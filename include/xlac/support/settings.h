// The environment variables that xlac reads, in one table (settings.def).
// A value that the table does not allow counts as unset: readers either return
// the failure or report it once as a warning. Variables that begin with XLAC_
// and are not in the table are reported once as well.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// What the text of a setting must be.
enum class SettingType {
  Text,
  Flag,    ///< 1, true, on or yes; 0, false, off or no; in any case
  Integer, ///< a decimal number
  Bytes,   ///< a decimal number, then K, M, G or T for powers of 1024, or none
  Seconds, ///< a positive decimal number, with a fraction or not
  Choice,  ///< one of the words of `values`
  List,    ///< words of `values` with commas between
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
  int64_t least, most;            ///< of numbers
  std::string_view default_value; ///< in words
  std::string_view values;        ///< of a Choice or List
  std::string_view use;           ///< what it does, without a full stop
};

/// All settings, in the order of SettingId.
std::span<const Setting> all_settings();

/// What the setting's text must be, as messages say it: "a whole number from 1
/// to 4096".
std::string accepted_values(const Setting &setting);

/// The setting's value; nothing where the variable is unset or empty; a failure
/// of FailureKind::User, which names variable, text and accepted values, where
/// the table does not allow it. Words of a Choice or List come in lower case.
Result<std::optional<std::string>> read_text(SettingId id);
Result<std::optional<bool>> read_flag(SettingId id);
/// An Integer, or the number of bytes.
Result<std::optional<int64_t>> read_integer(SettingId id);
Result<std::optional<double>> read_seconds(SettingId id);

/// The same, for readers that have a default: a value that the table does not
/// allow is reported once as a warning and counts as unset.
std::optional<std::string> text_setting(SettingId id);
bool flag_setting(SettingId id, bool otherwise = false);
std::optional<int64_t> integer_setting(SettingId id);
/// The words of a List as value_bit() of each; 0 when unset.
uint32_t list_setting(SettingId id);

/// A bit of its own for each word that the table gives for a Choice or List;
/// `word` is one of them.
uint32_t value_bit(SettingId id, std::string_view word);

/// The variables of the environment that begin with XLAC_ and that no setting
/// has, sorted. Those of xlac's own tests and scripts, XLAC_TEST_ and a few
/// more, are not among them.
std::vector<std::string> unknown_settings();

} // namespace xlac
