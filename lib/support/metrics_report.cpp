#include "xlac/support/metrics_report.h"

#include "xlac/support/file_writer.h"
#include "xlac/support/fork.h"
#include "xlac/support/logging.h"
#include "xlac/support/metrics.h"
#include "xlac/support/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <utility>

namespace xlac::metrics {

std::string time_text(double nanoseconds) {
  struct Part {
    const char *suffix;
    double nanoseconds;
    const char *format;
  };
  constexpr Part kParts[] = {{"d", 86400e9, "{:d}"},
                             {"h", 3600e9, "{:02d}"},
                             {"m", 60e9, "{:02d}"},
                             {"s", 1e9, "{:02d}"},
                             {"ms", 1e6, "{:03d}"}};
  std::string text;
  for (const Part &part : kParts) {
    auto count = static_cast<int64_t>(nanoseconds / part.nanoseconds);
    if (count <= 0 && text.empty())
      continue;
    nanoseconds -= static_cast<double>(count) * part.nanoseconds;
    text += fmt::format(fmt::runtime(part.format), count) + part.suffix;
  }
  return text + fmt::format("{:07.3f}us", nanoseconds / 1e3);
}

std::string bytes_text(double bytes) {
  constexpr const char *kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (std::fabs(bytes) >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.2f}{}", bytes, kUnits[unit]);
}

namespace {

std::string value_text(Unit unit, double value) {
  switch (unit) {
  case Unit::Nanoseconds:
    return time_text(value);
  case Unit::Bytes:
    return bytes_text(value);
  case Unit::Number:
    break;
  }
  return fmt::format("{:.2f}", value);
}

/// Rates over the time span of the kept samples.
std::string rates_text(const MetricState &state) {
  if (state.samples.size() < 2)
    return "";
  double span = state.samples.back().time - state.samples.front().time;
  if (span <= 0)
    return "";
  double sum = 0;
  for (const TimedValue &sample : state.samples)
    sum += sample.value;
  return fmt::format("  ValueRate: {} / second\n  Rate: {:.6g} / second\n",
                     value_text(state.unit, sum / span),
                     static_cast<double>(state.samples.size()) / span);
}

std::string percentiles_text(const MetricState &state) {
  std::vector<double> values;
  for (const TimedValue &sample : state.samples)
    values.push_back(sample.value);
  std::sort(values.begin(), values.end());
  std::string text = "  Percentiles: ";
  const char *separator = "";
  for (int percent : {1, 5, 10, 20, 50, 80, 90, 95, 99}) {
    size_t index = static_cast<size_t>(percent) * values.size() / 100;
    text += fmt::format(
        "{}{}%={}", separator, percent,
        value_text(state.unit, values[std::min(index, values.size() - 1)]));
    separator = "; ";
  }
  return text + "\n";
}

} // namespace

std::string report(const std::vector<std::string> &metric_names,
                   const std::vector<std::string> &counter_names) {
  std::string text;
  for (const std::string &name : metric_names) {
    auto state = find_metric(name);
    if (!state)
      continue;
    text +=
        fmt::format("Metric: {}\n  TotalSamples: {}\n  Accumulator: {}\n", name,
                    state->total, value_text(state->unit, state->sum));
    text += rates_text(*state) + percentiles_text(*state);
  }
  for (const std::string &name : counter_names)
    if (auto value = find_counter(name))
      text += fmt::format("Counter: {}\n  Value: {}\n", name, *value);
  return text;
}

std::string full_report() {
  return report(active_metrics(), active_counters());
}

void append_report_to_file() {
  static const auto path = text_setting(SettingId::MetricsFile);
  if (!path)
    return;
  static ForkMutex mutex;
  std::lock_guard lock(mutex);
  static bool has_warned = false;
  Status written = append_to_file(*path, full_report() + "\n");
  if (!written && !std::exchange(has_warned, true))
    log_warning(written.error().message);
}

} // namespace xlac::metrics
