// Events: completion that a host can ask for, wait for, or be called back by.
#pragma once

#include "c_api.h"

#include "xlac/runtime/buffer.h"

/// Holds a buffer of no bytes, so that it keeps no memory from being donated.
struct PJRT_Event {
  xlac::BufferRef state;
};

namespace xlac::pjrt {

/// What is neither ready nor failed yet.
BufferRef make_completion();
/// An event that follows `completion`.
PJRT_Event *make_event(BufferRef completion);
PJRT_Event *make_done_event(const Status &status = {});
/// An event that is done when `buffer` is, and does not keep it alive.
PJRT_Event *make_event_of(Buffer &buffer);
/// Finishes `completion` as `status` says.
void finish(Buffer &completion, const Status &status);

} // namespace xlac::pjrt
