// Shape rules of gather, dynamic_gather and scatter.
#include "rule.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// The sizes of an index tensor without the index vector dimension.
std::vector<Dim> batch_sizes(const TensorType &indices, int64_t vector_dim) {
  std::vector<Dim> sizes;
  for (int64_t i = 0; i < indices.rank(); ++i)
    if (i != vector_dim)
      sizes.push_back(dim_of(indices, i));
  return sizes;
}

/// Common attributes of gather and scatter: the dimension of the index vectors,
/// and the operand dimensions that they index.
struct IndexNumbers {
  std::string_view map_name, batching_name, indices_batching_name, indices_name;
  const Dims &map, &batching, &indices_batching;
  int64_t vector_dim;
  /// Labels of the constraints, in the order in which they are checked.
  std::string_view vector_range, map_size, batching_sorted, batching_range,
      indices_unique, indices_range, vector_unbatched, batching_count,
      batching_sizes, map_unique, map_range;
};

Status check_index_vectors(const Rule &rule, const TensorType &operand,
                           const TensorType &indices, const IndexNumbers &n) {
  XLAC_DTYPE(is_integral(indices), "", "{} is {}, but integers wanted",
             n.indices_name, short_text(indices));
  XLAC_INDEX(0 <= n.vector_dim && n.vector_dim <= indices.rank(),
             n.vector_range, "index_vector_dim {} does not fit {} {}",
             n.vector_dim, n.indices_name, short_text(indices));
  int64_t length =
      n.vector_dim < indices.rank() ? dim_of(indices, n.vector_dim).size : 1;
  XLAC_SHAPE(sizes_agree(length, static_cast<int64_t>(n.map.size())),
             n.map_size,
             "{} {} does not have the {} entries of an index vector",
             n.map_name, list_text(n.map), length);
  XLAC_INDEX(is_sorted(n.batching), n.batching_sorted, "{} {} is not sorted",
             n.batching_name, list_text(n.batching));
  XLAC_INDEX(in_range(n.batching, operand.rank()), n.batching_range,
             "{} {} leaves the dimensions of {}", n.batching_name,
             list_text(n.batching), short_text(operand));
  XLAC_INDEX(is_unique(n.indices_batching), n.indices_unique,
             "{} {} names a dimension twice", n.indices_batching_name,
             list_text(n.indices_batching));
  XLAC_INDEX(in_range(n.indices_batching, indices.rank()), n.indices_range,
             "{} {} leaves the dimensions of {} {}", n.indices_batching_name,
             list_text(n.indices_batching), n.indices_name,
             short_text(indices));
  XLAC_INDEX(!contains(n.indices_batching, n.vector_dim), n.vector_unbatched,
             "{} {} holds index_vector_dim {}", n.indices_batching_name,
             list_text(n.indices_batching), n.vector_dim);
  XLAC_INDEX(n.batching.size() == n.indices_batching.size(), n.batching_count,
             "{} {} and {} {} differ in number", n.batching_name,
             list_text(n.batching), n.indices_batching_name,
             list_text(n.indices_batching));
  for (size_t i = 0; i < n.batching.size(); ++i)
    XLAC_SHAPE(sizes_agree(dim_of(operand, n.batching[i]).size,
                           dim_of(indices, n.indices_batching[i]).size),
               n.batching_sizes,
               "batching dimension {} of {} and {} of {} {} differ",
               n.batching[i], short_text(operand), n.indices_batching[i],
               n.indices_name, short_text(indices));
  XLAC_INDEX(is_unique(joined({n.map, n.batching})), n.map_unique,
             "{} {} and {} {} name a dimension twice", n.map_name,
             list_text(n.map), n.batching_name, list_text(n.batching));
  XLAC_INDEX(in_range(n.map, operand.rank()), n.map_range,
             "{} {} leaves the dimensions of {}", n.map_name, list_text(n.map),
             short_text(operand));
  return {};
}

/// Labels of gather's constraints, which dynamic_gather shares. Those on
/// batching dimensions exist only for gather. The specification of
/// dynamic_gather has no such dimensions, but its attribute does.
struct GatherLabels {
  std::string_view dimension_count, vector_range, map_size, offset_order,
      offset_range, collapsed_unique, collapsed_sorted, collapsed_range,
      collapsed_sizes, map_unique, map_range, size_count, size_range, shape,
      element;
  bool batching;

  std::string_view of_batching(std::string_view label) const {
    return batching ? label : "";
  }
};
constexpr GatherLabels kGather = {"C1",  "C2",  "C3",  "C4",  "C5",  "C6",
                                  "C7",  "C8",  "C9",  "C18", "C19", "C20",
                                  "C21", "C22", "C23", true};
constexpr GatherLabels kDynamicGather = {
    "C1", "C2", "C3",  "C4",  "C5",  "C6",  "C6",  "C7",
    "C8", "C9", "C10", "C11", "C12", "C13", "C14", false};

Status check_slices(const Rule &rule, const TensorType &operand,
                    const GatherDimensionNumbers &n, const Dims &slice_sizes,
                    const GatherLabels &labels) {
  XLAC_SHAPE(static_cast<int64_t>(slice_sizes.size()) == operand.rank(),
             labels.size_count,
             "slice_sizes {} do not have the {} entries of operand {}",
             list_text(slice_sizes), operand.rank(), short_text(operand));
  for (size_t i = 0; i < slice_sizes.size(); ++i)
    XLAC_SHAPE(slice_sizes[i] == kDynamic ||
                   (0 <= slice_sizes[i] && (operand.dims[i] == kDynamic ||
                                            slice_sizes[i] <= operand.dims[i])),
               labels.size_range,
               "slice size {} leaves dimension {} of operand {}",
               slice_sizes[i], i, short_text(operand));
  auto at_most_one = [&](int64_t axis) {
    return slice_sizes[static_cast<size_t>(axis)] <= 1;
  };
  XLAC_SHAPE(std::ranges::all_of(n.collapsed_slice_dims, at_most_one),
             labels.collapsed_sizes,
             "slice_sizes {} are above 1 in collapsed_slice_dims {}",
             list_text(slice_sizes), list_text(n.collapsed_slice_dims));
  XLAC_SHAPE(std::ranges::all_of(n.operand_batching_dims, at_most_one),
             labels.of_batching("C12"),
             "slice_sizes {} are above 1 in operand_batching_dims {}",
             list_text(slice_sizes), list_text(n.operand_batching_dims));
  return {};
}

Status check_gather(const Rule &rule, const TensorType &operand,
                    const TensorType &indices, const GatherDimensionNumbers &n,
                    const GatherLabels &labels) {
  XLAC_INDEX(
      static_cast<size_t>(operand.rank()) == n.offset_dims.size() +
                                                 n.collapsed_slice_dims.size() +
                                                 n.operand_batching_dims.size(),
      labels.dimension_count,
      "offset_dims {}, collapsed_slice_dims {} and operand_batching_dims "
      "{} do not make the {} dimensions of operand {}",
      list_text(n.offset_dims), list_text(n.collapsed_slice_dims),
      list_text(n.operand_batching_dims), operand.rank(), short_text(operand));
  XLAC_INDEX(is_unique(n.offset_dims) && is_sorted(n.offset_dims),
             labels.offset_order, "offset_dims {} are not sorted and unique",
             list_text(n.offset_dims));
  XLAC_INDEX(
      is_unique(joined({n.collapsed_slice_dims, n.operand_batching_dims})),
      labels.collapsed_unique,
      "collapsed_slice_dims {} and operand_batching_dims {} name a dimension "
      "twice",
      list_text(n.collapsed_slice_dims), list_text(n.operand_batching_dims));
  XLAC_INDEX(is_sorted(n.collapsed_slice_dims), labels.collapsed_sorted,
             "collapsed_slice_dims {} are not sorted",
             list_text(n.collapsed_slice_dims));
  XLAC_INDEX(in_range(n.collapsed_slice_dims, operand.rank()),
             labels.collapsed_range,
             "collapsed_slice_dims {} leave those of operand {}",
             list_text(n.collapsed_slice_dims), short_text(operand));
  return check_index_vectors(
      rule, operand, indices,
      {"start_index_map", "operand_batching_dims",
       "start_indices_batching_dims", "start_indices", n.start_index_map,
       n.operand_batching_dims, n.start_indices_batching_dims,
       n.index_vector_dim, labels.vector_range, labels.map_size,
       labels.of_batching("C10"), labels.of_batching("C11"),
       labels.of_batching("C13"), labels.of_batching("C14"),
       labels.of_batching("C15"), labels.of_batching("C16"),
       labels.of_batching("C17"), labels.map_unique, labels.map_range});
}

Inferred infer_gather_of(const Rule &rule, const GatherDimensionNumbers &n,
                         const Dims &slice_sizes, const GatherLabels &labels) {
  const TensorType &operand = rule.operand(0), &indices = rule.operand(1);
  XLAC_RETURN_IF_ERROR(check_gather(rule, operand, indices, n, labels));
  XLAC_RETURN_IF_ERROR(check_slices(rule, operand, n, slice_sizes, labels));
  std::vector<Dim> batch = batch_sizes(indices, n.index_vector_dim);
  int64_t rank = static_cast<int64_t>(batch.size() + n.offset_dims.size());
  XLAC_INDEX(in_range(n.offset_dims, rank), labels.offset_range,
             "offset_dims {} leave the {} dimensions of the result",
             list_text(n.offset_dims), rank);
  std::vector<Dim> offsets;
  for (int64_t i = 0; i < operand.rank(); ++i)
    if (!contains(n.collapsed_slice_dims, i) &&
        !contains(n.operand_batching_dims, i))
      offsets.push_back({slice_sizes[static_cast<size_t>(i)], kDynamic});
  TensorType type = scalar_like(operand);
  size_t next_batch = 0, next_offset = 0;
  for (int64_t i = 0; i < rank; ++i)
    append_dim(type, contains(n.offset_dims, i) ? offsets[next_offset++]
                                                : batch[next_batch++]);
  for (int64_t axis : n.collapsed_slice_dims)
    XLAC_RETURN_IF_ERROR(
        check_picks(rule, axis,
                    operand.dims[static_cast<size_t>(axis)] == 0 ||
                        slice_sizes[static_cast<size_t>(axis)] == 0,
                    type));
  return rule.result({labels.shape, labels.element}, type);
}

} // namespace

namespace rules {

Inferred infer_gather(const Rule &rule) {
  const auto &a = rule.attributes<GatherAttributes>();
  return infer_gather_of(rule, a.dimension_numbers, a.slice_sizes, kGather);
}

Inferred infer_dynamic_gather(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &sizes = rule.operand(2);
  XLAC_SHAPE(sizes.rank() == 1 && is_integral(sizes) &&
                 sizes_agree(sizes.dims[0], operand.rank()),
             "C11", "slice_sizes is {}, but {} integers wanted",
             short_text(sizes), operand.rank());
  const std::vector<int64_t> *known = rule.constant(2);
  const auto &a = rule.attributes<DynamicGatherAttributes>();
  Dims unknown(operand.dims.size(), kDynamic);
  return infer_gather_of(rule, a.dimension_numbers, known ? *known : unknown,
                         kDynamicGather);
}

//===- Scatter ------------------------------------------------------------===//

/// Checks the shape of updates; window sizes are upper limits.
static Status check_updates(const Rule &rule, const TensorType &input,
                            const TensorType &indices,
                            const TensorType &updates,
                            const ScatterDimensionNumbers &n) {
  std::vector<Dim> batch = batch_sizes(indices, n.index_vector_dim);
  XLAC_SHAPE(static_cast<size_t>(updates.rank()) ==
                 batch.size() + n.update_window_dims.size(),
             "C4", "updates {} have not {} scatter and {} window dimensions",
             short_text(updates), batch.size(), n.update_window_dims.size());
  std::vector<Dim> limits;
  for (int64_t i = 0; i < input.rank(); ++i)
    if (!contains(n.inserted_window_dims, i) &&
        !contains(n.input_batching_dims, i))
      limits.push_back(dim_of(input, i));
  size_t next_batch = 0, next_limit = 0;
  for (int64_t i = 0; i < updates.rank(); ++i) {
    int64_t size = dim_of(updates, i).size;
    if (contains(n.update_window_dims, i)) {
      int64_t limit = limits[next_limit++].size;
      XLAC_SHAPE(size == kDynamic || limit == kDynamic || size <= limit, "C4",
                 "window dimension {} of updates {} is larger than the {} of "
                 "input {}",
                 i, short_text(updates), limit, short_text(input));
    } else {
      XLAC_SHAPE(sizes_agree(size, batch[next_batch++].size), "C4",
                 "dimension {} of updates {} does not fit scatter_indices {}",
                 i, short_text(updates), short_text(indices));
    }
  }
  return {};
}

static Status check_scatter(const Rule &rule, const TensorType &input,
                            const TensorType &indices,
                            const TensorType &updates,
                            const ScatterDimensionNumbers &n) {
  XLAC_INDEX(static_cast<size_t>(input.rank()) ==
                 n.update_window_dims.size() + n.inserted_window_dims.size() +
                     n.input_batching_dims.size(),
             "C2",
             "update_window_dims {}, inserted_window_dims {} and "
             "input_batching_dims {} do not make the {} dimensions of input {}",
             list_text(n.update_window_dims), list_text(n.inserted_window_dims),
             list_text(n.input_batching_dims), input.rank(), short_text(input));
  XLAC_INDEX(is_unique(n.update_window_dims) && is_sorted(n.update_window_dims),
             "C7", "update_window_dims {} are not sorted and unique",
             list_text(n.update_window_dims));
  XLAC_INDEX(in_range(n.update_window_dims, updates.rank()), "C8",
             "update_window_dims {} leave those of updates {}",
             list_text(n.update_window_dims), short_text(updates));
  XLAC_INDEX(
      is_unique(joined({n.inserted_window_dims, n.input_batching_dims})), "C9",
      "inserted_window_dims {} and input_batching_dims {} name a dimension "
      "twice",
      list_text(n.inserted_window_dims), list_text(n.input_batching_dims));
  XLAC_INDEX(is_sorted(n.inserted_window_dims), "C10",
             "inserted_window_dims {} are not sorted",
             list_text(n.inserted_window_dims));
  XLAC_INDEX(in_range(n.inserted_window_dims, input.rank()), "C11",
             "inserted_window_dims {} leave those of input {}",
             list_text(n.inserted_window_dims), short_text(input));
  XLAC_RETURN_IF_ERROR(check_index_vectors(
      rule, input, indices,
      {"scatter_dims_to_operand_dims", "input_batching_dims",
       "scatter_indices_batching_dims", "scatter_indices",
       n.scatter_dims_to_operand_dims, n.input_batching_dims,
       n.scatter_indices_batching_dims, n.index_vector_dim, "C22", "C19", "C12",
       "C13", "C14", "C15", "C16", "C17", "C18", "C20", "C21"}));
  return check_updates(rule, input, indices, updates, n);
}

Inferred infer_scatter(const Rule &rule) {
  size_t total = rule.operand_count(), count = total / 2;
  XLAC_USER(count > 0 && total % 2 == 1, "C5",
            "has {} operands, as many inputs as updates wanted", total);
  std::vector<const TensorType *> inputs = rule.operands(0, count);
  std::vector<const TensorType *> updates = rule.operands(count + 1, count);
  TensorType shape = *inputs[0];
  for (size_t i = 0; i < count; ++i) {
    XLAC_SHAPE(shapes_agree(shape, *inputs[i]), "C1",
               "input 0 {} and input {} {} differ in shape",
               short_text(*inputs[0]), i, short_text(*inputs[i]));
    merge_shape(shape, *inputs[i]);
    XLAC_SHAPE(shapes_agree(*updates[0], *updates[i]), "C3",
               "updates 0 {} and updates {} {} differ in shape",
               short_text(*updates[0]), i, short_text(*updates[i]));
    XLAC_DTYPE(same_baseline_element(*inputs[i], *updates[i]), "C6",
               "input {} {} and updates {} differ in element type", i,
               short_text(*inputs[i]), short_text(*updates[i]));
  }
  XLAC_RETURN_IF_ERROR(check_scatter(
      rule, shape, rule.operand(count), *updates[0],
      rule.attributes<ScatterAttributes>().scatter_dimension_numbers));
  auto elements =
      check_reducer(rule, rule.region(0), inputs, "update_computation", "C23");
  if (!elements)
    return elements.error();
  std::vector<Type> types;
  for (TensorType type : *elements) {
    type.dims = shape.dims;
    type.bounds = shape.bounds;
    types.push_back(std::move(type));
  }
  return rule.results({"C24", "C25"}, std::move(types));
}

} // namespace rules
} // namespace xlac::ops
