// FFT passes for CPUs of any kind.
#define XLAC_FFT_FEATURES baseline
#include "fft_lanes.h"
