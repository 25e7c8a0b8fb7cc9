// The meaning of {} and {1} as an argument: a list of dims or sizes, or the
// default where no list is accepted. Each overload set with other candidates
// for them has a line.
#include "xlac/ops.h"

#include <gtest/gtest.h>

namespace {

using namespace xlac;

template <class T>
concept TakesBraces =
    requires(T x) { x.prod({}); } || requires(T x) { x.prod({1}); } ||
    requires(T x) { x.max({}); } || requires(T x) { x.max({1}); } ||
    requires(T x) { x.min({}); } || requires(T x) { x.squeeze_({}); } ||
    requires(T x) { x.quantile({}); } || requires(T x) { x.bernoulli_({}); } ||
    requires(T x) { x.repeat_interleave({}); } || requires(T x) { x.to({}); } ||
    requires(T x) { prod(x, {}); } || requires(T x) { max(x, {}); } ||
    requires(T x) { min(x, {}); } || requires(T x) { quantile(x, {}); } ||
    requires(T x) { repeat_interleave(x, {}); } ||
    requires(T x) { bernoulli_(x, {}); } || requires(T x) { normal({}, x); } ||
    requires(T x) { normal(x, {}); } || requires(T n) { eye(n.dim(), {}); };
static_assert(!TakesBraces<Tensor>);

class Braces : public testing::Test {
protected:
  Tensor x_ = arange(6, kFloat32).view({2, 3});
};

TEST_F(Braces, OfSumsAreDims) {
  for (const Tensor &total : {x_.sum({}), sum(x_, {})}) {
    EXPECT_EQ(total.dtype(), kFloat32);
    EXPECT_EQ(total.sizes(), Shape{});
    EXPECT_EQ(total.item<float>(), 15);
  }
  EXPECT_EQ(x_.sum({}, true).sizes(), (Shape{1, 1}));
  EXPECT_EQ(x_.sum({0}).sizes(), (Shape{3}));
  EXPECT_EQ(sum(x_, {1}).sizes(), (Shape{2}));
  EXPECT_EQ(x_.sum({0, 1}).item<float>(), 15);
  EXPECT_EQ(x_.sum({}, false, kFloat64).dtype(), kFloat64);
}

TEST_F(Braces, OfMeansAreDims) {
  EXPECT_EQ(x_.mean({}).item<float>(), 2.5);
  EXPECT_EQ(mean(x_, {}).item<float>(), 2.5);
  EXPECT_EQ(x_.mean({1}).sizes(), (Shape{2}));
}

TEST_F(Braces, OfOtherReductionsAreDims) {
  EXPECT_EQ(x_.amax({}).item<float>(), 5);
  EXPECT_EQ(x_.any({}).sizes(), Shape{});
  EXPECT_EQ(x_.var({}).sizes(), Shape{});
  EXPECT_EQ(x_.nansum({}).item<float>(), 15);
}

TEST_F(Braces, OfViewsAreSizesAndDims) {
  EXPECT_EQ(ones({1}).view({}).sizes(), Shape{});
  EXPECT_EQ(ones({1}).view({}).dtype(), kFloat32);
  EXPECT_EQ(view(ones({1}), {}).dtype(), kFloat32);
  EXPECT_EQ(ones({1, 2}).squeeze({}).sizes(), (Shape{1, 2}));
  EXPECT_EQ(squeeze(ones({1, 2}), {0}).sizes(), (Shape{2}));
  EXPECT_EQ(x_.split({1, 1}).size(), 2u);
  EXPECT_EQ(x_.tensor_split({}).size(), 1u);
  EXPECT_EQ(randint(4, {}).sizes(), Shape{});
}

TEST_F(Braces, LeaveOtherArgumentsAsTheyAre) {
  EXPECT_EQ(x_.sum(kFloat64).dtype(), kFloat64);
  EXPECT_EQ(x_.sum(0).sizes(), (Shape{3}));
  EXPECT_EQ(x_.sum(true).sizes(), (Shape{1, 1}));
  EXPECT_EQ(x_.view(kInt32).dtype(), kInt32);
  EXPECT_EQ(x_.squeeze(0).sizes(), (Shape{2, 3}));
}

} // namespace
