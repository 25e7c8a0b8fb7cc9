#ifndef XLAC_TENSOR_FUNCTIONS_ATTENTION
#define XLAC_TENSOR_FUNCTIONS_ATTENTION

include "tensor/functions/Function.td"

#endif
