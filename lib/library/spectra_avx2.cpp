// Spectra of dense matrices for CPUs with AVX2 and FMA.
#define XLAC_DENSE_FEATURES avx2
#include "dense_spectra.h"
#include "dense_svd.h"
