// Converts a failure of a Result to an exception, whose message starts with the
// name of the running public call.
#pragma once

#include "xlac/error.h"
#include "xlac/support/result.h"

#include <string>

namespace xlac {

/// "matmul(): message (at file:line)", as far as call and location are known.
std::string with_call_name(const std::string &message);

template <class E> [[noreturn]] void raise(const std::string &message) {
  throw E(with_call_name(message));
}

/// Throws the exception class of the failure's kind.
[[noreturn]] void raise(const Failure &failure);

/// Returns the value, or throws the failure as an exception.
template <class T> T unwrap(Result<T> result) {
  if (!result)
    raise(result.error());
  return std::move(*result);
}
inline void unwrap(const Status &status) {
  if (!status)
    raise(status.error());
}

} // namespace xlac
