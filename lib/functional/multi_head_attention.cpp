// PyTorch's multi_head_attention_forward: projections to heads, attention of
// each head, and the output projection.
#include "attention.h"

#include <array>
#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

struct Heads {
  int64_t batch, width, heads;
  int64_t each() const { return width / heads; }
};

/// Returns the heads of a query [L, N, E] or [L, E].
Heads heads_of(const Shape &query, int64_t width, int64_t heads) {
  if (query.size() != 2 && query.size() != 3)
    raise<ShapeError>("query should be unbatched 2D or batched 3D tensor but "
                      "received " +
                      std::to_string(query.size()) + "-D query tensor");
  if (query.back() != width)
    raise<ShapeError>("was expecting embedding dimension of " +
                      std::to_string(width) + ", but got " +
                      std::to_string(query.back()));
  if (heads < 1 || width % heads != 0)
    raise<ValueError>("embed_dim " + std::to_string(width) +
                      " not divisible by num_heads " + std::to_string(heads));
  return {query.size() == 3 ? query[1] : 1, width, heads};
}

/// Reshapes [length, N, E] to [N * heads, length, E / heads].
Value split_heads(const Value &x, const Heads &h) {
  int64_t length = sizes_of(x)[0];
  return swapped(
      build::reshape(x, {length, h.batch * h.heads, sizes_of(x)[2] / h.heads}),
      0, 1);
}

/// Returns the mask as an addend of scores: -inf where a boolean mask is true.
Value added(const Tensor &mask, const Setting &setting) {
  if (impl_of(mask).dtype != kBool) {
    require_floating(mask);
    return setting.of(mask);
  }
  ElementType type = lazy::element_type(setting.wide);
  return chosen(value_on(mask, setting.device),
                build::constant(type, {}, -INFINITY),
                build::constant(type, {}, 0));
}

/// Returns the mask of scores [N * heads, L, S], including the padding of keys;
/// empty if there is none.
Value mask_of(const Tensor &attn_mask, const Tensor &key_padding_mask,
              const Heads &h, int64_t length, int64_t keys,
              const Setting &setting) {
  Value mask;
  if (attn_mask.defined()) {
    const Shape &sizes = impl_of(attn_mask).sizes;
    if (sizes != Shape{length, keys} &&
        sizes != Shape{h.batch * h.heads, length, keys})
      raise<ShapeError>("the shape of attn_mask is " + to_text(sizes) +
                        ", but should be " + to_text({length, keys}) + " or " +
                        to_text({h.batch * h.heads, length, keys}));
    mask = added(attn_mask, setting);
  }
  if (!key_padding_mask.defined())
    return mask;
  if (count_of(impl_of(key_padding_mask).sizes) != h.batch * keys)
    raise<ShapeError>("expected key_padding_mask of size " +
                      to_text({h.batch, keys}) + ", got " +
                      to_text(impl_of(key_padding_mask).sizes));
  Value padding =
      build::reshape(added(key_padding_mask, setting), {h.batch, 1, 1, keys});
  padding =
      build::reshape(build::broadcast_to(padding, {h.batch, h.heads, 1, keys}),
                     {h.batch * h.heads, 1, keys});
  return mask ? mask + padding : padding;
}

/// Appends a row to `x` [length, N, E].
Value with_row(const Value &x, const Value &row) {
  Shape sizes = sizes_of(x);
  sizes[0] = 1;
  return build::concatenate({x, build::broadcast_to(row, sizes)}, 0);
}

/// Appends one key to a mask; attention to it is allowed.
Tensor with_key(const Tensor &mask) {
  if (!mask.defined())
    return mask;
  Device device = impl_of(mask).device();
  Value x = value_on(mask, device);
  Shape low(sizes_of(x).size(), 0), high = low;
  high.back() = 1;
  Value zero = build::constant(x.tensor().element, {}, 0);
  return finish(build::pad(x, zero, low, high, low), device,
                impl_of(mask).dtype);
}

/// Returns rows [from, to) of a weight or bias, if it is not empty.
Value part(const Value &x, int64_t from, int64_t to) {
  return x ? sliced(x, 0, from, to) : x;
}

Value projected(const Value &x, const Value &weight, const Value &bias) {
  Value y = linear_of(x, weight);
  return bias ? y + bias : y;
}

/// Queries, keys and values [length, N, E].
struct Projections {
  Value q, k, v;
};

/// Projects by the parts of one weight [3 E, E]. Operands that are the same
/// tensor are projected together by one GEMM.
Projections project(const std::array<Value, 3> &rows, const Value &weight,
                    const Value &bias, int64_t width) {
  std::array<Value, 3> made;
  for (int64_t i = 0, next = 1; i < 3; i = next++) {
    while (next < 3 && rows[next] == rows[i])
      ++next;
    Value joint = projected(rows[i], part(weight, i * width, next * width),
                            part(bias, i * width, next * width));
    for (int64_t k = i; k < next; ++k)
      made[k] = next == i + 1
                    ? joint
                    : sliced(joint, 2, (k - i) * width, (k - i + 1) * width);
  }
  return {made[0], made[1], made[2]};
}

/// Projects by separate weights.
Projections project(const std::array<Value, 3> &rows,
                    const std::array<Value, 3> &weights, const Value &bias,
                    int64_t width) {
  auto one = [&](int64_t i) {
    return projected(rows[i], weights[i],
                     part(bias, i * width, (i + 1) * width));
  };
  return {one(0), one(1), one(2)};
}

/// The output of the heads, [N * heads, L, E / heads]; the weights are computed
/// only on request.
struct Attended {
  Value output, weights;
};

Attended attend(const Value &q, const Value &k, const Value &v,
                const Value &mask, bool need_weights, double dropout_p,
                const Setting &setting) {
  double scale = std::sqrt(1 / static_cast<double>(sizes_of(q).back()));
  if (!need_weights && dropout_p == 0)
    return {attended(q, k, v, setting.number(scale), mask), {}};
  Value weights;
  if (need_weights) {
    Value scores = batched_matmul(q * scale, k, true);
    weights = softmax_of(mask ? scores + mask : scores, 2);
  } else {
    weights = attention_weights(q, k, setting.number(scale), mask);
  }
  if (dropout_p > 0)
    weights = setting.of(
        dropout(frontend::finish(weights, setting.device, setting.wide),
                dropout_p, true));
  return {batched_matmul(weights, v), weights};
}

/// Returns weights [N * heads, L, S] in PyTorch's form: [N, heads, L, S],
/// averaged over heads if requested, without N for unbatched inputs.
Value shown(const Value &weights, const Heads &h, bool averages, bool batched) {
  Shape sizes = sizes_of(weights);
  Value each = build::reshape(weights, {h.batch, h.heads, sizes[1], sizes[2]});
  if (averages)
    each = mean_of(each, {1});
  sizes = sizes_of(each);
  return batched ? each
                 : build::reshape(each, {sizes.begin() + 1, sizes.end()});
}

} // namespace

std::tuple<Tensor, Tensor> multi_head_attention_forward(
    const Tensor &query, const Tensor &key, const Tensor &value,
    int64_t embed_dim_to_check, int64_t num_heads, const Tensor &in_proj_weight,
    const Tensor &in_proj_bias, const Tensor &bias_k, const Tensor &bias_v,
    bool add_zero_attn, double dropout_p, const Tensor &out_proj_weight,
    const Tensor &out_proj_bias, bool training, const Tensor &key_padding_mask,
    bool need_weights, const Tensor &attn_mask, bool use_separate_proj_weight,
    const Tensor &q_proj_weight, const Tensor &k_proj_weight,
    const Tensor &v_proj_weight, bool average_attn_weights, bool is_causal) {
  XLAC_CALL("multi_head_attention_forward");
  bool batched = impl_of(query).sizes.size() == 3;
  Heads h = heads_of(impl_of(query).sizes, embed_dim_to_check, num_heads);
  if (is_causal && !attn_mask.defined())
    raise<ValueError>("Need attn_mask if specifying the is_causal hint.");
  Setting setting = setting_of({&query, &key, &value});
  setting.device =
      common_device({&query, &key, &value, &in_proj_weight, &q_proj_weight,
                     &out_proj_weight, &attn_mask, &key_padding_mask});
  auto of = [&](const Tensor &tensor) {
    return tensor.defined() ? setting.of(tensor) : Value();
  };
  auto rows = [&](const Tensor &tensor) {
    Value x = setting.of(tensor);
    return batched ? x : build::reshape(x, {sizes_of(x)[0], 1, sizes_of(x)[1]});
  };
  std::array<Value, 3> in{rows(query), {}, {}};
  in[1] = key.is_same(query) ? in[0] : rows(key);
  in[2] = value.is_same(key) ? in[1] : rows(value);
  Value bias = of(in_proj_bias);
  auto [q, k, v] =
      use_separate_proj_weight
          ? project(in,
                    {setting.of(q_proj_weight), setting.of(k_proj_weight),
                     setting.of(v_proj_weight)},
                    bias, h.width)
          : project(in, setting.of(in_proj_weight), bias, h.width);
  Tensor mask = attn_mask, padding = key_padding_mask;
  if (bias_k.defined() && bias_v.defined()) {
    k = with_row(k, of(bias_k));
    v = with_row(v, of(bias_v));
    mask = with_key(mask);
    padding = with_key(padding);
  }
  if (add_zero_attn) {
    Value zero = build::constant(k.tensor().element, {1, 1, 1}, 0);
    k = with_row(k, zero);
    v = with_row(v, zero);
    mask = with_key(mask);
    padding = with_key(padding);
  }
  int64_t length = sizes_of(q)[0], keys = sizes_of(k)[0];
  q = split_heads(q, h);
  k = split_heads(k, h);
  v = split_heads(v, h);
  // Without key padding and without returned weights, is_causal selects the
  // causal mask instead of attn_mask.
  bool by_hint = is_causal && !key_padding_mask.defined() && !need_weights;
  Value used = by_hint ? causal_mask(length, keys)
                       : mask_of(mask, padding, h, length, keys, setting);
  Attended heads =
      attend(q, k, v, used, need_weights, training ? dropout_p : 0, setting);
  Value output = swapped(heads.output, 0, 1);
  output = projected(build::reshape(output, {length * h.batch, h.width}),
                     setting.of(out_proj_weight), of(out_proj_bias));
  Shape sizes{length, h.batch, sizes_of(output)[1]};
  if (!batched)
    sizes.erase(sizes.begin() + 1);
  output = build::reshape(output, sizes);
  if (!need_weights)
    return {setting.finish(output), Tensor()};
  Value weights = shown(heads.weights, h, average_attn_weights, batched);
  ElementType type = lazy::element_type(setting.dtype);
  std::vector<Tensor> made =
      finish_all({build::convert(output, type), build::convert(weights, type)},
                 setting.device, {setting.dtype, setting.dtype});
  return {made[0], made[1]};
}

} // namespace xlac
