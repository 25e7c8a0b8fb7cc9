// The traces that a thread records now.
#pragma once

#include <cstdint>

namespace xlac::lazy {

/// A trace, and the one around it in its thread or null.
struct Trace {
  uint64_t number; ///< not 0, unique in the process
  const Trace *outer;
};

/// The innermost one of this thread, or null.
const Trace *current_trace();
void set_current_trace(const Trace *trace);

} // namespace xlac::lazy
