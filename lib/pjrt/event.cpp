#include "event.h"

#include "errors.h"
#include "functions.h"

namespace xlac::pjrt {

runtime::BufferRef make_completion() {
  return runtime::Buffer::pending(nullptr, 0);
}

void finish(runtime::Buffer &completion, const Status &status) {
  if (status)
    completion.set_ready();
  else
    completion.set_failed(status.error());
}

PJRT_Event *make_event(runtime::BufferRef completion) {
  return new PJRT_Event{std::move(completion)};
}

PJRT_Event *make_done_event(const Status &status) {
  runtime::BufferRef completion = make_completion();
  finish(*completion, status);
  return make_event(std::move(completion));
}

PJRT_Event *make_event_of(runtime::Buffer &buffer) {
  runtime::BufferRef completion = make_completion();
  buffer.on_ready(
      [completion](const Status &status) { finish(*completion, status); });
  return make_event(std::move(completion));
}

void call(PJRT_Event_Destroy_Args &args) { delete args.event; }

void call(PJRT_Event_IsReady_Args &args) {
  args.is_ready = args.event->state->is_done();
}

/// Waits until the event is done; throws its failure.
static void wait_for(const PJRT_Event &event) {
  Status status = event.state->wait();
  if (!status)
    throw Error(status.error());
}

void call(PJRT_Event_Error_Args &args) { wait_for(*args.event); }

void call(PJRT_Event_Await_Args &args) { wait_for(*args.event); }

void call(PJRT_Event_OnReady_Args &args) {
  // The callback may destroy the event.
  runtime::BufferRef state = args.event->state;
  state->on_ready([callback = args.callback,
                   user_arg = args.user_arg](const Status &status) {
    callback(make_error(status), user_arg);
  });
}

void call(PJRT_Event_Create_Args &args) {
  args.event = make_event(make_completion());
}

void call(PJRT_Event_Set_Args &args) {
  if (args.event->state->is_done())
    throw_invalid("the event is set already");
  Status status;
  if (args.error_code != PJRT_Error_Code_OK)
    status = failure(kind_of(args.error_code),
                     std::string(args.error_message, args.error_message_size));
  finish(*args.event->state, status);
}

} // namespace xlac::pjrt
