#include "xlac/support/settings.h"

#include "xlac/support/environment.h"
#include "xlac/support/log_output.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cctype>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <unistd.h>

namespace xlac {

namespace {

constexpr Setting kSettings[] = {
#define XLAC_SETTING(id, name, group, type, least, most, default_value,        \
                     values, use)                                              \
  {name,                                                                       \
   SettingGroup::group,                                                        \
   SettingType::type,                                                          \
   least,                                                                      \
   most,                                                                       \
   default_value,                                                              \
   values,                                                                     \
   use},
#include "xlac/support/settings.def"
};
constexpr size_t kCount = std::size(kSettings);

/// Variables of the build script, the tests and the examples.
constexpr std::string_view kDevelopment[] = {
    "XLAC_EXAMPLE_TEXT",   "XLAC_FULL_SIZE",
    "XLAC_GROWTH_LOG",     "XLAC_JAX_PYTHON",
    "XLAC_JOBS",           "XLAC_MANY_FAULTS",
    "XLAC_PEER_ARTIFACTS", "XLAC_RANDOM_PROGRAMS",
    "XLAC_SHARED",         "XLAC_TORCH_PYTHON",
};

const Setting &entry(SettingId id) {
  return kSettings[static_cast<size_t>(id)];
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The comma-separated words of `list`.
std::vector<std::string_view> words(std::string_view list) {
  std::vector<std::string_view> found;
  while (!list.empty()) {
    size_t end = std::min(list.find(','), list.size());
    if (end > 0)
      found.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return found;
}

bool holds(std::string_view list, std::string_view word) {
  return std::ranges::count(words(list), word) > 0;
}

Failure refused(const Setting &setting, std::string_view text) {
  return failure(FailureKind::User, std::string(setting.name) + " is '" +
                                        std::string(text) + "', wanted " +
                                        accepted_values(setting));
}

/// Whether a wrong value is an error of the call that needs the setting.
bool is_error_if_wrong(const Setting &setting) {
  return setting.type == SettingType::Bytes ||
         setting.group == SettingGroup::Devices ||
         setting.group == SettingGroup::Jobs;
}

/// Writes a warning. Logging reads settings, so this function reads the log
/// level itself and does not report an invalid log level.
void warn(const std::string &text) {
  if (forward_line(LogLevel::Warning, text))
    return;
  auto least = read_text(SettingId::LogLevel);
  if (LogLevel::Warning >= level_of(least ? least->value_or("") : ""))
    write_line(LogLevel::Warning, text);
}

/// Warns once per process and setting.
void warn_of_value(const Setting &setting, const Failure &why) {
  static std::array<std::atomic<bool>, kCount> reported{};
  if (!reported[static_cast<size_t>(&setting - kSettings)].exchange(true))
    warn(why.message +
         "; the default holds: " + std::string(setting.default_value));
}

std::optional<Failure> wrong_value(SettingId id);

/// Reports wrong values and unknown variables before the first setting is used.
/// Settings that are never read are reported too.
void check_environment_once() {
  static std::atomic<bool> checked{false};
  if (checked.exchange(true))
    return;
  for (const std::string &name : unknown_settings())
    warn(name + " is not a setting of xlac and has no effect; "
                "`xlac settings` lists those that have");
  for (size_t i = 0; i < kCount; ++i)
    if (!is_error_if_wrong(kSettings[i]))
      if (auto why = wrong_value(static_cast<SettingId>(i)))
        warn_of_value(kSettings[i], *why);
}

/// The value, or empty with a warning.
template <class T>
std::optional<T> value_or_warning(SettingId id, Result<std::optional<T>> read) {
  check_environment_once();
  if (read)
    return *std::move(read);
  warn_of_value(entry(id), read.error());
  return std::nullopt;
}

std::optional<bool> parse_flag(const std::string &text) {
  std::string word = lower_case(text);
  if (holds("1,true,on,yes", word))
    return true;
  if (holds("0,false,off,no", word))
    return false;
  return std::nullopt;
}

} // namespace

std::span<const Setting> all_settings() { return kSettings; }

std::string accepted_values(const Setting &setting) {
  switch (setting.type) {
  case SettingType::Text:
    return "any text";
  case SettingType::Flag:
    return "1 or 0, true or false, on or off, yes or no";
  case SettingType::Integer:
    if (setting.most >= INT32_MAX)
      return "an integer of at least " + std::to_string(setting.least);
    return "an integer from " + std::to_string(setting.least) + " to " +
           std::to_string(setting.most);
  case SettingType::Bytes:
    return "bytes such as 512M or 8G";
  case SettingType::Seconds:
    return "a positive number of seconds";
  case SettingType::Choice:
  case SettingType::List:
    break;
  }
  std::string text = setting.type == SettingType::List ? "some of " : "one of ";
  for (std::string_view word : words(setting.values))
    text +=
        (word.data() == setting.values.data() ? "" : ", ") + std::string(word);
  return text;
}

Result<std::optional<std::string>> read_text(SettingId id) {
  const Setting &setting = entry(id);
  auto text = environment_text(setting.name);
  if (!text || setting.values.empty())
    return text;
  std::string lower = lower_case(*text);
  bool is_choice = setting.type == SettingType::Choice;
  bool is_allowed = is_choice ? holds(setting.values, lower)
                              : std::ranges::all_of(words(lower), [&](auto w) {
                                  return holds(setting.values, w);
                                });
  if (!is_allowed)
    return refused(setting, *text);
  return std::optional(std::move(lower));
}

Result<std::optional<bool>> read_flag(SettingId id) {
  auto text = environment_text(entry(id).name);
  if (!text)
    return std::optional<bool>();
  auto value = parse_flag(*text);
  if (!value)
    return refused(entry(id), *text);
  return value;
}

Result<std::optional<int64_t>> read_integer(SettingId id) {
  const Setting &setting = entry(id);
  auto text = environment_text(setting.name);
  if (!text)
    return std::optional<int64_t>();
  auto value = setting.type == SettingType::Bytes
                   ? parse_bytes(*text)
                   : environment_number(setting.name);
  if (!value || *value < setting.least || *value > setting.most)
    return refused(setting, *text);
  return value;
}

Result<std::optional<double>> read_seconds(SettingId id) {
  const Setting &setting = entry(id);
  auto text = environment_text(setting.name);
  if (!text)
    return std::optional<double>();
  char *end = nullptr;
  double value = std::strtod(text->c_str(), &end);
  if (*end != 0 || !(value > 0))
    return refused(setting, *text);
  return std::optional(std::min(value, static_cast<double>(setting.most)));
}

namespace {

std::optional<Failure> wrong_value(SettingId id) {
  auto failure_of = [](const auto &read) {
    return read ? std::nullopt : std::optional(read.error());
  };
  switch (entry(id).type) {
  case SettingType::Flag:
    return failure_of(read_flag(id));
  case SettingType::Integer:
  case SettingType::Bytes:
    return failure_of(read_integer(id));
  case SettingType::Seconds:
    return failure_of(read_seconds(id));
  case SettingType::Text:
  case SettingType::Choice:
  case SettingType::List:
    return failure_of(read_text(id));
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> text_setting(SettingId id) {
  return value_or_warning(id, read_text(id));
}

bool flag_setting(SettingId id, bool otherwise) {
  return value_or_warning(id, read_flag(id)).value_or(otherwise);
}

std::optional<int64_t> integer_setting(SettingId id) {
  return value_or_warning(id, read_integer(id));
}

uint32_t list_setting(SettingId id) {
  uint32_t bits = 0;
  std::string text = text_setting(id).value_or("");
  for (std::string_view word : words(text))
    bits |= value_bit(id, word);
  return bits;
}

uint32_t value_bit(SettingId id, std::string_view word) {
  std::vector<std::string_view> all = words(entry(id).values);
  auto at = std::ranges::find(all, word);
  assert(at != all.end() && "the table has the word");
  return uint32_t{1} << (at - all.begin());
}

std::vector<std::string> unknown_settings() {
  std::vector<std::string> found;
  for (char **variable = environ; variable && *variable; ++variable) {
    std::string_view text = *variable;
    std::string_view name = text.substr(0, text.find('='));
    bool is_known =
        !name.starts_with("XLAC_") || name.starts_with("XLAC_TEST_") ||
        std::ranges::count(kDevelopment, name) > 0 ||
        std::ranges::any_of(kSettings,
                            [&](const Setting &s) { return name == s.name; });
    if (!is_known)
      found.emplace_back(name);
  }
  std::ranges::sort(found);
  return found;
}

} // namespace xlac
