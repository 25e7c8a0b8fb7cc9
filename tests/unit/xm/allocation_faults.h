// The memory that this process asks for, counted, of which the Nth request
// fails. The definitions replace those of the C library in the whole test
// program and in the libraries that it opens.
#pragma once

#include <cstdint>

namespace xlac::allocation_faults {

enum class FailureKind {
  One, ///< the Nth request fails
  All, ///< the Nth request and all after it fail
};

/// From here on requests of all threads count, and those of `kind` fail:
/// malloc, calloc, realloc, operator new, aligned memory and anonymous maps.
/// What the C library needs for the data of a thread and its destructors does
/// not count: without it, it ends the process.
void arm(FailureKind kind, int64_t number);
/// Ends that; the number of requests that failed.
int64_t disarm();

} // namespace xlac::allocation_faults
