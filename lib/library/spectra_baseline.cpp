// Spectra of dense matrices for CPUs without AVX2.
#define XLAC_DENSE_FEATURES baseline
#include "dense_spectra.h"
#include "dense_svd.h"
