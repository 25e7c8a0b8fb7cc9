// Named counters and metrics of the process. A name is listed once it has a
// value, until it is cleared. All functions are thread-safe. References stay
// valid as long as the process.
#pragma once

#include "xlac/support/clock.h"
#include "xlac/support/fork.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::metrics {

class Counter {
public:
  void add(int64_t value = 1) {
    value_.fetch_add(value, std::memory_order_relaxed);
  }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }
  void clear() { value_.store(0, std::memory_order_relaxed); }

private:
  std::atomic<int64_t> value_{0};
};

/// Unit of a metric's samples, for reports.
enum class Unit : uint8_t { Number, Nanoseconds, Bytes };

/// A value and its time, in seconds since 1970.
struct TimedValue {
  double time = 0, value = 0;
};

/// The state of a metric.
struct MetricState {
  Unit unit = Unit::Number;
  int64_t total = 0;
  double sum = 0;
  std::vector<TimedValue> samples; ///< the latest ones, oldest first
};

class Metric {
public:
  explicit Metric(Unit unit) : unit_(unit) {}
  /// Adds a sample, which counts as `weight` samples in the totals.
  void add(double value, int64_t weight = 1);
  MetricState state() const;
  void clear();

private:
  const Unit unit_;
  mutable ForkMutex mutex_;
  int64_t total_ = 0;
  double sum_ = 0;
  std::vector<TimedValue> ring_; ///< at most XLA_METRICS_SAMPLES
  size_t next_ = 0;
};

/// The counter or metric with that name, created at its first use. A metric
/// keeps its first unit.
Counter &counter(std::string_view name);
Metric &metric(std::string_view name, Unit unit = Unit::Number);

/// Names that have a value, sorted.
std::vector<std::string> active_counters();
std::vector<std::string> active_metrics();
/// Empty for a name without a value.
std::optional<int64_t> find_counter(std::string_view name);
std::optional<MetricState> find_metric(std::string_view name);
void reset_counters();
void reset_metrics();

/// Adds its lifetime to a metric.
class Timer {
public:
  explicit Timer(Metric &metric) : metric_(metric), start_(Clock::now()) {}
  ~Timer() { metric_.add(1e6 * milliseconds_since(start_)); }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

private:
  Metric &metric_;
  Clock::time_point start_;
};

} // namespace xlac::metrics
