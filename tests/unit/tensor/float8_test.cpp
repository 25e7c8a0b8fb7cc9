// 8-bit floats: conversions, printing and errors, as in PyTorch.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace xlac {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Case {
  Dtype dtype;
  std::string name;
  std::vector<uint8_t> bits; ///< of kNumbers
};

const std::vector<float> kNumbers = {0.3f, 2.5f,      -0.001f,     1000,
                                     1e6f, kInfinity, NAN,         -0.0f,
                                     240,  448,       0.001953125f};

const std::vector<Case> kCases = {
    {kFloat8_e5m2,
     "float8_e5m2",
     {53, 65, 148, 100, 124, 124, 127, 128, 92, 95, 24}},
    {kFloat8_e4m3fn,
     "float8_e4m3fn",
     {42, 66, 129, 127, 127, 127, 127, 128, 119, 126, 1}},
    {kFloat8_e5m2fnuz,
     "float8_e5m2fnuz",
     {57, 69, 152, 104, 128, 128, 128, 0, 96, 99, 28}},
    {kFloat8_e4m3fnuz,
     "float8_e4m3fnuz",
     {50, 74, 129, 128, 128, 128, 128, 0, 127, 128, 2}},
};

std::vector<uint8_t> bits_of(const Tensor &t) {
  return t.view(kUInt8).to_vector<uint8_t>();
}

TEST(Float8, ConvertsAsPyTorch) {
  for (const Case &one : kCases) {
    EXPECT_EQ(name(one.dtype), one.name);
    EXPECT_EQ(element_size(one.dtype), 1);
    EXPECT_TRUE(is_floating_point(one.dtype) && is_signed(one.dtype));
    for (Device device : {Device(kCPU), Device("xla:0")}) {
      Tensor t = tensor(kNumbers, device).to(one.dtype);
      EXPECT_EQ(t.dtype(), one.dtype);
      std::vector<uint8_t> bits = bits_of(t.cpu());
      ASSERT_EQ(bits.size(), one.bits.size());
      for (size_t i = 0; i < bits.size(); ++i)
        if (!std::isnan(kNumbers[i])) // any bit pattern of a NaN is accepted
          EXPECT_EQ(bits[i], one.bits[i])
              << one.name << " of " << kNumbers[i] << " on " << device;
      std::vector<float> back = t.to(kFloat32).to_vector<float>();
      EXPECT_EQ(back[0], 0.3125f);
      EXPECT_TRUE(std::isnan(back[6]));
    }
  }
  Tensor scales = tensor({0.3, 2.5, 1e6, 448.0}).to(kFloat8_e8m0fnu);
  EXPECT_EQ(bits_of(scales), (std::vector<uint8_t>{125, 128, 147, 136}));
  EXPECT_EQ(scales.to(kFloat32).to_vector<float>(),
            (std::vector<float>{0.25f, 2, 1048576, 512}));
}

TEST(Float8, Prints) {
  Tensor t = tensor({1.0, 2.5, 0.3}).to(kFloat8_e4m3fn);
  EXPECT_EQ(t.str(),
            "tensor([1.0000, 2.5000, 0.3125], dtype=torch.float8_e4m3fn)");
  EXPECT_EQ(zeros({2}, kFloat8_e5m2).str(),
            "tensor([0., 0.], dtype=torch.float8_e5m2)");
}

TEST(Float8, PromotesWithNothing) {
  Tensor t = ones({2}, kFloat8_e5m2);
  EXPECT_EQ(promote_types(kFloat8_e5m2, kFloat8_e5m2), kFloat8_e5m2);
  EXPECT_THROW(promote_types(kFloat8_e5m2, kFloat8_e4m3fn), DtypeError);
  for (Dtype other : {kFloat32, kInt32, kBool, kComplex64})
    EXPECT_THROW(t + ones({2}, other), DtypeError) << other;
  EXPECT_THROW(set_default_dtype(kFloat8_e5m2), DtypeError);
}

TEST(Float8, Limits) {
  EXPECT_EQ(finfo(kFloat8_e4m3fn).max, 448);
  EXPECT_EQ(finfo(kFloat8_e4m3fn).min, -448);
  EXPECT_EQ(finfo(kFloat8_e4m3fn).eps, 0.125);
  EXPECT_EQ(finfo(kFloat8_e4m3fn).tiny, 0.015625);
  EXPECT_EQ(finfo(kFloat8_e4m3fnuz).max, 240);
  EXPECT_EQ(finfo(kFloat8_e4m3fnuz).tiny, 0.0078125);
  EXPECT_EQ(finfo(kFloat8_e5m2).max, 57344);
  EXPECT_EQ(finfo(kFloat8_e5m2).tiny, std::ldexp(1.0, -14));
  EXPECT_EQ(finfo(kFloat8_e5m2fnuz).tiny, std::ldexp(1.0, -15));
  EXPECT_EQ(finfo(kFloat8_e8m0fnu).max, std::ldexp(1.0, 127));
  EXPECT_EQ(finfo(kFloat8_e8m0fnu).min, std::ldexp(1.0, -127));
}

} // namespace
} // namespace xlac
