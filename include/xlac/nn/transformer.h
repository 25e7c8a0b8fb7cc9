// Multi-head attention and transformers. Options have PyTorch's order of
// arguments and its defaults. Masks are boolean (true where attention is not
// allowed) or numbers that are added to the scores.
#pragma once

#include "xlac/nn/containers.h"
#include "xlac/nn/dropout.h"
#include "xlac/nn/layers.h"
#include "xlac/nn/normalization.h"

namespace xlac::nn {

//===- Attention ----------------------------------------------------------===//

/// A Linear with the name that PyTorch prints for MultiheadAttention's.
struct XLAC_API NonDynamicallyQuantizableLinearImpl : LinearImpl {
  /// Constructors as in the base.
  using LinearImpl::LinearImpl;
};
XLAC_MODULE(NonDynamicallyQuantizableLinear);

/// Options of MultiheadAttention.
struct MultiheadAttentionOptions {
  static constexpr size_t required = 2;
  int64_t embed_dim, num_heads; ///< features, and heads that divide them
  double dropout = 0;           ///< of attention weights, in training
  bool bias = true;             ///< whether there is a learned bias
  bool add_bias_kv = false;     ///< adds one learned key and value
  bool add_zero_attn = false;   ///< adds one key and value of zeros
  std::optional<int64_t> kdim = {}, vdim = {}; ///< default: embed_dim
  bool batch_first = false; ///< the batch is dimension 0, not 1
};
/// Multi-head scaled dot-product attention with projections. The projection is
/// in_proj_weight [3 E, E]. If kdim or vdim differs from E, it is q_proj_weight
/// [E, E], k_proj_weight [E, kdim] and v_proj_weight [E, vdim]. These are
/// initialized Xavier-uniform, bias_k and bias_v [1, 1, E] Xavier-normal, and
/// in_proj_bias [3 E] with zeros. Throws ValueError unless embed_dim is
/// divisible by num_heads.
struct XLAC_API MultiheadAttentionImpl : Module {
  using Options = MultiheadAttentionOptions;
  explicit MultiheadAttentionImpl(Options given);
  /// Returns outputs and attention weights. Outputs are [L, N, E], [N, L, E] if
  /// batch_first, or [L, E]. Weights are [N, L, S], or [N, heads, L, S] unless
  /// average_attn_weights. Without need_weights they are undefined and the
  /// computation is faster. attn_mask is [L, S] or [N · heads, L, S], and
  /// key_padding_mask is [N, S]. is_causal states that attn_mask, which is
  /// required, is the causal mask.
  std::tuple<Tensor, Tensor>
  forward(const Tensor &query, const Tensor &key, const Tensor &value,
          const Tensor &key_padding_mask = {}, bool need_weights = true,
          const Tensor &attn_mask = {}, bool average_attn_weights = true,
          bool is_causal = false);
  Options options;
  /// The projections; the first if all sizes are equal, else the others.
  Tensor in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight;
  /// The offsets of the projections; undefined without bias.
  Tensor in_proj_bias, bias_k, bias_v;
  /// The projection of the result.
  NonDynamicallyQuantizableLinear out_proj{nullptr};
};
XLAC_MODULE(MultiheadAttention);

//===- Layers -------------------------------------------------------------===//

/// The activation of a feed-forward block: "relu", "gelu" or a function of one
/// tensor. Throws ValueError for another name.
class XLAC_API TransformerActivation {
public:
  /// "relu" or "gelu", or any function of a tensor.
  TransformerActivation(const std::string &name);
  /// "relu" or "gelu", or any function of a tensor.
  TransformerActivation(const char *name)
      : TransformerActivation(std::string(name)) {}
  /// "relu" or "gelu", or any function of a tensor.
  template <class F>
    requires std::is_invocable_r_v<Tensor, const F &, const Tensor &>
  TransformerActivation(F function) : function_(std::move(function)) {}
  /// Applies the function.
  Tensor operator()(const Tensor &input) const { return function_(input); }

private:
  std::function<Tensor(const Tensor &)> function_;
};

/// Options of the layers of encoders and decoders.
struct TransformerLayerOptions {
  static constexpr size_t required = 2;
  int64_t d_model, nhead;         ///< features, and heads that divide them
  int64_t dim_feedforward = 2048; ///< features between the two linear layers
  double dropout = 0.1;           ///< probability of zeroing an element
  TransformerActivation activation = "relu"; ///< between the two linear layers
  double layer_norm_eps = 1e-5;              ///< eps of the normalizations
  bool batch_first = false; ///< the batch is dimension 0, not 1
  /// normalizes the inputs of the blocks instead of their results
  bool norm_first = false;
  bool bias = true; ///< whether there is a learned bias
};
/// Options of TransformerEncoderLayer.
using TransformerEncoderLayerOptions = TransformerLayerOptions;
/// Options of TransformerDecoderLayer.
using TransformerDecoderLayerOptions = TransformerLayerOptions;

/// Self-attention and a feed-forward block, each with a residual connection and
/// normalization.
struct XLAC_API TransformerEncoderLayerImpl : Module {
  using Options = TransformerLayerOptions;
  explicit TransformerEncoderLayerImpl(Options given);
  /// Returns a tensor of the size of `src` [S, N, E], [N, S, E] or [S, E].
  Tensor forward(const Tensor &src, const Tensor &src_mask = {},
                 const Tensor &src_key_padding_mask = {},
                 bool is_causal = false);
  Options options;
  /// The attention.
  MultiheadAttention self_attn;
  /// The first linear layer.
  Linear linear1;
  /// The dropout between the linear layers.
  Dropout dropout;
  /// The second linear layer.
  Linear linear2;
  /// The normalizations, in order.
  LayerNorm norm1, norm2;
  /// The dropouts of the residual branches, in order.
  Dropout dropout1, dropout2;

private:
  Tensor attended(const Tensor &x, const Tensor &mask,
                  const Tensor &key_padding_mask, bool is_causal);
  Tensor fed_forward(const Tensor &x);
};
XLAC_MODULE(TransformerEncoderLayer);

/// Self-attention, attention to the memory and a feed-forward block, each with
/// a residual connection and normalization.
struct XLAC_API TransformerDecoderLayerImpl : Module {
  using Options = TransformerLayerOptions;
  explicit TransformerDecoderLayerImpl(Options given);
  /// Returns a tensor of the size of `tgt` [T, N, E], [N, T, E] or [T, E].
  Tensor forward(const Tensor &tgt, const Tensor &memory,
                 const Tensor &tgt_mask = {}, const Tensor &memory_mask = {},
                 const Tensor &tgt_key_padding_mask = {},
                 const Tensor &memory_key_padding_mask = {},
                 bool tgt_is_causal = false, bool memory_is_causal = false);
  Options options;
  /// The attention.
  MultiheadAttention self_attn, multihead_attn;
  /// The first linear layer.
  Linear linear1;
  /// The dropout between the linear layers.
  Dropout dropout;
  /// The second linear layer.
  Linear linear2;
  /// The normalizations, in order.
  LayerNorm norm1, norm2, norm3;
  /// The dropouts of the residual branches, in order.
  Dropout dropout1, dropout2, dropout3;

private:
  Tensor fed_forward(const Tensor &x);
};
XLAC_MODULE(TransformerDecoderLayer);

//===- Stacks of layers ---------------------------------------------------===//

/// Layers applied in order, and an optional normalization of the result.
struct XLAC_API TransformerStack : Module {
  /// A stack of layers, and a normalization of the result.
  TransformerStack(ModuleList layers, std::optional<AnyModule> norm);
  /// The layers in order.
  ModuleList layers;
  /// The normalization of the result.
  std::optional<AnyModule> norm;

protected:
  /// A copy of the normalization.
  std::optional<AnyModule> clone_norm() const;
};

/// `num_layers` clones of a layer, applied in order, and an optional
/// normalization. Masks are applied as given, so a causal mask needs no
/// is_causal.
struct XLAC_API TransformerEncoderImpl : TransformerStack {
  /// A stack of layers, and a normalization of the result.
  using TransformerStack::TransformerStack;
  TransformerEncoderImpl(const TransformerEncoderLayer &encoder_layer,
                         int64_t num_layers,
                         std::optional<AnyModule> norm = {});
  Tensor forward(const Tensor &src, const Tensor &mask = {},
                 const Tensor &src_key_padding_mask = {},
                 std::optional<bool> is_causal = {});
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<TransformerEncoderImpl> make_copy() const;
};
XLAC_MODULE(TransformerEncoder);

/// As TransformerEncoder, with decoder layers.
struct XLAC_API TransformerDecoderImpl : TransformerStack {
  /// A stack of layers, and a normalization of the result.
  using TransformerStack::TransformerStack;
  TransformerDecoderImpl(const TransformerDecoderLayer &decoder_layer,
                         int64_t num_layers,
                         std::optional<AnyModule> norm = {});
  Tensor forward(const Tensor &tgt, const Tensor &memory,
                 const Tensor &tgt_mask = {}, const Tensor &memory_mask = {},
                 const Tensor &tgt_key_padding_mask = {},
                 const Tensor &memory_key_padding_mask = {},
                 std::optional<bool> tgt_is_causal = {},
                 bool memory_is_causal = false);
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<TransformerDecoderImpl> make_copy() const;
};
XLAC_MODULE(TransformerDecoder);

/// Options of Transformer.
struct TransformerOptions {
  int64_t d_model = 512, nhead = 8; ///< features, and heads that divide them
  /// Stacked layers of both parts.
  int64_t num_encoder_layers = 6, num_decoder_layers = 6;
  int64_t dim_feedforward = 2048; ///< features between the two linear layers
  double dropout = 0.1;           ///< probability of zeroing an element
  TransformerActivation activation = "relu"; ///< between the two linear layers
  /// Replaces the encoder unless empty.
  TransformerEncoder custom_encoder = TransformerEncoder(nullptr);
  /// Replaces the decoder unless empty.
  TransformerDecoder custom_decoder = TransformerDecoder(nullptr);
  double layer_norm_eps = 1e-5; ///< eps of the normalizations
  bool batch_first = false;     ///< the batch is dimension 0, not 1
  /// Normalizes before attention and linear layers, not after.
  bool norm_first = false;
  bool bias = true; ///< whether there is a learned bias
};
/// An encoder, and a decoder that attends to the encoder's result. Parameters
/// of several dimensions are initialized Xavier-uniform.
struct XLAC_API TransformerImpl : Module {
  using Options = TransformerOptions;
  explicit TransformerImpl(Options given = {});
  /// Returns a tensor of the size of `tgt`. Throws ShapeError unless `src` and
  /// `tgt` have the same number of sequences and d_model features.
  Tensor forward(const Tensor &src, const Tensor &tgt,
                 const Tensor &src_mask = {}, const Tensor &tgt_mask = {},
                 const Tensor &memory_mask = {},
                 const Tensor &src_key_padding_mask = {},
                 const Tensor &tgt_key_padding_mask = {},
                 const Tensor &memory_key_padding_mask = {},
                 std::optional<bool> src_is_causal = {},
                 std::optional<bool> tgt_is_causal = {},
                 bool memory_is_causal = false);
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<TransformerImpl> make_copy() const;
  /// Returns [size, size] with -inf above the diagonal and 0 elsewhere.
  static Tensor
  generate_square_subsequent_mask(int64_t size,
                                  const TensorOptions &options = {});
  Options options;
  /// The encoder.
  TransformerEncoder encoder{nullptr};
  /// The decoder.
  TransformerDecoder decoder{nullptr};
};
class Transformer : public ModuleHolder<Transformer, TransformerImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// As TransformerImpl's function.
  static Tensor
  generate_square_subsequent_mask(int64_t size,
                                  const TensorOptions &options = {}) {
    return TransformerImpl::generate_square_subsequent_mask(size, options);
  }
};

} // namespace xlac::nn
