#include "xlac/lazy/errors.h"

#include "call_place.h"

#include "xlac/support/named_metrics.h"

#include <unordered_map>

namespace xlac::lazy {

/// "add_" and "add" are one operation.
static metrics::Counter &operation_counter(std::string_view name) {
  if (name.ends_with('_'))
    name.remove_suffix(1);
  return metrics::counter("xla::" + std::string(name));
}

void CallScope::count_operation() {
  has_recorded = true;
  // Names are literals: one address a call, mostly.
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

std::string with_call_name(const std::string &message) {
  const char *name = CallScope::name();
  std::string text = name ? std::string(name) + "(): " + message : message;
  std::string place = call_place();
  return place.empty() ? text : text + " (at " + place + ")";
}

void raise(const Failure &failure) {
  std::string message = with_call_name(failure.message);
  switch (failure.failure_kind) {
  case FailureKind::User:
    throw UserError(message);
  case FailureKind::Shape:
    throw ShapeError(message);
  case FailureKind::Dtype:
    throw DtypeError(message);
  case FailureKind::Index:
    throw IndexError(message);
  case FailureKind::Device:
    throw DeviceError(message);
  case FailureKind::Unsupported:
    throw UnsupportedError(message);
  case FailureKind::Runtime:
    throw RuntimeError(message);
  case FailureKind::OutOfMemory:
    throw OutOfMemoryError(message);
  case FailureKind::Collective:
    throw CollectiveError(message);
  case FailureKind::Internal:
    break;
  }
  throw InternalError(message, {});
}

} // namespace xlac::lazy
