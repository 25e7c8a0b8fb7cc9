// Counters and metrics in static variables, each looked up at its first use.
#pragma once

#include "xlac/support/metrics.h"

#include <new>

namespace xlac::metrics {

/// Like a static reference to counter(name), but constant-initialized. A child
/// of a fork would wait forever for a thread that was initializing a reference.
class NamedCounter {
public:
  /// `name` must live as long as the process.
  constexpr explicit NamedCounter(const char *name) : name_(name) {}
  /// Counts nothing if there is no memory for the counter, since destructors
  /// call it.
  void add(int64_t value = 1) noexcept {
    Counter *counter = counter_.load(std::memory_order_acquire);
    if (!counter) {
      try {
        counter = &metrics::counter(name_);
      } catch (const std::bad_alloc &) {
        return;
      }
      counter_.store(counter, std::memory_order_release);
    }
    counter->add(value);
  }

private:
  const char *const name_;
  std::atomic<Counter *> counter_{nullptr};
};

/// The same for a metric.
class NamedMetric {
public:
  /// `name` must live as long as the process.
  constexpr explicit NamedMetric(const char *name, Unit unit = Unit::Number)
      : name_(name), unit_(unit) {}
  operator Metric &() {
    Metric *metric = metric_.load(std::memory_order_acquire);
    if (!metric)
      metric_.store(metric = &metrics::metric(name_, unit_),
                    std::memory_order_release);
    return *metric;
  }
  /// Same as Metric::add; adds nothing if there is no memory for the metric.
  void add(double value, int64_t weight = 1) noexcept {
    try {
      static_cast<Metric &>(*this).add(value, weight);
    } catch (const std::bad_alloc &) {
    }
  }

private:
  const char *const name_;
  const Unit unit_;
  std::atomic<Metric *> metric_{nullptr};
};

} // namespace xlac::metrics
