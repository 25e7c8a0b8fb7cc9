#ifndef XLAC_TENSOR_FUNCTIONS_ACTIVATIONS
#define XLAC_TENSOR_FUNCTIONS_ACTIVATIONS

include "tensor/functions/Function.td"

def relu : Function<"Tensor relu(const Tensor &self)", [Method, InPlace]>;
def softmax : Function<"Tensor softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                   [Method, Out]>;
def log_softmax : Function<"Tensor log_softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                   [Method, Out]>;

#endif
