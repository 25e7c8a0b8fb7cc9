#include "xlac/host/literal.h"
#include "xlac/host/strided.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace xlac::host {
namespace {

TEST(SmallFloats, EveryPatternComesBack) {
  for (ElementType type :
       {ElementType::F4E2M1FN, ElementType::F6E2M3FN, ElementType::F6E3M2FN,
        ElementType::F8E3M4, ElementType::F8E4M3, ElementType::F8E4M3FN,
        ElementType::F8E4M3FNUZ, ElementType::F8E4M3B11FNUZ,
        ElementType::F8E5M2, ElementType::F8E5M2FNUZ, ElementType::F8E8M0FNU,
        ElementType::BF16, ElementType::F16}) {
    for (uint32_t bits = 0; bits < (1u << bit_width(type)); ++bits) {
      double value = decode_small_float(type, static_cast<uint16_t>(bits));
      if (std::isnan(value))
        continue;
      EXPECT_EQ(encode_small_float(type, value), bits)
          << element_type_name(type) << " " << value;
    }
  }
}

TEST(SmallFloats, RoundToNearestEven) {
  EXPECT_EQ(encode_small_float(ElementType::BF16, 1.00390625), 0x3F80);
  EXPECT_EQ(encode_small_float(ElementType::BF16, 1.01171875), 0x3F82);
  EXPECT_EQ(encode_small_float(ElementType::F16, 65519), 0x7BFF);
  EXPECT_EQ(encode_small_float(ElementType::F16, 65520), 0x7C00);
  EXPECT_TRUE(std::isnan(decode_small_float(
      ElementType::F8E4M3FN, encode_small_float(ElementType::F8E4M3FN, 1e9))));
}

TEST(Literal, RefusesWhatCannotBe) {
  EXPECT_FALSE(Literal::allocate({ElementType::F32, {kDynamic}, {}, {}}));
  EXPECT_FALSE(
      Literal::allocate({ElementType::F64, {int64_t{1} << 62, 8}, {}, {}}));
  EXPECT_TRUE(Literal::allocate({ElementType::F32, {0, 5}, {}, {}}));
}

TEST(Strided, BoxesGoFromOneArrayToAnother) {
  const std::vector<int64_t> wide{3, 4}, narrow{2, 3}, box{2, 2};
  const std::vector<int64_t> in_wide{1, 2}, in_narrow{0, 1}, none{0, 2};
  std::vector<int16_t> from(12), to(6, -1);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = static_cast<int16_t>(i);
  auto copy = [&](const std::vector<int64_t> &size) {
    copy_box(reinterpret_cast<std::byte *>(to.data()), {narrow, in_narrow},
             reinterpret_cast<const std::byte *>(from.data()), {wide, in_wide},
             size, sizeof(int16_t));
  };
  copy(none);
  EXPECT_EQ(to, std::vector<int16_t>(6, -1));
  copy(box);
  EXPECT_EQ(to, (std::vector<int16_t>{-1, 6, 7, -1, 10, 11}));
}

TEST(Strided, ABoxWithoutDimensionsIsAnElement) {
  const std::vector<int64_t> scalar;
  double from = 3, to = 0;
  copy_box(reinterpret_cast<std::byte *>(&to), {scalar, scalar},
           reinterpret_cast<const std::byte *>(&from), {scalar, scalar}, scalar,
           sizeof(double));
  EXPECT_EQ(to, 3);
}

} // namespace
} // namespace xlac::host
