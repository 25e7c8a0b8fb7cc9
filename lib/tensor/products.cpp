// Matrix products.
#include "xlac/tensor/access.h"

#include <algorithm>
#include <numeric>

namespace xlac {

using namespace front;

namespace {

/// Operands of a product on one device, of one dtype.
struct Operands {
  Value a, b;
  Device device;
  Dtype dtype;
};

Operands join(const Tensor &a, const Tensor &b) {
  Device device = common_device({&a, &b});
  Dtype x = impl_of(a).dtype, y = impl_of(b).dtype;
  if (x != y)
    raise<DtypeError>(
        "expected mat1 and mat2 to have the same dtype, but got: " +
        lazy::legacy_name(x) + " != " + lazy::legacy_name(y));
  return {value_on(a, device), value_on(b, device), device, x};
}

std::string by(const Shape &sizes) {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < sizes.size(); ++i)
    rows *= sizes[i];
  return std::to_string(rows) + "x" + std::to_string(sizes.back());
}

[[noreturn]] void refuse_shapes(const Shape &a, const Shape &b) {
  std::string right = b.size() < 2 ? std::to_string(b[0]) + "x1"
                                   : std::to_string(b[b.size() - 2]) + "x" +
                                         std::to_string(b.back());
  raise<ShapeError>("mat1 and mat2 shapes cannot be multiplied (" + by(a) +
                    " and " + right + ")");
}

/// [..., m, k] · [k, n]: one product, whatever stands in front.
Value flat_product(Value a, Value b) {
  int64_t last = static_cast<int64_t>(a.tensor().dims.size()) - 1;
  return build::dot_general(a, b, {}, {}, {last}, {0});
}

/// Both with the same leading dimensions.
Value batched_product(Value a, Value b) {
  auto rank = static_cast<int64_t>(a.tensor().dims.size());
  Shape batch(rank - 2);
  std::iota(batch.begin(), batch.end(), 0);
  return build::dot_general(a, b, batch, batch, {rank - 1}, {rank - 2});
}

Shape broadcast_batches(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()) - 2, 1);
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t p = i + 2 < a.size() ? a[a.size() - 3 - i] : 1;
    int64_t q = i + 2 < b.size() ? b[b.size() - 3 - i] : 1;
    if (p != q && p != 1 && q != 1)
      raise<ShapeError>("batch dimensions of " + to_text(a) + " and " +
                        to_text(b) + " do not broadcast");
    result[result.size() - 1 - i] = p == 1 ? q : p;
  }
  return result;
}

Value broadcast_batch(Value value, const Shape &batch) {
  const Shape &dims = value.tensor().dims;
  Shape sizes = batch;
  sizes.push_back(dims[dims.size() - 2]);
  sizes.push_back(dims.back());
  return build::broadcast_to(value, sizes);
}

} // namespace

Tensor mm(const Tensor &self, const Tensor &other) {
  XLAC_CALL("mm");
  const Shape &a = impl_of(self).sizes, &b = impl_of(other).sizes;
  if (a.size() != 2 || b.size() != 2)
    raise<ShapeError>("self and mat2 must be matrices, got " + to_text(a) +
                      " and " + to_text(b));
  if (a[1] != b[0])
    refuse_shapes(a, b);
  Operands x = join(self, other);
  return finish(flat_product(x.a, x.b), x.device, x.dtype);
}

Tensor matmul(const Tensor &self, const Tensor &other) {
  XLAC_CALL("matmul");
  const Shape a = impl_of(self).sizes, b = impl_of(other).sizes;
  if (a.empty() || b.empty())
    raise<ShapeError>("both arguments to matmul need to be at least 1D, but "
                      "they are " +
                      std::to_string(a.size()) + "D and " +
                      std::to_string(b.size()) + "D");
  int64_t depth = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (a.back() != depth)
    refuse_shapes(a, b);
  Operands x = join(self, other);
  if (b.size() <= 2)
    return finish(flat_product(x.a, x.b), x.device, x.dtype);
  bool vector = a.size() == 1;
  Shape left = vector ? Shape{1, a[0]} : a;
  Value first = build::reshape(x.a, left);
  Shape batch = broadcast_batches(left, b);
  Value product = batched_product(broadcast_batch(first, batch),
                                  broadcast_batch(x.b, batch));
  if (vector) {
    Shape sizes = product.tensor().dims;
    sizes.erase(sizes.end() - 2);
    product = build::reshape(product, sizes);
  }
  return finish(product, x.device, x.dtype);
}

Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  XLAC_CALL("linear");
  const Shape &x = impl_of(input).sizes, &w = impl_of(weight).sizes;
  if (w.size() != 2)
    raise<ShapeError>("weight must be a matrix, got " + to_text(w));
  Device device = common_device({&input, &weight, &bias});
  if (x.empty() || x.back() != w[1])
    raise<ShapeError>("mat1 and mat2 shapes cannot be multiplied (" +
                      (x.empty() ? std::string("scalar") : by(x)) + " and " +
                      std::to_string(w[1]) + "x" + std::to_string(w[0]) + ")");
  Operands operands = join(input, weight);
  auto last = static_cast<int64_t>(x.size()) - 1;
  Value product =
      build::dot_general(operands.a, operands.b, {}, {}, {last}, {1});
  if (bias.defined()) {
    if (impl_of(bias).sizes != Shape{w[0]})
      raise<ShapeError>("bias has shape " + to_text(impl_of(bias).sizes) +
                        ", wanted " + to_text({w[0]}));
    Value added = build::broadcast_to(value_on(bias, device, operands.dtype),
                                      product.tensor().dims);
    product = build::binary(OpKind::Add, product, added);
  }
  return finish(product, device, operands.dtype);
}

} // namespace xlac
