#include "xlac/support/call_scope.h"

#include "xlac/support/clock.h"
#include "xlac/support/named_metrics.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace xlac {

/// "add_" and "add" count as one operation.
static metrics::Counter &operation_counter(std::string_view name) {
  if (name.ends_with('_'))
    name.remove_suffix(1);
  return metrics::counter("xla::" + std::string(name));
}

void CallScope::count_operation() {
  has_recorded = true;
  // Names are string literals, mostly with one address per call.
  thread_local std::unordered_map<const char *, metrics::Counter *> counters;
  metrics::Counter *&counter = counters[current_name];
  if (!counter)
    counter = &operation_counter(current_name);
  counter->add();
}

static thread_local Clock::time_point timing_start;

void CallScope::start_timing() {
  is_timed = true;
  timing_start = Clock::now();
}

void CallScope::end_timing() {
  is_timed = false;
  if (!has_recorded)
    return;
  static constinit metrics::NamedMetric tracing("LazyTracing",
                                                metrics::Unit::Nanoseconds);
  tracing.add(1e6 * milliseconds_since(timing_start), kTimedCalls);
}

} // namespace xlac
