#ifndef XLAC_TENSOR_FUNCTIONS_INDEXING
#define XLAC_TENSOR_FUNCTIONS_INDEXING

include "tensor/functions/Function.td"

#endif
