// Norms of vectors and matrices, and distances.
#include "statistics.h"
#include "xlac/tensor/matrices.h"

#include <algorithm>
#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

Dtype norm_dtype(const Tensor &self, std::optional<Dtype> asked) {
  Dtype dtype = impl_of(self).dtype;
  expect_floating(dtype, true);
  if (asked && is_complex(dtype) && !is_complex(*asked))
    raise<DtypeError>("dtype should be complex for complex inputs, but got " +
                      lazy::legacy_name(*asked));
  if (asked)
    expect_floating(*asked, true);
  return asked.value_or(dtype);
}

/// Returns the two dims of a matrix norm, which must differ.
Shape matrix_dims(const Tensor &self, IntArrayRef given) {
  const Shape &sizes = impl_of(self).sizes;
  if (sizes.size() < 2)
    raise<ShapeError>("The input tensor A must have at least 2 dimensions.");
  if (given.size() != 2)
    raise<ValueError>("dim must be a 2-tuple");
  auto rank = static_cast<int64_t>(sizes.size());
  Shape dims{wrap_dim(*given.begin(), rank),
             wrap_dim(*(given.begin() + 1), rank)};
  if (dims[0] == dims[1])
    raise<ValueError>("dims must be different, got " + to_text(dims));
  return dims;
}

/// Sums |x| along one of the dims, then takes the maximum or minimum along the
/// other.
Tensor norm_of_sums(const Tensor &self, int64_t sum_dim, int64_t other,
                    bool greatest, bool keepdim, Dtype dtype) {
  Reduction r = prepare(self, {sum_dim, other}, dtype);
  Value sums = norm_value(r.value, 1, {sum_dim}, r.device);
  int64_t place = other > sum_dim ? other - 1 : other;
  Value result = greatest ? max_value(sums, {place}) : min_value(sums, {place});
  return conclude(r, result, keepdim, real_dtype(dtype));
}

/// Norms from singular values: their sum, maximum or minimum.
Tensor norm_of_spectrum(const Tensor &self, const Shape &dims, double p,
                        bool keepdim, Dtype dtype) {
  auto rank = static_cast<int64_t>(impl_of(self).sizes.size());
  Shape order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dims[0] && i != dims[1])
      order.push_back(i);
  order.insert(order.end(), dims.begin(), dims.end());
  Tensor values = linalg::svdvals(xlac::permute(self.to(dtype), order));
  Tensor result = p == 1  ? xlac::sum(values, -1)
                  : p > 0 ? xlac::amax(values, -1)
                          : xlac::amin(values, -1);
  if (!keepdim)
    return result;
  result = xlac::unsqueeze(result, std::min(dims[0], dims[1]));
  return xlac::unsqueeze(result, std::max(dims[0], dims[1]));
}

Tensor matrix_norm_of(const Tensor &self, double p, const Shape &dims,
                      bool keepdim, Dtype dtype) {
  double size = std::abs(p);
  if (size == 2)
    return norm_of_spectrum(self, dims, p, keepdim, dtype);
  if (size != 1 && !std::isinf(size))
    raise<ValueError>("order " + std::to_string(p) +
                      " not supported for matrices");
  bool columns = size == 1;
  return norm_of_sums(self, dims[columns ? 0 : 1], dims[columns ? 1 : 0], p > 0,
                      keepdim, dtype);
}

Tensor matrix_norm_of(const Tensor &self, const std::string &p,
                      const Shape &dims, bool keepdim, Dtype dtype) {
  if (p == "fro")
    return norm_of(self, 2, dims, keepdim, dtype);
  if (p == "nuc")
    return norm_of_spectrum(self, dims, 1, keepdim, dtype);
  raise<ValueError>("order " + p + " not supported, expected 'fro' or 'nuc'");
}

/// Norms along the last dim, which is removed.
Tensor norm_of_last(const Tensor &self, double p, bool keepdim = false) {
  return norm_of(self, p, -1, keepdim, impl_of(self).dtype);
}

/// The greatest |x| along the last dim. Unlike for a norm, equal maxima do not
/// share the derivative: each gets all of it.
Tensor greatest_of_last(const Tensor &gap) {
  Tensor size = xlac::abs(gap);
  Tensor top = xlac::amax(size.detach(), -1, /*keepdim=*/true);
  Tensor base = xlac::where(xlac::isinf(top), Scalar(0.0), top);
  Tensor rest = xlac::where(xlac::eq(size.detach(), top), xlac::sub(size, base),
                            Scalar(0.0));
  return xlac::add(xlac::sum(rest, -1), xlac::squeeze(base, -1));
}

/// Distances from the differences `gap`, along the last dim.
Tensor distance_of_last(const Tensor &gap, double p) {
  if (std::isinf(p) && impl_of(gap).sizes.back() != 0)
    return greatest_of_last(gap);
  return norm_of_last(gap, p);
}

void expect_points(const Tensor &a, const Tensor &b) {
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (x.size() < 2 || y.size() < 2)
    raise<ShapeError>("only supports at least 2D tensors, got " + to_text(x) +
                      " and " + to_text(y));
  if (x.back() != y.back())
    raise<ShapeError>("X1 and X2 must have the same number of columns. X1: " +
                      std::to_string(x.back()) +
                      " X2: " + std::to_string(y.back()));
  expect_floating(impl_of(a).dtype);
  expect_floating(impl_of(b).dtype);
}

} // namespace

//===- Norms --------------------------------------------------------------===//

Tensor linalg::vector_norm(const Tensor &x, Scalar ord, IntArrayRef dim,
                           bool keepdim, std::optional<Dtype> dtype) {
  XLAC_CALL("linalg.vector_norm");
  return norm_of(x, ord.to<double>(), dim, keepdim, norm_dtype(x, dtype));
}

Tensor linalg::matrix_norm(const Tensor &A, Scalar ord, IntArrayRef dim,
                           bool keepdim, std::optional<Dtype> dtype) {
  XLAC_CALL("linalg.matrix_norm");
  return matrix_norm_of(A, ord.to<double>(), matrix_dims(A, dim), keepdim,
                        norm_dtype(A, dtype));
}

Tensor linalg::matrix_norm(const Tensor &A, const std::string &ord,
                           IntArrayRef dim, bool keepdim,
                           std::optional<Dtype> dtype) {
  XLAC_CALL("linalg.matrix_norm");
  return matrix_norm_of(A, ord, matrix_dims(A, dim), keepdim,
                        norm_dtype(A, dtype));
}

Tensor linalg::norm(const Tensor &A, std::optional<Scalar> ord, IntArrayRef dim,
                    bool keepdim, std::optional<Dtype> dtype) {
  XLAC_CALL("linalg.norm");
  Dtype result = norm_dtype(A, dtype);
  auto rank = static_cast<int64_t>(impl_of(A).sizes.size());
  if (!ord)
    return norm_of(A, 2, dim, keepdim, result);
  if (dim.size() == 0 && rank > 2)
    raise<ShapeError>("if ord is specified but dim is not, the input must be "
                      "1D or 2D, not of " +
                      std::to_string(rank) + " dimensions");
  if (dim.size() == 2 || (dim.size() == 0 && rank == 2)) {
    Shape dims = matrix_dims(A, dim.size() == 0 ? IntArrayRef({-2, -1}) : dim);
    return matrix_norm_of(A, ord->to<double>(), dims, keepdim, result);
  }
  return norm_of(A, ord->to<double>(), dim, keepdim, result);
}

Tensor linalg::norm(const Tensor &A, const std::string &ord, IntArrayRef dim,
                    bool keepdim, std::optional<Dtype> dtype) {
  XLAC_CALL("linalg.norm");
  Shape dims = matrix_dims(A, dim.size() == 0 ? IntArrayRef({-2, -1}) : dim);
  return matrix_norm_of(A, ord, dims, keepdim, norm_dtype(A, dtype));
}

Tensor linalg::cond(const Tensor &A, std::optional<Scalar> p) {
  XLAC_CALL("linalg.cond");
  double order = p ? p->to<double>() : 2;
  if (std::abs(order) == 2) {
    Tensor values = linalg::svdvals(A);
    Tensor most = xlac::amax(values, -1), least = xlac::amin(values, -1);
    return order > 0 ? xlac::div(most, least) : xlac::div(least, most);
  }
  Tensor inverse = linalg::inv(A);
  return xlac::mul(linalg::matrix_norm(A, order),
                   linalg::matrix_norm(inverse, order));
}

Tensor linalg::cond(const Tensor &A, const std::string &p) {
  XLAC_CALL("linalg.cond");
  Tensor inverse = linalg::inv(A);
  return xlac::mul(linalg::matrix_norm(A, p), linalg::matrix_norm(inverse, p));
}

//===- Distances ----------------------------------------------------------===//

Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, int64_t dim,
                         double eps) {
  XLAC_CALL("cosine_similarity");
  expect_floating(impl_of(x1).dtype);
  expect_floating(impl_of(x2).dtype);
  Shape sizes = broadcast_shapes(x1, x2);
  Tensor a = xlac::expand(x1, sizes), b = xlac::expand(x2, sizes);
  // Divides each by its own norm, which is at least eps.
  auto unit = [&](const Tensor &x) {
    Tensor length = norm_of(x, 2, dim, true, impl_of(x).dtype);
    return xlac::div(x, xlac::maximum(length, xlac::full_like(length, eps)));
  };
  return xlac::sum(xlac::mul(unit(a), unit(b)), dim);
}

Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, double p,
                         double eps, bool keepdim) {
  XLAC_CALL("pairwise_distance");
  return norm_of_last(xlac::sub(x1, x2) + Scalar(eps), p, keepdim);
}

Tensor cdist(const Tensor &x1, const Tensor &x2, double p) {
  XLAC_CALL("cdist");
  if (p < 0)
    raise<ValueError>("only supports non-negative p values");
  expect_points(x1, x2);
  return distance_of_last(
      xlac::sub(xlac::unsqueeze(x1, -2), xlac::unsqueeze(x2, -3)), p);
}

Tensor pdist(const Tensor &self, double p) {
  XLAC_CALL("pdist");
  const TensorImpl &impl = impl_of(self);
  if (impl.sizes.size() != 2)
    raise<ShapeError>("only supports 2D tensors, got: " +
                      std::to_string(impl.sizes.size()) + "D");
  if (p < 0)
    raise<ValueError>("only supports non-negative p values");
  expect_floating(impl.dtype);
  std::vector<int64_t> first, second;
  for (int64_t i = 0; i < impl.sizes[0]; ++i)
    for (int64_t j = i + 1; j < impl.sizes[0]; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  Device device = impl.device();
  if (first.empty())
    return xlac::zeros({0}, TensorOptions(impl.dtype).device(device));
  Tensor gap =
      xlac::sub(xlac::index_select(self, 0, xlac::tensor(first, device)),
                xlac::index_select(self, 0, xlac::tensor(second, device)));
  return distance_of_last(gap, p);
}

} // namespace xlac
