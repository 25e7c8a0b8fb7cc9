// Events: hosts query them, wait for them, or register callbacks.
#pragma once

#include "c_api.h"

#include "xlac/runtime/buffer.h"

/// `state` is a buffer without bytes, which becomes ready or failed when the
/// event is done. The event holds no other buffer, so it does not prevent the
/// donation of one.
struct PJRT_Event {
  xlac::runtime::BufferRef state;
};

namespace xlac::pjrt {

/// Returns a new pending buffer without bytes.
runtime::BufferRef make_completion();
/// Returns a new event that is done when `completion` is ready or failed. The
/// caller owns it.
PJRT_Event *make_event(runtime::BufferRef completion);
/// Returns a new event that is done with `status`. The caller owns it.
PJRT_Event *make_done_event(const Status &status = {});
/// Returns a new event that is done, with the same status, when `buffer` is
/// ready or failed. The caller owns it. The event does not keep `buffer` alive.
PJRT_Event *make_event_of(runtime::Buffer &buffer);
/// Makes `completion` ready, or failed if `status` is a failure.
void finish(runtime::Buffer &completion, const Status &status);

} // namespace xlac::pjrt
