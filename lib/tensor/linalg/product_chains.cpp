// Contractions over given dimensions, and chains and powers of matrices.
#include "xlac/tensor/products.h"
#include "xlac/tensor/reduce_values.h"

#include <algorithm>
#include <numeric>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// Returns dims counted from the front, in the given order.
Shape ordered_dims(const Tensor &tensor, IntArrayRef given) {
  auto rank = static_cast<int64_t>(impl_of(tensor).sizes.size());
  Shape dims;
  for (int64_t dim : given)
    dims.push_back(wrap_dim(dim, rank));
  return dims;
}

Tensor contract(const Tensor &a, const Tensor &b, const Shape &over_a,
                const Shape &over_b) {
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (over_a.size() != over_b.size())
    raise<ValueError>("both dimension lists should have same length");
  for (size_t i = 0; i < over_a.size(); ++i)
    if (x[over_a[i]] != y[over_b[i]])
      raise<ShapeError>("contracted dimensions need to match, but first has "
                        "size " +
                        std::to_string(x[over_a[i]]) + " in dim " +
                        std::to_string(over_a[i]) + " and second has size " +
                        std::to_string(y[over_b[i]]) + " in dim " +
                        std::to_string(over_b[i]));
  Factors f = factors_of(a, b);
  return finish(build::dot_general(f.a, f.b, {}, {}, over_a, over_b), f.device,
                f.dtype);
}

/// Multiplies tensors[first, last) in the cheapest order, by the splits of
/// matrix_chain().
Tensor multiply_chain(const std::vector<Tensor> &tensors,
                      const std::vector<std::vector<size_t>> &splits,
                      size_t first, size_t last) {
  if (first == last)
    return tensors[first];
  size_t split = splits[first][last];
  return xlac::mm(multiply_chain(tensors, splits, first, split),
                  multiply_chain(tensors, splits, split + 1, last));
}

/// Returns where to split each subchain of a chain of matrices of these sizes.
std::vector<std::vector<size_t>> matrix_chain(const Shape &sizes) {
  size_t count = sizes.size() - 1;
  std::vector<std::vector<double>> cost(count, std::vector<double>(count));
  std::vector<std::vector<size_t>> splits(count, std::vector<size_t>(count));
  for (size_t length = 1; length < count; ++length)
    for (size_t first = 0; first + length < count; ++first) {
      size_t last = first + length;
      cost[first][last] = -1;
      for (size_t split = first; split < last; ++split) {
        double all = cost[first][split] + cost[split + 1][last] +
                     static_cast<double>(sizes[first]) *
                         static_cast<double>(sizes[split + 1]) *
                         static_cast<double>(sizes[last + 1]);
        if (cost[first][last] < 0 || all < cost[first][last]) {
          cost[first][last] = all;
          splits[first][last] = split;
        }
      }
    }
  return splits;
}

Tensor chain(std::vector<Tensor> tensors) {
  if (tensors.empty())
    raise<ValueError>("expected at least 1 tensor but got none");
  Shape sizes;
  for (const Tensor &tensor : tensors) {
    const Shape &each = impl_of(tensor).sizes;
    if (each.size() != 2)
      raise<ShapeError>("expected matrices, got " + to_text(each));
    if (!sizes.empty() && sizes.back() != each[0])
      reject_product({sizes[sizes.size() - 2], sizes.back()}, each);
    if (sizes.empty())
      sizes.push_back(each[0]);
    sizes.push_back(each[1]);
  }
  return multiply_chain(tensors, matrix_chain(sizes), 0, tensors.size() - 1);
}

} // namespace

Tensor tensordot(const Tensor &a, const Tensor &b, int64_t dims) {
  XLAC_CALL("tensordot");
  auto rank = static_cast<int64_t>(impl_of(a).sizes.size());
  auto other = static_cast<int64_t>(impl_of(b).sizes.size());
  if (dims < 0 || dims > std::min(rank, other))
    raise<ValueError>("expected dims between 0 and the number of dimensions, "
                      "but got dims=" +
                      std::to_string(dims));
  Shape last(dims), first(dims);
  std::iota(last.begin(), last.end(), rank - dims);
  std::iota(first.begin(), first.end(), 0);
  return contract(a, b, last, first);
}

Tensor tensordot(const Tensor &a, const Tensor &b, IntArrayRef dims_a,
                 IntArrayRef dims_b) {
  XLAC_CALL("tensordot");
  return contract(a, b, ordered_dims(a, dims_a), ordered_dims(b, dims_b));
}

Tensor trace(const Tensor &self) {
  XLAC_CALL("trace");
  const TensorImpl &impl = impl_of(self);
  if (impl.sizes.size() != 2)
    raise<ShapeError>("expected a matrix, but got tensor with dim " +
                      std::to_string(impl.sizes.size()));
  Dtype dtype = lazy::category(impl.dtype) < 2 ? kInt64 : impl.dtype;
  Value value = widen(value_on(self, impl.device(), dtype));
  Value row = build::iota(ElementType::I64, impl.sizes, 0);
  Value column = build::iota(ElementType::I64, impl.sizes, 1);
  Value kept =
      build::select(build::compare(ComparisonDirection::EQ, row, column), value,
                    constant_like(value, 0));
  Value total = sum_value(kept, {0, 1});
  return finish(build::convert(total, lazy::element_type(dtype)), impl.device(),
                dtype);
}

Tensor kron(const Tensor &self, const Tensor &other) {
  XLAC_CALL("kron");
  Shape a = impl_of(self).sizes, b = impl_of(other).sizes;
  size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  Shape wide_a, wide_b, sizes;
  for (size_t i = 0; i < rank; ++i) {
    wide_a.insert(wide_a.end(), {a[i], 1});
    wide_b.insert(wide_b.end(), {1, b[i]});
    sizes.push_back(a[i] * b[i]);
  }
  return xlac::reshape(
      xlac::mul(xlac::reshape(self, wide_a), xlac::reshape(other, wide_b)),
      sizes);
}

Tensor cross(const Tensor &self, const Tensor &other,
             std::optional<int64_t> dim) {
  XLAC_CALL("cross");
  Shape sizes = broadcast_shapes(self, other);
  auto rank = static_cast<int64_t>(sizes.size());
  if (rank == 0 || impl_of(self).sizes.size() != impl_of(other).sizes.size())
    raise<ShapeError>("inputs must have the same number of dimensions");
  int64_t along = 0;
  if (dim)
    along = wrap_dim(*dim, rank);
  else
    along = std::find(sizes.begin(), sizes.end(), 3) - sizes.begin();
  if (along == rank || impl_of(self).sizes[along] != 3 ||
      impl_of(other).sizes[along] != 3)
    raise<ShapeError>("inputs dimension " + std::to_string(along) +
                      " must have length 3");
  auto rolled = [&](const Tensor &tensor, int64_t by) {
    return xlac::cat({xlac::narrow(tensor, along, by, 3 - by),
                      xlac::narrow(tensor, along, 0, by)},
                     along);
  };
  return xlac::sub(xlac::mul(rolled(self, 1), rolled(other, 2)),
                   xlac::mul(rolled(self, 2), rolled(other, 1)));
}

Tensor linalg::multi_dot(const std::vector<Tensor> &tensors) {
  XLAC_CALL("linalg.multi_dot");
  if (tensors.size() < 2)
    raise<ValueError>("expected at least 2 tensors but got " +
                      std::to_string(tensors.size()));
  std::vector<Tensor> matrices = tensors;
  bool row = impl_of(tensors.front()).sizes.size() == 1;
  bool column = impl_of(tensors.back()).sizes.size() == 1;
  if (row)
    matrices.front() = xlac::unsqueeze(tensors.front(), 0);
  if (column)
    matrices.back() = xlac::unsqueeze(tensors.back(), 1);
  Tensor product = chain(std::move(matrices));
  if (column)
    product = xlac::squeeze(product, -1);
  return row ? xlac::squeeze(product, 0) : product;
}

Tensor chain_matmul(const std::vector<Tensor> &matrices) {
  XLAC_CALL("chain_matmul");
  return chain(matrices);
}

Tensor matrix_power(const Tensor &self, int64_t n) {
  XLAC_CALL("matrix_power");
  const TensorImpl &impl = impl_of(self);
  if (impl.sizes.size() < 2 ||
      impl.sizes.back() != impl.sizes[impl.sizes.size() - 2])
    raise<ShapeError>("must be batches of square matrices, but they are " +
                      to_text(impl.sizes));
  if (n < 0)
    return xlac::matrix_power(linalg::inv(self), -n);
  Value value = value_on(self, impl.device());
  auto rank = static_cast<int64_t>(impl.sizes.size());
  Value row = build::iota(ElementType::I64, impl.sizes, rank - 2);
  Value column = build::iota(ElementType::I64, impl.sizes, rank - 1);
  std::optional<Value> result;
  for (int64_t rest = n; rest > 0; rest /= 2) {
    if (rest % 2 == 1)
      result = result ? matmul_value(*result, value) : value;
    if (rest > 1)
      value = matmul_value(value, value);
  }
  Value identity =
      build::convert(build::compare(ComparisonDirection::EQ, row, column),
                     lazy::element_type(impl.dtype));
  return finish(result.value_or(identity), impl.device(), impl.dtype);
}

} // namespace xlac
