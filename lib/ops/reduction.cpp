// Shape rules of reductions, windows and sorting: ops whose regions combine or
// compare elements.
#include "rule.h"

#include "xlac/ops/infer.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// Operands of reduce and reduce_window: first the inputs, then the initial
/// values.
struct Halves {
  std::vector<const TensorType *> inputs, inits;
  TensorType shape; ///< the merged shape of all inputs
};

Result<Halves> split(const Rule &rule, std::string_view count_label,
                     std::string_view shape_label,
                     std::string_view element_label, bool scalar_inits) {
  size_t total = rule.operand_count(), count = total / 2;
  XLAC_USER(count > 0 && total % 2 == 0, count_label,
            "has {} operands, as many inputs as init_values wanted", total);
  Halves halves{rule.operands(0, count), rule.operands(count, count),
                rule.operand(0)};
  for (size_t i = 0; i < count; ++i) {
    const TensorType &input = *halves.inputs[i], &init = *halves.inits[i];
    XLAC_SHAPE(shapes_agree(halves.shape, input), shape_label,
               "input 0 {} and input {} {} differ in shape",
               short_text(rule.operand(0)), i, short_text(input));
    merge_shape(halves.shape, input);
    XLAC_SHAPE(init.rank() == 0 || !scalar_inits, element_label,
               "init_value {} is {}, but a scalar wanted", i, short_text(init));
    XLAC_DTYPE(same_baseline_element(input, init), element_label,
               "input {} {} and init_value {} differ in element type", i,
               short_text(input), short_text(init));
  }
  return halves;
}

/// One result per region element, all with the same shape.
std::vector<Type> shaped(const std::vector<TensorType> &elements,
                         const TensorType &shape) {
  std::vector<Type> types;
  for (TensorType type : elements) {
    type.dims = shape.dims;
    type.bounds = shape.bounds;
    types.push_back(std::move(type));
  }
  return types;
}

Status positive(const Rule &rule, const Dims &values, size_t count,
                std::string_view name, std::string_view size_label,
                std::string_view sign_label) {
  XLAC_SHAPE(values.size() == count, size_label,
             "{} {} has not the {} entries of the operand", name,
             list_text(values), count);
  XLAC_USER(std::ranges::all_of(values, [](int64_t v) { return v > 0; }),
            sign_label, "{} {} is not positive", name, list_text(values));
  return check_extents(rule, name, values, sign_label);
}

/// Padding as [count, 2]; zeros if there is none.
Result<Dims> padding_of(const Rule &rule,
                        const std::optional<IntElements> &padding, size_t count,
                        std::string_view label) {
  if (!padding)
    return Dims(2 * count, 0);
  XLAC_SHAPE(padding->shape.size() == 2 &&
                 padding->shape[0] == static_cast<int64_t>(count) &&
                 padding->shape[1] == 2 && padding->values.size() == 2 * count,
             label, "padding has shape {}, [{}, 2] wanted",
             list_text(padding->shape), count);
  XLAC_RETURN_IF_ERROR(check_extents(rule, "padding", padding->values, label));
  return padding->values;
}

struct WindowLists {
  Dims window, strides, base_dilations, window_dilations, padding;
};

TensorType windowed(const TensorType &shape, const WindowLists &w) {
  TensorType type = scalar_like(shape);
  for (size_t i = 0; i < w.window.size(); ++i)
    append_dim(
        type,
        map_dim(dim_of(shape, static_cast<int64_t>(i)), [&](int64_t size) {
          return window_count(size, w.padding[2 * i], w.padding[2 * i + 1],
                              w.base_dilations[i], w.window[i],
                              w.window_dilations[i], w.strides[i]);
        }));
  return type;
}

} // namespace

namespace rules {

Inferred infer_reduce(const Rule &rule) {
  Result<Halves> halves = split(rule, "C3", "C1", "C2", /*scalar_inits=*/false);
  if (!halves)
    return halves.error();
  const Dims &dimensions = rule.attributes<ReduceAttributes>().dimensions;
  XLAC_INDEX(in_range(dimensions, halves->shape.rank()), "C4",
             "dimensions {} leave those of input {}", list_text(dimensions),
             short_text(rule.operand(0)));
  XLAC_INDEX(is_unique(dimensions), "C5", "dimensions {} name one twice",
             list_text(dimensions));
  TensorType shape = scalar_like(halves->shape);
  for (int64_t i = 0; i < halves->shape.rank(); ++i)
    if (!contains(dimensions, i))
      append_dim(shape, dim_of(halves->shape, i));
  // StableHLO's own verifier permits a body that combines tensors with sizes
  // that the result keeps. The initial values are then such tensors too.
  auto elements = check_reducer(rule, rule.region(0), halves->inputs, "body",
                                "C6", shape.dims);
  if (!elements)
    return elements.error();
  for (size_t i = 0; i < elements->size(); ++i)
    XLAC_SHAPE(shapes_agree(*halves->inits[i], (*elements)[i]), "C2",
               "init_value {} is {}, but body combines {}", i,
               short_text(*halves->inits[i]), short_text((*elements)[i]));
  return rule.results({"C7", "C8"}, shaped(*elements, shape));
}

Inferred infer_reduce_window(const Rule &rule) {
  Result<Halves> halves = split(rule, "C1", "C2", "C3", /*scalar_inits=*/true);
  if (!halves)
    return halves.error();
  const auto &a = rule.attributes<ReduceWindowAttributes>();
  size_t rank = halves->shape.dims.size();
  Dims ones(rank, 1);
  WindowLists w{a.window_dimensions,
                a.window_strides.value_or(ones),
                a.base_dilations.value_or(ones),
                a.window_dilations.value_or(ones),
                {}};
  XLAC_RETURN_IF_ERROR(
      positive(rule, w.window, rank, "window_dimensions", "C4", "C5"));
  XLAC_RETURN_IF_ERROR(
      positive(rule, w.strides, rank, "window_strides", "C6", "C7"));
  XLAC_RETURN_IF_ERROR(
      positive(rule, w.base_dilations, rank, "base_dilations", "C8", "C9"));
  XLAC_RETURN_IF_ERROR(positive(rule, w.window_dilations, rank,
                                "window_dilations", "C10", "C11"));
  Result<Dims> padding = padding_of(rule, a.padding, rank, "C12");
  if (!padding)
    return padding.error();
  w.padding = *padding;
  auto elements =
      check_reducer(rule, rule.region(0), halves->inputs, "body", "C13");
  if (!elements)
    return elements.error();
  return rule.results({"C15", "C16"},
                      shaped(*elements, windowed(halves->shape, w)));
}

Inferred infer_select_and_scatter(const Rule &rule) {
  const TensorType &operand = rule.operand(0), &source = rule.operand(1);
  const TensorType &init = rule.operand(2);
  const auto &a = rule.attributes<SelectAndScatterAttributes>();
  XLAC_DTYPE(same_baseline_element(operand, source), "C1",
             "operand {} and source {} differ in element type",
             short_text(operand), short_text(source));
  XLAC_DTYPE(init.rank() == 0 && same_baseline_element(operand, init), "C3",
             "init_value is {}, but a scalar of operand {} wanted",
             short_text(init), short_text(operand));
  size_t rank = operand.dims.size();
  Dims ones(rank, 1);
  WindowLists w{a.window_dimensions.value_or(ones),
                a.window_strides.value_or(ones),
                ones,
                ones,
                {}};
  XLAC_RETURN_IF_ERROR(
      positive(rule, w.window, rank, "window_dimensions", "C4", "C5"));
  XLAC_RETURN_IF_ERROR(
      positive(rule, w.strides, rank, "window_strides", "C6", "C7"));
  Result<Dims> padding = padding_of(rule, a.padding, rank, "C8");
  if (!padding)
    return padding.error();
  w.padding = *padding;
  TensorType windows = windowed(operand, w);
  XLAC_SHAPE(shapes_agree(windows, source), "C2",
             "source {} has not one element for each window, {} wanted",
             short_text(source), short_text(windows));
  const RegionSignature &select = rule.region(0);
  if (select.known) {
    Type element = scalar_like(operand);
    XLAC_DTYPE(
        select.arguments.size() == 2 &&
            are_compatible(element, select.arguments[0]) &&
            are_compatible(element, select.arguments[1]) &&
            select.results.size() == 1 && select.results[0].is_tensor() &&
            is_scalar(select.results[0].tensor(), ElementType::I1),
        "C9", "select does not take two {} to i1[]", short_text(element));
  }
  const TensorType *inputs[] = {&operand};
  auto elements = check_reducer(rule, rule.region(1), inputs, "scatter", "C10");
  if (!elements)
    return elements.error();
  return rule.results({"C11", "C12"}, shaped(*elements, operand));
}

Inferred infer_sort(const Rule &rule) {
  size_t count = rule.operand_count();
  XLAC_USER(count > 0, "C1", "has no inputs");
  const TensorType &first = rule.operand(0);
  TensorType shape = first;
  for (size_t i = 1; i < count; ++i) {
    XLAC_SHAPE(shapes_agree(shape, rule.operand(i)), "C3",
               "input 0 {} and input {} {} differ in shape", short_text(first),
               i, short_text(rule.operand(i)));
    merge_shape(shape, rule.operand(i));
  }
  int64_t dimension = rule.attributes<SortAttributes>().dimension;
  int64_t rank = first.rank();
  XLAC_INDEX(-rank <= dimension && dimension < rank, "C4",
             "dimension {} leaves those of input {}", dimension,
             short_text(first));
  const RegionSignature &comparator = rule.region(0);
  std::vector<TensorType> elements;
  if (comparator.known) {
    XLAC_SHAPE(comparator.arguments.size() == 2 * count, "C5",
               "comparator takes {} arguments, {} wanted",
               comparator.arguments.size(), 2 * count);
    for (size_t i = 0; i < 2 * count; ++i) {
      Type wanted = scalar_like(rule.operand(i / 2));
      XLAC_DTYPE(are_compatible(wanted, comparator.arguments[i]), "C5",
                 "argument {} of comparator is {}, but {} wanted", i,
                 short_text(comparator.arguments[i]), short_text(wanted));
    }
    XLAC_DTYPE(comparator.results.size() == 1 &&
                   comparator.results[0].is_tensor() &&
                   is_scalar(comparator.results[0].tensor(), ElementType::I1),
               "C5", "comparator does not return one i1[]");
  }
  for (size_t i = 0; i < count; ++i)
    elements.push_back(scalar_like(rule.operand(i)));
  return rule.results({"C3", "C2"}, shaped(elements, shape));
}

} // namespace rules
} // namespace xlac::ops
