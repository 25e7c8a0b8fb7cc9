// What a host gives one execution for its custom calls.
#pragma once

#include "c_api.h"
#include "ffi_context.h"

#include <mutex>

struct PJRT_ExecuteContext {
  std::mutex mutex;
  xlac::pjrt::FfiUserData user_data; ///< under mutex
};
