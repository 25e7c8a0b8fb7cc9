// Tracing records a function without executing it. Its operations belong to the
// trace and to no executed program.
#pragma once

#include <memory>

namespace xlac::lazy {

struct Trace;

/// While it lives, the operations that this thread records on xla device
/// `device` belong to a trace. Syncs of other threads do not execute them.
/// Scopes of a thread nest.
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
