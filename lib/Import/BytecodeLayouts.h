// Encodings of attributes and types in bytecode: one row for each code, one
// letter for each field.
#ifndef XLAC_LIB_IMPORT_BYTECODELAYOUTS_H
#define XLAC_LIB_IMPORT_BYTECODELAYOUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace xlac::bytecode {

/// The fields of one attribute or type, a letter each:
///   a attribute      A attributes   o attribute or nothing
///   D pairs of attributes           t type           T types
///   v integer        V integers     s signed integer S signed integers
///   d f64            E f64s         b bytes          g string
///   f a byte, 0 or 1                O attribute or nothing, a byte before it
///   c a number of the type before it
///   p attribute or nothing  n integer or nothing: the lowest bit says which
/// Null: StableHLO does not use it, and it is rejected.
struct Layout {
  const char *fields;
};

/// An element type of a tensor, as far as it affects the bytes.
struct Element {
  enum Kind { None, Integer, Float, Complex };
  Kind kind = None;
  unsigned bits = 0;

  /// Returns the bits of an element in MLIR's dense constants: whole bytes, or
  /// one bit.
  unsigned storageBits() const;
};

llvm::ArrayRef<Layout> attributeLayouts(llvm::StringRef dialect);
llvm::ArrayRef<Layout> typeLayouts(llvm::StringRef dialect);

/// Returns the scalar type of a vhlo type without fields.
Element vhloElement(uint64_t code);

/// Codes with constraints beyond their fields.
namespace builtin_code {
inline constexpr uint64_t Dictionary = 1, String = 2, FlatSymbolRef = 4,
                          SymbolRef = 5, Integer = 8, Float = 9,
                          FileLineCol = 11, FusedLoc = 12,
                          FusedLocWithMetadata = 13, NameLoc = 14,
                          DenseArray = 17, DenseElements = 18,
                          FileLineColRange = 22;
inline constexpr uint64_t IntegerType = 0, Index = 1, BF16 = 3, F16 = 4,
                          F32 = 5, F64 = 6, Complex = 9, RankedTensor = 13,
                          EncodedTensor = 14, UnrankedTensor = 18;
} // namespace builtin_code

namespace vhlo_code {
inline constexpr uint64_t TensorV1 = 15;
inline constexpr uint64_t ComplexV1 = 1, RankedTensorV1 = 20,
                          QuantizedPerAxisV1 = 30;
} // namespace vhlo_code

namespace stablehlo_code {
inline constexpr uint64_t TypeExtensions = 13;
} // namespace stablehlo_code

} // namespace xlac::bytecode

#endif
