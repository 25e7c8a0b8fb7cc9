#include "xlac/nn/transformer.h"

#include "xlac/nn/init.h"
#include "xlac/support/raise.h"

#include <cmath>

namespace xlac::nn {

//===- Attention ----------------------------------------------------------===//

static void check_options(const MultiheadAttentionOptions &o) {
  if (o.embed_dim <= 0 || o.num_heads <= 0)
    raise<ValueError>("MultiheadAttention: embed_dim and num_heads must be "
                      "greater than 0, got embed_dim=" +
                      std::to_string(o.embed_dim) + " and num_heads=" +
                      std::to_string(o.num_heads) + " instead");
  if (o.embed_dim % o.num_heads != 0)
    raise<ValueError>("MultiheadAttention: embed_dim must be divisible by "
                      "num_heads");
}

MultiheadAttentionImpl::MultiheadAttentionImpl(Options given) : options(given) {
  check_options(options);
  int64_t width = options.embed_dim;
  int64_t keys = options.kdim.value_or(width);
  int64_t values = options.vdim.value_or(width);
  bool same = keys == width && values == width;
  auto weight = [&](const char *name, int64_t rows, int64_t columns, bool has) {
    return register_parameter(
        name, has ? init::xavier_uniform_(empty({rows, columns})) : Tensor());
  };
  q_proj_weight = weight("q_proj_weight", width, width, !same);
  k_proj_weight = weight("k_proj_weight", width, keys, !same);
  v_proj_weight = weight("v_proj_weight", width, values, !same);
  in_proj_weight = weight("in_proj_weight", 3 * width, width, same);
  in_proj_bias = register_parameter(
      "in_proj_bias", options.bias ? zeros({3 * width}) : Tensor());
  out_proj = register_module(
      "out_proj", NonDynamicallyQuantizableLinear(width, width, options.bias));
  if (options.bias)
    init::zeros_(out_proj->bias);
  auto row = [&](const char *name) {
    bool has = options.add_bias_kv;
    return register_parameter(
        name, has ? init::xavier_normal_(empty({1, 1, width})) : Tensor());
  };
  bias_k = row("bias_k");
  bias_v = row("bias_v");
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(
    const Tensor &query, const Tensor &key, const Tensor &value,
    const Tensor &key_padding_mask, bool need_weights, const Tensor &attn_mask,
    bool average_attn_weights, bool is_causal) {
  const Options &o = options;
  bool swaps = o.batch_first && query.dim() == 3;
  auto by_time = [&](const Tensor &x) { return swaps ? x.transpose(0, 1) : x; };
  // Keeps equal tensors equal, so that they are projected together.
  Tensor q = by_time(query);
  Tensor k = key.is_same(query) ? q : by_time(key);
  Tensor v = value.is_same(key) ? k : by_time(value);
  auto [output, weights] = multi_head_attention_forward(
      q, k, v, o.embed_dim, o.num_heads, in_proj_weight, in_proj_bias, bias_k,
      bias_v, o.add_zero_attn, o.dropout, out_proj->weight, out_proj->bias,
      is_training(), key_padding_mask, need_weights, attn_mask,
      !in_proj_weight.defined(), q_proj_weight, k_proj_weight, v_proj_weight,
      average_attn_weights, is_causal);
  return {by_time(output), weights};
}

//===- Layers -------------------------------------------------------------===//

TransformerActivation::TransformerActivation(const std::string &name) {
  if (name == "relu")
    function_ = [](const Tensor &x) { return relu(x); };
  else if (name == "gelu")
    function_ = [](const Tensor &x) { return gelu(x); };
  else
    raise<ValueError>("activation should be relu/gelu, not " + name);
}

static MultiheadAttention attention_of(const TransformerLayerOptions &o) {
  return MultiheadAttention(
      MultiheadAttentionOptions{.embed_dim = o.d_model,
                                .num_heads = o.nhead,
                                .dropout = o.dropout,
                                .bias = o.bias,
                                .batch_first = o.batch_first});
}

static LayerNorm norm_of(int64_t width, double eps, bool bias) {
  return LayerNorm(
      LayerNormOptions{.normalized_shape = width, .eps = eps, .bias = bias});
}

static LayerNorm norm_of(const TransformerLayerOptions &o) {
  return norm_of(o.d_model, o.layer_norm_eps, o.bias);
}

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(Options given)
    : options(std::move(given)),
      self_attn(register_module("self_attn", attention_of(options))),
      linear1(register_module(
          "linear1",
          Linear(options.d_model, options.dim_feedforward, options.bias))),
      dropout(register_module("dropout", Dropout(options.dropout))),
      linear2(
          register_module("linear2", Linear(options.dim_feedforward,
                                            options.d_model, options.bias))),
      norm1(register_module("norm1", norm_of(options))),
      norm2(register_module("norm2", norm_of(options))),
      dropout1(register_module("dropout1", Dropout(options.dropout))),
      dropout2(register_module("dropout2", Dropout(options.dropout))) {}

Tensor TransformerEncoderLayerImpl::attended(const Tensor &x,
                                             const Tensor &mask,
                                             const Tensor &key_padding_mask,
                                             bool is_causal) {
  return dropout1(std::get<0>(
      self_attn(x, x, x, key_padding_mask, false, mask, true, is_causal)));
}

Tensor TransformerEncoderLayerImpl::fed_forward(const Tensor &x) {
  return dropout2(linear2(dropout(options.activation(linear1(x)))));
}

Tensor TransformerEncoderLayerImpl::forward(const Tensor &src,
                                            const Tensor &src_mask,
                                            const Tensor &src_key_padding_mask,
                                            bool is_causal) {
  auto attend = [&](const Tensor &x) {
    return attended(x, src_mask, src_key_padding_mask, is_causal);
  };
  if (options.norm_first) {
    Tensor x = src + attend(norm1(src));
    return x + fed_forward(norm2(x));
  }
  Tensor x = norm1(src + attend(src));
  return norm2(x + fed_forward(x));
}

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(Options given)
    : options(std::move(given)),
      self_attn(register_module("self_attn", attention_of(options))),
      multihead_attn(register_module("multihead_attn", attention_of(options))),
      linear1(register_module(
          "linear1",
          Linear(options.d_model, options.dim_feedforward, options.bias))),
      dropout(register_module("dropout", Dropout(options.dropout))),
      linear2(
          register_module("linear2", Linear(options.dim_feedforward,
                                            options.d_model, options.bias))),
      norm1(register_module("norm1", norm_of(options))),
      norm2(register_module("norm2", norm_of(options))),
      norm3(register_module("norm3", norm_of(options))),
      dropout1(register_module("dropout1", Dropout(options.dropout))),
      dropout2(register_module("dropout2", Dropout(options.dropout))),
      dropout3(register_module("dropout3", Dropout(options.dropout))) {}

Tensor TransformerDecoderLayerImpl::fed_forward(const Tensor &x) {
  return dropout3(linear2(dropout(options.activation(linear1(x)))));
}

Tensor TransformerDecoderLayerImpl::forward(
    const Tensor &tgt, const Tensor &memory, const Tensor &tgt_mask,
    const Tensor &memory_mask, const Tensor &tgt_key_padding_mask,
    const Tensor &memory_key_padding_mask, bool tgt_is_causal,
    bool memory_is_causal) {
  auto attend_self = [&](const Tensor &x) {
    return dropout1(std::get<0>(self_attn(x, x, x, tgt_key_padding_mask, false,
                                          tgt_mask, true, tgt_is_causal)));
  };
  auto attend_memory = [&](const Tensor &x) {
    return dropout2(std::get<0>(
        multihead_attn(x, memory, memory, memory_key_padding_mask, false,
                       memory_mask, true, memory_is_causal)));
  };
  if (options.norm_first) {
    Tensor x = tgt + attend_self(norm1(tgt));
    x = x + attend_memory(norm2(x));
    return x + fed_forward(norm3(x));
  }
  Tensor x = norm1(tgt + attend_self(tgt));
  x = norm2(x + attend_memory(x));
  return norm3(x + fed_forward(x));
}

//===- Stacks of layers ---------------------------------------------------===//

template <class Layer>
static ModuleList clones_of(const Layer &layer, int64_t count) {
  ModuleList list;
  for (int64_t i = 0; i < count; ++i)
    list->append(layer.clone());
  return list;
}

TransformerStack::TransformerStack(ModuleList layers,
                                   std::optional<AnyModule> norm)
    : layers(register_module("layers", std::move(layers))),
      norm(std::move(norm)) {
  if (this->norm)
    register_module("norm", *this->norm);
}

std::optional<AnyModule> TransformerStack::clone_norm() const {
  return norm ? std::optional<AnyModule>(norm->clone()) : std::nullopt;
}

TransformerEncoderImpl::TransformerEncoderImpl(
    const TransformerEncoderLayer &encoder_layer, int64_t num_layers,
    std::optional<AnyModule> norm)
    : TransformerStack(clones_of(encoder_layer, num_layers), std::move(norm)) {}

Tensor TransformerEncoderImpl::forward(const Tensor &src, const Tensor &mask,
                                       const Tensor &src_key_padding_mask,
                                       std::optional<bool> is_causal) {
  Tensor x = src;
  for (const AnyModule &layer : layers)
    x = layer.get<TransformerEncoderLayer>()(x, mask, src_key_padding_mask,
                                             is_causal.value_or(false));
  return norm ? (*norm)(x) : x;
}

std::shared_ptr<TransformerEncoderImpl>
TransformerEncoderImpl::make_copy() const {
  return std::make_shared<TransformerEncoderImpl>(layers.clone(), clone_norm());
}

TransformerDecoderImpl::TransformerDecoderImpl(
    const TransformerDecoderLayer &decoder_layer, int64_t num_layers,
    std::optional<AnyModule> norm)
    : TransformerStack(clones_of(decoder_layer, num_layers), std::move(norm)) {}

Tensor TransformerDecoderImpl::forward(const Tensor &tgt, const Tensor &memory,
                                       const Tensor &tgt_mask,
                                       const Tensor &memory_mask,
                                       const Tensor &tgt_key_padding_mask,
                                       const Tensor &memory_key_padding_mask,
                                       std::optional<bool> tgt_is_causal,
                                       bool memory_is_causal) {
  Tensor x = tgt;
  for (const AnyModule &layer : layers)
    x = layer.get<TransformerDecoderLayer>()(
        x, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
        memory_key_padding_mask, tgt_is_causal.value_or(false),
        memory_is_causal);
  return norm ? (*norm)(x) : x;
}

std::shared_ptr<TransformerDecoderImpl>
TransformerDecoderImpl::make_copy() const {
  return std::make_shared<TransformerDecoderImpl>(layers.clone(), clone_norm());
}

TransformerImpl::TransformerImpl(Options given) : options(std::move(given)) {
  const Options &o = options;
  TransformerLayerOptions layer{.d_model = o.d_model,
                                .nhead = o.nhead,
                                .dim_feedforward = o.dim_feedforward,
                                .dropout = o.dropout,
                                .activation = o.activation,
                                .layer_norm_eps = o.layer_norm_eps,
                                .batch_first = o.batch_first,
                                .norm_first = o.norm_first,
                                .bias = o.bias};
  encoder = o.custom_encoder;
  if (!encoder)
    encoder = TransformerEncoder(TransformerEncoderLayer(layer),
                                 o.num_encoder_layers, norm_of(layer));
  decoder = o.custom_decoder;
  if (!decoder)
    decoder = TransformerDecoder(TransformerDecoderLayer(layer),
                                 o.num_decoder_layers, norm_of(layer));
  register_module("encoder", encoder);
  register_module("decoder", decoder);
  for (const Tensor &parameter : parameters())
    if (parameter.dim() > 1)
      init::xavier_uniform_(parameter);
}

Tensor TransformerImpl::forward(
    const Tensor &src, const Tensor &tgt, const Tensor &src_mask,
    const Tensor &tgt_mask, const Tensor &memory_mask,
    const Tensor &src_key_padding_mask, const Tensor &tgt_key_padding_mask,
    const Tensor &memory_key_padding_mask, std::optional<bool> src_is_causal,
    std::optional<bool> tgt_is_causal, bool memory_is_causal) {
  int64_t dim = options.batch_first ? 0 : 1;
  if (src.dim() == 3 && src.size(dim) != tgt.size(dim))
    raise<ShapeError>("Transformer: the batch number of src and tgt must be "
                      "equal");
  if (src.size(-1) != options.d_model || tgt.size(-1) != options.d_model)
    raise<ShapeError>("Transformer: the feature number of src and tgt must be "
                      "equal to d_model");
  Tensor memory = encoder(src, src_mask, src_key_padding_mask, src_is_causal);
  return decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
                 memory_key_padding_mask, tgt_is_causal, memory_is_causal);
}

std::shared_ptr<TransformerImpl> TransformerImpl::make_copy() const {
  Options again = options;
  again.custom_encoder = encoder.clone();
  again.custom_decoder = decoder.clone();
  return std::make_shared<TransformerImpl>(std::move(again));
}

Tensor
TransformerImpl::generate_square_subsequent_mask(int64_t size,
                                                 const TensorOptions &options) {
  return triu(full({size, size}, -INFINITY, options), 1);
}

} // namespace xlac::nn
