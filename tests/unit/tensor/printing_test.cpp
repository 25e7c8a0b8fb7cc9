#include "xlac/ops.h"

#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace xlac {
namespace {

TEST(Printing, DtypesSizesAndDevices) {
  std::ostringstream text;
  text << kBFloat16 << ' ' << Shape{2, 3} << ' ' << Shape{} << ' '
       << Device("xla:0");
  EXPECT_EQ(text.str(), "torch.bfloat16 [2, 3] [] xla:0");
}

TEST(Printing, NumbersShareAFormat) {
  EXPECT_EQ(tensor({{1.0, 2.0}, {3.0, 4.0}}).str(),
            "tensor([[1., 2.],\n        [3., 4.]])");
  EXPECT_EQ(tensor({0.5, -1.25}).str(), "tensor([ 0.5000, -1.2500])");
  EXPECT_EQ(tensor({1, 20}).str(), "tensor([ 1, 20])");
  EXPECT_EQ(tensor({true, false}).str(), "tensor([ True, False])");
  EXPECT_EQ(tensor(3.5).str(), "tensor(3.5000)");
  EXPECT_EQ(tensor({1.0, 10000.0, 0.5}).str(),
            "tensor([1.0000e+00, 1.0000e+04, 5.0000e-01])");
  EXPECT_EQ(tensor({1.0f, NAN, INFINITY}).str(), "tensor([1., nan, inf])");
}

TEST(Printing, Suffixes) {
  EXPECT_EQ(tensor({1, 2}, kInt32).str(), "tensor([1, 2], dtype=torch.int32)");
  EXPECT_EQ(tensor({1.0}, kBFloat16).str(),
            "tensor([1.], dtype=torch.bfloat16)");
  EXPECT_EQ(zeros({0}).str(), "tensor([])");
  EXPECT_EQ(zeros({2, 0}).str(), "tensor([], size=(2, 0))");
}

TEST(Printing, LongOnesAreShortened) {
  EXPECT_EQ(arange(2000).str(),
            "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
}

} // namespace
} // namespace xlac
