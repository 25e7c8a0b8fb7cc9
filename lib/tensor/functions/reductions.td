#ifndef XLAC_TENSOR_FUNCTIONS_REDUCTIONS
#define XLAC_TENSOR_FUNCTIONS_REDUCTIONS

include "tensor/functions/Function.td"

def sum_all : Function<"Tensor sum(const Tensor &self)", [Method]> {
  let doc = [{Bool and small integers sum into int64.}];
}
def sum : Function<"Tensor sum(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]>;
def mean_all : Function<"Tensor mean(const Tensor &self)", [Method]>;
def mean : Function<"Tensor mean(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]>;
def max_all : Function<"Tensor max(const Tensor &self)", [Method]>;
def max : Function<"std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Values and indices; the first of equal ones.}];
}
def amax : Function<"Tensor amax(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]>;
def argmax : Function<"Tensor argmax(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                   [Method, Out]>;

#endif
