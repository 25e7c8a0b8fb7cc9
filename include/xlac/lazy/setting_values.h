// Settings whose errors the front end throws.
#pragma once

#include "xlac/support/raise.h"
#include "xlac/support/settings.h"

namespace xlac::lazy {

/// The result of read_integer and similar functions. ValueError for a value
/// that the table of settings does not allow.
template <class T>
std::optional<T> checked_setting(Result<std::optional<T>> read) {
  if (!read)
    raise<ValueError>(read.error().message);
  return *std::move(read);
}

} // namespace xlac::lazy
