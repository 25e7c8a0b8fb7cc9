#ifndef XLAC_TENSOR_FUNCTIONS_INDEXING
#define XLAC_TENSOR_FUNCTIONS_INDEXING

include "tensor/functions/Function.td"

def nonzero : Function<"Tensor nonzero(const Tensor &self)", [Method]> {
  let doc = [{Indices of elements that are not 0, a row each; runs the operand's pending operations.}];
}
def argwhere : Function<"Tensor argwhere(const Tensor &self)", [Method]> {
  let doc = [{The same as nonzero().}];
}

def index_select : Function<"Tensor index_select(const Tensor &self, int64_t dim, const Tensor &index)",
                   [Method, Out]> {
  let doc = [{On xla indices are held within bounds, on the cpu those outside throw; so with all gathers.}];
}
def gather : Function<"Tensor gather(const Tensor &self, int64_t dim, const Tensor &index, bool sparse_grad = false)",
                   [Method, Out]> {
  let doc = [{Elements along dim, one for each element of index.}];
}
def take : Function<"Tensor take(const Tensor &self, const Tensor &index)",
                   [Method, Out]> {
  let doc = [{Elements of the flattened tensor.}];
}
def take_along_dim : Function<"Tensor take_along_dim(const Tensor &self, const Tensor &indices, std::optional<int64_t> dim = {})",
                   [Method, Out]> {
  let doc = [{gather with the other dimensions broadcast.}];
}
def masked_select : Function<"Tensor masked_select(const Tensor &self, const Tensor &mask)",
                   [Method, Out]> {
  let doc = [{The elements where mask is true, as a list; runs the mask's pending operations.}];
}
def scatter : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src)",
                   [Method, InPlace, Out]> {
  let doc = [{On xla indices out of bounds are skipped, on the cpu they throw; so with all scatters. Of several elements for one place the last stays.}];
}
def scatter_number : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, Scalar value)",
                   [Method, InPlace, Out]>;
def scatter_fold : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src, std::string_view reduce)",
                   [Method, InPlace, Out]> {
  let doc = [{reduce is add or multiply.}];
}
def scatter_number_fold : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, Scalar value, std::string_view reduce)",
                   [Method, InPlace, Out]>;
def scatter_add : Function<"Tensor scatter_add(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src)",
                   [Method, InPlace, Out]>;
def scatter_reduce : Function<"Tensor scatter_reduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src, std::string_view reduce, bool include_self = true)",
                   [Method, InPlace, Out]> {
  let doc = [{reduce is sum, prod, mean, amax or amin; updates come in ascending order.}];
}
def index_add : Function<"Tensor index_add(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source, Scalar alpha = 1)",
                   [Method, InPlace, Out]>;
def index_copy : Function<"Tensor index_copy(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source)",
                   [Method, InPlace, Out]>;
def index_fill : Function<"Tensor index_fill(const Tensor &self, int64_t dim, const Tensor &index, Scalar value)",
                   [Method, InPlace]>;
def index_fill_tensor : Function<"Tensor index_fill(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value)",
                   [Method, InPlace]>;
def put : Function<"Tensor put(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate = false)",
                   [Method, InPlace]> {
  let doc = [{self with places of the flattened tensor replaced.}];
}
def slice_scatter : Function<"Tensor slice_scatter(const Tensor &self, const Tensor &src, int64_t dim = 0, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, int64_t step = 1)",
                   [Method]> {
  let doc = [{self with the elements of slice() replaced by src.}];
}
def select_scatter : Function<"Tensor select_scatter(const Tensor &self, const Tensor &src, int64_t dim, int64_t index)",
                   [Method]>;
def diagonal_scatter : Function<"Tensor diagonal_scatter(const Tensor &self, const Tensor &src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1)",
                   [Method]>;
def masked_fill : Function<"Tensor masked_fill(const Tensor &self, const Tensor &mask, Scalar value)",
                   [Method, InPlace]>;
def masked_fill_tensor : Function<"Tensor masked_fill(const Tensor &self, const Tensor &mask, const Tensor &value)",
                   [Method, InPlace]>;
def masked_scatter : Function<"Tensor masked_scatter(const Tensor &self, const Tensor &mask, const Tensor &source)",
                   [Method, InPlace]> {
  let doc = [{Where mask is true, the elements of source in order.}];
}

#endif
