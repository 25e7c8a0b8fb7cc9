// Small models for tests of sharded training.
#pragma once

#include "xlac/xlac.h"

namespace xlac::test {

constexpr int64_t kWords = 40, kLength = 8, kWidth = 32;

/// A block of a transformer with causal attention of two heads.
struct GptBlockImpl : nn::Module {
  nn::LayerNorm before{nullptr}, after{nullptr};
  nn::Linear joint{nullptr}, out{nullptr}, wide{nullptr}, narrow{nullptr};
  explicit GptBlockImpl(int64_t width = kWidth) : width(width) {
    before = register_module("before", nn::LayerNorm(width));
    joint = register_module("joint", nn::Linear(width, 3 * width));
    out = register_module("out", nn::Linear(width, width));
    after = register_module("after", nn::LayerNorm(width));
    wide = register_module("wide", nn::Linear(width, 4 * width));
    narrow = register_module("narrow", nn::Linear(4 * width, width));
  }
  Tensor forward(Tensor x) {
    std::vector<Tensor> parts = split(joint(before(x)), width, 2);
    for (Tensor &part : parts)
      part = part.view({x.size(0), x.size(1), 2, -1}).transpose(1, 2);
    Tensor mixed = F::scaled_dot_product_attention(parts[0], parts[1], parts[2],
                                                   {}, 0, /*is_causal=*/true);
    x = x + out(mixed.transpose(1, 2).reshape({x.size(0), x.size(1), width}));
    return x + narrow(F::gelu(wide(after(x)), "tanh"));
  }
  int64_t width;
};
XLAC_MODULE(GptBlock);

struct GptImpl : nn::Module {
  nn::Embedding tokens{nullptr}, places{nullptr};
  std::vector<GptBlock> blocks;
  nn::LayerNorm last{nullptr};
  nn::Linear head{nullptr};
  explicit GptImpl(int64_t width = kWidth, int64_t length = kLength) {
    tokens = register_module("tokens", nn::Embedding(kWords, width));
    places = register_module("places", nn::Embedding(length, width));
    for (int i = 0; i < 2; ++i)
      blocks.push_back(
          register_module("block" + std::to_string(i), GptBlock(width)));
    last = register_module("last", nn::LayerNorm(width));
    head = register_module("head", nn::Linear(width, kWords));
  }
  Tensor forward(const Tensor &ids) {
    Tensor x = tokens(ids) + places->weight;
    for (GptBlock &block : blocks)
      x = block(x);
    return head(last(x));
  }
};
XLAC_MODULE(Gpt);

struct ConvnetImpl : nn::Module {
  nn::Conv2d first{nullptr}, second{nullptr};
  nn::BatchNorm2d norm{nullptr};
  nn::Linear head{nullptr};
  ConvnetImpl() {
    first = register_module("first", nn::Conv2d(3, 8, 3));
    norm = register_module("norm", nn::BatchNorm2d(8));
    second = register_module("second", nn::Conv2d(8, 16, 3));
    head = register_module("head", nn::Linear(16, 10));
  }
  Tensor forward(const Tensor &x) {
    Tensor y = relu(second(relu(norm(first(x)))));
    return head(y.mean(std::vector<int64_t>{2, 3}));
  }
};
XLAC_MODULE(Convnet);

} // namespace xlac::test
