#ifndef XLAC_TENSOR_FUNCTIONS_RANDOM
#define XLAC_TENSOR_FUNCTIONS_RANDOM

include "tensor/functions/Function.td"

#endif
