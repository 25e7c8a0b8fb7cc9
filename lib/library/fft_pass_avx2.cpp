// FFT passes for CPUs with AVX2.
#define XLAC_FFT_FEATURES avx2
#include "fft_lanes.h"
