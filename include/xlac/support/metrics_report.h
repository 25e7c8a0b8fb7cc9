// Reports of counters and metrics in torch_xla's layout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xlac::metrics {

/// The metrics, then the counters, with these names that have a value.
std::string report(const std::vector<std::string> &metric_names,
                   const std::vector<std::string> &counter_names);

/// All metrics and counters that have a value.
std::string full_report();

/// Appends the full report to the file XLA_METRICS_FILE, if it is set.
void append_report_to_file();

/// "01ms337.580us", "1h02m03s": nanoseconds as reports print them.
std::string time_text(double nanoseconds);
/// "4.00KB".
std::string bytes_text(double bytes);

} // namespace xlac::metrics
