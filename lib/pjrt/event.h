// Events: completion that a host can ask for, wait for, or be called back by.
#pragma once

#include "c_api.h"

#include "xlac/runtime/buffer.h"

/// Holds a buffer of no bytes, so that it keeps no memory from being donated.
struct PJRT_Event {
  xlac::runtime::BufferRef state;
};

namespace xlac::pjrt {

/// What is neither ready nor failed yet.
runtime::BufferRef make_completion();
/// An event that follows `completion`.
PJRT_Event *make_event(runtime::BufferRef completion);
PJRT_Event *make_done_event(const Status &status = {});
/// An event that is done when `buffer` is, and does not keep it alive.
PJRT_Event *make_event_of(runtime::Buffer &buffer);
/// Finishes `completion` as `status` says.
void finish(runtime::Buffer &completion, const Status &status);

} // namespace xlac::pjrt
