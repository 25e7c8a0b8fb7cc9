// Routines that compiled programs call by number through the services table.
// They are written in C++ instead of being generated. They are serial and take
// row-major buffers. Several threads may call them at the same time if their
// results do not overlap. xlac/abi/fft.h and sort.h define the parameters of
// FFTs and sorts.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>

namespace xlac::library {

/// Parameters of XLAC_LIBRARY_TRIANGULAR_SOLVE.
///
/// Buffers: a [batch, n, n], b [batch, rows, columns], result like b. Solves
/// op(a) x = b if `left`, else x op(a) = b. Reads only the triangle that
/// `lower` selects, without its diagonal if `unit_diagonal`. The result may use
/// b's buffer.
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
/// Buffers: a [batch, n, n], result alike. With `lower` the result is the lower
/// triangular l with l lᴴ = a, else the upper triangular u with uᴴ u = a. Only
/// that triangle of a is read; the other triangle of the result is 0. A matrix
/// that is not positive definite gives NaN in all elements.
enum CholeskyParameter {
  kCholeskyElement, ///< ElementType of both: f32, f64 or complex
  kCholeskyBatch,
  kCholeskyN,
  kCholeskyLower,
  kCholeskyParameterCount
};

/// Runs the routine with that number (xlac_library_routine of the ABI).
/// Unsupported for an unknown routine or element type, OutOfMemory without
/// memory. Throws nothing.
Status run_routine(int32_t routine, void *const *buffers,
                   const int64_t *parameters);

} // namespace xlac::library
