// Calls of foreign functions: what each call of a program keeps for its
// handlers, and the function that stands for them among custom calls.
#pragma once

#include "ffi_attributes.h"
#include "ffi_context.h"
#include "python_callable.h"

#include "xlac/custom_call.h"
#include "xlac/runtime/image.h"

#include <memory>
#include <string>
#include <vector>

namespace xlac::pjrt {

/// The custom calls of a program that need to know about its executions:
/// foreign functions and Python callbacks.
class FfiProgram {
public:
  /// Instantiates the calls of foreign functions, which call `table`; null if
  /// the program has no call that needs this. Throws Error if an instantiation
  /// fails.
  static std::shared_ptr<const FfiProgram>
  make(const runtime::ExecutableImage &image, const XLA_FFI_Api &table);

  struct Site {
    const XLA_FFI_Api *table = nullptr;
    XLA_FFI_Handler_Bundle handlers = {};
    FfiAttributes attributes;
    std::shared_ptr<const PythonCallable> callable; ///< null: not registered
    mutable FfiState state;
  };
  /// By the number of the call; null for calls of other kinds.
  const Site *site(int64_t number) const;

private:
  std::vector<std::unique_ptr<Site>> sites_;
};

/// What an execution brings along for its custom calls, on all its devices.
struct FfiLaunch {
  std::shared_ptr<const FfiProgram> program;
  FfiUserData user_data;
  int64_t run_id = 0;
};

/// A launch with an id of its own. `user_data` may be null.
std::shared_ptr<const FfiLaunch>
make_ffi_launch(std::shared_ptr<const FfiProgram> program,
                const FfiUserData *user_data);

/// What the program keeps for the call; null if nothing.
const FfiProgram::Site *site_of(const CustomCall &call);

/// Calls the handlers of the call's target. Throws
/// library::CustomCallError with what they report.
void call_ffi_handler(const CustomCall &call);

} // namespace xlac::pjrt
