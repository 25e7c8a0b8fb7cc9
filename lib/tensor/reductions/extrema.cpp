// Maxima and minima.
#include "xlac/tensor/reduce_values.h"

namespace xlac {

using namespace frontend;

namespace {

Tensor extreme_over(const Tensor &self, IntArrayRef given, bool keepdim,
                    Value (*fold)(Value, const Shape &)) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Shape dims = resolve_dims(impl.sizes, given);
  reject_empty(impl.sizes, dims);
  Value value = fold(value_on(self, impl.device()), dims);
  if (keepdim)
    value = keep_dims(value, impl.sizes, dims);
  return finish(value, impl.device(), impl.dtype);
}

void reject_no_elements(const TensorImpl &impl) {
  if (count_along(impl.sizes, resolve_dims(impl.sizes, Shape())) == 0)
    raise<IndexError>("Expected reduction dim to be specified for "
                      "input.numel() == 0. Specify the reduction dim with the "
                      "'dim' argument.");
}

Tensor full_extremum(const Tensor &self, Value (*fold)(Value, const Shape &)) {
  reject_no_elements(impl_of(self));
  return extreme_over(self, Shape(), false, fold);
}

std::tuple<Tensor, Tensor> with_index(const Tensor &self, int64_t dim,
                                      bool keepdim, bool greatest) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Shape dims = resolve_dims(impl.sizes, dim);
  reject_empty(impl.sizes, dims);
  Value value = value_on(self, impl.device());
  if (impl.sizes.empty())
    value = build::reshape(value, {1});
  auto [values, indices] =
      build::reduce_with_index(greatest, value, dims.empty() ? 0 : dims[0]);
  if (keepdim) {
    values = keep_dims(values, impl.sizes, dims);
    indices = keep_dims(indices, impl.sizes, dims);
  }
  std::vector<Tensor> results =
      finish_all({values, indices}, impl.device(), {impl.dtype, kInt64});
  return {results[0], results[1]};
}

Tensor index_of(const Tensor &self, std::optional<int64_t> dim, bool keepdim,
                bool greatest) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Value value = value_on(self, impl.device());
  Shape dims, kept = impl.sizes;
  if (dim) {
    dims = resolve_dims(impl.sizes, *dim);
    reject_empty(impl.sizes, dims);
  }
  if (!dim || impl.sizes.empty()) {
    reject_no_elements(impl);
    value =
        build::reshape(value, {count_along(kept, resolve_dims(kept, Shape()))});
    kept.assign(kept.size(), 1);
  } else {
    kept[dims[0]] = 1;
  }
  Value index =
      build::reduce_with_index(greatest, value, dims.empty() ? 0 : dims[0])
          .second;
  if (keepdim)
    index = build::reshape(index, kept);
  return finish(index, impl.device(), kInt64);
}

} // namespace

Tensor max(const Tensor &self) {
  XLAC_CALL("max");
  return full_extremum(self, max_value);
}
Tensor min(const Tensor &self) {
  XLAC_CALL("min");
  return full_extremum(self, min_value);
}

std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim, bool keepdim) {
  XLAC_CALL("max");
  return with_index(self, dim, keepdim, true);
}
std::tuple<Tensor, Tensor> min(const Tensor &self, int64_t dim, bool keepdim) {
  XLAC_CALL("min");
  return with_index(self, dim, keepdim, false);
}

Tensor max(const Tensor &self, const Tensor &other) {
  XLAC_CALL("max");
  return xlac::maximum(self, other);
}
Tensor min(const Tensor &self, const Tensor &other) {
  XLAC_CALL("min");
  return xlac::minimum(self, other);
}

Tensor amax(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("amax");
  return extreme_over(self, dims, keepdim, max_value);
}
Tensor amin(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("amin");
  return extreme_over(self, dims, keepdim, min_value);
}

std::tuple<Tensor, Tensor> aminmax(const Tensor &self,
                                   std::optional<int64_t> dim, bool keepdim) {
  XLAC_CALL("aminmax");
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Shape given;
  if (dim)
    given = {*dim};
  else
    reject_no_elements(impl);
  Shape dims = resolve_dims(impl.sizes, given);
  reject_empty(impl.sizes, dims);
  Value value = value_on(self, impl.device());
  Value least = min_value(value, dims), greatest = max_value(value, dims);
  if (keepdim) {
    least = keep_dims(least, impl.sizes, dims);
    greatest = keep_dims(greatest, impl.sizes, dims);
  }
  std::vector<Tensor> results =
      finish_all({least, greatest}, impl.device(), {impl.dtype, impl.dtype});
  return {results[0], results[1]};
}

Tensor argmax(const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  XLAC_CALL("argmax");
  return index_of(self, dim, keepdim, true);
}
Tensor argmin(const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  XLAC_CALL("argmin");
  return index_of(self, dim, keepdim, false);
}

} // namespace xlac
