// Errors and initial parameters of attention and transformers. modules_test.cpp
// checks the results.
#include "xlac/nn.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::nn;

static const Tensor none;

TEST(MultiheadAttention, RefusesWhatDoesNotFit) {
  EXPECT_THROW(MultiheadAttention(4, 3), ValueError);
  EXPECT_THROW(MultiheadAttention(0, 1), ValueError);
  MultiheadAttention attention(4, 2);
  Tensor q = zeros({3, 2, 4});
  EXPECT_THROW(attention(q, q, q, none, true, zeros({2, 3})), ShapeError);
  EXPECT_THROW(attention(q, q, q, none, true, zeros({3, 3}, kInt64)),
               DtypeError);
  EXPECT_THROW(attention(q, q, q, none, false, none, true, true), ValueError);
  EXPECT_THROW(attention(zeros({3, 2, 5}), q, q), ShapeError);
}

TEST(MultiheadAttention, NeedsNoWeightsForItsOutput) {
  MultiheadAttention attention(8, 2);
  Tensor q = randn({3, 2, 8});
  auto [with, weights] = attention(q, q, q);
  auto [without, nothing] = attention(q, q, q, none, false);
  EXPECT_EQ(weights.sizes(), (Shape{2, 3, 3}));
  EXPECT_FALSE(nothing.defined());
  EXPECT_TRUE(allclose(with, without, 1e-5, 1e-6));
}

TEST(Transformer, HasPytorchsDefaults) {
  TransformerEncoderLayer layer(4, 1);
  EXPECT_EQ(layer->linear1->weight.sizes(), (Shape{2048, 4}));
  EXPECT_EQ(layer->dropout->options.p, 0.1);
  EXPECT_EQ(layer->self_attn->options.dropout, 0.1);
  Transformer transformer({.d_model = 4, .nhead = 1, .dim_feedforward = 2});
  EXPECT_EQ(transformer->encoder->layers->size(), 6);
  EXPECT_EQ(transformer->decoder->layers->size(), 6);
  EXPECT_TRUE(equal(Transformer::generate_square_subsequent_mask(2),
                    tensor({{0.0, -HUGE_VAL}, {0.0, 0.0}})));
  EXPECT_THROW(TransformerEncoderLayer(4, 1, 8, 0.1, "tanh"), ValueError);
  auto mild = [](const Tensor &input) { return silu(input); };
  EXPECT_NO_THROW(TransformerEncoderLayer(4, 1, 8, 0.1, mild));
  EXPECT_THROW(transformer(zeros({3, 2, 4}), zeros({3, 1, 4})), ShapeError);
  EXPECT_THROW(transformer(zeros({3, 2, 5}), zeros({3, 2, 4})), ShapeError);
}

TEST(Transformer, ClonesAreDeep) {
  Transformer transformer({.d_model = 4,
                           .nhead = 1,
                           .num_encoder_layers = 2,
                           .num_decoder_layers = 1,
                           .dim_feedforward = 2,
                           .dropout = 0});
  Transformer copy = transformer.clone();
  Tensor src = randn({3, 2, 4}), tgt = randn({2, 2, 4});
  EXPECT_TRUE(equal(copy(src, tgt), transformer(src, tgt)));
  {
    NoGradGuard guard;
    for (const Tensor &parameter : copy->parameters())
      Tensor(parameter).zero_();
  }
  EXPECT_FALSE(equal(copy(src, tgt), transformer(src, tgt)));
  // The layers of a stack are initially equal but have separate parameters.
  auto first = copy->encoder->layers->at<TransformerEncoderLayer>(0);
  auto second = copy->encoder->layers->at<TransformerEncoderLayer>(1);
  EXPECT_FALSE(first->linear1->weight.is_alias_of(second->linear1->weight));
}
