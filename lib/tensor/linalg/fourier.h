// Fourier transforms of graph values.
#pragma once

#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// Slices `value`, or pads it with zeros, to `size` along `dim`.
Value resized(const Value &value, int64_t dim, int64_t size);
Value scaled_by(const Value &value, double factor);
/// One transform along `dim`; `length` is the length of the full signal (of a
/// half spectrum too).
Value transform(const Value &value, ops::FftType type, int64_t dim,
                int64_t length);
/// Returns the factor of the result for the norm backward, ortho or forward.
double norm_factor(const std::optional<std::string> &norm, bool inverse,
                   double count);
/// Returns the dtype in which a transform of `dtype` is computed: a float or
/// complex one. Throws DtypeError for half floats.
Dtype transform_dtype(Dtype dtype, bool complex);

} // namespace xlac::frontend
