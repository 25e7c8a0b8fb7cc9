// How the plugin's functions fail: they throw Error, and the table's functions
// turn what they throw into the PJRT_Error that the host gets. Nothing else of
// xlac throws it, and none leaves the library.
#pragma once

#include "c_api.h"

#include "xlac/support/result.h"

#include <exception>
#include <string>
#include <string_view>
#include <utility>

struct PJRT_Error {
  PJRT_Error_Code code = PJRT_Error_Code_INTERNAL;
  std::string message;
};

namespace xlac::pjrt {

class Error : public std::exception {
public:
  Error(PJRT_Error_Code code, std::string message)
      : code_(code), message_(std::move(message)) {}
  Error(const Failure &failure);
  PJRT_Error_Code code() const { return code_; }
  const std::string &message() const { return message_; }
  const char *what() const noexcept override { return message_.c_str(); }

private:
  PJRT_Error_Code code_;
  std::string message_;
};

/// The code that hosts know a failure by, and the kind closest to a code.
PJRT_Error_Code code_of(FailureKind kind);
FailureKind kind_of(PJRT_Error_Code code);

/// An error for the host, who destroys it; null for success and, where there is
/// no memory for one, an error that needs none.
PJRT_Error *make_error(PJRT_Error_Code code, std::string_view message) noexcept;
PJRT_Error *make_error(const Status &status) noexcept;

/// The error of the exception that is being handled.
PJRT_Error *error_of_current_exception() noexcept;

[[noreturn]] void throw_invalid(std::string message);
[[noreturn]] void throw_unimplemented(std::string message);

/// The value, or throws the failure.
template <class T> T unwrap(Result<T> result) {
  if (!result)
    throw Error(result.error());
  if constexpr (!std::is_void_v<T>)
    return std::move(*result);
}

} // namespace xlac::pjrt
