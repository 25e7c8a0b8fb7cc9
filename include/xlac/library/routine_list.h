// The routines that run_routine calls. They may throw std::bad_alloc.
#pragma once

#include "xlac/support/element_type.h"
#include "xlac/support/result.h"

#include <cstdint>

namespace xlac::library {

Status run_fft(void *const *buffers, const int64_t *parameters);
Status run_sort(void *const *buffers, const int64_t *parameters);
Status run_triangular_solve(void *const *buffers, const int64_t *parameters);
Status run_cholesky(void *const *buffers, const int64_t *parameters);

/// "<routine>: unsupported element type <name>".
Failure unsupported_element(const char *routine, int64_t element);

} // namespace xlac::library
