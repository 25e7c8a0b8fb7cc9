#ifndef XLAC_TENSOR_FUNCTIONS_REDUCTIONS
#define XLAC_TENSOR_FUNCTIONS_REDUCTIONS

include "tensor/functions/Function.td"

//===- Sums and tests -----------------------------------------------------===//

def sum_all : Function<"Tensor sum(const Tensor &self)", [Method]> {
  let doc = [{Returns the sum of all elements, without dimensions; 0 without elements. Bools and integers are summed in int64.}];
}
def sum_all_as : Function<"Tensor sum(const Tensor &self, Dtype dtype)", [Method]> {
  let doc = [{Returns the sum of all elements, which are first converted to `dtype`.}];
}
def sum : Function<"Tensor sum(const Tensor &self, IntArrayRef dims, bool keepdim = false, std::optional<Dtype> dtype = {})",
                   [Method, Out]> {
  let doc = [{Returns the sums over `dims`, in int64 for bools and integers unless `dtype` is given. An empty list means all dims; throws ValueError for a repeated dim and IndexError for one out of range, as all reductions do.}];
}
def mean_all : Function<"Tensor mean(const Tensor &self)", [Method]> {
  let doc = [{Returns the mean of all elements; NaN without elements. Throws DtypeError for bools and integers.}];
}
def mean_all_as : Function<"Tensor mean(const Tensor &self, Dtype dtype)", [Method]> {
  let doc = [{Returns the mean of all elements, which are first converted to `dtype`. Throws DtypeError unless that is a float or complex dtype.}];
}
def mean : Function<"Tensor mean(const Tensor &self, IntArrayRef dims, bool keepdim = false, std::optional<Dtype> dtype = {})",
                    [Method, Out]> {
  let doc = [{Returns the means over `dims`, in `dtype` if given. Throws DtypeError unless the dtype is a float or complex one. An empty list of dims means all.}];
}
def nansum : Function<"Tensor nansum(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false, std::optional<Dtype> dtype = {})",
                      [Method, Out]> {
  let doc = [{Returns the sums over `dims` with NaN counted as 0; dtypes as in sum. Throws DtypeError for complex numbers.}];
}
def nanmean : Function<"Tensor nanmean(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false, std::optional<Dtype> dtype = {})",
                       [Method, Out]> {
  let doc = [{Returns the means over `dims` of the elements that are not NaN; NaN if there are none. Throws DtypeError unless `self` is a real float.}];
}
def prod_all : Function<"Tensor prod(const Tensor &self, std::optional<Dtype> dtype = {})", [Method]> {
  let doc = [{Returns the product of all elements; 1 without elements. Bools and integers are multiplied in int64 unless `dtype` is given.}];
}
def prod : Function<"Tensor prod(const Tensor &self, int64_t dim, bool keepdim = false, std::optional<Dtype> dtype = {})",
                    [Method, Out]> {
  let doc = [{Returns the products along `dim`, in int64 for bools and integers unless `dtype` is given.}];
}
def any_all : Function<"Tensor any(const Tensor &self)", [Method]> {
  let doc = [{Returns whether any element is other than 0; false without elements. The dtype is bool, but uint8 for uint8.}];
}
def any : Function<"Tensor any(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Returns whether any element over `dims` is other than 0, as bool, but as uint8 for uint8. An empty list of dims means all.}];
}
def all_all : Function<"Tensor all(const Tensor &self)", [Method]> {
  let doc = [{Returns whether all elements are other than 0; true without elements. The dtype is bool, but uint8 for uint8.}];
}
def all : Function<"Tensor all(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Returns whether all elements over `dims` are other than 0, as bool, but as uint8 for uint8. An empty list of dims means all.}];
}
def count_nonzero : Function<"Tensor count_nonzero(const Tensor &self, IntArrayRef dims = {})", [Method]> {
  let doc = [{Returns the numbers of elements other than 0 over `dims`, as int64; NaN counts. An empty list of dims means all.}];
}

//===- Maxima and minima --------------------------------------------------===//

def max_all : Function<"Tensor max(const Tensor &self)", [Method]> {
  let doc = [{Returns the greatest element, or NaN if any is NaN. Throws IndexError without elements, and DtypeError for complex numbers.}];
}
def max : Function<"std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Returns the greatest elements along `dim` and their int64 indices: the first of equal ones, and of NaN if there is any. Throws IndexError if `dim` has size 0, and DtypeError for complex numbers.}];
}
def max_pair : Function<"Tensor max(const Tensor &self, const Tensor &other)", [Method]> {
  let doc = [{The same as maximum.}];
}
def min_all : Function<"Tensor min(const Tensor &self)", [Method]> {
  let doc = [{Returns the smallest element, or NaN if any is NaN. Throws IndexError without elements, and DtypeError for complex numbers.}];
}
def min : Function<"std::tuple<Tensor, Tensor> min(const Tensor &self, int64_t dim, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Returns the smallest elements along `dim` and their int64 indices: the first of equal ones, and of NaN if there is any. Throws IndexError if `dim` has size 0, and DtypeError for complex numbers.}];
}
def min_pair : Function<"Tensor min(const Tensor &self, const Tensor &other)", [Method]> {
  let doc = [{The same as minimum.}];
}
def amax : Function<"Tensor amax(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{Returns the greatest elements over `dims`, or NaN if any is NaN; equal ones share the gradient. Throws IndexError if a reduced dim has size 0, and DtypeError for complex numbers.}];
}
def amin : Function<"Tensor amin(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{Returns the smallest elements over `dims`, or NaN if any is NaN; equal ones share the gradient. Throws IndexError if a reduced dim has size 0, and DtypeError for complex numbers.}];
}
def aminmax : Function<"std::tuple<Tensor, Tensor> aminmax(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                       [Method, Out]> {
  let doc = [{Returns the smallest and the greatest elements along `dim`, or of all elements without it. Throws IndexError if there are none to reduce, and DtypeError for complex numbers.}];
}
def argmax : Function<"Tensor argmax(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                      [Method, Out]> {
  let doc = [{Returns the int64 index of the greatest element along `dim`, or in the flattened tensor without it: the first of equal ones, or of NaN. Throws IndexError if there are no elements to reduce, and DtypeError for complex numbers.}];
}
def argmin : Function<"Tensor argmin(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                      [Method, Out]> {
  let doc = [{Returns the int64 index of the smallest element along `dim`, or in the flattened tensor without it: the first of equal ones, or of NaN. Throws IndexError if there are no elements to reduce, and DtypeError for complex numbers.}];
}

//===- Variances, norms, logarithms of sums -------------------------------===//

def var : Function<"Tensor var(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Returns the sums of squared distances from the mean over `dims`, divided by max(0, count - correction); those of complex numbers are real. Throws DtypeError for bools and integers.}];
}
def std : Function<"Tensor std(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Returns the square roots of the variances over `dims`; their gradient is 0 where the variance is 0. Throws DtypeError for bools and integers.}];
}
def var_mean : Function<"std::tuple<Tensor, Tensor> var_mean(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)"> {
  let doc = [{Returns the variances and the means over `dims`, as var and mean.}];
}
def std_mean : Function<"std::tuple<Tensor, Tensor> std_mean(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)"> {
  let doc = [{Returns the standard deviations and the means over `dims`, as std and mean.}];
}
def logsumexp : Function<"Tensor logsumexp(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                         [Method, Out]> {
  let doc = [{Returns the logarithms of the sums of exponentials over `dims`, without overflow; -infinity without elements. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def norm_all : Function<"Tensor norm(const Tensor &self, Scalar p = 2)", [Method]> {
  let doc = [{Returns the norm (Σ |x|ᵖ)^(1/p) of all elements; the greatest |x| if p is infinite, the smallest if it is -infinity, the number of elements other than 0 if p is 0. Throws DtypeError for bools and integers.}];
}
def norm : Function<"Tensor norm(const Tensor &self, Scalar p, IntArrayRef dims, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{Returns the norms over `dims`; an empty list means all. Throws IndexError if a reduced dim has size 0 and p is negative or infinite, and DtypeError for bools and integers.}];
}
def dist : Function<"Tensor dist(const Tensor &self, const Tensor &other, Scalar p = 2)", [Method]> {
  let doc = [{Returns the norm of self - other over all elements; both broadcast. Throws DtypeError if the difference is of integers.}];
}

//===- Scans --------------------------------------------------------------===//

def cumsum : Function<"Tensor cumsum(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                      [Method, InPlace, Out]> {
  let doc = [{Returns the sum of all elements up to each along `dim`. Bools and integers are summed in int64 unless `dtype` is given.}];
}
def cumprod : Function<"Tensor cumprod(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                       [Method, InPlace, Out]> {
  let doc = [{Returns the product of all elements up to each along `dim`. Bools and integers are multiplied in int64 unless `dtype` is given.}];
}
def cummax : Function<"std::tuple<Tensor, Tensor> cummax(const Tensor &self, int64_t dim)",
                      [Method, Out]> {
  let doc = [{Returns the greatest element up to each along `dim` and its int64 index: the last of equal ones, and NaN from the first NaN on. Throws DtypeError for complex numbers.}];
}
def cummin : Function<"std::tuple<Tensor, Tensor> cummin(const Tensor &self, int64_t dim)",
                      [Method, Out]> {
  let doc = [{Returns the smallest element up to each along `dim` and its int64 index: the last of equal ones, and NaN from the first NaN on. Throws DtypeError for complex numbers.}];
}
def logcumsumexp : Function<"Tensor logcumsumexp(const Tensor &self, int64_t dim)",
                            [Method, Out]> {
  let doc = [{Returns the logarithm of the sum of exponentials of all elements up to each along `dim`, without overflow. Throws DtypeError unless `self` is a real float.}];
}
def diff : Function<"Tensor diff(const Tensor &self, int64_t n = 1, int64_t dim = -1, const Tensor &prepend = {}, const Tensor &append = {})",
                    [Method, Out]> {
  let doc = [{Returns each element less the one before along `dim`, repeated `n` times; of bools, whether they differ. Each time the size shrinks by 1, down to 0. Throws ValueError for a negative `n`, and ShapeError for a tensor without dimensions.}];
}

//===- Order --------------------------------------------------------------===//

def sort : Function<"std::tuple<Tensor, Tensor> sort(const Tensor &self, int64_t dim = -1, bool descending = false, bool stable = false)",
                    [Method, Out]> {
  let doc = [{Returns the sorted elements along `dim` and their int64 indices. The order of equal elements is always kept, and NaN counts as the greatest; throws DtypeError for complex numbers.}];
}
def argsort : Function<"Tensor argsort(const Tensor &self, int64_t dim = -1, bool descending = false, bool stable = false)",
                       [Method]> {
  let doc = [{Returns the int64 indices that sort the elements along `dim`; order and errors as in sort.}];
}
def msort : Function<"Tensor msort(const Tensor &self)", [Method, Out]> {
  let doc = [{Returns the elements sorted along the first dim in ascending order; errors as in sort.}];
}
def topk : Function<"std::tuple<Tensor, Tensor> topk(const Tensor &self, int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true)",
                    [Method, Out]> {
  let doc = [{Returns the `k` greatest elements along `dim`, or the smallest if not `largest`, and their int64 indices; they are always sorted, and NaN counts as the greatest. Throws ValueError if `k` is negative or above the size.}];
}
def kthvalue : Function<"std::tuple<Tensor, Tensor> kthvalue(const Tensor &self, int64_t k, int64_t dim = -1, bool keepdim = false)",
                        [Method, Out]> {
  let doc = [{Returns the k-th smallest element along `dim`, counted from 1, and its int64 index. Throws ValueError unless `k` is in [1, size].}];
}
def median_all : Function<"Tensor median(const Tensor &self)", [Method]> {
  let doc = [{Returns the middle one of all elements in order, the lower of two; NaN if any is NaN. Without elements it is NaN for floats, and throws ValueError for other dtypes.}];
}
def median : Function<"std::tuple<Tensor, Tensor> median(const Tensor &self, int64_t dim, bool keepdim = false)",
                      [Method, Out]> {
  let doc = [{Returns the middle elements along `dim` in order, the lower of two, and their int64 indices; the first NaN if there is any. Throws IndexError if `dim` has size 0.}];
}
def nanmedian_all : Function<"Tensor nanmedian(const Tensor &self)", [Method]> {
  let doc = [{Returns the median of the elements that are not NaN, and NaN if there are none; otherwise as median.}];
}
def nanmedian : Function<"std::tuple<Tensor, Tensor> nanmedian(const Tensor &self, int64_t dim, bool keepdim = false)",
                         [Method, Out]> {
  let doc = [{Returns the medians along `dim` of the elements that are not NaN, and their int64 indices; NaN if all are. Throws IndexError if `dim` has size 0.}];
}
def mode : Function<"std::tuple<Tensor, Tensor> mode(const Tensor &self, int64_t dim = -1, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{Returns the most frequent element along `dim`, the smallest of several, and the int64 index of its last occurrence. Throws IndexError if `dim` has size 0.}];
}
def quantile : Function<"Tensor quantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim = {}, bool keepdim = false, const std::string &interpolation = \"linear\")",
                        [Method, Out]> {
  let doc = [{Returns the quantiles at the positions `q` of rank 0 or 1, in a new first dimension for rank 1; NaN in a row gives NaN. The interpolation is linear, lower, higher, midpoint or nearest; throws DtypeError unless both are float32 or both float64.}];
}
def quantile_number : Function<"Tensor quantile(const Tensor &self, double q, std::optional<int64_t> dim = {}, bool keepdim = false, const std::string &interpolation = \"linear\")",
                               [Method, Out]> {
  let doc = [{Returns the quantile at one position `q` along `dim`, or of all elements without it. Throws ValueError unless `q` is in [0, 1], or without elements; otherwise as the overload with a tensor.}];
}

//===- Sets and histograms ------------------------------------------------===//

def unique : Function<"std::tuple<Tensor, Tensor, Tensor> unique(const Tensor &self, bool sorted = true, bool return_inverse = false, bool return_counts = false, std::optional<int64_t> dim = {})",
                      [Method]> {
  let doc = [{Returns the distinct elements, or slices along `dim`, always sorted; then the index of each input element among them and the counts, which are undefined tensors unless requested. Each NaN is distinct. It runs the operand's pending operations.}];
}
def unique_consecutive : Function<"std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor &self, bool return_inverse = false, bool return_counts = false, std::optional<int64_t> dim = {})",
                                  [Method]> {
  let doc = [{Returns the elements, or slices along `dim`, without those equal to their predecessor; the other results as in unique. It runs the operand's pending operations.}];
}
def bincount : Function<"Tensor bincount(const Tensor &self, const Tensor &weights = {}, int64_t minlength = 0)",
                        [Method]> {
  let doc = [{Returns how often each number from 0 occurs, as int64, or the sums of its weights, in float32 for float32 weights, else in float64. Throws ValueError unless `self` has one dimension of integers that are not negative. It runs the operand's pending operations.}];
}
def histc : Function<"Tensor histc(const Tensor &self, int64_t bins = 100, Scalar min = 0, Scalar max = 0)",
                     [Method, Out]> {
  let doc = [{Returns the counts of elements in `bins` intervals of equal width from `min` to `max`, in the dtype of `self`; if both are equal, the bounds are those of the elements. Elements outside are not counted; throws DtypeError unless `self` is a real float.}];
}
def searchsorted : Function<"Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self, bool out_int32 = false, bool right = false, const std::optional<std::string> &side = {}, const Tensor &sorter = {})"> {
  let doc = [{Returns for each element of `self` the number of sequence elements before it along the last dim, as int64 or int32; with `right` or side "right" those equal to it count too. The sequence has one dimension or the leading sizes of `self`, else ShapeError.}];
}
def searchsorted_number : Function<"Tensor searchsorted(const Tensor &sorted_sequence, Scalar self, bool out_int32 = false, bool right = false, const std::optional<std::string> &side = {}, const Tensor &sorter = {})"> {
  let doc = [{Returns the number of sequence elements before a number, which is converted to the dtype of the sequence. Throws ShapeError unless the sequence has one dimension; otherwise as the overload with a tensor.}];
}
def bucketize : Function<"Tensor bucketize(const Tensor &self, const Tensor &boundaries, bool out_int32 = false, bool right = false)"> {
  let doc = [{Returns for each element of `self` the number of `boundaries` before it, as searchsorted. Throws ShapeError unless the boundaries have one dimension.}];
}

#endif
