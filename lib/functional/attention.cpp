// Scaled dot-product attention, multiple heads, and rotary position embeddings.
#include "attention.h"

#include <cmath>
#include <limits>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace frontend {

Value causal_mask(int64_t queries, int64_t keys) {
  Shape square{queries, keys};
  return build::compare(ComparisonDirection::GE,
                        build::iota(ElementType::I64, square, 0),
                        build::iota(ElementType::I64, square, 1));
}

Value attention_weights(const Value &query, const Value &key,
                        const Value &scale, const Value &mask) {
  Value scores = batched_matmul(query, key, true) * scale;
  auto last = static_cast<int64_t>(sizes_of(scores).size()) - 1;
  if (!mask)
    return softmax_of(scores, last);
  if (mask.tensor().element == ElementType::I1)
    scores = chosen(build::broadcast_to(mask, sizes_of(scores)), scores,
                    fill_like(scores, -INFINITY));
  else
    scores = scores + mask;
  Value most = max_of(scores, {last}, true);
  Value nothing = compared(ComparisonDirection::EQ, most, Scalar(-INFINITY));
  Value powers = exp_of(scores - chosen(nothing, fill_like(most, 0.0), most));
  Value sum = sum_of(powers, {last}, true);
  return powers / chosen(nothing, fill_like(sum, 1.0), sum);
}

Value attended(const Value &query, const Value &key, const Value &value,
               const Value &scale, const Value &mask) {
  std::vector<Value> operands{query, key, value, scale};
  if (mask)
    operands.push_back(mask);
  return build::composite(
      "xlac.sdpa", -1, operands, [](const std::vector<Value> &x) {
        Value weights =
            attention_weights(x[0], x[1], x[3], x.size() > 4 ? x[4] : Value());
        return batched_matmul(weights, x[2]);
      });
}

} // namespace frontend

namespace {

/// Operands of scaled dot-product attention, with equal leading sizes.
struct Attention {
  Setting setting;
  Value query, key, value;
  Value mask; ///< see attention_weights; empty if there is none
};

/// Returns the leading sizes to which three operands broadcast.
Shape joint_batch(const Shape &q, const Shape &k, const Shape &v) {
  auto lead = [](const Shape &sizes) {
    return Shape(sizes.begin(), sizes.end() - 2);
  };
  return joint_shape(lead(q), joint_shape(lead(k), lead(v)));
}

Value broadcast_lead(const Value &x, Shape batch) {
  batch.insert(batch.end(), sizes_of(x).end() - 2, sizes_of(x).end());
  return build::broadcast_to(x, batch);
}

/// Repeats the heads in dimension -3 until there are `heads`.
Value repeated_heads(const Value &x, int64_t heads) {
  Shape sizes = sizes_of(x);
  size_t dim = sizes.size() - 3;
  int64_t own = sizes[dim], times = heads / own;
  if (own == heads)
    return x;
  Shape split = sizes, mapping;
  split.insert(split.begin() + static_cast<long>(dim) + 1, times);
  for (size_t i = 0; i < split.size(); ++i)
    if (i != dim + 1)
      mapping.push_back(static_cast<int64_t>(i));
  sizes[dim] = heads;
  return build::reshape(build::broadcast_in_dim(x, split, mapping), sizes);
}

void check(const Tensor &query, const Tensor &key, const Tensor &value,
           const Tensor &mask, bool is_causal, bool enable_gqa) {
  const Shape &q = impl_of(query).sizes, &k = impl_of(key).sizes;
  const Shape &v = impl_of(value).sizes;
  if (q.size() < 2 || k.size() < 2 || v.size() < 2)
    raise<ShapeError>("expected query, key, and value to have 2 or more "
                      "dimensions, got " +
                      to_text(q) + ", " + to_text(k) + " and " + to_text(v));
  if (q.back() != k.back() || k[k.size() - 2] != v[v.size() - 2])
    raise<ShapeError>("query " + to_text(q) + ", key " + to_text(k) +
                      " and value " + to_text(v) + " do not fit");
  require_same_dtype(query, key);
  require_same_dtype(query, value);
  if (mask.defined() && is_causal)
    raise<ValueError>("explicit attn_mask should not be set when "
                      "is_causal=True");
  if (mask.defined() && impl_of(mask).dtype != kBool)
    require_floating(mask);
  if (!enable_gqa)
    return;
  bool heads = q.size() > 2 && k.size() > 2 && v.size() > 2 &&
               k[k.size() - 3] > 0 && v[v.size() - 3] > 0 &&
               q[q.size() - 3] % k[k.size() - 3] == 0 &&
               q[q.size() - 3] % v[v.size() - 3] == 0;
  if (!heads)
    raise<ShapeError>("number of heads in key and value must divide the number "
                      "of heads in query");
}

/// Returns the mask of scores of `sizes`; see attention_weights.
Value mask_of(const Tensor &mask, bool is_causal, const Shape &sizes,
              const Setting &setting) {
  if (is_causal)
    return causal_mask(sizes[sizes.size() - 2], sizes.back());
  if (!mask.defined())
    return {};
  const Shape &given = impl_of(mask).sizes;
  if (joint_shape(given, sizes) != sizes)
    raise<ShapeError>("attn_mask of size " + to_text(given) +
                      " does not fit scores of size " + to_text(sizes));
  return impl_of(mask).dtype == kBool ? value_on(mask, setting.device)
                                      : setting.of(mask);
}

Attention prepared(const Tensor &query, const Tensor &key, const Tensor &value,
                   const Tensor &mask, bool is_causal, bool enable_gqa) {
  check(query, key, value, mask, is_causal, enable_gqa);
  Setting setting = setting_of({&query, &key, &value});
  setting.device = common_device({&query, &key, &value, &mask});
  Value q = setting.of(query), k = setting.of(key), v = setting.of(value);
  if (enable_gqa) {
    int64_t heads = sizes_of(q)[sizes_of(q).size() - 3];
    k = repeated_heads(k, heads);
    v = repeated_heads(v, heads);
  }
  Shape batch = joint_batch(sizes_of(q), sizes_of(k), sizes_of(v));
  q = broadcast_lead(q, batch);
  k = broadcast_lead(k, batch);
  v = broadcast_lead(v, batch);
  Shape scores = batch;
  scores.push_back(sizes_of(q)[batch.size()]);
  scores.push_back(sizes_of(k)[batch.size()]);
  return {setting, q, k, v, mask_of(mask, is_causal, scores, setting)};
}

Value scale_of(const Attention &a, std::optional<double> scale) {
  auto width = static_cast<double>(sizes_of(a.query).back());
  return a.setting.number(scale.value_or(1 / std::sqrt(width)));
}

} // namespace

Tensor scaled_dot_product_attention(const Tensor &query, const Tensor &key,
                                    const Tensor &value,
                                    const Tensor &attn_mask, double dropout_p,
                                    bool is_causal, std::optional<double> scale,
                                    bool enable_gqa) {
  XLAC_CALL("scaled_dot_product_attention");
  Attention a = prepared(query, key, value, attn_mask, is_causal, enable_gqa);
  if (dropout_p == 0)
    return a.setting.finish(
        attended(a.query, a.key, a.value, scale_of(a, scale), a.mask));
  Tensor weights = frontend::finish(
      attention_weights(a.query, a.key, scale_of(a, scale), a.mask),
      a.setting.device, a.setting.wide);
  Tensor kept = dropout(weights, dropout_p, true);
  return a.setting.finish(batched_matmul(a.setting.of(kept), a.value));
}

Tensor rotary_embedding(const Tensor &input, const Tensor &cos,
                        const Tensor &sin, bool interleaved) {
  XLAC_CALL("rotary_embedding");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.empty() || sizes.back() % 2 != 0)
    raise<ShapeError>("the last dimension must be even, got " + to_text(sizes));
  Shape half = sizes;
  half.back() /= 2;
  for (const Tensor *angles : {&cos, &sin})
    if (joint_shape(impl_of(*angles).sizes, half) != half ||
        impl_of(*angles).sizes.empty() ||
        impl_of(*angles).sizes.back() != half.back())
      raise<ShapeError>("cos and sin of size " +
                        to_text(impl_of(*angles).sizes) +
                        " do not fit halves of size " + to_text(half));
  Setting setting = setting_of({&input});
  setting.device = common_device({&input, &cos, &sin});
  Value x = setting.of(input), c = setting.of(cos), s = setting.of(sin);
  auto last = static_cast<int64_t>(sizes.size()) - 1;
  int64_t width = half.back();
  int64_t step = interleaved ? 2 : 1, start = interleaved ? 1 : width;
  Value a = sliced(x, last, 0, interleaved ? 2 * width : width, step);
  Value b = sliced(x, last, start, 2 * width, step);
  Value first = a * c - b * s, second = b * c + a * s;
  if (!interleaved)
    return setting.finish(build::concatenate({first, second}, last));
  Shape pairs = half;
  pairs.push_back(1);
  Value joined = build::concatenate(
      {build::reshape(first, pairs), build::reshape(second, pairs)}, last + 1);
  return setting.finish(build::reshape(joined, sizes));
}

std::vector<Tensor> optimization_barrier(const std::vector<Tensor> &tensors) {
  XLAC_CALL("optimization_barrier");
  if (tensors.empty())
    return {};
  Device device = common_device(tensors);
  std::vector<Value> values;
  std::vector<Dtype> dtypes;
  for (const Tensor &tensor : tensors) {
    values.push_back(value_on(tensor, device));
    dtypes.push_back(impl_of(tensor).dtype);
  }
  return finish_all(build::optimization_barrier(std::move(values)), device,
                    dtypes);
}

} // namespace xlac
