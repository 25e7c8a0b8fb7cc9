// Errors of the plugin. Its functions throw Error, and the functions of the
// table convert exceptions to the PJRT_Error that the host gets. Only the
// component pjrt uses Error, and no exception leaves the library.
#pragma once

#include "c_api.h"

#include "xlac/support/result.h"

#include <exception>
#include <string>
#include <string_view>
#include <utility>

/// An error that the host owns.
struct PJRT_Error {
  PJRT_Error_Code code = PJRT_Error_Code_INTERNAL;
  std::string message;
};

namespace xlac::pjrt {

/// A PJRT error code with a message.
class Error : public std::exception {
public:
  Error(PJRT_Error_Code code, std::string message)
      : code_(code), message_(std::move(message)) {}
  /// Converts a failure; code_of() its kind is the code.
  Error(const Failure &failure);
  PJRT_Error_Code code() const { return code_; }
  const std::string &message() const { return message_; }
  const char *what() const noexcept override { return message_.c_str(); }

private:
  PJRT_Error_Code code_;
  std::string message_;
};

/// Returns the error code for a failure.
PJRT_Error_Code code_of(FailureKind kind);
/// Returns the failure kind that corresponds best to an error code.
FailureKind kind_of(PJRT_Error_Code code);

/// Returns a new error, which the host destroys. If it cannot be allocated, a
/// static RESOURCE_EXHAUSTED error is returned; destroying that has no effect.
PJRT_Error *make_error(PJRT_Error_Code code, std::string_view message) noexcept;
/// Returns the error for a failure, as above; null for success.
PJRT_Error *make_error(const Status &status) noexcept;

/// Returns the error for the exception that is being handled.
PJRT_Error *error_of_current_exception() noexcept;

/// Calls `function`; returns its exception as an error, or null.
template <class Function> PJRT_Error *error_of(Function function) noexcept {
  try {
    function();
    return nullptr;
  } catch (...) {
    return error_of_current_exception();
  }
}

/// Implements a function of an extension: calls `function` and returns its
/// exception as an error, or null.
template <class Args, void (*function)(Args &)>
PJRT_Error *enter_extension(Args *args) {
  return error_of([&] { function(*args); });
}

/// Throws Error with code INVALID_ARGUMENT.
[[noreturn]] void throw_invalid(std::string message);
/// Throws Error with code UNIMPLEMENTED.
[[noreturn]] void throw_unimplemented(std::string message);

/// Returns the value; throws Error for a failure.
template <class T> T unwrap(Result<T> result) {
  if (!result)
    throw Error(result.error());
  if constexpr (!std::is_void_v<T>)
    return std::move(*result);
}

} // namespace xlac::pjrt
