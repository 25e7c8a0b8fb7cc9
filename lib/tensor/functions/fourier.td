#ifndef XLAC_TENSOR_FUNCTIONS_FOURIER
#define XLAC_TENSOR_FUNCTIONS_FOURIER

include "tensor/functions/Function.td"

#endif
