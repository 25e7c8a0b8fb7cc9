// The scatter functions: one index per element of the source.
#include "xlac/tensor/indices.h"

#include <limits>

namespace xlac {

using namespace frontend;

namespace {

/// Returns the source sliced to the index' sizes.
Value updates_from(const Tensor &source, const AlongDim &along, Device device) {
  Tensor wide = source.dim() == 0 ? xlac::unsqueeze(source, 0) : source;
  Shape own = wide.sizes();
  if (own.size() != along.sizes.size())
    raise<ShapeError>("Index tensor must have the same number of dimensions "
                      "as src tensor");
  for (size_t i = 0; i < own.size(); ++i)
    if (along.sizes[i] > own[i])
      raise<ShapeError>("Expected index " + to_text(along.sizes) +
                        " to be no larger than src " + to_text(own));
  Value value = value_on(wide, device);
  return own == along.sizes ? value
                            : build::slice(value, Shape(own.size(), 0),
                                           along.sizes, Shape(own.size(), 1));
}

/// Returns `self` with `change` applied to the slice that the index covers.
template <class Change>
Tensor changed(const Tensor &self, const AlongDim &along, Device device,
               Change change) {
  Value whole = value_on(along.self, device);
  Shape sizes = along.self.sizes();
  Value result;
  if (sizes == along.covered) {
    result = change(whole);
  } else {
    Value part = build::slice(whole, along.starts, along.covered, along.steps);
    result = build::dynamic_update_slice(whole, change(part), along.starts);
  }
  return finish(build::reshape(result, self.sizes()), device, self.dtype());
}

void check_dtypes(const Tensor &self, const Tensor &source) {
  if (self.dtype() != source.dtype())
    raise<DtypeError>("Expected self.dtype to be equal to src.dtype");
}

Tensor scatter_source(const Tensor &self, int64_t dim, const Tensor &index,
                      const Tensor &source, std::optional<OpKind> fold) {
  dim = wrap_dim(dim, self.dim());
  check_dtypes(self, source);
  Device device = common_device({&self, &index, &source});
  if (index.numel() == 0)
    return xlac::clone(self);
  AlongDim along(self, dim, index, device);
  Value updates = updates_from(source, along, device);
  return changed(self, along, device,
                 [&](Value part) { return along.put(fold, part, updates); });
}

Tensor scatter_number(const Tensor &self, int64_t dim, const Tensor &index,
                      const Scalar &number, std::optional<OpKind> fold) {
  dim = wrap_dim(dim, self.dim());
  Device device = common_device({&self, &index});
  if (index.numel() == 0)
    return xlac::clone(self);
  AlongDim along(self, dim, index, device);
  Value updates = build::broadcast_to(
      number_value(number, self.dtype(), device), along.sizes);
  return changed(self, along, device,
                 [&](Value part) { return along.put(fold, part, updates); });
}

OpKind add_of(Dtype dtype) { return dtype == kBool ? OpKind::Or : OpKind::Add; }

/// Returns the op of scatter's `reduce`.
OpKind fold_named(std::string_view reduce, Dtype dtype) {
  if (reduce == "add")
    return add_of(dtype);
  if (reduce == "multiply")
    return dtype == kBool ? OpKind::And : OpKind::Multiply;
  raise<ValueError>("reduce argument must be either add or multiply.");
}

//===- scatter_reduce -----------------------------------------------------===//

/// The meaning of scatter_reduce's `reduce`.
struct Reduction {
  OpKind fold;
  Scalar neutral; ///< as a number of the tensor's dtype
  bool mean = false;
};

Scalar least_of(Dtype dtype) {
  if (xlac::is_floating_point(dtype))
    return -std::numeric_limits<double>::infinity();
  if (dtype == kBool || !is_signed(dtype))
    return 0;
  return static_cast<long>(-(int64_t{1} << (8 * element_size(dtype) - 2)) * 2);
}

Scalar greatest_of(Dtype dtype) {
  if (xlac::is_floating_point(dtype))
    return std::numeric_limits<double>::infinity();
  if (dtype == kBool)
    return true;
  int bits = static_cast<int>(8 * element_size(dtype)) - is_signed(dtype);
  return bits == 64
             ? Scalar(-1)
             : Scalar((long{1} << (bits - 1)) - 1 + (long{1} << (bits - 1)));
}

Reduction reduction_named(std::string_view reduce, Dtype dtype) {
  if (reduce == "sum" || reduce == "mean")
    return {add_of(dtype), 0, reduce == "mean"};
  if (reduce == "prod")
    return {dtype == kBool ? OpKind::And : OpKind::Multiply, 1};
  if (is_complex(dtype))
    raise<DtypeError>("complex numbers have no order");
  if (reduce == "amax")
    return {OpKind::Maximum, least_of(dtype)};
  if (reduce == "amin")
    return {OpKind::Minimum, greatest_of(dtype)};
  raise<ValueError>("reduce argument must be either sum, prod, mean, amax or "
                    "amin, got " +
                    std::string(reduce));
}

/// Divides sums by the number of elements that were added; integers round down.
Value mean_of(const AlongDim &along, Value sum, Value part_type,
              bool include_self) {
  ElementType type = part_type.tensor().element;
  const Shape &dims = part_type.tensor().dims;
  Value one = build::constant(ElementType::I64, along.sizes, 1);
  Value counts = along.put(
      OpKind::Add,
      build::constant(ElementType::I64, dims, include_self ? 1 : 0), one);
  counts = build::binary(OpKind::Maximum, counts,
                         build::constant(ElementType::I64, dims, 1));
  if (is_float(type) || is_complex(type))
    return build::binary(OpKind::Divide, sum, build::convert(counts, type));
  Value wide = build::convert(sum, ElementType::I64);
  Value quotient = build::binary(OpKind::Divide, wide, counts);
  Value rest = build::binary(OpKind::Subtract, wide,
                             build::binary(OpKind::Multiply, quotient, counts));
  Value below = build::compare(ops::ComparisonDirection::LT, rest,
                               build::constant(ElementType::I64, dims, 0));
  quotient = build::binary(OpKind::Subtract, quotient,
                           build::convert(below, ElementType::I64));
  return build::convert(quotient, type);
}

} // namespace

Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
               const Tensor &src) {
  XLAC_CALL("scatter");
  return scatter_source(self, dim, index, src, std::nullopt);
}

Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
               Scalar value) {
  XLAC_CALL("scatter");
  return scatter_number(self, dim, index, value, std::nullopt);
}

Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
               const Tensor &src, std::string_view reduce) {
  XLAC_CALL("scatter");
  return scatter_source(self, dim, index, src,
                        fold_named(reduce, self.dtype()));
}

Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
               Scalar value, std::string_view reduce) {
  XLAC_CALL("scatter");
  return scatter_number(self, dim, index, value,
                        fold_named(reduce, self.dtype()));
}

Tensor scatter_add(const Tensor &self, int64_t dim, const Tensor &index,
                   const Tensor &src) {
  XLAC_CALL("scatter_add");
  return scatter_source(self, dim, index, src, add_of(self.dtype()));
}

Tensor scatter_reduce(const Tensor &self, int64_t dim, const Tensor &index,
                      const Tensor &src, std::string_view reduce,
                      bool include_self) {
  XLAC_CALL("scatter_reduce");
  Dtype dtype = self.dtype();
  Reduction reduction = reduction_named(reduce, dtype);
  dim = wrap_dim(dim, self.dim());
  check_dtypes(self, src);
  Device device = common_device({&self, &index, &src});
  if (index.numel() == 0)
    return xlac::clone(self);
  AlongDim along(self, dim, index, device);
  Value updates = updates_from(src, along, device);
  return changed(self, along, device, [&](Value part) {
    Value start = part;
    if (!include_self)
      start = along.put(std::nullopt, part,
                        build::constant(lazy::element_type(dtype), along.sizes,
                                        reduction.neutral));
    Value folded = along.put(reduction.fold, start, updates);
    return reduction.mean ? mean_of(along, folded, part, include_self) : folded;
  });
}

} // namespace xlac
