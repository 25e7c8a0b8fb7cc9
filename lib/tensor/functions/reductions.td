#ifndef XLAC_TENSOR_FUNCTIONS_REDUCTIONS
#define XLAC_TENSOR_FUNCTIONS_REDUCTIONS

include "tensor/functions/Function.td"

//===- Sums and tests -----------------------------------------------------===//

def sum_all : Function<"Tensor sum(const Tensor &self)", [Method]> {
  let doc = [{Bool and integers sum into int64.}];
}
def sum_all_as : Function<"Tensor sum(const Tensor &self, Dtype dtype)", [Method]>;
def sum : Function<"Tensor sum(const Tensor &self, IntArrayRef dims, bool keepdim = false, std::optional<Dtype> dtype = {})",
                   [Method, Out]>;
def mean_all : Function<"Tensor mean(const Tensor &self)", [Method]>;
def mean_all_as : Function<"Tensor mean(const Tensor &self, Dtype dtype)", [Method]>;
def mean : Function<"Tensor mean(const Tensor &self, IntArrayRef dims, bool keepdim = false, std::optional<Dtype> dtype = {})",
                    [Method, Out]>;
def nansum : Function<"Tensor nansum(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false, std::optional<Dtype> dtype = {})",
                      [Method, Out]> {
  let doc = [{NaN counts as 0.}];
}
def nanmean : Function<"Tensor nanmean(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false, std::optional<Dtype> dtype = {})",
                       [Method, Out]> {
  let doc = [{NaN is not counted.}];
}
def prod_all : Function<"Tensor prod(const Tensor &self, std::optional<Dtype> dtype = {})", [Method]>;
def prod : Function<"Tensor prod(const Tensor &self, int64_t dim, bool keepdim = false, std::optional<Dtype> dtype = {})",
                    [Method, Out]>;
def any_all : Function<"Tensor any(const Tensor &self)", [Method]> {
  let doc = [{Bool, but uint8 of uint8.}];
}
def any : Function<"Tensor any(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]>;
def all_all : Function<"Tensor all(const Tensor &self)", [Method]> {
  let doc = [{Bool, but uint8 of uint8.}];
}
def all : Function<"Tensor all(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                   [Method, Out]>;
def count_nonzero : Function<"Tensor count_nonzero(const Tensor &self, IntArrayRef dims = {})", [Method]>;

//===- Maxima and minima --------------------------------------------------===//

def max_all : Function<"Tensor max(const Tensor &self)", [Method]> {
  let doc = [{NaN wins.}];
}
def max : Function<"std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Values and indices; the first of equal ones.}];
}
def max_pair : Function<"Tensor max(const Tensor &self, const Tensor &other)", [Method]> {
  let doc = [{maximum.}];
}
def min_all : Function<"Tensor min(const Tensor &self)", [Method]> {
  let doc = [{NaN wins.}];
}
def min : Function<"std::tuple<Tensor, Tensor> min(const Tensor &self, int64_t dim, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Values and indices; the first of equal ones.}];
}
def min_pair : Function<"Tensor min(const Tensor &self, const Tensor &other)", [Method]> {
  let doc = [{minimum.}];
}
def amax : Function<"Tensor amax(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{Equal elements share the gradient.}];
}
def amin : Function<"Tensor amin(const Tensor &self, IntArrayRef dims = {}, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{Equal elements share the gradient.}];
}
def aminmax : Function<"std::tuple<Tensor, Tensor> aminmax(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                       [Method, Out]>;
def argmax : Function<"Tensor argmax(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                      [Method, Out]>;
def argmin : Function<"Tensor argmin(const Tensor &self, std::optional<int64_t> dim = {}, bool keepdim = false)",
                      [Method, Out]>;

//===- Variances, norms, logarithms of sums -------------------------------===//

def var : Function<"Tensor var(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)",
                   [Method, Out]> {
  let doc = [{Divides by the count less `correction`.}];
}
def std : Function<"Tensor std(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)",
                   [Method, Out]>;
def var_mean : Function<"std::tuple<Tensor, Tensor> var_mean(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)">;
def std_mean : Function<"std::tuple<Tensor, Tensor> std_mean(const Tensor &self, IntArrayRef dims = {}, Scalar correction = 1, bool keepdim = false)">;
def logsumexp : Function<"Tensor logsumexp(const Tensor &self, IntArrayRef dims, bool keepdim = false)",
                         [Method, Out]>;
def norm_all : Function<"Tensor norm(const Tensor &self, Scalar p = 2)", [Method]> {
  let doc = [{(Σ |x|ᵖ)^(1/p); the greatest |x| for p infinite, the count of others than 0 for p 0.}];
}
def norm : Function<"Tensor norm(const Tensor &self, Scalar p, IntArrayRef dims, bool keepdim = false)",
                    [Method, Out]>;
def dist : Function<"Tensor dist(const Tensor &self, const Tensor &other, Scalar p = 2)", [Method]> {
  let doc = [{The norm of the difference.}];
}

//===- Scans --------------------------------------------------------------===//

def cumsum : Function<"Tensor cumsum(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                      [Method, InPlace, Out]> {
  let doc = [{Sums of all elements up to each; bool and integers sum into int64.}];
}
def cumprod : Function<"Tensor cumprod(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                       [Method, InPlace, Out]>;
def cummax : Function<"std::tuple<Tensor, Tensor> cummax(const Tensor &self, int64_t dim)",
                      [Method, Out]> {
  let doc = [{Values and indices; the last of equal ones, NaN from the first one on.}];
}
def cummin : Function<"std::tuple<Tensor, Tensor> cummin(const Tensor &self, int64_t dim)",
                      [Method, Out]> {
  let doc = [{Values and indices; the last of equal ones, NaN from the first one on.}];
}
def logcumsumexp : Function<"Tensor logcumsumexp(const Tensor &self, int64_t dim)",
                            [Method, Out]>;
def diff : Function<"Tensor diff(const Tensor &self, int64_t n = 1, int64_t dim = -1, const Tensor &prepend = {}, const Tensor &append = {})",
                    [Method, Out]> {
  let doc = [{Each element less the one before, `n` times; of bool, whether they differ.}];
}

//===- Order --------------------------------------------------------------===//

def sort : Function<"std::tuple<Tensor, Tensor> sort(const Tensor &self, int64_t dim = -1, bool descending = false, bool stable = false)",
                    [Method, Out]> {
  let doc = [{Values and indices. Always stable; NaN counts as the greatest.}];
}
def argsort : Function<"Tensor argsort(const Tensor &self, int64_t dim = -1, bool descending = false, bool stable = false)",
                       [Method]>;
def msort : Function<"Tensor msort(const Tensor &self)", [Method, Out]> {
  let doc = [{Sorted along the first dim.}];
}
def topk : Function<"std::tuple<Tensor, Tensor> topk(const Tensor &self, int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true)",
                    [Method, Out]> {
  let doc = [{The first `k` of the sorted values, and their indices.}];
}
def kthvalue : Function<"std::tuple<Tensor, Tensor> kthvalue(const Tensor &self, int64_t k, int64_t dim = -1, bool keepdim = false)",
                        [Method, Out]> {
  let doc = [{The k-th least, counted from 1.}];
}
def median_all : Function<"Tensor median(const Tensor &self)", [Method]> {
  let doc = [{The lower of two middle ones; NaN if there is one.}];
}
def median : Function<"std::tuple<Tensor, Tensor> median(const Tensor &self, int64_t dim, bool keepdim = false)",
                      [Method, Out]>;
def nanmedian_all : Function<"Tensor nanmedian(const Tensor &self)", [Method]>;
def nanmedian : Function<"std::tuple<Tensor, Tensor> nanmedian(const Tensor &self, int64_t dim, bool keepdim = false)",
                         [Method, Out]>;
def mode : Function<"std::tuple<Tensor, Tensor> mode(const Tensor &self, int64_t dim = -1, bool keepdim = false)",
                    [Method, Out]> {
  let doc = [{The most frequent value, the least of several, and the index of its last occurrence.}];
}
def quantile : Function<"Tensor quantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim = {}, bool keepdim = false, const std::string &interpolation = \"linear\")",
                        [Method, Out]> {
  let doc = [{The interpolation is linear, lower, higher, midpoint or nearest.}];
}
def quantile_number : Function<"Tensor quantile(const Tensor &self, double q, std::optional<int64_t> dim = {}, bool keepdim = false, const std::string &interpolation = \"linear\")",
                               [Method, Out]>;

//===- Sets and histograms ------------------------------------------------===//

def unique : Function<"std::tuple<Tensor, Tensor, Tensor> unique(const Tensor &self, bool sorted = true, bool return_inverse = false, bool return_counts = false, std::optional<int64_t> dim = {})",
                      [Method]> {
  let doc = [{Values, inverse and counts; those not asked for are undefined. Materializes.}];
}
def unique_consecutive : Function<"std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor &self, bool return_inverse = false, bool return_counts = false, std::optional<int64_t> dim = {})",
                                  [Method]> {
  let doc = [{As unique, of neighbours only.}];
}
def bincount : Function<"Tensor bincount(const Tensor &self, const Tensor &weights = {}, int64_t minlength = 0)",
                        [Method]> {
  let doc = [{Materializes.}];
}
def histc : Function<"Tensor histc(const Tensor &self, int64_t bins = 100, Scalar min = 0, Scalar max = 0)",
                     [Method, Out]> {
  let doc = [{Counts of elements in bins of equal width; equal bounds mean those of the elements.}];
}
def searchsorted : Function<"Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self, bool out_int32 = false, bool right = false, const std::optional<std::string> &side = {}, const Tensor &sorter = {})"> {
  let doc = [{Number of elements of the sequence before each element.}];
}
def searchsorted_number : Function<"Tensor searchsorted(const Tensor &sorted_sequence, Scalar self, bool out_int32 = false, bool right = false, const std::optional<std::string> &side = {}, const Tensor &sorter = {})">;
def bucketize : Function<"Tensor bucketize(const Tensor &self, const Tensor &boundaries, bool out_int32 = false, bool right = false)"> {
  let doc = [{The searchsorted of `self` among 1-d boundaries.}];
}

#endif
