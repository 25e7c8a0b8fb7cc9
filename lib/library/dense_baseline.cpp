// Dense factorizations for CPUs without AVX2.
#define XLAC_DENSE_FEATURES baseline
#include "dense_factorizations.h"
