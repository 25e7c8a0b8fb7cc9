#ifndef XLAC_TENSOR_FUNCTIONS_CONVOLUTION
#define XLAC_TENSOR_FUNCTIONS_CONVOLUTION

include "tensor/functions/Function.td"

#endif
