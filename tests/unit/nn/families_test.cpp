// Initial parameters of modules, errors, and functions other than forward.
#include "xlac/nn.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace xlac;

namespace {

double largest(const Tensor &tensor) {
  return tensor.detach().abs().max().item<double>();
}

/// Checks the distribution of values uniform in ±bound: the range, the largest
/// value and the standard deviation.
void expect_uniform(const Tensor &tensor, double bound) {
  EXPECT_LE(largest(tensor), bound);
  EXPECT_GT(largest(tensor), 0.8 * bound);
  Tensor values = tensor.detach();
  EXPECT_NEAR(std::sqrt((values * values).mean().item<double>()),
              bound / std::sqrt(3.0), 0.2 * bound);
}

struct OuterImpl : nn::Module {
  nn::Sequential body =
      register_module("body", nn::Sequential(nn::Linear(1, 2), nn::ReLU()));
  nn::Linear same = register_module("same", body->at<nn::Linear>(0));

protected:
  std::string extra_repr() const override { return "width=2"; }
};
XLAC_MODULE(Outer);

} // namespace

TEST(Starts, LayersAreUniform) {
  nn::Conv3d conv({.in_channels = 8,
                   .out_channels = 6,
                   .kernel_size = {1, 2, 3},
                   .groups = 2});
  EXPECT_EQ(conv->weight.sizes(), (Shape{6, 4, 1, 2, 3}));
  expect_uniform(conv->weight, 1 / std::sqrt(24.0));
  EXPECT_LE(largest(conv->bias), 1 / std::sqrt(24.0));
  // The fan of a transposed convolution is computed from its second dimension.
  nn::ConvTranspose2d transposed(16, 8, 3);
  EXPECT_EQ(transposed->weight.sizes(), (Shape{16, 8, 3, 3}));
  expect_uniform(transposed->weight, 1 / std::sqrt(72.0));
  nn::Bilinear bilinear(9, 5, 10);
  EXPECT_EQ(bilinear->weight.sizes(), (Shape{10, 9, 5}));
  expect_uniform(bilinear->weight, 1.0 / 3);
  expect_uniform(bilinear->bias, 1.0 / 3);
}

TEST(Starts, TablesAreNormalAndPaddingIsZero) {
  nn::Embedding embedding(100, 50, 3);
  Tensor weight = embedding->weight.detach();
  EXPECT_NEAR(weight.std().item<double>(), 1, 0.05);
  EXPECT_NEAR(weight.mean().item<double>(), 0, 0.05);
  EXPECT_EQ(largest(weight[3]), 0);
  EXPECT_GT(largest(weight[2]), 0);
  EXPECT_TRUE(embedding->weight.is_leaf());
  EXPECT_TRUE(embedding->weight.requires_grad());
  EXPECT_EQ(
      largest(nn::EmbeddingBag(
                  {.num_embeddings = 4, .embedding_dim = 2, .padding_idx = -1})
                  ->weight[3]),
      0);
  EXPECT_EQ(nn::PReLU(3)->weight.to_vector<float>(),
            (std::vector<float>{0.25, 0.25, 0.25}));
}

TEST(Embedding, StartsFromWhatIsThere) {
  Tensor table = arange(6.0, TensorOptions(kFloat64)).reshape({3, 2});
  nn::Embedding frozen = nn::Embedding::from_pretrained(table);
  EXPECT_TRUE(equal(frozen(tensor({2, 0})), table.index({tensor({2, 0})})));
  EXPECT_FALSE(frozen->weight.requires_grad());
  EXPECT_FALSE(frozen->weight.is_alias_of(table));
  nn::EmbeddingBag bag = nn::EmbeddingBag::from_pretrained(
      table, false, {.num_embeddings = 0, .embedding_dim = 0, .mode = "sum"});
  EXPECT_TRUE(bag->weight.requires_grad());
  EXPECT_EQ(bag->str(), "EmbeddingBag(3, 2, mode='sum')");
  Tensor weights = tensor({{1.0, 2.0}}, TensorOptions(kFloat64));
  EXPECT_TRUE(equal(bag(tensor({{0, 2}}), Tensor(), weights),
                    tensor({{8.0, 11.0}}, TensorOptions(kFloat64))));
  EXPECT_THROW(nn::Embedding::from_pretrained(zeros({3})), ShapeError);
}

TEST(Embedding, RefusesWhatItCannotDo) {
  EXPECT_THROW(nn::Embedding(3, 2, 3), ValueError);
  EXPECT_THROW(nn::Embedding(3, 2, -4), ValueError);
  EXPECT_THROW(
      nn::Embedding({.num_embeddings = 3, .embedding_dim = 2, .sparse = true}),
      UnsupportedError);
  EXPECT_THROW(nn::EmbeddingBag(
                   {.num_embeddings = 3, .embedding_dim = 2, .mode = "median"}),
               ValueError);
  EXPECT_THROW(nn::Embedding(3, 2)(tensor({3})), IndexError);
}

TEST(Embedding, ScalesRowsDownInPlace) {
  nn::Embedding embedding(
      {.num_embeddings = 3, .embedding_dim = 2, .max_norm = 1});
  nn::init::constant_(embedding->weight, 3);
  embedding(tensor({1}));
  EXPECT_NEAR(embedding->weight[1].norm().item<double>(), 1, 1e-5);
  EXPECT_EQ(largest(embedding->weight[0]), 3);
}

TEST(Pooling, FindsPlacesAndPutsBack) {
  Tensor x = arange(16.0).reshape({1, 1, 4, 4});
  nn::MaxPool2d pool(2);
  auto [values, places] = pool->forward_with_indices(x);
  EXPECT_EQ(places.to_vector<int64_t>(), (std::vector<int64_t>{5, 7, 13, 15}));
  EXPECT_TRUE(equal(values, pool(x)));
  Tensor back = nn::MaxUnpool2d(2)(values, places);
  EXPECT_EQ(back.sizes(), x.sizes());
  EXPECT_EQ(back.sum().item<double>(), 5 + 7 + 13 + 15);
  nn::MaxUnpool2d unpool(2);
  EXPECT_EQ(unpool(values, places, Shape{4, 5}).sizes(), (Shape{1, 1, 4, 5}));
  EXPECT_EQ(unpool(values, places, Shape{1, 1, 5, 4}).sizes(),
            (Shape{1, 1, 5, 4}));
  EXPECT_THROW(unpool(values, places, Shape{4, 6}), ValueError);
  EXPECT_THROW(unpool(values, places, Shape{4}), ValueError);
  auto [line, at] = nn::MaxPool1d(3)->forward_with_indices(x.view({1, 1, 16}));
  EXPECT_EQ(at.to_vector<int64_t>(), (std::vector<int64_t>{2, 5, 8, 11, 14}));
  auto [cube, corner] =
      nn::MaxPool3d(2)->forward_with_indices(x.view({1, 4, 2, 2}));
  EXPECT_EQ(corner.to_vector<int64_t>(), (std::vector<int64_t>{7, 15}));
  auto [most, where] = nn::AdaptiveMaxPool2d(1)->forward_with_indices(x);
  EXPECT_EQ(where.item<int64_t>(), 15);
  auto [most_1d, where_1d] =
      nn::AdaptiveMaxPool1d(2)->forward_with_indices(x.view({1, 1, 16}));
  EXPECT_EQ(where_1d.to_vector<int64_t>(), (std::vector<int64_t>{7, 15}));
  EXPECT_THROW(nn::AvgPool1d({.kernel_size = 2, .divisor_override = 3}),
               ValueError);
}

TEST(ConvTranspose, ReachesTheWantedSize) {
  nn::ConvTranspose2d deconv(1, 1, 3, 2, 1);
  Tensor x = randn({1, 1, 4, 4});
  EXPECT_EQ(deconv(x).sizes(), (Shape{1, 1, 7, 7}));
  EXPECT_EQ(deconv(x, Shape{8, 7}).sizes(), (Shape{1, 1, 8, 7}));
  EXPECT_EQ(deconv->forward(x, {1, 1, 7, 8}).sizes(), (Shape{1, 1, 7, 8}));
  EXPECT_EQ(deconv(randn({1, 4, 4}), Shape{8, 8}).sizes(), (Shape{1, 8, 8}));
  EXPECT_THROW(deconv(x, Shape{9, 7}), ValueError);
  EXPECT_THROW(deconv(x, Shape{8}), ValueError);
  EXPECT_THROW(nn::ConvTranspose1d({.in_channels = 1,
                                    .out_channels = 1,
                                    .kernel_size = 1,
                                    .padding_mode = "reflect"}),
               ValueError);
}

TEST(Conv, RefusesWhatDoesNotFit) {
  nn::ConvOptions fine{.in_channels = 4, .out_channels = 4, .kernel_size = 3};
  auto refused = [&](auto change) {
    nn::ConvOptions options = fine;
    change(options);
    EXPECT_THROW(nn::Conv2d{options}, ValueError);
  };
  EXPECT_NO_THROW(nn::Conv2d{fine});
  refused([](auto &o) { o.groups = 0; });
  refused([](auto &o) { o.groups = 3; });
  refused([](auto &o) { o.out_channels = 3, o.groups = 2; });
  refused([](auto &o) { o.kernel_size = {1, 2, 3}; });
  refused([](auto &o) { o.padding = "most"; });
  refused([](auto &o) { o.padding = "same", o.stride = 2; });
  refused([](auto &o) { o.padding_mode = "wild"; });
}

TEST(InPlace, ActivationsWriteIntoTheirInput) {
  for (const nn::AnyModule &module :
       {nn::AnyModule(nn::ReLU(true)), nn::AnyModule(nn::SiLU(true)),
        nn::AnyModule(nn::Hardtanh(-1, 1, true)),
        nn::AnyModule(nn::Threshold(0, 5, true))}) {
    Tensor x = tensor({-2.0, 3.0}), before = x.clone();
    Tensor y = module(x);
    EXPECT_TRUE(y.is_same(x));
    module->eval();
    EXPECT_FALSE(equal(x, before)) << module->str();
  }
  Tensor leaf = ones({2}).requires_grad_();
  EXPECT_THROW(nn::ReLU(true)(leaf), UserError);
  EXPECT_EQ(nn::RReLU({.inplace = true})->str(),
            "RReLU(lower=0.125, upper=0.3333333333333333, inplace=True)");
  EXPECT_THROW(nn::Hardtanh(1, 1), ValueError);
}

TEST(Padding, NeedsAsManyNumbersAsEnds) {
  EXPECT_THROW(nn::ReflectionPad2d({.padding = {1, 2}}), ValueError);
  EXPECT_THROW(nn::ConstantPad1d({.padding = {1, 2, 3}, .value = 0}),
               ValueError);
  EXPECT_EQ(nn::ReplicationPad2d(2)->padding, (Shape{2, 2, 2, 2}));
}

TEST(Module, NamesWhatIsInside) {
  Outer outer;
  EXPECT_EQ(outer->str(), R"(Outer(
  width=2
  (body): Sequential(
    (0): Linear(in_features=1, out_features=2, bias=True)
    (1): ReLU()
  )
  (same): Linear(in_features=1, out_features=2, bias=True)
))");
  std::vector<std::string> paths, children;
  for (const auto &[path, module] : outer->named_modules())
    paths.push_back(path);
  for (const auto &[name, module] : outer->named_children())
    children.push_back(name);
  EXPECT_EQ(paths, (std::vector<std::string>{"", "body", "body.0", "body.1"}));
  EXPECT_EQ(children, (std::vector<std::string>{"body", "same"}));
}

TEST(Utils, ClipsByANormThatIsKnown) {
  Tensor a = zeros({2}).requires_grad_(), b = zeros({1}).requires_grad_();
  a.set_grad(tensor({3.0, 0.0}));
  b.set_grad(tensor({4.0}));
  Tensor total = nn::utils::get_total_norm({a.grad(), b.grad()});
  EXPECT_NEAR(total.item<double>(), 5, 1e-6);
  EXPECT_EQ(
      nn::utils::get_total_norm({a.grad(), b.grad()}, HUGE_VAL).item<double>(),
      4);
  EXPECT_EQ(nn::utils::get_total_norm({}).item<double>(), 0);
  nn::utils::clip_grads_with_norm_({a, b}, 1, total);
  EXPECT_NEAR(a.grad()[0].item<double>(), 0.6, 1e-5);
  nn::utils::clip_grads_with_norm_({a, b}, 2, tensor(1.0));
  EXPECT_NEAR(b.grad()[0].item<double>(), 0.8, 1e-5);
  EXPECT_THROW(nn::utils::get_total_norm({tensor({HUGE_VAL})}, 2, true),
               RuntimeError);
}
