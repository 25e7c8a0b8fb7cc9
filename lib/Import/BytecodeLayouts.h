// How attributes and types lie in bytecode: one row a code, one letter a field.
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
/// Null: of no use to StableHLO, refused.
struct Layout {
  const char *fields;
};

/// What an element of a tensor is, as far as its bytes tell.
struct Element {
  enum Kind { None, Integer, Float, Complex };
  Kind kind = None;
  unsigned bits = 0;

  /// As MLIR stores it in a dense constant: whole bytes, or one bit.
  unsigned storageBits() const;
};

llvm::ArrayRef<Layout> attributeLayouts(llvm::StringRef dialect);
llvm::ArrayRef<Layout> typeLayouts(llvm::StringRef dialect);

/// The plain number that a vhlo type without fields is.
Element vhloElement(uint64_t code);

/// The codes that mean more than their fields.
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
