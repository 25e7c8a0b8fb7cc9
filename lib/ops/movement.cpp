// Shape rules of ops that only move elements.
#include "rule.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// A per-axis quantized type whose quantization dimension has moved to `axis`.
TensorType with_quantized_axis(TensorType type, int64_t axis) {
  auto quantization = std::make_shared<Quantization>(*type.quantization);
  quantization->quantization_dimension = axis;
  type.quantization = std::move(quantization);
  return type;
}

/// Product of the sizes in [first, last); kDynamic if one is unknown.
int64_t product(const TensorType &type, int64_t first, int64_t last) {
  int64_t result = 1;
  for (int64_t i = first; i < last; ++i)
    result = multiply_sizes(result, type.dims[static_cast<size_t>(i)]);
  return result;
}

} // namespace

Status check_reshape(const Rule &rule, const TensorType &operand,
                     const TensorType &wanted) {
  XLAC_DTYPE(same_baseline_element(operand, wanted), "C1",
             "operand {} and result {} differ in element type",
             short_text(operand), short_text(wanted));
  if (operand.is_static() && wanted.is_static())
    XLAC_SHAPE(operand.element_count() == wanted.element_count(), "C2",
               "operand {} and result {} differ in number of elements",
               short_text(operand), short_text(wanted));
  if (!is_per_axis_quantized(operand) || !is_per_axis_quantized(wanted))
    return {};
  int64_t from = *operand.quantization->quantization_dimension;
  int64_t to = *wanted.quantization->quantization_dimension;
  XLAC_INDEX(in_range(Dims{from}, operand.rank()) &&
                 in_range(Dims{to}, wanted.rank()),
             "C3", "quantization dimension of {} or {} is out of range",
             short_text(operand), short_text(wanted));
  XLAC_SHAPE(sizes_agree(product(operand, 0, from), product(wanted, 0, to)) &&
                 sizes_agree(product(operand, from, from + 1),
                             product(wanted, to, to + 1)) &&
                 sizes_agree(product(operand, from + 1, operand.rank()),
                             product(wanted, to + 1, wanted.rank())),
             "C3",
             "operand {} and result {} do not keep the quantized dimension",
             short_text(operand), short_text(wanted));
  return {};
}

Status check_picks(const Rule &rule, int64_t axis, bool empty,
                   const TensorType &result) {
  XLAC_SHAPE(!empty || !result.is_static() || result.element_count() == 0, "",
             "indices pick elements of {} from dimension {}, which has none",
             short_text(result), axis);
  return {};
}

Status check_broadcast(const Rule &rule, const TensorType &operand,
                       const TensorType &wanted, const Dims &dimensions) {
  XLAC_DTYPE(same_baseline_element(operand, wanted), "C1",
             "operand {} and result {} differ in element type",
             short_text(operand), short_text(wanted));
  XLAC_SHAPE(
      static_cast<int64_t>(dimensions.size()) == operand.rank(), "C2",
      "broadcast_dimensions {} has {} entries, but operand {} has rank {}",
      list_text(dimensions), dimensions.size(), short_text(operand),
      operand.rank());
  XLAC_INDEX(in_range(dimensions, wanted.rank()), "C3",
             "broadcast_dimensions {} leave the dimensions of result {}",
             list_text(dimensions), short_text(wanted));
  XLAC_INDEX(is_unique(dimensions), "C4",
             "broadcast_dimensions {} name a dimension twice",
             list_text(dimensions));
  for (size_t i = 0; i < dimensions.size(); ++i) {
    int64_t size = operand.dims[i];
    int64_t target = wanted.dims[static_cast<size_t>(dimensions[i])];
    XLAC_SHAPE(
        size == 1 || sizes_agree(size, target), "C5",
        "dimension {} of operand {} is neither 1 nor the {} of dimension "
        "{} of result {}",
        i, short_text(operand), target, dimensions[i], short_text(wanted));
  }
  if (!is_per_axis_quantized(wanted))
    return {};
  XLAC_DTYPE(is_per_axis_quantized(operand), "C6",
             "result {} is quantized by axis, but operand {} is not",
             short_text(wanted), short_text(operand));
  int64_t axis = *operand.quantization->quantization_dimension;
  XLAC_INDEX(in_range(Dims{axis}, operand.rank()) &&
                 dimensions[static_cast<size_t>(axis)] ==
                     *wanted.quantization->quantization_dimension,
             "C6", "quantization dimension of result {} is not that of operand",
             short_text(wanted));
  return {};
}

/// Checks the start indices of a dynamic slice: integer scalars of one type.
Status check_starts(const Rule &rule,
                    const std::vector<const TensorType *> &all,
                    std::string_view label) {
  for (const TensorType *type : all) {
    XLAC_DTYPE(type->rank() == 0 && is_integral(*type), label,
               "start index is {}, but an integer scalar wanted",
               short_text(*type));
    XLAC_DTYPE(type->element == all.front()->element, label,
               "start indices {} and {} differ in type",
               short_text(*all.front()), short_text(*type));
  }
  return {};
}

namespace rules {

Inferred infer_reshape(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &wanted = rule.declared(0);
  XLAC_RETURN_IF_ERROR(check_reshape(rule, rule.operand(0), wanted));
  return rule.result("C2", wanted);
}

Inferred infer_transpose(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const Dims &permutation = rule.attributes<TransposeAttributes>().permutation;
  XLAC_INDEX(static_cast<int64_t>(permutation.size()) == operand.rank() &&
                 in_range(permutation, operand.rank()) &&
                 is_unique(permutation),
             "C2", "permutation {} is none of the {} dimensions of operand {}",
             list_text(permutation), operand.rank(), short_text(operand));
  TensorType type = scalar_like(operand);
  for (int64_t axis : permutation)
    append_dim(type, dim_of(operand, axis));
  if (is_per_axis_quantized(operand)) {
    int64_t axis = *operand.quantization->quantization_dimension;
    auto place = std::ranges::find(permutation, axis) - permutation.begin();
    if (place < operand.rank())
      type = with_quantized_axis(std::move(type), place);
    if (rule.declares() && is_per_axis_quantized(rule.declared(0)))
      XLAC_DTYPE(*rule.declared(0).quantization->quantization_dimension ==
                     place,
                 "C4", "result {} is not quantized along dimension {}",
                 short_text(rule.declared(0)), place);
  }
  return rule.result({"C3", "C1"}, type);
}

Inferred infer_reverse(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const Dims &dimensions = rule.attributes<ReverseAttributes>().dimensions;
  XLAC_INDEX(is_unique(dimensions), "C2", "dimensions {} name one twice",
             list_text(dimensions));
  XLAC_INDEX(in_range(dimensions, operand.rank()), "C3",
             "dimensions {} leave those of operand {}", list_text(dimensions),
             short_text(operand));
  return rule.result("C1", operand);
}

Inferred infer_broadcast(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const Dims &sizes = rule.attributes<BroadcastAttributes>().broadcast_sizes;
  TensorType type = scalar_like(operand);
  for (int64_t size : sizes) {
    XLAC_SHAPE(size >= 0, "", "broadcast_sizes {} has a negative size",
               list_text(sizes));
    append_dim(type, {size, kDynamic});
  }
  for (int64_t i = 0; i < operand.rank(); ++i)
    append_dim(type, dim_of(operand, i));
  return rule.result("", type);
}

Inferred infer_broadcast_in_dim(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &wanted = rule.declared(0);
  XLAC_RETURN_IF_ERROR(check_broadcast(
      rule, rule.operand(0), wanted,
      rule.attributes<BroadcastInDimAttributes>().broadcast_dimensions));
  return rule.result("C1", wanted);
}

Inferred infer_bitcast_convert(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &operand = rule.operand(0), &wanted = rule.declared(0);
  XLAC_DTYPE(is_complex(operand.element) == is_complex(wanted.element), "C2",
             "operand {} and result {} are not both complex",
             short_text(operand), short_text(wanted));
  int from = bit_width(operand.element), to = bit_width(wanted.element);
  TensorType type = operand;
  type.element = wanted.element;
  type.quantization = wanted.quantization;
  if (to < from) {
    XLAC_SHAPE(
        from % to == 0, "C1",
        "elements of operand {} are not a multiple of those of result {}",
        short_text(operand), short_text(wanted));
    append_dim(type, {from / to, kDynamic});
  } else if (to > from) {
    XLAC_SHAPE(
        operand.rank() > 0 && to % from == 0 &&
            sizes_agree(operand.dims.back(), to / from),
        "C1",
        "last dimension of operand {} does not make elements of result {}",
        short_text(operand), short_text(wanted));
    type.dims.pop_back();
    if (!type.bounds.empty())
      type.bounds.pop_back();
  }
  return rule.result("C1", type);
}

Inferred infer_concatenate(const Rule &rule) {
  XLAC_USER(rule.operand_count() > 0, "C3", "has no inputs");
  const TensorType &first = rule.operand(0);
  int64_t axis = rule.attributes<ConcatenateAttributes>().dimension;
  XLAC_INDEX(in_range(Dims{axis}, first.rank()), "C4",
             "dimension {} leaves those of input {}", axis, short_text(first));
  TensorType type = first;
  Dim total = dim_of(first, axis);
  for (size_t i = 1; i < rule.operand_count(); ++i) {
    const TensorType &next = rule.operand(i);
    XLAC_DTYPE(same_baseline_element(first, next), "C1",
               "input 0 {} and input {} {} differ in element type",
               short_text(first), i, short_text(next));
    XLAC_SHAPE(first.rank() == next.rank(), "C2",
               "input 0 {} and input {} {} differ in rank", short_text(first),
               i, short_text(next));
    Dim size = dim_of(next, axis);
    Dim other = total;
    total.size = add_sizes(total.size, size.size);
    // The bound of the result is known if each input has a size or a bound.
    total.bound = !total.is_dynamic()
                      ? kDynamic
                      : add_sizes(other.is_dynamic() ? other.bound : other.size,
                                  size.is_dynamic() ? size.bound : size.size);
    for (int64_t d = 0; d < first.rank(); ++d)
      if (d != axis) {
        XLAC_SHAPE(sizes_agree(dim_of(type, d).size, dim_of(next, d).size),
                   "C2", "input 0 {} and input {} {} differ in dimension {}",
                   short_text(first), i, short_text(next), d);
        set_dim(type, d, merge(dim_of(type, d), dim_of(next, d)));
      }
  }
  set_dim(type, axis, total);
  return rule.result({"C6", "C5"}, type);
}

Inferred infer_slice(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const auto &a = rule.attributes<SliceAttributes>();
  size_t rank = operand.dims.size();
  XLAC_SHAPE(a.start_indices.size() == rank && a.limit_indices.size() == rank &&
                 a.strides.size() == rank,
             "C2",
             "start_indices {}, limit_indices {} and strides {} do not have "
             "the {} entries of operand {}",
             list_text(a.start_indices), list_text(a.limit_indices),
             list_text(a.strides), rank, short_text(operand));
  TensorType type = scalar_like(operand);
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = a.start_indices[i], limit = a.limit_indices[i];
    Dim dim = dim_of(operand, static_cast<int64_t>(i));
    int64_t most = dim.is_dynamic() ? dim.bound : dim.size;
    XLAC_INDEX(0 <= start && start <= limit &&
                   (most == kDynamic || limit <= most),
               "C3", "slice [{}:{}] leaves dimension {} of operand {}", start,
               limit, i, short_text(operand));
    int64_t stride = a.strides[i];
    XLAC_USER(stride > 0, "C4", "stride {} of dimension {} is not positive",
              stride, i);
    int64_t length = limit - start;
    append_dim(type, {length / stride + (length % stride != 0), kDynamic});
  }
  return rule.result({"C5", "C1"}, type);
}

Inferred infer_dynamic_slice(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const Dims &sizes = rule.attributes<DynamicSliceAttributes>().slice_sizes;
  size_t count = rule.operand_count() - 1;
  XLAC_SHAPE(count == operand.dims.size() && sizes.size() == count, "C2",
             "{} start indices and slice_sizes {} do not fit operand {}", count,
             list_text(sizes), short_text(operand));
  XLAC_RETURN_IF_ERROR(check_starts(rule, rule.operands(1, count), "C3"));
  for (size_t i = 0; i < count; ++i)
    XLAC_SHAPE(0 <= sizes[i] &&
                   (operand.dims[i] == kDynamic || sizes[i] <= operand.dims[i]),
               "C4", "slice size {} leaves dimension {} of operand {}",
               sizes[i], i, short_text(operand));
  TensorType type = scalar_like(operand);
  type.dims = sizes;
  return rule.result({"C5", "C1"}, type);
}

Inferred infer_dynamic_update_slice(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &update = rule.operand(1);
  XLAC_DTYPE(same_baseline_element(operand, update), "C2",
             "operand {} and update {} differ in element type",
             short_text(operand), short_text(update));
  XLAC_SHAPE(operand.rank() == update.rank(), "C3",
             "operand {} and update {} differ in rank", short_text(operand),
             short_text(update));
  size_t count = rule.operand_count() - 2;
  XLAC_SHAPE(count == operand.dims.size(), "C4",
             "{} start indices do not fit operand {}", count,
             short_text(operand));
  XLAC_RETURN_IF_ERROR(check_starts(rule, rule.operands(2, count), "C5"));
  for (size_t i = 0; i < count; ++i)
    XLAC_SHAPE(update.dims[i] == kDynamic || operand.dims[i] == kDynamic ||
                   update.dims[i] <= operand.dims[i],
               "C6", "update {} leaves dimension {} of operand {}",
               short_text(update), i, short_text(operand));
  return rule.result("C1", operand);
}

Inferred infer_pad(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &value = rule.operand(1);
  const auto &a = rule.attributes<PadAttributes>();
  XLAC_DTYPE(same_baseline_element(operand, value), "C1",
             "operand {} and padding_value {} differ in element type",
             short_text(operand), short_text(value));
  XLAC_SHAPE(value.rank() == 0, "", "padding_value is {}, but a scalar wanted",
             short_text(value));
  size_t rank = operand.dims.size();
  XLAC_SHAPE(
      a.edge_padding_low.size() == rank && a.edge_padding_high.size() == rank &&
          a.interior_padding.size() == rank,
      "C2", "padding low {}, high {} and interior {} do not fit operand {}",
      list_text(a.edge_padding_low), list_text(a.edge_padding_high),
      list_text(a.interior_padding), short_text(operand));
  XLAC_RETURN_IF_ERROR(
      check_extents(rule, "edge_padding_low", a.edge_padding_low, "C4"));
  XLAC_RETURN_IF_ERROR(
      check_extents(rule, "edge_padding_high", a.edge_padding_high, "C4"));
  XLAC_RETURN_IF_ERROR(
      check_extents(rule, "interior_padding", a.interior_padding, "C4"));
  TensorType type = scalar_like(operand);
  for (size_t i = 0; i < rank; ++i) {
    XLAC_USER(a.interior_padding[i] >= 0, "C3",
              "interior padding {} of dimension {} is negative",
              a.interior_padding[i], i);
    auto padded = [&](int64_t size) {
      int64_t inner =
          multiply_sizes(std::max<int64_t>(size - 1, 0), a.interior_padding[i]);
      return add_sizes(
          add_sizes(size, inner),
          add_sizes(a.edge_padding_low[i], a.edge_padding_high[i]));
    };
    Dim dim = map_dim(dim_of(operand, static_cast<int64_t>(i)), padded);
    XLAC_SHAPE(dim.is_dynamic() || dim.size >= 0, "C4",
               "padding leaves {} elements in dimension {} of operand {}",
               dim.size, i, short_text(operand));
    append_dim(type, dim);
  }
  return rule.result({"C4", "C1"}, type);
}

Inferred infer_torch_index_select(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &index = rule.operand(1);
  const auto &a = rule.attributes<TorchIndexSelectAttributes>();
  XLAC_DTYPE(is_integral(index), "", "index is {}, but integers wanted",
             short_text(index));
  // Negative numbers count from the end, as in PyTorch.
  int64_t dim = a.dim < 0 ? a.dim + operand.rank() : a.dim;
  int64_t batch = a.batch_dims < 0 ? a.batch_dims + index.rank() : a.batch_dims;
  XLAC_INDEX(in_range(Dims{dim}, operand.rank()), "",
             "dim {} leaves those of operand {}", a.dim, short_text(operand));
  XLAC_INDEX(0 <= batch && batch <= dim && batch <= index.rank(), "",
             "batch_dims {} fits not both dim {} and index {}", a.batch_dims,
             a.dim, short_text(index));
  TensorType type = scalar_like(operand);
  for (int64_t i = 0; i < dim; ++i)
    append_dim(type, dim_of(operand, i));
  for (int64_t i = batch; i < index.rank(); ++i)
    append_dim(type, dim_of(index, i));
  for (int64_t i = dim + 1; i < operand.rank(); ++i)
    append_dim(type, dim_of(operand, i));
  XLAC_RETURN_IF_ERROR(check_picks(
      rule, dim, operand.dims[static_cast<size_t>(dim)] == 0, type));
  return rule.result("", type);
}

} // namespace rules
} // namespace xlac::ops
