// metrics.h, implemented on the registry of the support component.
#include "xlac/metrics.h"

#include "xlac/lazy/metric_names.h"
#include "xlac/support/metrics.h"
#include "xlac/support/metrics_report.h"

namespace xlac::metrics {

std::string metrics_report() { return full_report(); }

static std::vector<std::string> default_counters() {
  std::vector<std::string> names;
  for (std::string &name : active_counters())
    if (name == lazy::kCachedCompileCounter || name == lazy::kMarkStepCounter ||
        name.starts_with("aten::"))
      names.push_back(std::move(name));
  return names;
}

std::string short_metrics_report(std::vector<std::string> counter_names,
                                 std::vector<std::string> metric_names) {
  if (counter_names.empty() && metric_names.empty()) {
    counter_names = default_counters();
    metric_names = {lazy::kCompileTime, lazy::kExecuteTime,
                    lazy::kExecuteReplicatedTime, lazy::kTransferToDeviceTime,
                    lazy::kTransferFromDeviceTime};
  }
  return report(metric_names, counter_names);
}

std::vector<std::string> counter_names() { return active_counters(); }

std::optional<int64_t> counter_value(std::string_view name) {
  return find_counter(name);
}

std::vector<std::string> metric_names() { return active_metrics(); }

std::optional<MetricData> metric_data(std::string_view name) {
  auto state = find_metric(name);
  if (!state)
    return std::nullopt;
  MetricData data{state->total, state->sum, {}};
  for (const TimedValue &sample : state->samples)
    data.samples.push_back({sample.time, sample.value});
  return data;
}

std::vector<std::string> executed_fallback_ops() {
  std::vector<std::string> names;
  for (std::string &name : active_counters())
    if (name.starts_with("aten::"))
      names.push_back(std::move(name));
  return names;
}

void clear_counters() { reset_counters(); }
void clear_metrics() { reset_metrics(); }

void clear_all() {
  clear_counters();
  clear_metrics();
}

void add_to_counter(std::string_view name, int64_t value) {
  counter(name).add(value);
}

void add_sample(std::string_view name, double value) {
  metric(name).add(value);
}

} // namespace xlac::metrics
