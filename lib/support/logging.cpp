#include "xlac/support/logging.h"

#include "xlac/support/log_output.h"
#include "xlac/support/settings.h"

namespace xlac {

static LogLevel least_level() {
  static const LogLevel level =
      level_of(text_setting(SettingId::LogLevel).value_or("info"));
  return level;
}

void log_message(LogLevel level, std::string_view text) {
  if (!forward_line(level, text) && level >= least_level())
    write_line(level, text);
}

bool is_logged(std::string_view topic) {
  static const uint32_t bits = list_setting(SettingId::Logs);
  return bits != 0 && bits & (value_bit(SettingId::Logs, topic) |
                              value_bit(SettingId::Logs, "all"));
}

} // namespace xlac
