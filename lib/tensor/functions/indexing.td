#ifndef XLAC_TENSOR_FUNCTIONS_INDEXING
#define XLAC_TENSOR_FUNCTIONS_INDEXING

include "tensor/functions/Function.td"

def nonzero : Function<"Tensor nonzero(const Tensor &self)", [Method]> {
  let doc = [{Returns the indices of the elements that are not 0 in row order, as int64 [count, dims]. It runs the operand's pending operations.}];
}
def argwhere : Function<"Tensor argwhere(const Tensor &self)", [Method]> {
  let doc = [{The same as nonzero.}];
}

def index_select : Function<"Tensor index_select(const Tensor &self, int64_t dim, const Tensor &index)",
                   [Method, Out]> {
  let doc = [{Returns the slices of `dim` that `index`, of rank 0 or 1, selects. Indices of gather functions are int32 or int64; those out of range, also negative ones, throw IndexError on the cpu and are clamped on xla.}];
}
def gather : Function<"Tensor gather(const Tensor &self, int64_t dim, const Tensor &index, bool sparse_grad = false)",
                   [Method, Out]> {
  let doc = [{Returns for each element of `index` the element of `self` at the same position, but at that index along `dim`. `index` has as many dimensions as `self`, with sizes that are not greater except along `dim`, else ShapeError.}];
}
def take : Function<"Tensor take(const Tensor &self, const Tensor &index)",
                   [Method, Out]> {
  let doc = [{Returns the elements of the flattened tensor at `index`, in the shape of `index`; negative indices count from the end. Throws IndexError for an empty `self` unless `index` is empty too.}];
}
def take_along_dim : Function<"Tensor take_along_dim(const Tensor &self, const Tensor &indices, std::optional<int64_t> dim = {})",
                   [Method, Out]> {
  let doc = [{The same as gather, but the other dimensions of both broadcast; without `dim` both are flattened. Throws ShapeError if the numbers of dimensions differ.}];
}
def masked_select : Function<"Tensor masked_select(const Tensor &self, const Tensor &mask)",
                   [Method, Out]> {
  let doc = [{Returns the elements where `mask` is true in one dimension; both broadcast. It runs the mask's pending operations; throws DtypeError unless the mask is bool.}];
}
def scatter : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with the elements of `src` written at the indices along `dim`; of several elements for one place the last stays. Indices of scatter functions that are out of range, also negative ones, throw IndexError on the cpu and are skipped on xla.}];
}
def scatter_number : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, Scalar value)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with a number written at the indices along `dim`, as the overload with a tensor.}];
}
def scatter_fold : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src, std::string_view reduce)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with the elements of `src` added to or multiplied with those at the indices along `dim`, by `reduce`, which is "add" or "multiply", else ValueError.}];
}
def scatter_number_fold : Function<"Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index, Scalar value, std::string_view reduce)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with a number added to or multiplied with the elements at the indices along `dim`; `reduce` as in the overload with a tensor.}];
}
def scatter_add : Function<"Tensor scatter_add(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with the elements of `src` added at the indices along `dim`. Throws DtypeError if dtypes differ, and ShapeError if `index` is larger than `src`, or than `self` in another dimension.}];
}
def scatter_reduce : Function<"Tensor scatter_reduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src, std::string_view reduce, bool include_self = true)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` combined with the elements of `src` at the indices along `dim` by "sum", "prod", "mean", "amax" or "amin", else ValueError, in ascending order. Without `include_self` the old elements at the indices do not count; means of integers are rounded down.}];
}
def index_add : Function<"Tensor index_add(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source, Scalar alpha = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with alpha * source added to the slices of `dim` that `index` selects. Throws DtypeError if dtypes differ, and ShapeError unless `source` has the shape of the slices.}];
}
def index_copy : Function<"Tensor index_copy(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with the slices of `dim` that `index` selects replaced by those of `source`. Throws DtypeError if dtypes differ, and ShapeError unless `source` has the shape of the slices.}];
}
def index_fill : Function<"Tensor index_fill(const Tensor &self, int64_t dim, const Tensor &index, Scalar value)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with the slices of `dim` that `index`, of rank 0 or 1, selects filled with a number.}];
}
def index_fill_tensor : Function<"Tensor index_fill(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with the slices of `dim` that `index` selects filled with the element of a tensor without dimensions, else ShapeError.}];
}
def put : Function<"Tensor put(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate = false)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with elements of the flattened tensor replaced by `source`, or with `accumulate` increased by it; negative indices count from the end. Throws DtypeError if dtypes differ, and ShapeError if the numbers of elements do.}];
}
def slice_scatter : Function<"Tensor slice_scatter(const Tensor &self, const Tensor &src, int64_t dim = 0, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, int64_t step = 1)",
                   [Method]> {
  let doc = [{Returns `self` with the elements that slice selects replaced by `src`. Throws ShapeError unless `src` has their shape.}];
}
def select_scatter : Function<"Tensor select_scatter(const Tensor &self, const Tensor &src, int64_t dim, int64_t index)",
                   [Method]> {
  let doc = [{Returns `self` with the elements that select selects replaced by `src`. Throws ShapeError unless `src` has their shape.}];
}
def diagonal_scatter : Function<"Tensor diagonal_scatter(const Tensor &self, const Tensor &src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1)",
                   [Method]> {
  let doc = [{Returns `self` with the elements of diagonal replaced by `src`. Throws ShapeError unless `src` has their shape.}];
}
def masked_fill : Function<"Tensor masked_fill(const Tensor &self, const Tensor &mask, Scalar value)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with a number where `mask` is true; both broadcast. Throws DtypeError unless the mask is bool, and for a complex number if `self` is real.}];
}
def masked_fill_tensor : Function<"Tensor masked_fill(const Tensor &self, const Tensor &mask, const Tensor &value)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with the element of a tensor without dimensions where `mask` is true; both broadcast. Throws ShapeError for a tensor with dimensions, and DtypeError unless the mask is bool.}];
}
def masked_scatter : Function<"Tensor masked_scatter(const Tensor &self, const Tensor &mask, const Tensor &source)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with the elements of `source` in order where `mask` is true; `self` and mask broadcast. Throws DtypeError if dtypes differ or the mask is not bool, and on the cpu ShapeError if `source` has too few elements.}];
}

#endif
