#include "current_trace.h"

namespace xlac::lazy {

static thread_local const Trace *innermost_trace = nullptr;

const Trace *current_trace() { return innermost_trace; }

void set_current_trace(const Trace *trace) { innermost_trace = trace; }

} // namespace xlac::lazy
