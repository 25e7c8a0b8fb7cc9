// Routines that compiled programs call by number through the services table:
// what is better written once in C++ than emitted. Serial, on plain row-major
// buffers; several threads may call at once on results that lie apart. The
// parameters of FFTs and sorts stand in xlac/abi/fft.h and sort.h.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>

namespace xlac::library {

/// Parameters of XLAC_LIBRARY_TRIANGULAR_SOLVE.
///
/// Buffers: a [batch, n, n], b [batch, rows, columns], result like b. Solves
/// op(a) x = b with `left`, x op(a) = b without; only the triangle that `lower`
/// names is read, and not its diagonal with `unit_diagonal`. The result may be
/// b's own buffer.
enum TriangularSolveParameter {
  kSolveElement, ///< ElementType of all three: f32, f64 or complex
  kSolveBatch,
  kSolveN,
  kSolveRows,
  kSolveColumns,
  kSolveLeft,
  kSolveLower,
  kSolveUnitDiagonal,
  kSolveTranspose, ///< 0: op(a) = a; 1: its transpose; 2: its adjoint
  kSolveParameterCount
};

/// Parameters of XLAC_LIBRARY_CHOLESKY.
///
/// Buffers: a [batch, n, n], result alike. With `lower` the result l is lower
/// triangular with l lᴴ = a, else upper triangular u with uᴴ u = a; only that
/// triangle of a is read, the other one of the result is 0. A matrix that is
/// not positive definite gives NaN throughout.
enum CholeskyParameter {
  kCholeskyElement, ///< ElementType of both: f32, f64 or complex
  kCholeskyBatch,
  kCholeskyN,
  kCholeskyLower,
  kCholeskyParameterCount
};

/// Runs the routine of that number (xlac_library_routine of the ABI).
/// Unsupported for one that is not there or an element type it lacks,
/// OutOfMemory without memory; throws nothing.
Status run_routine(int32_t routine, void *const *buffers,
                   const int64_t *parameters);

} // namespace xlac::library
