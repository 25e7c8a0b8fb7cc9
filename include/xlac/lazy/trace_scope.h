// Tracing: a function is recorded without being run. What it records belongs to
// the trace and to no program that runs.
#pragma once

#include <memory>

namespace xlac::lazy {

struct Trace;

/// While it lives, what this thread records on xla device `device` belongs to
/// a trace: syncs of other threads leave it alone. Scopes of a thread nest.
class TraceScope {
public:
  explicit TraceScope(int device);
  ~TraceScope();
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

private:
  const int device_;
  const std::unique_ptr<const Trace> trace_;
};

} // namespace xlac::lazy
