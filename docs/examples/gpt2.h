// GPT-2 with the parameter names of Hugging Face's GPT2LMHeadModel. It trains
// on whole sequences, and generates one token at a time with a key-value cache.
#pragma once
#include <cmath>
#include <limits>
#include <xlac/xlac.h>

using namespace xlac;

struct GPT2Options {
  int64_t vocab_size = 50257, context = 1024, width = 768, layers = 12,
          heads = 12;
};

/// Keys and values of each layer, [batch, heads, context, width / heads], and
/// the number of cached tokens. Their sizes are fixed, so that each further
/// token runs the same program.
struct KVCache {
  std::vector<Tensor> keys, values;
  Tensor length; ///< int64 [1]

  KVCache(const GPT2Options &options, int64_t batch, Device device)
      : length(zeros({1}, TensorOptions(device).dtype(kInt64))) {
    for (int64_t i = 0; i < options.layers; ++i)
      for (auto *parts : {&keys, &values})
        parts->push_back(zeros({batch, options.heads, options.context,
                                options.width / options.heads},
                               device));
  }
};

/// A linear layer whose weight is [in, out].
struct Conv1DImpl : nn::Module {
  Tensor weight, bias;
  Conv1DImpl(int64_t inputs, int64_t outputs) {
    weight = register_parameter(
        "weight", nn::init::normal_(empty({inputs, outputs}), 0, 0.02));
    bias = register_parameter("bias", zeros({outputs}));
  }
  Tensor forward(const Tensor &x) { return matmul(x, weight) + bias; }
};
XLAC_MODULE(Conv1D);

struct SelfAttentionImpl : nn::Module {
  int64_t heads;
  Conv1D c_attn{nullptr}, c_proj{nullptr};

  explicit SelfAttentionImpl(const GPT2Options &options)
      : heads(options.heads) {
    c_attn =
        register_module("c_attn", Conv1D(options.width, 3 * options.width));
    c_proj = register_module("c_proj", Conv1D(options.width, options.width));
  }

  /// [N, L, width]; each token attends to itself and the previous ones.
  Tensor forward(const Tensor &x) {
    std::vector<Tensor> parts = queries_keys_values(x);
    return joined(F::scaled_dot_product_attention(parts[0], parts[1], parts[2],
                                                  {}, 0, /*is_causal=*/true));
  }
  /// As above for one token, [N, 1, width], which is added to the cache.
  Tensor forward_one(const Tensor &x, KVCache &cache, size_t layer) {
    std::vector<Tensor> parts = queries_keys_values(x);
    cache.keys[layer].index_copy_(2, cache.length, parts[1]);
    cache.values[layer].index_copy_(2, cache.length, parts[2]);
    Tensor seen = arange(cache.keys[layer].size(2), x.device()) <= cache.length;
    return joined(F::scaled_dot_product_attention(parts[0], cache.keys[layer],
                                                  cache.values[layer],
                                                  seen.view({1, 1, 1, -1})));
  }

private:
  std::vector<Tensor> queries_keys_values(const Tensor &x) {
    std::vector<Tensor> parts = split(c_attn(x), x.size(2), 2);
    for (Tensor &part : parts)
      part = part.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
    return parts;
  }
  /// Merges heads, [N, heads, L, size] to [N, L, width], and applies the output
  /// projection.
  Tensor joined(const Tensor &y) {
    return c_proj(y.transpose(1, 2).reshape({y.size(0), y.size(2), -1}));
  }
};
XLAC_MODULE(SelfAttention);

struct GPT2MLPImpl : nn::Module {
  Conv1D c_fc{nullptr}, c_proj{nullptr};
  explicit GPT2MLPImpl(int64_t width) {
    c_fc = register_module("c_fc", Conv1D(width, 4 * width));
    c_proj = register_module("c_proj", Conv1D(4 * width, width));
  }
  Tensor forward(const Tensor &x) { return c_proj(F::gelu(c_fc(x), "tanh")); }
};
XLAC_MODULE(GPT2MLP);

struct GPT2BlockImpl : nn::Module {
  nn::LayerNorm ln_1{nullptr}, ln_2{nullptr};
  SelfAttention attn{nullptr};
  GPT2MLP mlp{nullptr};

  explicit GPT2BlockImpl(const GPT2Options &options) {
    ln_1 = register_module("ln_1", nn::LayerNorm(options.width));
    attn = register_module("attn", SelfAttention(options));
    ln_2 = register_module("ln_2", nn::LayerNorm(options.width));
    mlp = register_module("mlp", GPT2MLP(options.width));
  }
  Tensor forward(Tensor x) {
    x = x + attn(ln_1(x));
    return x + mlp(ln_2(x));
  }
  Tensor forward_one(Tensor x, KVCache &cache, size_t layer) {
    x = x + attn->forward_one(ln_1(x), cache, layer);
    return x + mlp(ln_2(x));
  }
};
XLAC_MODULE(GPT2Block);

/// The layers between the tokens and the output layer.
struct TransformerImpl : nn::Module {
  nn::Embedding wte{nullptr}, wpe{nullptr};
  std::vector<GPT2Block> blocks;
  nn::LayerNorm ln_f{nullptr};

  explicit TransformerImpl(const GPT2Options &options) {
    wte = register_module("wte",
                          nn::Embedding(options.vocab_size, options.width));
    wpe = register_module("wpe", nn::Embedding(options.context, options.width));
    nn::init::normal_(wte->weight, 0, 0.02);
    nn::init::normal_(wpe->weight, 0, 0.02);
    nn::ModuleList h = register_module("h", nn::ModuleList());
    for (int64_t i = 0; i < options.layers; ++i) {
      blocks.emplace_back(options);
      h->append(blocks.back());
    }
    ln_f = register_module("ln_f", nn::LayerNorm(options.width));
  }
};
XLAC_MODULE(Transformer);

/// The output layer, which shares the weight of the token embedding.
struct LMHeadImpl : nn::Module {
  Tensor weight;
  explicit LMHeadImpl(const Tensor &shared) {
    weight = register_parameter("weight", shared);
  }
  Tensor forward(const Tensor &x) { return linear(x, weight); }
};
XLAC_MODULE(LMHead);

struct GPT2Impl : nn::Module {
  GPT2Options options;
  Transformer transformer{nullptr};
  LMHead lm_head{nullptr};

  explicit GPT2Impl(GPT2Options given = {}) : options(given) {
    transformer = register_module("transformer", Transformer(options));
    lm_head = register_module("lm_head", LMHead(transformer->wte->weight));
  }

  /// Maps tokens, int64 [N, L], to scores of the next token, [N, L,
  /// vocab_size].
  Tensor forward(const Tensor &tokens) {
    Tensor places = arange(tokens.size(1), tokens.device());
    Tensor x = transformer->wte(tokens) + transformer->wpe(places);
    for (const GPT2Block &block : transformer->blocks)
      x = block(x);
    return lm_head(transformer->ln_f(x));
  }
  /// Maps one token per sequence, [N, 1], to scores of the next one, [N,
  /// vocab_size]. Adds it to the cache.
  Tensor forward_one(const Tensor &tokens, KVCache &cache) {
    Tensor x = transformer->wte(tokens) + transformer->wpe(cache.length);
    for (size_t i = 0; i < transformer->blocks.size(); ++i)
      x = transformer->blocks[i]->forward_one(x, cache, i);
    cache.length.add_(1);
    return lm_head(transformer->ln_f(x)).squeeze(1);
  }
};
XLAC_MODULE(GPT2);
