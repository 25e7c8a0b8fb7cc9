#ifndef XLAC_TENSOR_FUNCTIONS_NORMALIZATION
#define XLAC_TENSOR_FUNCTIONS_NORMALIZATION

include "tensor/functions/Function.td"

#endif
