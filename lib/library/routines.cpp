#include "xlac/library/routines.h"

#include "xlac/library/routine_list.h"

#include "xlac/abi/abi.h"

#include <new>
#include <string>

namespace xlac::library {

static Status dispatch(int32_t routine, void *const *buffers,
                       const int64_t *parameters) {
  switch (routine) {
  case XLAC_LIBRARY_FFT:
    return run_fft(buffers, parameters);
  case XLAC_LIBRARY_SORT:
    return run_sort(buffers, parameters);
  case XLAC_LIBRARY_TRIANGULAR_SOLVE:
    return run_triangular_solve(buffers, parameters);
  case XLAC_LIBRARY_CHOLESKY:
    return run_cholesky(buffers, parameters);
  default:
    return failure(FailureKind::Unsupported,
                   "this runtime has no library routine number " +
                       std::to_string(routine));
  }
}

Status run_routine(int32_t routine, void *const *buffers,
                   const int64_t *parameters) {
  // Native code calls this: exceptions must not pass through it.
  try {
    return dispatch(routine, buffers, parameters);
  } catch (const std::bad_alloc &) {
    return failure(FailureKind::OutOfMemory,
                   "out of memory"); // needs no allocation
  }
}

} // namespace xlac::library
