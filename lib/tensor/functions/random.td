#ifndef XLAC_TENSOR_FUNCTIONS_RANDOM
#define XLAC_TENSOR_FUNCTIONS_RANDOM

include "tensor/functions/Function.td"

def rand : Function<"Tensor rand(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Returns uniform random numbers in [0, 1), with as many random bits as the dtype has significant bits: 24 in float32, 53 in float64. Throws UnsupportedError for bool and integer dtypes.}];
}
def rand_like : Function<"Tensor rand_like(const Tensor &self, TensorOptions options = {})"> {
  let doc = [{Returns uniform random numbers in [0, 1) with the sizes of `self`, and its dtype and device unless options name others; dtypes as in rand.}];
}
def uniform_ : Function<"Tensor &uniform_(Tensor &self, double from = 0, double to = 1)", [Method]> {
  let doc = [{Overwrites `self` with uniform random numbers in [from, to). Throws ValueError if `from` is above `to`, and UnsupportedError unless the dtype is a real float one.}];
}
def randn : Function<"Tensor randn(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Returns standard normal random numbers; complex ones have a variance of 1/2 in each part. Throws UnsupportedError for bool and integer dtypes.}];
}
def randn_like : Function<"Tensor randn_like(const Tensor &self, TensorOptions options = {})"> {
  let doc = [{Returns standard normal random numbers with the sizes of `self`, and its dtype and device unless options name others; dtypes as in randn.}];
}
def normal : Function<"Tensor normal(const Tensor &mean, const Tensor &std)"> {
  let doc = [{Returns normal random numbers with the means and standard deviations of the tensors, which broadcast; they get no gradient. Throws UnsupportedError unless both are real floats.}];
}
def normal_deviation : Function<"Tensor normal(const Tensor &mean, double std = 1)"> {
  let doc = [{Returns normal random numbers with the means of a tensor and one standard deviation. Throws ValueError if it is negative; no gradient reaches `mean`.}];
}
def normal_mean : Function<"Tensor normal(double mean, const Tensor &std)"> {
  let doc = [{Returns normal random numbers with one mean and the standard deviations of a tensor, which gets no gradient.}];
}
def normal_numbers : Function<"Tensor normal(double mean, double std, IntArrayRef size, TensorOptions options = {})"> {
  let doc = [{Returns normal random numbers of shape `size` in the default dtype unless options name one. Throws ValueError for a negative `std`.}];
}
def normal_ : Function<"Tensor &normal_(Tensor &self, double mean = 0, double std = 1)", [Method]> {
  let doc = [{Overwrites `self` with normal random numbers. Throws ValueError for a negative `std`, and UnsupportedError unless the dtype is a real float one.}];
}
def log_normal_ : Function<"Tensor &log_normal_(Tensor &self, double mean = 1, double std = 2)", [Method]> {
  let doc = [{Overwrites `self` with the exponentials of normal random numbers of this mean and standard deviation. Throws ValueError unless `std` is positive, and UnsupportedError unless the dtype is a real float one.}];
}
def exponential_ : Function<"Tensor &exponential_(Tensor &self, double lambd = 1)", [Method]> {
  let doc = [{Overwrites `self` with exponential random numbers of rate `lambd`. Throws ValueError unless `lambd` is positive, and UnsupportedError unless the dtype is a real float one.}];
}
def geometric_ : Function<"Tensor &geometric_(Tensor &self, double p)", [Method]> {
  let doc = [{Overwrites `self` with numbers of trials up to and with the first success of probability `p`. Throws ValueError unless `p` is in (0, 1), and UnsupportedError for bools and complex numbers.}];
}
def cauchy_ : Function<"Tensor &cauchy_(Tensor &self, double median = 0, double sigma = 1)", [Method]> {
  let doc = [{Overwrites `self` with random numbers of the Cauchy distribution. Throws ValueError unless `sigma` is positive, and UnsupportedError unless the dtype is a real float one.}];
}

def randint : Function<"Tensor randint(int64_t low, int64_t high, IntArrayRef size, TensorOptions options = {})"> {
  let doc = [{Returns random integers in [low, high), in int64 unless options name a dtype. Throws ValueError if the range is empty or a bound is outside the dtype's range, and UnsupportedError for complex dtypes.}];
}
def randint_high : Function<"Tensor randint(int64_t high, IntArrayRef size, TensorOptions options = {})"> {
  let doc = [{Returns random integers in [0, high); dtype and errors as in randint(low, high).}];
}
def randint_like : Function<"Tensor randint_like(const Tensor &self, int64_t low, int64_t high, TensorOptions options = {})"> {
  let doc = [{Returns random integers in [low, high) with the sizes of `self`, and its dtype and device unless options name others; errors as in randint.}];
}
def randint_like_high : Function<"Tensor randint_like(const Tensor &self, int64_t high, TensorOptions options = {})"> {
  let doc = [{Returns random integers in [0, high) with the sizes of `self`, and its dtype and device unless options name others; errors as in randint.}];
}
def random_ : Function<"Tensor &random_(Tensor &self)", [Method]> {
  let doc = [{Overwrites `self` with random integers from 0 to the greatest number of the dtype, or for floats to the greatest number up to which all integers are representable. Throws UnsupportedError for complex dtypes.}];
}
def random_below_ : Function<"Tensor &random_(Tensor &self, int64_t to)", [Method]> {
  let doc = [{Overwrites `self` with random integers in [0, to); errors as in random_(from, to).}];
}
def random_between_ : Function<"Tensor &random_(Tensor &self, int64_t from, int64_t to)", [Method]> {
  let doc = [{Overwrites `self` with random integers in [from, to). Throws ValueError if the range is empty or a bound is outside the dtype's range, and UnsupportedError for complex dtypes.}];
}
def bernoulli : Function<"Tensor bernoulli(const Tensor &self)", [Method]> {
  let doc = [{Returns 1 with the probability that the element of `self` states, else 0, in the dtype of `self`. Throws UnsupportedError unless that is a real float dtype; the probabilities are not checked.}];
}
def bernoulli_number : Function<"Tensor bernoulli(const Tensor &self, double p)", [Method]> {
  let doc = [{Returns 1 with probability `p`, else 0, with the sizes and dtype of `self`. Throws ValueError unless `p` is in [0, 1].}];
}
def bernoulli_ : Function<"Tensor &bernoulli_(Tensor &self, double p = 0.5)", [Method]> {
  let doc = [{Overwrites `self`, of any dtype, with 1 with probability `p`, else 0. Throws ValueError unless `p` is in [0, 1].}];
}
def bernoulli_tensor_ : Function<"Tensor &bernoulli_(Tensor &self, const Tensor &p)", [Method]> {
  let doc = [{Overwrites `self` with 1 with the probabilities of `p`, else 0. Throws DtypeError unless `p` is a real float, and ShapeError if it does not broadcast to the sizes of `self`.}];
}

def randperm : Function<"Tensor randperm(int64_t n, TensorOptions options = {})"> {
  let doc = [{Returns the integers in [0, n) in random order, in int64 unless options name a dtype. Throws ValueError if `n` is negative or too large for the dtype, and UnsupportedError for bool and complex dtypes.}];
}
def multinomial : Function<"Tensor multinomial(const Tensor &self, int64_t num_samples, bool replacement = false)", [Method]> {
  let doc = [{Returns indices of categories, int64 [num_samples] or [rows, num_samples], chosen by the weights in each row of `self`. Throws ValueError for more samples than categories without replacement, and on the cpu for weights that are negative, infinite, NaN or all 0.}];
}
def poisson : Function<"Tensor poisson(const Tensor &self)"> {
  let doc = [{Returns random numbers of events at the rates of `self`, in its dtype. Throws UnsupportedError unless that is a real float dtype, and on the cpu ValueError for a negative rate.}];
}

#endif
