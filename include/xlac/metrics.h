// torch_xla.debug.metrics, with torch_xla's names. A name is listed once it has
// a value. Times are in nanoseconds, sizes in bytes.
#pragma once

#include "xlac/types.h"

namespace xlac::metrics {

/// All metrics and counters in torch_xla's layout.
XLAC_API std::string metrics_report();
/// Reports only the named ones. Without names: the counters CachedCompile,
/// MarkStep and "aten::…" and the metrics of compilation, execution and
/// transfers. Unknown names are skipped.
XLAC_API std::string
short_metrics_report(std::vector<std::string> counter_names = {},
                     std::vector<std::string> metric_names = {});
/// Counters that have a value, sorted by name.
XLAC_API std::vector<std::string> counter_names();
/// Empty for a counter without a value.
XLAC_API std::optional<int64_t> counter_value(std::string_view name);
/// Metrics that have samples, sorted by name.
XLAC_API std::vector<std::string> metric_names();

/// A value and its time, in seconds since 1970.
struct Sample {
  /// The time and the value.
  double time, value;
};
/// `samples` holds the last XLA_METRICS_SAMPLES, oldest first. The totals cover
/// all samples.
struct MetricData {
  /// The number of all samples.
  int64_t total_samples;
  /// The sum of all samples.
  double accumulator;
  /// The last samples.
  std::vector<Sample> samples;
};
/// Empty for a metric without samples.
XLAC_API std::optional<MetricData> metric_data(std::string_view name);

/// Operations that read values of an xla device to determine their result.
XLAC_API std::vector<std::string> executed_fallback_ops();

/// Clears all counters.
XLAC_API void clear_counters();
/// Clears all metrics.
XLAC_API void clear_metrics();
/// Clears all counters and metrics.
XLAC_API void clear_all();

/// Adds `value` to a counter, which is created at its first use.
XLAC_API void add_to_counter(std::string_view name, int64_t value = 1);
/// Adds a sample to a metric, which is created at its first use.
XLAC_API void add_sample(std::string_view name, double value);

} // namespace xlac::metrics

namespace xlac {
namespace met = metrics;
}
