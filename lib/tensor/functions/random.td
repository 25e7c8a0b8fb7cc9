#ifndef XLAC_TENSOR_FUNCTIONS_RANDOM
#define XLAC_TENSOR_FUNCTIONS_RANDOM

include "tensor/functions/Function.td"

def rand : Function<"Tensor rand(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Uniform in [0, 1): 24 random bits in f32, 53 in f64.}];
}
def rand_like : Function<"Tensor rand_like(const Tensor &self, TensorOptions options = {})">;
def uniform_ : Function<"Tensor &uniform_(Tensor &self, double from = 0, double to = 1)", [Method]> {
  let doc = [{Uniform in [from, to).}];
}
def randn : Function<"Tensor randn(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Standard normal; complex numbers have a variance of 1/2 in each part.}];
}
def randn_like : Function<"Tensor randn_like(const Tensor &self, TensorOptions options = {})">;
def normal : Function<"Tensor normal(const Tensor &mean, const Tensor &std)"> {
  let doc = [{No gradient reaches mean and std.}];
}
def normal_deviation : Function<"Tensor normal(const Tensor &mean, double std = 1)">;
def normal_mean : Function<"Tensor normal(double mean, const Tensor &std)">;
def normal_numbers : Function<"Tensor normal(double mean, double std, IntArrayRef size, TensorOptions options = {})">;
def normal_ : Function<"Tensor &normal_(Tensor &self, double mean = 0, double std = 1)", [Method]>;
def log_normal_ : Function<"Tensor &log_normal_(Tensor &self, double mean = 1, double std = 2)", [Method]> {
  let doc = [{exp of normal numbers of this mean and deviation.}];
}
def exponential_ : Function<"Tensor &exponential_(Tensor &self, double lambd = 1)", [Method]> {
  let doc = [{Exponential with rate lambd; never 0.}];
}
def geometric_ : Function<"Tensor &geometric_(Tensor &self, double p)", [Method]> {
  let doc = [{Trials up to the first success.}];
}
def cauchy_ : Function<"Tensor &cauchy_(Tensor &self, double median = 0, double sigma = 1)", [Method]>;

def randint : Function<"Tensor randint(int64_t low, int64_t high, IntArrayRef size, TensorOptions options = {})"> {
  let doc = [{Integers in [low, high), int64 unless options name a dtype.}];
}
def randint_high : Function<"Tensor randint(int64_t high, IntArrayRef size, TensorOptions options = {})">;
def randint_like : Function<"Tensor randint_like(const Tensor &self, int64_t low, int64_t high, TensorOptions options = {})">;
def randint_like_high : Function<"Tensor randint_like(const Tensor &self, int64_t high, TensorOptions options = {})">;
def random_ : Function<"Tensor &random_(Tensor &self)", [Method]> {
  let doc = [{Integers from 0 to the greatest below which the dtype has all.}];
}
def random_below_ : Function<"Tensor &random_(Tensor &self, int64_t to)", [Method]>;
def random_between_ : Function<"Tensor &random_(Tensor &self, int64_t from, int64_t to)", [Method]> {
  let doc = [{Integers in [from, to).}];
}
def bernoulli : Function<"Tensor bernoulli(const Tensor &self)", [Method]> {
  let doc = [{1 with the probability that self has, else 0.}];
}
def bernoulli_number : Function<"Tensor bernoulli(const Tensor &self, double p)", [Method]>;
def bernoulli_ : Function<"Tensor &bernoulli_(Tensor &self, double p = 0.5)", [Method]>;
def bernoulli_tensor_ : Function<"Tensor &bernoulli_(Tensor &self, const Tensor &p)", [Method]>;

def randperm : Function<"Tensor randperm(int64_t n, TensorOptions options = {})"> {
  let doc = [{The numbers below n in random order, int64 unless options name a dtype.}];
}
def multinomial : Function<"Tensor multinomial(const Tensor &self, int64_t num_samples, bool replacement = false)", [Method]> {
  let doc = [{Categories of each row, sampled by its weights; only the cpu checks these.}];
}
def poisson : Function<"Tensor poisson(const Tensor &self)"> {
  let doc = [{Numbers of events at the rates that self has.}];
}

#endif
