// Fault injection for memory: requests of this process are counted, and the Nth
// one fails. The definitions replace those of the C library in the whole test
// program and in the libraries that it loads.
#pragma once

#include <cstdint>

namespace xlac::allocation_faults {

enum class FailureKind {
  One, ///< the Nth request fails
  All, ///< the Nth request and all later ones fail
};

/// Starts to count requests of all threads; those selected by `kind` fail.
/// Counted are malloc, calloc, realloc, operator new, aligned memory and
/// anonymous mappings. Requests of the C library for thread-local data and its
/// destructors are not counted, since their failure ends the process.
void arm(FailureKind kind, int64_t number);
/// Stops counting. Returns the number of failed requests.
int64_t disarm();

} // namespace xlac::allocation_faults
