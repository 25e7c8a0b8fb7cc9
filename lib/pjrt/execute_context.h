// The data that a host passes to the custom calls of an execution.
#pragma once

#include "c_api.h"
#include "ffi_context.h"

#include <mutex>

/// The host creates it, adds user data, and passes it to executions.
struct PJRT_ExecuteContext {
  std::mutex mutex;
  xlac::pjrt::FfiUserData user_data; ///< guarded by `mutex`
};
