// Spectra of dense matrices for CPUs with AVX-512.
#define XLAC_DENSE_FEATURES avx512
#include "dense_spectra.h"
#include "dense_svd.h"
