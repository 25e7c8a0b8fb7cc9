// Shape rules of convolution and dynamic_conv, which differ in the source of
// the padding. Labels are those of convolution.
#include "rule.h"

#include <algorithm>

namespace xlac::ops {

Result<TensorType> convolution_element(const Rule &rule, const TensorType &lhs,
                                       const TensorType &rhs);

namespace {

/// The window with all attributes filled in.
struct Window {
  Dims strides, low, high, lhs_dilation, rhs_dilation;
  bool padding_known = true;
};

/// The attributes that both ops have.
struct Common {
  const ConvDimensionNumbers &numbers;
  const std::optional<Dims> &strides, &lhs_dilation, &rhs_dilation;
  const std::optional<std::vector<bool>> &reversal;
  int64_t feature_groups, batch_groups;
  const std::optional<std::vector<Precision>> &precision;
};

template <class T> Common common(const T &a) {
  return {a.dimension_numbers, a.window_strides,  a.lhs_dilation,
          a.rhs_dilation,      a.window_reversal, a.feature_group_count,
          a.batch_group_count, a.precision_config};
}

Status fill(const Rule &rule, const std::optional<Dims> &given, size_t count,
            std::string_view name, std::string_view size_label,
            std::string_view sign_label, Dims &values) {
  values = given.value_or(Dims(count, 1));
  XLAC_SHAPE(values.size() == count, size_label, "{} {} has not {} entries",
             name, list_text(values), count);
  XLAC_USER(std::ranges::all_of(values, [](int64_t v) { return v > 0; }),
            sign_label, "{} {} is not positive", name, list_text(values));
  return check_extents(rule, name, values, sign_label);
}

Status check_dimensions(const Rule &rule, std::string_view name,
                        const Dims &spatial, int64_t first, int64_t second,
                        int64_t rank, std::string_view size_label,
                        std::string_view label) {
  XLAC_INDEX(static_cast<int64_t>(spatial.size()) == rank - 2, size_label,
             "{}_spatial_dimensions {} has not {} entries", name,
             list_text(spatial), rank - 2);
  Dims all = joined({spatial, Dims{first, second}});
  XLAC_INDEX(is_unique(all) && in_range(all, rank), label,
             "{} dimensions {} are not the {} of the tensor", name,
             list_text(all), rank);
  return {};
}

Status check_numbers(const Rule &rule, const ConvDimensionNumbers &n,
                     int64_t rank) {
  XLAC_RETURN_IF_ERROR(check_dimensions(
      rule, "input", n.input_spatial_dimensions, n.input_batch_dimension,
      n.input_feature_dimension, rank, "C12", "C13"));
  XLAC_RETURN_IF_ERROR(
      check_dimensions(rule, "kernel", n.kernel_spatial_dimensions,
                       n.kernel_input_feature_dimension,
                       n.kernel_output_feature_dimension, rank, "C17", "C18"));
  return check_dimensions(rule, "output", n.output_spatial_dimensions,
                          n.output_batch_dimension, n.output_feature_dimension,
                          rank, "C19", "C20");
}

bool divides(int64_t divisor, int64_t size) {
  return size == kDynamic || size % divisor == 0;
}

Status check_groups(const Rule &rule, const TensorType &lhs,
                    const TensorType &rhs, const Common &c) {
  const ConvDimensionNumbers &n = c.numbers;
  XLAC_USER(c.feature_groups > 0, "C21",
            "feature_group_count {} is not positive", c.feature_groups);
  XLAC_USER(c.batch_groups > 0, "C22", "batch_group_count {} is not positive",
            c.batch_groups);
  XLAC_USER(c.feature_groups == 1 || c.batch_groups == 1, "C23",
            "feature_group_count {} and batch_group_count {} are both above 1",
            c.feature_groups, c.batch_groups);
  int64_t batch = dim_of(lhs, n.input_batch_dimension).size;
  int64_t features = dim_of(lhs, n.input_feature_dimension).size;
  int64_t in = dim_of(rhs, n.kernel_input_feature_dimension).size;
  int64_t out = dim_of(rhs, n.kernel_output_feature_dimension).size;
  XLAC_SHAPE(divides(c.batch_groups, batch), "C10",
             "batch size {} of lhs is not a multiple of batch_group_count {}",
             batch, c.batch_groups);
  XLAC_SHAPE(divides(c.feature_groups, features), "C11",
             "{} features of lhs are not a multiple of feature_group_count {}",
             features, c.feature_groups);
  XLAC_SHAPE(in == kDynamic || features == kDynamic ||
                 in == features / c.feature_groups,
             "C14", "rhs takes {} input features, but lhs {} has {} in a group",
             in, short_text(lhs), features / c.feature_groups);
  XLAC_SHAPE(divides(c.batch_groups, out), "C15",
             "{} output features are not a multiple of batch_group_count {}",
             out, c.batch_groups);
  XLAC_SHAPE(divides(c.feature_groups, out), "C16",
             "{} output features are not a multiple of feature_group_count {}",
             out, c.feature_groups);
  return {};
}

Status check_quantization(const Rule &rule, const TensorType &rhs,
                          const ConvDimensionNumbers &n) {
  if (is_per_axis_quantized(rhs))
    XLAC_DTYPE(*rhs.quantization->quantization_dimension ==
                   n.kernel_output_feature_dimension,
               "C29", "rhs {} is quantized along dimension {}, not {}",
               short_text(rhs), *rhs.quantization->quantization_dimension,
               n.kernel_output_feature_dimension);
  if (rule.declares() && is_per_axis_quantized(rule.declared(0)))
    XLAC_DTYPE(*rule.declared(0).quantization->quantization_dimension ==
                   n.output_feature_dimension,
               "C30", "result {} is not quantized along its features",
               short_text(rule.declared(0)));
  return {};
}

Dim spatial_size(const TensorType &lhs, const TensorType &rhs, const Common &c,
                 const Window &window, size_t i) {
  Dim input = dim_of(lhs, c.numbers.input_spatial_dimensions[i]);
  Dim kernel = dim_of(rhs, c.numbers.kernel_spatial_dimensions[i]);
  if (kernel.is_dynamic() || !window.padding_known)
    return {};
  return map_dim(input, [&](int64_t size) {
    return window_count(size, window.low[i], window.high[i],
                        window.lhs_dilation[i], kernel.size,
                        window.rhs_dilation[i], window.strides[i]);
  });
}

Inferred infer_convolution_of(const Rule &rule, const Common &c,
                              Window window) {
  const TensorType &lhs = rule.operand(0), &rhs = rule.operand(1);
  XLAC_SHAPE(lhs.rank() == rhs.rank(), "C1", "lhs {} and rhs {} differ in rank",
             short_text(lhs), short_text(rhs));
  XLAC_SHAPE(lhs.rank() >= 2, "C1", "lhs {} has fewer than 2 dimensions",
             short_text(lhs));
  size_t count = static_cast<size_t>(lhs.rank() - 2);
  XLAC_RETURN_IF_ERROR(fill(rule, c.strides, count, "window_strides", "C2",
                            "C3", window.strides));
  XLAC_SHAPE(window.low.size() == count, "C4", "padding has {} rows, {} wanted",
             window.low.size(), count);
  XLAC_RETURN_IF_ERROR(check_extents(rule, "padding", window.low, "C4"));
  XLAC_RETURN_IF_ERROR(check_extents(rule, "padding", window.high, "C4"));
  XLAC_RETURN_IF_ERROR(fill(rule, c.lhs_dilation, count, "lhs_dilation", "C5",
                            "C6", window.lhs_dilation));
  XLAC_RETURN_IF_ERROR(fill(rule, c.rhs_dilation, count, "rhs_dilation", "C7",
                            "C8", window.rhs_dilation));
  XLAC_SHAPE(!c.reversal || c.reversal->size() == count, "C9",
             "window_reversal has {} entries, {} wanted", c.reversal->size(),
             count);
  XLAC_RETURN_IF_ERROR(check_numbers(rule, c.numbers, lhs.rank()));
  XLAC_RETURN_IF_ERROR(check_groups(rule, lhs, rhs, c));
  XLAC_USER(!c.precision || c.precision->empty() || c.precision->size() == 2,
            "C24", "precision_config has {} entries, 2 wanted",
            c.precision->size());
  XLAC_SHAPE(!rule.declares() || rule.declared(0).rank() == lhs.rank(), "C26",
             "result {} and lhs {} differ in rank",
             short_text(rule.declared(0)), short_text(lhs));
  XLAC_RETURN_IF_ERROR(check_quantization(rule, rhs, c.numbers));
  Result<TensorType> element = convolution_element(rule, lhs, rhs);
  if (!element)
    return element.error();
  const ConvDimensionNumbers &n = c.numbers;
  TensorType type = *element;
  type.dims.assign(lhs.dims.size(), kDynamic);
  Dim batch = map_dim(dim_of(lhs, n.input_batch_dimension),
                      [&](int64_t size) { return size / c.batch_groups; });
  set_dim(type, n.output_batch_dimension, batch);
  set_dim(type, n.output_feature_dimension,
          dim_of(rhs, n.kernel_output_feature_dimension));
  for (size_t i = 0; i < count; ++i)
    set_dim(type, n.output_spatial_dimensions[i],
            spatial_size(lhs, rhs, c, window, i));
  return rule.result({"C25", "C27"}, type);
}

/// Splits the pairs of a [count, 2] matrix.
void split_padding(const Dims &values, Window &window) {
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    window.low.push_back(values[i]);
    window.high.push_back(values[i + 1]);
  }
}

} // namespace

namespace rules {

Inferred infer_convolution(const Rule &rule) {
  const auto &a = rule.attributes<ConvolutionAttributes>();
  size_t count = rule.operand(0).dims.size();
  count = count < 2 ? 0 : count - 2;
  Window window;
  if (a.padding) {
    XLAC_SHAPE(a.padding->shape.size() == 2 && a.padding->shape[1] == 2, "C4",
               "padding has shape {}, [{}, 2] wanted",
               list_text(a.padding->shape), count);
    split_padding(a.padding->values, window);
  } else {
    window.low = window.high = Dims(count, 0);
  }
  return infer_convolution_of(rule, common(a), std::move(window));
}

Inferred infer_dynamic_conv(const Rule &rule) {
  const TensorType &padding = rule.operand(2);
  size_t count = rule.operand(0).dims.size();
  count = count < 2 ? 0 : count - 2;
  XLAC_SHAPE(padding.rank() == 2 && is_integral(padding) &&
                 sizes_agree(padding.dims[0], static_cast<int64_t>(count)) &&
                 sizes_agree(padding.dims[1], 2),
             "C4", "padding is {}, but integers of shape [{}, 2] wanted",
             short_text(padding), count);
  Window window;
  const std::vector<int64_t> *known = rule.constant(2);
  window.padding_known = known && known->size() == 2 * count;
  if (window.padding_known)
    split_padding(*known, window);
  else
    window.low = window.high = Dims(count, 0);
  return infer_convolution_of(rule,
                              common(rule.attributes<DynamicConvAttributes>()),
                              std::move(window));
}

} // namespace rules
} // namespace xlac::ops
