// The traces that a thread is recording.
#pragma once

#include <cstdint>

namespace xlac::lazy {

/// A trace and the enclosing trace of its thread, or null.
struct Trace {
  uint64_t number; ///< not 0, unique in the process
  const Trace *outer;
};

/// The innermost trace of this thread, or null.
const Trace *current_trace();
void set_current_trace(const Trace *trace);

} // namespace xlac::lazy
