// Shape rules of ops whose sizes are operands. If such an operand is a
// constant, its value is used; otherwise the declared result, or unknown sizes.
#include "rule.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// Checks that operand `i` is a vector of integers, one for each of `count`
/// dimensions (kDynamic: any number).
Status check_shape_operand(const Rule &rule, size_t i, int64_t count,
                           std::string_view label) {
  const TensorType &type = rule.operand(i);
  std::string_view name = facts(rule.kind()).operands[i].name;
  XLAC_DTYPE(type.rank() == 1 && is_integral(type), "",
             "{} is {}, but a vector of integers wanted", name,
             short_text(type));
  XLAC_SHAPE(sizes_agree(type.dims[0], count), label,
             "{} is {}, but {} entries wanted", name, short_text(type), count);
  return {};
}

/// The result type of an op whose operand `i` contains the sizes.
Result<TensorType> type_from_shape(const Rule &rule, size_t i,
                                   const TensorType *element,
                                   std::string_view label) {
  const std::vector<int64_t> *sizes = rule.constant(i);
  TensorType type;
  if (rule.declares()) {
    type = rule.declared(0);
    XLAC_RETURN_IF_ERROR(check_shape_operand(rule, i, type.rank(), label));
  } else {
    if (!element)
      return rule.needs_declared();
    XLAC_RETURN_IF_ERROR(check_shape_operand(rule, i, kDynamic, label));
    int64_t rank = rule.operand(i).dims[0];
    if (rank == kDynamic)
      return rule.needs_declared();
    XLAC_SHAPE(rank <= 1024, label, "result of rank {} is not supported", rank);
    type = scalar_like(*element);
    type.dims.assign(static_cast<size_t>(rank), kDynamic);
  }
  if (!sizes || static_cast<int64_t>(sizes->size()) != type.rank())
    return type;
  for (size_t d = 0; d < sizes->size(); ++d) {
    int64_t size = (*sizes)[d];
    XLAC_SHAPE(size >= 0, label, "size {} of dimension {} is negative", size,
               d);
    XLAC_SHAPE(sizes_agree(type.dims[d], size), label,
               "result is {}, but {} gives {}", short_text(type),
               facts(rule.kind()).operands[i].name, list_text(*sizes));
    set_dim(type, static_cast<int64_t>(d), {size, kDynamic});
  }
  return type;
}

Status check_iota(const Rule &rule, const TensorType &type, int64_t dimension) {
  XLAC_INDEX(in_range(Dims{dimension}, type.rank()), "C1",
             "iota_dimension {} leaves those of result {}", dimension,
             short_text(type));
  XLAC_DTYPE(!is_boolean(type.element), "",
             "result is {}, but integer, float, complex or quantized wanted",
             short_text(type));
  return {};
}

} // namespace

namespace rules {

Inferred infer_iota(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &type = rule.declared(0);
  XLAC_RETURN_IF_ERROR(
      check_iota(rule, type, rule.attributes<IotaAttributes>().iota_dimension));
  return rule.result("C1", type);
}

Inferred infer_dynamic_iota(const Rule &rule) {
  Result<TensorType> type = type_from_shape(rule, 0, nullptr, "C2");
  if (!type)
    return type.error();
  XLAC_RETURN_IF_ERROR(check_iota(
      rule, *type, rule.attributes<DynamicIotaAttributes>().iota_dimension));
  return rule.result("C2", *type);
}

Inferred infer_dynamic_reshape(const Rule &rule) {
  Result<TensorType> type = type_from_shape(rule, 1, &rule.operand(0), "C4");
  if (!type)
    return type.error();
  XLAC_RETURN_IF_ERROR(check_reshape(rule, rule.operand(0), *type));
  return rule.result("C4", *type);
}

Inferred infer_dynamic_broadcast_in_dim(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const auto &a = rule.attributes<DynamicBroadcastInDimAttributes>();
  Result<TensorType> type = type_from_shape(rule, 1, &operand, "C7");
  if (!type)
    return type.error();
  Dims expanding = a.known_expanding_dimensions.value_or(Dims());
  Dims kept = a.known_nonexpanding_dimensions.value_or(Dims());
  Dims both = joined({expanding, kept});
  XLAC_INDEX(is_unique(both), "C8",
             "known_expanding_dimensions {} and known_nonexpanding_dimensions "
             "{} name a dimension twice",
             list_text(expanding), list_text(kept));
  XLAC_INDEX(in_range(expanding, operand.rank()), "C9",
             "known_expanding_dimensions {} leave those of operand {}",
             list_text(expanding), short_text(operand));
  XLAC_INDEX(in_range(kept, operand.rank()), "C10",
             "known_nonexpanding_dimensions {} leave those of operand {}",
             list_text(kept), short_text(operand));
  XLAC_RETURN_IF_ERROR(
      check_broadcast(rule, operand, *type, a.broadcast_dimensions));
  return rule.result("C7", *type);
}

Inferred infer_dynamic_pad(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &value = rule.operand(1);
  XLAC_DTYPE(same_baseline_element(operand, value), "C1",
             "operand {} and padding_value {} differ in element type",
             short_text(operand), short_text(value));
  XLAC_SHAPE(value.rank() == 0, "", "padding_value is {}, but a scalar wanted",
             short_text(value));
  for (size_t i : {2, 3, 4})
    XLAC_RETURN_IF_ERROR(check_shape_operand(rule, i, operand.rank(), "C2"));
  const auto *low = rule.constant(2), *high = rule.constant(3);
  const auto *interior = rule.constant(4);
  size_t rank = operand.dims.size();
  bool known = low && high && interior && low->size() == rank &&
               high->size() == rank && interior->size() == rank;
  TensorType type = scalar_like(operand);
  for (size_t i = 0; i < rank; ++i) {
    if (!known) {
      append_dim(type, {});
      continue;
    }
    XLAC_USER((*interior)[i] >= 0, "C3",
              "interior padding {} of dimension {} is negative", (*interior)[i],
              i);
    Dim dim =
        map_dim(dim_of(operand, static_cast<int64_t>(i)), [&](int64_t size) {
          int64_t inner =
              multiply_sizes(std::max<int64_t>(size - 1, 0), (*interior)[i]);
          return add_sizes(add_sizes(size, inner),
                           add_sizes((*low)[i], (*high)[i]));
        });
    XLAC_SHAPE(dim.is_dynamic() || dim.size >= 0, "C4",
               "padding leaves {} elements in dimension {} of operand {}",
               dim.size, i, short_text(operand));
    append_dim(type, dim);
  }
  return rule.result({"C4", "C1"}, type);
}

Inferred infer_real_dynamic_slice(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  for (size_t i : {1, 2, 3})
    XLAC_RETURN_IF_ERROR(check_shape_operand(rule, i, operand.rank(), "C2"));
  const auto *starts = rule.constant(1), *limits = rule.constant(2);
  const auto *strides = rule.constant(3);
  size_t rank = operand.dims.size();
  bool known = starts && limits && strides && starts->size() == rank &&
               limits->size() == rank && strides->size() == rank;
  TensorType type = scalar_like(operand);
  for (size_t i = 0; i < rank; ++i) {
    if (!known) {
      append_dim(type, {});
      continue;
    }
    int64_t start = (*starts)[i], limit = (*limits)[i], step = (*strides)[i];
    XLAC_INDEX(0 <= start && start <= limit &&
                   (operand.dims[i] == kDynamic || limit <= operand.dims[i]),
               "C3", "slice [{}:{}] leaves dimension {} of operand {}", start,
               limit, i, short_text(operand));
    XLAC_USER(step > 0, "C4", "stride {} of dimension {} is not positive", step,
              i);
    int64_t length = limit - start;
    append_dim(type, {length / step + (length % step != 0), kDynamic});
  }
  return rule.result({"C5", "C1"}, type);
}

Inferred infer_get_dimension_size(const Rule &rule) {
  int64_t axis = rule.attributes<GetDimensionSizeAttributes>().dimension;
  XLAC_INDEX(in_range(Dims{axis}, rule.operand(0).rank()), "C1",
             "dimension {} leaves those of operand {}", axis,
             short_text(rule.operand(0)));
  return rule.result("", tensor_of(ElementType::I32));
}

Inferred infer_set_dimension_size(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &size = rule.operand(1);
  int64_t axis = rule.attributes<SetDimensionSizeAttributes>().dimension;
  XLAC_INDEX(in_range(Dims{axis}, operand.rank()), "C1",
             "dimension {} leaves those of operand {}", axis,
             short_text(operand));
  XLAC_DTYPE(size.rank() == 0 && is_integral(size), "",
             "size is {}, but an integer scalar wanted", short_text(size));
  TensorType type = operand;
  const auto *known = rule.constant(1);
  Dim dim = dim_of(operand, axis);
  // The buffer keeps the operand's size, which bounds the new size.
  int64_t most = dim.is_dynamic() ? dim.bound : dim.size;
  if (known && known->size() == 1) {
    int64_t value = known->front();
    XLAC_SHAPE(value >= 0 && (most == kDynamic || value <= most), "C2",
               "size {} leaves dimension {} of operand {}", value, axis,
               short_text(operand));
    if (value == most)
      return rule.result("", operand);
  }
  set_dim(type, axis, {kDynamic, most});
  return rule.result("", type);
}

} // namespace rules
} // namespace xlac::ops
