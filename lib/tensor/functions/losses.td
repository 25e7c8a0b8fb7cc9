#ifndef XLAC_TENSOR_FUNCTIONS_LOSSES
#define XLAC_TENSOR_FUNCTIONS_LOSSES

include "tensor/functions/Function.td"

#endif
