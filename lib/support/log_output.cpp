#include "xlac/support/log_output.h"

#include "xlac/support/fork.h"

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

/// Uses one write, so that lines of several threads and processes do not mix.
void write_to_stderr(LogLevel level, std::string_view text) {
  std::string line = "xlac: ";
  if (level == LogLevel::Warning)
    line += "warning: ";
  line += text;
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0)
      return; // the error cannot be reported anywhere
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

constinit std::atomic<LogReceiver> receiver{nullptr};

} // namespace

void set_log_sink(LogCallback callback) {
  std::lock_guard lock(sink().mutex);
  sink().callback = std::move(callback);
}

void forward_log(LogReceiver receive) { receiver = receive; }

LogLevel level_of(std::string_view name) {
  return name == "error"     ? LogLevel::Error
         : name == "warning" ? LogLevel::Warning
                             : LogLevel::Info;
}

bool forward_line(LogLevel level, std::string_view text) {
  LogReceiver receive = receiver.load();
  if (receive)
    receive(static_cast<int>(level), text.data(), text.size());
  return receive;
}

void write_line(LogLevel level, std::string_view text) {
  std::lock_guard lock(sink().mutex);
  if (sink().callback)
    sink().callback(level, text);
  else
    write_to_stderr(level, text);
}

} // namespace xlac
