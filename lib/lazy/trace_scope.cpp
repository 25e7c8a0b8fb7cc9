#include "xlac/lazy/trace_scope.h"

#include "current_trace.h"

#include "xlac/lazy/storage.h"

#include <atomic>

namespace xlac::lazy {

static uint64_t next_trace_number() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

TraceScope::TraceScope(int device)
    : device_(device), trace_(new Trace{next_trace_number(), current_trace()}) {
  set_current_trace(trace_.get());
}

TraceScope::~TraceScope() {
  const Trace *outer = trace_->outer;
  set_current_trace(outer);
  hand_over_pending(device_, trace_->number, outer ? outer->number : 0);
}

} // namespace xlac::lazy
