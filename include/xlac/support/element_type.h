// The element types of StableHLO tensors and their properties. The public Dtype
// is a subset (tensor component).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xlac {

enum class ElementType : uint8_t {
  I1,
  I2,
  I4,
  I8,
  I16,
  I32,
  I64,
  UI2,
  UI4,
  UI8,
  UI16,
  UI32,
  UI64,
  F4E2M1FN,
  F6E2M3FN,
  F6E3M2FN,
  F8E3M4,
  F8E4M3,
  F8E4M3B11FNUZ,
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F8E8M0FNU,
  BF16,
  F16,
  F32,
  F64,
  Complex64,
  Complex128,
};
inline constexpr int kElementTypeCount = 30;

/// MLIR's name: "i1", "ui8", "bf16", "complex<f32>".
std::string_view element_type_name(ElementType type);

/// The type with that name; empty for other text.
std::optional<ElementType> parse_element_type(std::string_view name);

/// Bits of one element as in the StableHLO specification (i1: 1, i4: 4).
int bit_width(ElementType type);

/// Bytes of one element in a buffer. Types narrower than a byte take one byte:
/// i1 holds 0 or 1, i2 and i4 are sign-extended, ui2 and ui4 zero-extended. f4,
/// f6 and f8 hold their bit pattern in the low bits.
int byte_size(ElementType type);

bool is_boolean(ElementType type);
/// Integers except booleans.
bool is_integer(ElementType type);
bool is_signed_integer(ElementType type);
bool is_unsigned_integer(ElementType type);
/// f4 to f64 and bf16; not complex types.
bool is_float(ElementType type);
bool is_complex(ElementType type);
/// f32 for complex<f32>, f64 for complex<f64>, the type itself otherwise.
ElementType real_part_type(ElementType type);

} // namespace xlac
