#include "ffi_context.h"

#include "errors.h"
#include "ffi_registry.h"

namespace xlac::pjrt {

FfiState::~FfiState() {
  if (FfiDeleter deleter = object ? ffi_deleter(type_id) : nullptr)
    deleter(object);
}

XLA_FFI_Error *await_ffi_future(XLA_FFI_Future *future) {
  XLA_FFI_Error *error = nullptr;
  {
    FfiFutureState &state = *future->state;
    std::unique_lock lock(state.mutex);
    state.changed.wait(lock, [&] { return state.is_done; });
    error = state.error;
  }
  delete future;
  return error;
}

void throw_ffi_error(const std::string &before, XLA_FFI_Error *error) {
  std::unique_ptr<XLA_FFI_Error> owned(error);
  auto code = static_cast<PJRT_Error_Code>(owned->code);
  throw Error(code == PJRT_Error_Code_OK ? PJRT_Error_Code_UNKNOWN : code,
              before + owned->message);
}

} // namespace xlac::pjrt
