#include "xlac/support/element_type.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

TEST(ElementType, NamesParseBack) {
  for (int i = 0; i < kElementTypeCount; ++i) {
    auto type = static_cast<ElementType>(i);
    EXPECT_EQ(parse_element_type(element_type_name(type)), type);
  }
  EXPECT_FALSE(parse_element_type("i3"));
  EXPECT_FALSE(parse_element_type(""));
}

TEST(ElementType, EachIsOfOneKind) {
  for (int i = 0; i < kElementTypeCount; ++i) {
    auto type = static_cast<ElementType>(i);
    EXPECT_EQ(is_boolean(type) + is_integer(type) + is_float(type) +
                  is_complex(type),
              1)
        << element_type_name(type);
    EXPECT_EQ(byte_size(type), (bit_width(type) + 7) / 8);
  }
}

TEST(ElementType, RealParts) {
  EXPECT_EQ(real_part_type(ElementType::Complex64), ElementType::F32);
  EXPECT_EQ(real_part_type(ElementType::Complex128), ElementType::F64);
  EXPECT_EQ(real_part_type(ElementType::I8), ElementType::I8);
}

} // namespace
} // namespace xlac
