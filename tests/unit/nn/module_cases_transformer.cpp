#include "module_cases.h"

namespace xlac::module_cases {

using namespace nn;

namespace {

/// Makes masks on the device of an operand.
Tensor hidden(const Tensor &like) {
  return tensor({{false, false, true}, {false, true, false}}).to(like.device());
}
Tensor forbidden(const Tensor &like) {
  return tensor({{false, true, false},
                 {false, false, false},
                 {false, false, false}})
      .to(like.device());
}
Tensor causal(const Tensor &like, int64_t size) {
  return Transformer::generate_square_subsequent_mask(size, like.device());
}

const Tensor none;

void add_attention(std::vector<Subject> &list) {
  using M = MultiheadAttention;
  MultiheadAttentionOptions by_batch{
      .embed_dim = 4, .num_heads = 2, .batch_first = true};
  MultiheadAttentionOptions more{.embed_dim = 4,
                                 .num_heads = 2,
                                 .add_bias_kv = true,
                                 .add_zero_attn = true};
  auto add = [&](const std::string &name, M module, auto run) {
    list.push_back(
        called("MultiheadAttention " + name, std::move(module), run));
  };
  list.push_back({"MultiheadAttention", M(4, 2)});
  add("without weights", M(4, 2, 0.0, false), [](const M &m, const List &in) {
    return m(in[0], in[1], in[2], none, false);
  });
  add("with masks", M(by_batch), [](const M &m, const List &in) {
    return m(in[0], in[0], in[0], hidden(in[0]), true, forbidden(in[0]), false);
  });
  add("with masks without weights", M(by_batch),
      [](const M &m, const List &in) {
        return m(in[0], in[0], in[0], hidden(in[0]), false, forbidden(in[0]));
      });
  add("with a mask a head", M(4, 2), [](const M &m, const List &in) {
    return m(in[0], in[0], in[0], none, false, in[1]);
  });
  add("causal", M(4, 2), [](const M &m, const List &in) {
    return m(in[0], in[0], in[0], none, false, causal(in[0], 3), true, true);
  });
  add("with more keys", M(more), [](const M &m, const List &in) {
    return m(in[0], in[1], in[1], hidden(in[0]), true, forbidden(in[0]));
  });
  list.push_back({"MultiheadAttention with other widths",
                  M({.embed_dim = 4, .num_heads = 2, .kdim = 3, .vdim = 5})});
  add("unbatched", M(by_batch),
      [](const M &m, const List &in) { return m(in[0], in[1], in[1]); });
}

TransformerLayerOptions small(bool batch_first = false,
                              bool norm_first = false) {
  return {.d_model = 4,
          .nhead = 2,
          .dim_feedforward = 6,
          .dropout = 0,
          .batch_first = batch_first,
          .norm_first = norm_first};
}

void add_encoders(std::vector<Subject> &list) {
  using Layer = TransformerEncoderLayer;
  TransformerLayerOptions first = small(true, true);
  first.activation = "gelu";
  first.layer_norm_eps = 1e-3;
  first.bias = false;
  list.push_back({"TransformerEncoderLayer", Layer(small())});
  list.push_back(called("TransformerEncoderLayer norm first", Layer(first),
                        [](const Layer &m, const List &in) {
                          return m(in[0], forbidden(in[0]), hidden(in[0]));
                        }));
  list.push_back(called("TransformerEncoder",
                        TransformerEncoder(Layer(small()), 2),
                        [](const TransformerEncoder &m, const List &in) {
                          return m(in[0], causal(in[0], 3));
                        }));
  list.push_back(called("TransformerEncoder with a norm",
                        TransformerEncoder(Layer(small(true)), 1, LayerNorm(4)),
                        [](const TransformerEncoder &m, const List &in) {
                          return m(in[0], none, hidden(in[0]));
                        }));
}

void add_decoders(std::vector<Subject> &list) {
  using Layer = TransformerDecoderLayer;
  list.push_back({"TransformerDecoderLayer", Layer(small())});
  list.push_back(called("TransformerDecoderLayer norm first",
                        Layer(small(true, true)),
                        [](const Layer &m, const List &in) {
                          return m(in[0], in[1], causal(in[0], 3), none, none,
                                   hidden(in[0]), true);
                        }));
  list.push_back(called("TransformerDecoder",
                        TransformerDecoder(Layer(small()), 2, LayerNorm(4)),
                        [](const TransformerDecoder &m, const List &in) {
                          return m(in[0], in[1], causal(in[0], 3));
                        }));
}

} // namespace

std::vector<Subject> transformer() {
  std::vector<Subject> list;
  add_attention(list);
  add_encoders(list);
  add_decoders(list);
  list.push_back(called("Transformer",
                        Transformer({.d_model = 4,
                                     .nhead = 2,
                                     .num_encoder_layers = 1,
                                     .num_decoder_layers = 1,
                                     .dim_feedforward = 6,
                                     .dropout = 0,
                                     .batch_first = true}),
                        [](const Transformer &m, const List &in) {
                          return m(in[0], in[1], none, causal(in[0], 2), none,
                                   hidden(in[0]), none, hidden(in[0]));
                        }));
  return list;
}

} // namespace xlac::module_cases
