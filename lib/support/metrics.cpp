#include "xlac/support/metrics.h"

#include "xlac/support/fork.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>

namespace xlac::metrics {

namespace {

template <class T> using Named = std::map<std::string, T, std::less<>>;

struct Registry {
  ForkMutex mutex;
  Named<std::unique_ptr<Counter>> counters;
  Named<std::unique_ptr<Metric>> metrics;
};

Registry &registry() {
  static auto *instance = new Registry; // outlives static destructors
  return *instance;
}

size_t most_samples() {
  static const size_t limit = static_cast<size_t>(std::max<int64_t>(
      1, integer_setting(SettingId::MetricsSamples).value_or(1024)));
  return limit;
}

double now_in_seconds() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

} // namespace

void Metric::add(double value, int64_t weight) {
  TimedValue sample{0, value};
  std::lock_guard lock(mutex_);
  // Inside the lock, so that times ascend.
  sample.time = now_in_seconds();
  total_ += weight;
  sum_ += value * static_cast<double>(weight);
  if (ring_.size() < most_samples()) {
    // Timers end in destructors, so a sample is dropped if there is no memory.
    try {
      ring_.push_back(sample);
    } catch (const std::bad_alloc &) {
    }
    return;
  }
  ring_[next_] = sample;
  next_ = (next_ + 1) % ring_.size();
}

MetricState Metric::state() const {
  std::lock_guard lock(mutex_);
  MetricState state{unit_, total_, sum_, ring_};
  std::rotate(state.samples.begin(),
              state.samples.begin() + static_cast<ptrdiff_t>(next_),
              state.samples.end());
  return state;
}

void Metric::clear() {
  std::lock_guard lock(mutex_);
  total_ = 0;
  sum_ = 0;
  ring_.clear();
  next_ = 0;
}

template <class T, class... Arguments>
static T &find_or_make(Named<std::unique_ptr<T>> &map, std::string_view name,
                       Arguments... arguments) {
  std::lock_guard lock(registry().mutex);
  auto found = map.find(name);
  if (found == map.end())
    found =
        map.emplace(std::string(name), std::make_unique<T>(arguments...)).first;
  return *found->second;
}

Counter &counter(std::string_view name) {
  return find_or_make(registry().counters, name);
}

Metric &metric(std::string_view name, Unit unit) {
  return find_or_make(registry().metrics, name, unit);
}

std::vector<std::string> active_counters() {
  std::lock_guard lock(registry().mutex);
  std::vector<std::string> names;
  for (const auto &[name, counter] : registry().counters)
    if (counter->value() != 0)
      names.push_back(name);
  return names;
}

std::vector<std::string> active_metrics() {
  std::lock_guard lock(registry().mutex);
  std::vector<std::string> names;
  for (const auto &[name, metric] : registry().metrics)
    if (metric->state().total != 0)
      names.push_back(name);
  return names;
}

std::optional<int64_t> find_counter(std::string_view name) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().counters.find(name);
  if (found == registry().counters.end() || found->second->value() == 0)
    return std::nullopt;
  return found->second->value();
}

std::optional<MetricState> find_metric(std::string_view name) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().metrics.find(name);
  if (found == registry().metrics.end())
    return std::nullopt;
  MetricState state = found->second->state();
  if (state.total == 0)
    return std::nullopt;
  return state;
}

void reset_counters() {
  std::lock_guard lock(registry().mutex);
  for (const auto &[name, counter] : registry().counters)
    counter->clear();
}

void reset_metrics() {
  std::lock_guard lock(registry().mutex);
  for (const auto &[name, metric] : registry().metrics)
    metric->clear();
}

} // namespace xlac::metrics
