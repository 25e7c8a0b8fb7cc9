// FFT passes for CPUs with AVX512.
#define XLAC_FFT_FEATURES avx512
#include "fft_lanes.h"
