// Memory and scales that decompositions by spectra share.
#pragma once

#include "dense_divide.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Takes arrays from scratch memory, at multiples of 64 bytes.
struct Arena {
  char *next;
  template <class X> X *take(int64_t count) {
    char *taken = next;
    next += round_up(count * static_cast<int64_t>(sizeof(X)), 64);
    return reinterpret_cast<X *>(taken);
  }
};

/// Finds a power of two by which the wanted elements are at most 1; 1 if they
/// are zeros, and 0 if they are not finite.
template <class T>
double find_scale(const DenseMatrix<const T> &a, Wanted wanted) {
  using R = typename ElementOf<T>::R;
  R most = 0;
  // Zero unless an element is not finite.
  R probe = 0;
  for (int64_t i = 0; i < a.rows; ++i) {
    auto *row = parts_of(a.data + i * a.row_stride);
    int64_t count = wanted == Wanted::Lower ? i + 1 : a.columns;
    for (int64_t j = 0; j < count; ++j)
      for (int p = 0; p < ElementOf<T>::parts; ++p) {
        R element = row[j * a.column_stride * ElementOf<T>::parts + p];
        probe += element * 0;
        R size = size_of(element);
        most = most < size ? size : most;
      }
  }
  if (probe != 0)
    return 0;
  if (most == 0)
    return 1;
  int exponent = __builtin_ilogb(static_cast<double>(most)) + 1;
  // The reciprocal of the scale is also finite.
  exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;
  return __builtin_ldexp(1.0, -exponent);
}

/// Sorts numbers in ascending order; fast if nearly sorted.
inline void sort_numbers(double *values, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    double value = values[i];
    int64_t at = i;
    for (; at > 0 && value < values[at - 1]; --at)
      values[at] = values[at - 1];
    values[at] = value;
  }
}

inline Deflation make_deflation(int64_t n, Arena &arena) {
  Deflation deflation{};
  int32_t **all[] = {&deflation.sorted, &deflation.kinds, &deflation.kept,
                     &deflation.deflated, &deflation.places};
  for (int32_t **indices : all)
    *indices = arena.take<int32_t>(n);
  return deflation;
}
inline SecularEquation make_equation(int64_t n, Arena &arena) {
  SecularEquation equation{};
  double **all[] = {&equation.poles, &equation.z, &equation.squares,
                    &equation.delta, &equation.work};
  for (double **numbers : all)
    *numbers = arena.take<double>(padded_doubles(n));
  return equation;
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
