// Fourier transforms of graph values, for functions made of them.
#pragma once

#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// Cut, or padded with zeros, to `size` along `dim`.
Value resized(const Value &value, int64_t dim, int64_t size);
Value scaled_by(const Value &value, double factor);
/// One transform along any dim; `length` is that of the whole sequence.
Value transform(const Value &value, ops::FftType type, int64_t dim,
                int64_t length);
/// What a result is multiplied by for the norm backward, ortho or forward.
double norm_factor(const std::optional<std::string> &norm, bool inverse,
                   double count);
/// In what a transform of `dtype` is computed: floats, or complex numbers.
/// DtypeError for half floats.
Dtype transform_dtype(Dtype dtype, bool complex);

} // namespace xlac::frontend
