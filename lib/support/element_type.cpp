#include "xlac/support/element_type.h"

#include <array>

namespace xlac {
namespace {

enum class Category : uint8_t { Boolean, Signed, Unsigned, Float, Complex };

struct Facts {
  std::string_view name;
  int bits;
  Category category;
};

// In the order of ElementType.
constexpr std::array<Facts, kElementTypeCount> kFacts = {{
    {"i1", 1, Category::Boolean},
    {"i2", 2, Category::Signed},
    {"i4", 4, Category::Signed},
    {"i8", 8, Category::Signed},
    {"i16", 16, Category::Signed},
    {"i32", 32, Category::Signed},
    {"i64", 64, Category::Signed},
    {"ui2", 2, Category::Unsigned},
    {"ui4", 4, Category::Unsigned},
    {"ui8", 8, Category::Unsigned},
    {"ui16", 16, Category::Unsigned},
    {"ui32", 32, Category::Unsigned},
    {"ui64", 64, Category::Unsigned},
    {"f4E2M1FN", 4, Category::Float},
    {"f6E2M3FN", 6, Category::Float},
    {"f6E3M2FN", 6, Category::Float},
    {"f8E3M4", 8, Category::Float},
    {"f8E4M3", 8, Category::Float},
    {"f8E4M3B11FNUZ", 8, Category::Float},
    {"f8E4M3FN", 8, Category::Float},
    {"f8E4M3FNUZ", 8, Category::Float},
    {"f8E5M2", 8, Category::Float},
    {"f8E5M2FNUZ", 8, Category::Float},
    {"f8E8M0FNU", 8, Category::Float},
    {"bf16", 16, Category::Float},
    {"f16", 16, Category::Float},
    {"f32", 32, Category::Float},
    {"f64", 64, Category::Float},
    {"complex<f32>", 64, Category::Complex},
    {"complex<f64>", 128, Category::Complex},
}};

const Facts &facts(ElementType type) {
  return kFacts[static_cast<size_t>(type)];
}

} // namespace

std::string_view element_type_name(ElementType type) {
  return facts(type).name;
}

std::optional<ElementType> parse_element_type(std::string_view name) {
  for (size_t i = 0; i < kFacts.size(); ++i)
    if (kFacts[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

int bit_width(ElementType type) { return facts(type).bits; }
int byte_size(ElementType type) { return (facts(type).bits + 7) / 8; }

bool is_boolean(ElementType type) {
  return facts(type).category == Category::Boolean;
}
bool is_integer(ElementType type) {
  return is_signed_integer(type) || is_unsigned_integer(type);
}
bool is_signed_integer(ElementType type) {
  return facts(type).category == Category::Signed;
}
bool is_unsigned_integer(ElementType type) {
  return facts(type).category == Category::Unsigned;
}
bool is_float(ElementType type) {
  return facts(type).category == Category::Float;
}
bool is_complex(ElementType type) {
  return facts(type).category == Category::Complex;
}

ElementType real_part_type(ElementType type) {
  if (type == ElementType::Complex64)
    return ElementType::F32;
  if (type == ElementType::Complex128)
    return ElementType::F64;
  return type;
}

} // namespace xlac
