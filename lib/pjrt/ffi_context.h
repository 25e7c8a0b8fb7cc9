// What foreign functions call the table's functions on: errors, futures, and
// the context of a call.
#pragma once

#include "c_api_ffi.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

struct XLA_FFI_Error {
  XLA_FFI_Error_Code code = XLA_FFI_Error_Code_UNKNOWN;
  std::string message;
};

namespace xlac::pjrt {

/// Data of an execution, by the ids of their types.
using FfiUserData = std::vector<std::pair<int64_t, void *>>;

/// What the instantiation of a call leaves for its executions; belongs to the
/// executable.
struct FfiState {
  FfiState() = default;
  FfiState(const FfiState &) = delete;
  FfiState &operator=(const FfiState &) = delete;
  ~FfiState();

  int64_t type_id = 0;
  void *object = nullptr;
};

/// How far a future has come; the waiter and the setter each hold it.
struct FfiFutureState {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  XLA_FFI_Error *error = nullptr; ///< of the waiter
};

/// Waits for what a handler left in its frame, deletes it, and returns its
/// error, which may be null.
XLA_FFI_Error *await_ffi_future(XLA_FFI_Future *future);

/// Throws Error with the code and the message of `error`, which it destroys.
[[noreturn]] void throw_ffi_error(const std::string &before,
                                  XLA_FFI_Error *error);

} // namespace xlac::pjrt

struct XLA_FFI_Future {
  std::shared_ptr<xlac::pjrt::FfiFutureState> state =
      std::make_shared<xlac::pjrt::FfiFutureState>();
};

/// One call of a handler.
struct XLA_FFI_ExecutionContext {
  XLA_FFI_ExecutionStage stage = XLA_FFI_ExecutionStage_EXECUTE;
  int device = 0;
  int64_t run_id = 0;
  const xlac::pjrt::FfiUserData *user_data = nullptr; ///< null: none
  /// By stage before execution; null: that stage has none here.
  std::array<xlac::pjrt::FfiState *, 3> states = {};
};
