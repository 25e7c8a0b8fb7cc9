// Embeddings, embedding bags, and one-hot encoding.
#include "xlac/tensor/indices.h"

#include <algorithm>
#include <limits>

namespace xlac {

using namespace frontend;

namespace {

/// Returns `padding_idx` counted from the front, or -1 without one.
int64_t wrap_padding(std::optional<int64_t> padding_idx, int64_t rows) {
  if (!padding_idx)
    return -1;
  if (*padding_idx < -rows || *padding_idx >= rows)
    raise<ValueError>("padding_idx must be within num_embeddings, got " +
                      std::to_string(*padding_idx) + " of " +
                      std::to_string(rows));
  return *padding_idx < 0 ? *padding_idx + rows : *padding_idx;
}

void check_table(const Tensor &weight) {
  if (weight.dim() != 2)
    raise<ShapeError>("'weight' must be 2-D");
}

/// True for each index that equals `padding`.
Value is_padding(Value indices, int64_t padding) {
  return build::compare(ops::ComparisonDirection::EQ, indices,
                        build::constant(ElementType::I64, indices.tensor().dims,
                                        Scalar(padding)));
}

/// Returns the factor of each looked-up row's gradient: one divided by the
/// number of times that its row is indexed.
Value shares_of(const Tensor &indices, int64_t rows, Device device,
                Dtype dtype) {
  Tensor list = xlac::reshape(indices.detach(), {-1});
  TensorOptions numbers = TensorOptions(kFloat64).device(list.device());
  Tensor named = xlac::index_add(xlac::zeros({rows}, numbers), 0, list,
                                 xlac::ones({list.numel()}, numbers));
  Tensor shares = xlac::reciprocal(xlac::index_select(named, 0, list));
  return value_on(shares, device, dtype);
}

/// Looks up rows of `weight`. Rows of index `padding` get no gradient. With
/// `scale_by_frequency` gradients are divided by the number of times that their
/// row is indexed.
Tensor looked_up(const Tensor &weight, const Tensor &indices, int64_t padding,
                 bool scale_by_frequency = false) {
  check_table(weight);
  Device device = common_device({&weight, &indices});
  int64_t rows = weight.size(0), width = weight.size(1);
  Shape sizes = indices.sizes();
  sizes.push_back(width);
  Value places = index_value(indices, device, rows, 0, Negative::Refuse);
  int64_t count = indices.numel();
  if (count * width == 0)
    return finish(nothing_of(value_on(weight, device), sizes), device,
                  weight.dtype());
  if (rows == 0)
    raise<IndexError>("index out of range in self");
  places = build::reshape(places, {count});
  Value table = value_on(weight, device);
  Value picked = build::take(table, places, 0);
  if (padding >= 0) {
    Value padded = build::broadcast_in_dim(is_padding(places, padding),
                                           {count, width}, {0});
    Value constant = value_on(xlac::detach(weight), device);
    picked = build::select(padded, build::take(constant, places, 0), picked);
  }
  if (scale_by_frequency && is_recording() && weight.requires_grad()) {
    Value shares = shares_of(indices, rows, device, weight.dtype());
    picked = with_slope(picked,
                        build::broadcast_in_dim(shares, {count, width}, {0}));
  }
  return finish(build::reshape(picked, sizes), device, weight.dtype());
}

/// Scales the rows that `indices` select down to a norm of at most `max_norm`.
void renormalize(const Tensor &weight, const Tensor &indices, double max_norm,
                 double norm_type) {
  if (indices.numel() == 0)
    return;
  Tensor table = weight.detach();
  Tensor list = xlac::reshape(indices.detach(), {-1});
  Device device = common_device({&table, &list});
  Value rows = value_on(looked_up(table, list, -1), device);
  Value powers = build::binary(OpKind::Power, abs_of(rows),
                               fill_like(rows, Scalar(norm_type)));
  Value sums = build::reduce(
      OpKind::Add, powers, build::constant(rows.tensor().element, {}, 0), {1});
  Value norms = build::binary(OpKind::Power, sums,
                              fill_like(sums, Scalar(1 / norm_type)));
  Value limit = fill_like(norms, Scalar(max_norm));
  Value above = build::compare(ops::ComparisonDirection::GT, norms, limit);
  Value scale =
      build::select(above, limit / (norms + 1e-7), fill_like(norms, Scalar(1)));
  Value wide = build::broadcast_in_dim(scale, rows.tensor().dims, {0});
  Tensor scaled = finish(rows * wide, device, table.dtype());
  table.index_copy_(0, list, scaled);
}

} // namespace

Tensor embedding(const Tensor &weight, const Tensor &indices,
                 int64_t padding_idx, bool scale_grad_by_freq, bool sparse) {
  XLAC_CALL("embedding");
  return looked_up(weight, indices, padding_idx, scale_grad_by_freq);
}

Tensor one_hot(const Tensor &self, int64_t num_classes) {
  XLAC_CALL("one_hot");
  if (self.dtype() != kInt64)
    raise<DtypeError>("is only applicable to index tensor of type LongTensor.");
  bool infer = num_classes == -1;
  if (infer && self.numel() == 0)
    raise<ValueError>("Can not infer total number of classes from empty "
                      "tensor.");
  if (!infer && num_classes < 1)
    raise<ValueError>("num_classes should be positive");
  if (infer || self.is_cpu()) {
    std::vector<int64_t> values = shaping_elements<int64_t>(self);
    int64_t greatest = -1;
    for (int64_t value : values) {
      if (value < 0)
        raise<ValueError>("Class values must be non-negative.");
      greatest = std::max(greatest, value);
    }
    if (!infer && greatest >= num_classes)
      raise<ValueError>("Class values must be smaller than num_classes.");
    num_classes = infer ? greatest + 1 : num_classes;
  }
  Shape sizes = self.sizes(), mapping(sizes.size());
  for (size_t i = 0; i < mapping.size(); ++i)
    mapping[i] = static_cast<int64_t>(i);
  sizes.push_back(num_classes);
  Value classes = build::iota(ElementType::I64, sizes,
                              static_cast<int64_t>(sizes.size()) - 1);
  Value wanted =
      build::broadcast_in_dim(value_on(self, self.device()), sizes, mapping);
  Value equal = build::compare(ops::ComparisonDirection::EQ, wanted, classes);
  return finish(build::convert(equal, ElementType::I64), self.device(), kInt64);
}

//===- Bags ---------------------------------------------------------------===//

namespace {

/// Looked-up rows [count, width] and the bag of each row.
struct Bags {
  Tensor rows, owners; ///< owners: the bags, i64 [count]
  Tensor padded;       ///< true for each row that is padding
  int64_t number;
};

/// Returns the bag of each index: the number of bags that start at or before
/// it, minus one.
Tensor owners_of(const Tensor &offsets, int64_t count) {
  Tensor places =
      xlac::arange(count, TensorOptions(kInt64).device(offsets.device()));
  Tensor begun = xlac::ge(xlac::unsqueeze(places, 1),
                          xlac::unsqueeze(offsets.to(kInt64), 0));
  return xlac::sum(begun.to(kInt64), {1}) - 1;
}

Bags make_bags(const Tensor &input, const Tensor &weight, Tensor offsets,
               bool include_last_offset, int64_t padding,
               bool scale_by_frequency) {
  Bags bags;
  Tensor list = xlac::reshape(input, {-1});
  if (input.dim() == 2) {
    if (offsets.defined())
      raise<ValueError>("if input is 2D, then offsets has to be None, as input "
                        "is treated is a mini-batch of fixed length "
                        "sequences.");
    bags.number = input.size(0);
    bags.owners = xlac::repeat_interleave(
        xlac::arange(bags.number, TensorOptions(kInt64).device(input.device())),
        input.size(1));
  } else if (input.dim() == 1) {
    if (!offsets.defined() || offsets.dim() != 1)
      raise<ValueError>("offsets has to be a 1D Tensor where input is 1D");
    if (include_last_offset)
      offsets = xlac::narrow(offsets, 0, 0, offsets.numel() - 1);
    bags.number = offsets.numel();
    bags.owners = owners_of(offsets, input.numel());
  } else {
    raise<ValueError>("input has to be 1D or 2D Tensor, but got Tensor of "
                      "dimension " +
                      std::to_string(input.dim()));
  }
  bags.rows = looked_up(weight, list, padding, scale_by_frequency);
  bags.padded = xlac::eq(list, Scalar(padding));
  return bags;
}

Tensor greatest_of(const Bags &bags, const Tensor &rows) {
  Shape sizes{bags.number, rows.size(1)};
  Tensor least = xlac::full(sizes, -std::numeric_limits<double>::infinity(),
                            TensorOptions(rows.dtype()).device(rows.device()));
  Tensor owners = xlac::expand(xlac::unsqueeze(bags.owners, 1), rows.sizes());
  Tensor greatest = xlac::scatter_reduce(least, 0, owners, rows, "amax", true);
  return xlac::masked_fill(greatest, xlac::eq(greatest, least), Scalar(0));
}

} // namespace

namespace nn::functional {

Tensor embedding(const Tensor &input, const Tensor &weight,
                 std::optional<int64_t> padding_idx,
                 std::optional<double> max_norm, double norm_type,
                 bool scale_grad_by_freq, bool sparse) {
  XLAC_CALL("embedding");
  check_table(weight);
  int64_t padding = wrap_padding(padding_idx, weight.size(0));
  if (max_norm)
    renormalize(weight, input, *max_norm, norm_type);
  return xlac::embedding(weight, input, padding, scale_grad_by_freq, sparse);
}

Tensor embedding_bag(const Tensor &input, const Tensor &weight,
                     const Tensor &offsets, std::optional<double> max_norm,
                     double norm_type, bool scale_grad_by_freq,
                     std::string_view mode, bool sparse,
                     const Tensor &per_sample_weights, bool include_last_offset,
                     std::optional<int64_t> padding_idx) {
  XLAC_CALL("embedding_bag");
  check_table(weight);
  if (mode != "sum" && mode != "mean" && mode != "max")
    raise<ValueError>("mode has to be one of sum, mean or max");
  if (scale_grad_by_freq && mode == "max")
    raise<UnsupportedError>(
        "scale_grad_by_freq is not supported for mode 'max'");
  if (per_sample_weights.defined() && mode != "sum")
    raise<UnsupportedError>("per_sample_weights is only supported for mode "
                            "'sum', got mode='" +
                            std::string(mode) + "'");
  if (per_sample_weights.defined() &&
      per_sample_weights.sizes() != input.sizes())
    raise<ShapeError>("expected per_sample_weights to have the same shape as "
                      "input: " +
                      to_text(input.sizes()) + ", but got " +
                      to_text(per_sample_weights.sizes()));
  int64_t padding = wrap_padding(padding_idx, weight.size(0));
  if (max_norm)
    renormalize(weight, input, *max_norm, norm_type);
  Bags bags = make_bags(input, weight, offsets, include_last_offset, padding,
                        scale_grad_by_freq);
  Tensor rows = bags.rows;
  Tensor padded = xlac::unsqueeze(bags.padded, 1);
  if (mode == "max")
    return greatest_of(
        bags, xlac::masked_fill(rows, padded,
                                -std::numeric_limits<double>::infinity()));
  if (per_sample_weights.defined())
    rows = rows * xlac::reshape(per_sample_weights, {-1, 1});
  rows = xlac::masked_fill(rows, padded, Scalar(0));
  TensorOptions options = TensorOptions(rows.dtype()).device(rows.device());
  Tensor sums = xlac::index_add(
      xlac::zeros({bags.number, rows.size(1)}, options), 0, bags.owners, rows);
  if (mode == "sum")
    return sums;
  Tensor counts =
      xlac::index_add(xlac::zeros({bags.number, 1}, options), 0, bags.owners,
                      xlac::eq(padded, Scalar(false)).to(rows.dtype()));
  return sums / xlac::maximum(counts, xlac::ones_like(counts));
}

Tensor one_hot(const Tensor &tensor, int64_t num_classes) {
  XLAC_CALL("one_hot");
  return xlac::one_hot(tensor, num_classes);
}

} // namespace nn::functional

Tensor embedding_bag(const Tensor &weight, const Tensor &indices,
                     const Tensor &offsets, bool scale_grad_by_freq,
                     std::string_view mode, bool sparse,
                     const Tensor &per_sample_weights, bool include_last_offset,
                     int64_t padding_idx) {
  XLAC_CALL("embedding_bag");
  std::optional<int64_t> padding;
  if (padding_idx >= 0)
    padding = padding_idx;
  return nn::functional::embedding_bag(
      indices, weight, offsets, {}, 2, scale_grad_by_freq, mode, sparse,
      per_sample_weights, include_last_offset, padding);
}

} // namespace xlac
