// Edge cases of pointwise functions and activations; the golden cases check
// their values.
#include "xlac/ops.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace xlac {
namespace {

using Floats = std::vector<float>;
using Whole = std::vector<int64_t>;
using Flags = std::vector<bool>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Floats floats(const Tensor &t) { return t.to_vector<float>(); }
Whole whole(const Tensor &t) { return t.to_vector<int64_t>(); }

TEST(Division, Rounds) {
  Tensor a = tensor({7, -7, 7, -7}), b = tensor({2, 2, -2, -2});
  EXPECT_EQ(floats(div(a, b)), (Floats{3.5, -3.5, -3.5, 3.5}));
  EXPECT_EQ(whole(div(a, b, "trunc")), (Whole{3, -3, -3, 3}));
  EXPECT_EQ(whole(div(a, b, "floor")), (Whole{3, -4, -4, 3}));
  EXPECT_EQ(whole(remainder(a, b)), (Whole{1, 1, -1, -1}));
  EXPECT_EQ(whole(fmod(a, b)), (Whole{1, -1, 1, -1}));
  EXPECT_EQ(whole(a % -2), (Whole{-1, -1, -1, -1}));
  EXPECT_EQ(
      floats(div(tensor({7.0, -7.0, 1.0}), tensor({2.0, 2.0, 0.0}), "floor")),
      (Floats{3, -4, kInf}));
  // 1 / 0.1 rounds up to 10, but 0.1 fits only 9 times into 1.
  EXPECT_EQ(
      floor_divide(tensor(1.0, kFloat64), tensor(0.1, kFloat64)).item<double>(),
      9);
  EXPECT_THROW(div(a, b, "up"), ValueError);
}

TEST(Division, OfWholeNumbersByZero) {
  Tensor a = tensor({5, -5, 0}), zero = tensor({0, 0, 0});
  EXPECT_EQ(whole(floor_divide(a, zero)), (Whole{-1, -1, -1}));
  EXPECT_EQ(whole(div(a, zero, "trunc")), (Whole{-1, -1, -1}));
  EXPECT_EQ(whole(remainder(a, zero)), (Whole{5, -5, 0}));
  EXPECT_EQ(whole(fmod(a, zero)), (Whole{5, -5, 0}));
  Tensor least = tensor({std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(whole(floor_divide(least, tensor({-1}))), whole(least));
}

TEST(Powers, OfWholeNumbers) {
  Tensor x = tensor({-2, 0, 3});
  EXPECT_EQ(whole(pow(x, 5)), (Whole{-32, 0, 243}));
  EXPECT_EQ(whole(pow(x, 0)), (Whole{1, 1, 1}));
  EXPECT_EQ(whole(pow(2, tensor({0, 3, 10}))), (Whole{1, 8, 1024}));
  EXPECT_EQ(pow(x, 2.0).dtype(), kFloat32);
  EXPECT_EQ(float_power(x, 2).dtype(), kFloat64);
  EXPECT_THROW(pow(x, -1), ValueError);
  EXPECT_THROW(pow(tensor({true}), tensor({true})), DtypeError);
  EXPECT_EQ(floats(pow(tensor({4.0, 9.0}), 0.5)), (Floats{2, 3}));
  EXPECT_EQ(floats(pow(tensor({4.0, -2.0}), -1)), (Floats{0.25, -0.5}));
}

TEST(Bounds, NumbersTensorsAndNone) {
  Tensor x = tensor({-3.0f, 0.5f, 9.0f, kNan});
  Floats bounded = floats(clamp(x, 0.0, 1.0));
  EXPECT_EQ(bounded[0], 0);
  EXPECT_EQ(bounded[1], 0.5f);
  EXPECT_EQ(bounded[2], 1);
  EXPECT_TRUE(std::isnan(bounded[3]));
  EXPECT_EQ(floats(clamp(tensor({-3.0, 9.0}), None, 1.0)), (Floats{-3, 1}));
  EXPECT_EQ(floats(clamp(tensor({-3.0, 9.0}), 1.0)), (Floats{1, 9}));
  EXPECT_EQ(floats(clamp(tensor({5.0}), 3.0, 1.0)), (Floats{1}));
  EXPECT_EQ(whole(clamp_max(tensor({1, 5}), tensor({2}))), (Whole{1, 2}));
  EXPECT_EQ(whole(clamp(tensor({1, 5, 9}), 2, 6)), (Whole{2, 5, 6}));
  EXPECT_EQ(clamp(tensor({1, 5}), 2.5).dtype(), kFloat32);
  EXPECT_THROW(clamp(x, None, None), ValueError);
  EXPECT_THROW(clamp(tensor({true}), tensor({true})), DtypeError);
}

TEST(Bounds, NanWinsInMaximumAndLosesInFmax) {
  Tensor a = tensor({kNan, 1.0f, kNan}), b = tensor({2.0f, kNan, kNan});
  for (float value : floats(maximum(a, b)))
    EXPECT_TRUE(std::isnan(value));
  Floats high = floats(fmax(a, b)), low = floats(fmin(b, a));
  EXPECT_EQ(high[0], 2);
  EXPECT_EQ(high[1], 1);
  EXPECT_TRUE(std::isnan(high[2]));
  EXPECT_EQ(low[0], 2);
  EXPECT_TRUE(std::isnan(low[2]));
}

TEST(Logic, BitsAndShifts) {
  Tensor a = tensor({12, -6}), b = tensor({10, 3});
  EXPECT_EQ(whole(a & b), (Whole{8, 2}));
  EXPECT_EQ(whole(a | 1), (Whole{13, -5}));
  EXPECT_EQ(whole(3 ^ a), (Whole{15, -7}));
  EXPECT_EQ(whole(~a), (Whole{-13, 5}));
  EXPECT_EQ(whole(a << 2), (Whole{48, -24}));
  EXPECT_EQ(whole(a >> 1), (Whole{6, -3}));
  EXPECT_EQ(whole(a >> 64), (Whole{0, -1}));
  EXPECT_EQ(whole(a << tensor({-1, 64})), (Whole{0, 0}));
  EXPECT_EQ((!tensor({0.0, 2.0})).to_vector<bool>(), (Flags{true, false}));
  EXPECT_EQ((2 < tensor({1, 3})).to_vector<bool>(), (Flags{false, true}));
  EXPECT_THROW(tensor({1.0}) & 1, DtypeError);
  EXPECT_THROW(bitwise_not(tensor({1.0})), DtypeError);
}

TEST(Logic, Nearness) {
  Tensor a = tensor({1.0f, kInf, kNan}), b = tensor({1.000001f, kInf, kNan});
  EXPECT_EQ(isclose(a, b).to_vector<bool>(), (Flags{true, true, false}));
  EXPECT_TRUE(allclose(a, b, 1e-5, 1e-8, true));
  EXPECT_FALSE(allclose(a, b));
  EXPECT_THROW(allclose(a, tensor({1, 2, 3})), DtypeError);
  EXPECT_TRUE(equal(zeros({0}), zeros({0})));
}

TEST(Signs, OfZerosAndNanAreZero) {
  for (const Tensor &sign :
       {sgn(tensor({-0.0f, kNan})), sign(tensor({-0.0f, kNan}))}) {
    EXPECT_EQ(sign.to_vector<float>(), (std::vector<float>{0, 0}));
    EXPECT_FALSE(signbit(sign).any().item<bool>());
  }
}

TEST(Rounding, TiesGoToEven) {
  EXPECT_EQ(floats(round(tensor({0.5, 1.5, -2.5}))), (Floats{0, 2, -2}));
  EXPECT_EQ(floats(round(tensor({1.26, 14.0}), 1)), (Floats{1.3f, 14}));
  EXPECT_EQ(floats(round(tensor({1234.0}), -2)), (Floats{1200}));
  EXPECT_EQ(floats(trunc(tensor({1.7, -1.7}))), (Floats{1, -1}));
  EXPECT_EQ(whole(floor(tensor({3}))), (Whole{3}));
  EXPECT_THROW(ceil(tensor({true})), DtypeError);
  EXPECT_THROW(round(tensor({1}), 1), DtypeError);
}

TEST(Special, EdgesAndSigns) {
  EXPECT_EQ(floats(sign(tensor({kNan, -2.0f, 0.0f}))), (Floats{0, -1, 0}));
  EXPECT_EQ(signbit(tensor({-0.0f, 0.0f, kNan})).to_vector<bool>(),
            (Flags{true, false, false}));
  EXPECT_EQ(floats(nan_to_num(tensor({kNan, kInf, -kInf}), 1.0, {}, -5.0)),
            (Floats{1, std::numeric_limits<float>::max(), -5}));
  EXPECT_EQ(floats(logaddexp(tensor({kInf, -kInf}), tensor({kInf, -kInf}))),
            (Floats{kInf, -kInf}));
  EXPECT_EQ(floats(xlogy(tensor({0.0, 0.0}), tensor({0.0, 5.0}))),
            (Floats{0, 0}));
  EXPECT_EQ(floats(hypot(tensor({3e30, 0.0}), tensor({4e30, 0.0}))),
            (Floats{5e30f, 0}));
  EXPECT_NEAR(i0(tensor(90.0, kFloat64)).item<double>() / 5.1392383455086e37, 1,
              1e-12);
  EXPECT_EQ(whole(gcd(tensor({12, -18, 0}), tensor({8, 27, 0}))),
            (Whole{4, 9, 0}));
  EXPECT_EQ(whole(lcm(tensor({4, -3, 0}), tensor({6, 5, 7}))),
            (Whole{12, 15, 0}));
  EXPECT_THROW(polygamma(-1, tensor({1.0})), ValueError);
  EXPECT_THROW(erf(tensor({std::complex<float>(1, 2)})), DtypeError);
}

TEST(Types, Limits) {
  EXPECT_EQ(finfo(kFloat32).eps, std::numeric_limits<float>::epsilon());
  EXPECT_EQ(finfo(kFloat64).max, std::numeric_limits<double>::max());
  EXPECT_EQ(finfo(kHalf).max, 65504);
  EXPECT_EQ(finfo(kBFloat16).tiny, std::numeric_limits<float>::min());
  EXPECT_EQ(iinfo(kInt64).min, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(iinfo(kUInt64).max, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(iinfo(kInt8).min, -128);
  EXPECT_THROW(finfo{kInt32}, DtypeError);
  EXPECT_THROW(iinfo{kBool}, DtypeError);
}

TEST(Activations, AtTheirEdges) {
  Tensor x = tensor({-4.0f, 0.0f, 4.0f, kNan});
  EXPECT_TRUE(std::isnan(floats(relu(x))[3]));
  EXPECT_TRUE(std::isnan(floats(hardshrink(x))[3]));
  EXPECT_TRUE(std::isnan(floats(softshrink(x))[3]));
  EXPECT_EQ(floats(hardswish(tensor({-4.0, 0.0, 4.0}))), (Floats{0, 0, 4}));
  EXPECT_EQ(floats(softplus(tensor({100.0}))), (Floats{100}));
  EXPECT_EQ(floats(logsigmoid(tensor({-200.0}))), (Floats{-200}));
  EXPECT_EQ(floats(mish(tensor({200.0}))), (Floats{200}));
  EXPECT_EQ(glu(ones({2, 4}), 1).sizes(), (Shape{2, 2}));
  EXPECT_EQ(prelu(x, tensor({0.5f})).to_vector<float>()[0], -2);
  EXPECT_EQ(whole(hardtanh(tensor({-5, 0, 5}), -2, 2)), (Whole{-2, 0, 2}));
  EXPECT_THROW(glu(ones({2, 3}), 1), ShapeError);
  EXPECT_THROW(gelu(x, "erf"), ValueError);
  EXPECT_THROW(gelu(tensor({1})), DtypeError);
  EXPECT_THROW(relu(tensor({true})), DtypeError);
  EXPECT_THROW(prelu(ones({2, 3}), ones({2})), ShapeError);
}

} // namespace
} // namespace xlac
