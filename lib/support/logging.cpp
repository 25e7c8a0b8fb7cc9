#include "xlac/support/logging.h"

#include "xlac/support/fork.h"
#include "xlac/support/settings.h"

#include <atomic>
#include <mutex>
#include <string>
#include <unistd.h>

namespace xlac {

namespace {

struct Sink {
  ForkMutex mutex;
  LogCallback callback;
};

Sink &sink() {
  static auto *instance = new Sink; // outlives static destructors
  return *instance;
}

/// Made before there are threads: a child of a fork could not wait for them.
[[maybe_unused]] const auto &sink_made_early = sink();

LogLevel least_level() {
  static constinit FoundOnce<LogLevel> level;
  return level.get([] {
    std::string text = text_setting(SettingId::LogLevel).value_or("info");
    return text == "error"     ? LogLevel::Error
           : text == "warning" ? LogLevel::Warning
                               : LogLevel::Info;
  });
}

/// One write, so that lines of several threads and processes stay whole.
void write_line(LogLevel level, std::string_view text) {
  std::string line = "xlac: ";
  if (level == LogLevel::Warning)
    line += "warning: ";
  line += text;
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0)
      return; // there is no other place to report to
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

/// Whether this thread reads the settings of a message: what is wrong with
/// those is not reported through them.
thread_local bool is_logging = false;

constinit std::atomic<LogReceiver> receiver{nullptr};

} // namespace

void set_log_sink(LogCallback callback) {
  std::lock_guard lock(sink().mutex);
  sink().callback = std::move(callback);
}

void forward_log(LogReceiver receive) { receiver = receive; }

void log_message(LogLevel level, std::string_view text) {
  if (LogReceiver receive = receiver.load())
    return receive(static_cast<int>(level), text.data(), text.size());
  if (!is_logging) {
    is_logging = true;
    LogLevel least = least_level();
    is_logging = false;
    if (level < least)
      return;
  }
  std::lock_guard lock(sink().mutex);
  if (sink().callback)
    sink().callback(level, text);
  else
    write_line(level, text);
}

bool is_logged(std::string_view topic) {
  static constinit FoundOnce<uint32_t> named;
  uint32_t bits = named.get([] { return list_setting(SettingId::Logs); });
  return bits != 0 && bits & (value_bit(SettingId::Logs, topic) |
                              value_bit(SettingId::Logs, "all"));
}

} // namespace xlac
