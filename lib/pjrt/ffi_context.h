// The objects that foreign functions pass to the functions of the FFI table:
// errors, futures, and the context of a call.
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

/// An error that handlers create and return.
struct XLA_FFI_Error {
  XLA_FFI_Error_Code code = XLA_FFI_Error_Code_UNKNOWN;
  std::string message;
};

namespace xlac::pjrt {

/// The user data of an execution: type ids and pointers that the host owns.
using FfiUserData = std::vector<std::pair<int64_t, void *>>;

/// The state that a handler stores for later stages. The executable owns the
/// states of the instantiate stage; each execution owns those of its stages.
struct FfiState {
  FfiState() = default;
  FfiState(const FfiState &) = delete;
  FfiState &operator=(const FfiState &) = delete;
  /// Calls the deleter of the type on the object, if there are both.
  ~FfiState();

  int64_t type_id = 0;
  void *object = nullptr; ///< null: not set
};

/// The state of a future. The thread that waits and the one that completes the
/// future share it. `mutex` guards the other fields.
struct FfiFutureState {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  XLA_FFI_Error *error = nullptr; ///< owned by the waiter; null: success
};

/// Waits until the future is done, deletes it, and returns its error, which the
/// caller owns; null for success.
XLA_FFI_Error *await_ffi_future(XLA_FFI_Future *future);

/// Throws Error with the code of `error` and with its message after `before`.
/// Destroys `error`.
[[noreturn]] void throw_ffi_error(const std::string &before,
                                  XLA_FFI_Error *error);

} // namespace xlac::pjrt

/// A future that a handler creates, and returns in its frame.
struct XLA_FFI_Future {
  std::shared_ptr<xlac::pjrt::FfiFutureState> state =
      std::make_shared<xlac::pjrt::FfiFutureState>();
};

/// The context of one call of a handler.
struct XLA_FFI_ExecutionContext {
  XLA_FFI_ExecutionStage stage = XLA_FFI_ExecutionStage_EXECUTE;
  int device = 0;
  int64_t run_id = 0;
  const xlac::pjrt::FfiUserData *user_data = nullptr; ///< null: none
  /// The states of the stages instantiate, prepare and initialize; null if the
  /// call has no access to the state of that stage.
  std::array<xlac::pjrt::FfiState *, 3> states = {};
};
