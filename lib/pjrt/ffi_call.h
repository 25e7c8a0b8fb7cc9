// Calls of foreign functions (XLA FFI): the data of a program and of an
// execution for its handlers, and the custom call function that calls them.
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

/// The calls of foreign functions and Python callbacks of a program. Immutable,
/// so executions may use it in parallel.
class FfiProgram {
public:
  /// Runs the instantiate handlers of the program's foreign functions and looks
  /// up its Python callbacks. Handlers get `table`, which must outlive the
  /// program. Returns null if the program has no such calls. Throws Error if a
  /// handler fails or if a Python function does not exist, and
  /// library::CustomCallError if Python is needed after close_python().
  static std::shared_ptr<const FfiProgram>
  make(const runtime::ExecutableImage &image, const XLA_FFI_Api &table);

  /// One call. Calls of Python have no handlers.
  struct Site {
    const XLA_FFI_Api *table = nullptr;
    XLA_FFI_Handler_Bundle handlers = {};
    FfiAttributes attributes;
    /// Null if the Python function comes with the user data of executions.
    std::shared_ptr<const PythonCallable> callable;
    mutable FfiState state; ///< the state of the instantiate stage
  };
  /// Returns the call with that CustomCallOrigin::number; null for calls of
  /// other kinds and numbers out of range.
  const Site *site(int64_t number) const;

private:
  std::vector<std::unique_ptr<Site>> sites_;
};

/// The data of an execution for its custom calls. All its devices share it.
struct FfiLaunch {
  std::shared_ptr<const FfiProgram> program;
  FfiUserData user_data;
  int64_t run_id = 0; ///< unique in this process
};

/// Returns a launch with a new run id and a copy of `user_data`, which may be
/// null.
std::shared_ptr<const FfiLaunch>
make_ffi_launch(std::shared_ptr<const FfiProgram> program,
                const FfiUserData *user_data);

/// Returns the program's data for the call; null if the program has none.
const FfiProgram::Site *site_of(const CustomCall &call);

/// Copies each operand that a result aliases to that result. Returns the
/// operands with the results' memory in their place, so that functions that
/// work in place get one buffer for both.
std::vector<CustomCallTensor> join_aliases(const CustomCall &call);

/// Runs the prepare, initialize and execute handlers of the call, and waits for
/// the futures that they return. Throws library::CustomCallError with the first
/// error of a handler, or if the program was loaded before the target was
/// registered.
void call_ffi_handler(const CustomCall &call);

} // namespace xlac::pjrt
