#include "BytecodeLayouts.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlac::bytecode {

static constexpr Layout kBuiltinAttributes[] = {
    {"A"},     // 0 array
    {"D"},     // 1 dictionary
    {"g"},     // 2 string
    {"gt"},    // 3 string with a type
    {"a"},     // 4 flat symbol reference
    {"aA"},    // 5 symbol reference
    {"t"},     // 6 type
    {""},      // 7 unit
    {"tc"},    // 8 integer
    {"tc"},    // 9 float
    {"aa"},    // 10 call site
    {"avv"},   // 11 file, line and column
    {"A"},     // 12 fused location
    {"Aa"},    // 13 fused location with metadata
    {"aa"},    // 14 named location
    {""},      // 15 unknown location
    {nullptr}, // 16 dense resource
    {"tvb"},   // 17 dense array
    {"tb"},    // 18 dense elements
    {nullptr}, // 19 dense strings
    {nullptr}, // 20 sparse elements
    {nullptr}, // 21 distinct
    {"aV"},    // 22 file and a range
};

static constexpr Layout kBuiltinTypes[] = {
    {"v"},     // 0 integer
    {""},      // 1 index
    {"TT"},    // 2 function
    {""},      // 3 bf16
    {""},      // 4 f16
    {""},      // 5 f32
    {""},      // 6 f64
    {nullptr}, // 7 f80
    {nullptr}, // 8 f128
    {"t"},     // 9 complex
    {nullptr}, // 10 memref
    {nullptr}, // 11 memref in a space
    {""},      // 12 none
    {"St"},    // 13 tensor
    {"aSt"},   // 14 tensor with encoding
    {"T"},     // 15 tuple
    {nullptr}, // 16 unranked memref
    {nullptr}, // 17 unranked memref in a space
    {"t"},     // 18 unranked tensor
    {nullptr}, // 19 vector
    {nullptr}, // 20 scalable vector
};

static constexpr Layout kVhloAttributes[] = {
    {nullptr}, // 0 retired
    {"A"},     // 1 array
    {"v"},     // 2 boolean
    {"v"},     // 3 comparison direction
    {"v"},     // 4 comparison type
    {"v"},     // 5 API version of a custom call
    {"D"},     // 6 dictionary
    {"v"},     // 7 kind of FFT
    {"tc"},    // 8 float
    {"tc"},    // 9 integer
    {"SsS"},   // 10 output operand alias
    {"v"},     // 11 precision
    {"v"},     // 12 random algorithm
    {"v"},     // 13 random distribution
    {"g"},     // 14 string
    {"tb"},    // 15 tensor
    {"v"},     // 16 transpose
    {"t"},     // 17 type
    {"S"},     // 18 bounds of a type
    {"v"},     // 19 accuracy mode
    {"ddsa"},  // 20 accuracy
    {"ss"},    // 21 sub-axis
    {"ao"},    // 22 axis reference
    {"aa"},    // 23 mesh and axes
    {"as"},    // 24 axis
    {"ao"},    // 25 mesh
};

static constexpr Layout kVhloTypes[] = {
    {""},         // 0 bool
    {"t"},        // 1 complex
    {""},         // 2 bf16
    {""},         // 3 f16
    {""},         // 4 f32
    {""},         // 5 f64
    {""},         // 6 f8E4M3FN
    {""},         // 7 f8E5M2
    {"TT"},       // 8 function
    {""},         // 9 index
    {""},         // 10 si4
    {""},         // 11 si8
    {""},         // 12 si16
    {""},         // 13 si32
    {""},         // 14 si64
    {""},         // 15 ui4
    {""},         // 16 ui8
    {""},         // 17 ui16
    {""},         // 18 ui32
    {""},         // 19 ui64
    {"St"},       // 20 tensor
    {"aSt"},      // 21 tensor with encoding
    {""},         // 22 token
    {"T"},        // 23 tuple
    {"vttdsss"},  // 24 quantized
    {"t"},        // 25 unranked tensor
    {""},         // 26 witness
    {""},         // 27 f8E4M3FNUZ
    {""},         // 28 f8E5M2FNUZ
    {""},         // 29 f8E4M3B11FNUZ
    {"vttsssES"}, // 30 quantized by axis
    {""},         // 31 si2
    {""},         // 32 ui2
    {""},         // 33 none
    {""},         // 34 tf32
    {""},         // 35 f8E4M3
    {""},         // 36 f8E3M4
    {""},         // 37 f4E2M1FN
    {""},         // 38 f6E2M3FN
    {""},         // 39 f6E3M2FN
    {""},         // 40 f8E8M0FNU
    {"St"},       // 41 buffer
    {"T"},        // 42 future
};

static constexpr Layout kStablehloAttributes[] = {
    {nullptr},     // 0 retired
    {"ss"},        // 1 channel
    {"v"},         // 2 comparison direction
    {"v"},         // 3 comparison type
    {"ssSssSssS"}, // 4 dimension numbers of a convolution
    {"SSSS"},      // 5 dimension numbers of a dot_general
    {"v"},         // 6 kind of FFT
    {"SSSSSs"},    // 7 dimension numbers of a gather
    {"v"},         // 8 precision
    {"v"},         // 9 random algorithm
    {"v"},         // 10 random distribution
    {"SSSSSs"},    // 11 dimension numbers of a scatter
    {"v"},         // 12 transpose
    {"S"},         // 13 bounds of a type
    {"SsS"},       // 14 output operand alias
    {"tttsssf"},   // 15 dot algorithm
    {"v"},         // 16 accuracy mode
    {"ddsa"},      // 17 accuracy
    {"aA"},        // 18 mesh and axes
    {"ss"},        // 19 sub-axis
    {"gO"},        // 20 axis reference
    {"gs"},        // 21 axis
    {"aO"},        // 22 mesh
};

static constexpr Layout kStablehloTypes[] = {
    {""},  // 0 token
    {"T"}, // 1 future
};

static constexpr Layout kChloAttributes[] = {
    {"v"}, // 0 comparison direction
    {"v"}, // 1 comparison type
};

static constexpr Layout kSdyAttributes[] = {
    {"A"},        // 0 manual axes
    {"gs"},       // 1 axis of a mesh
    {"AS"},       // 2 mesh
    {"ss"},       // 3 sub-axis
    {"gp"},       // 4 axis reference
    {"Afn"},      // 5 sharding of a dimension
    {"aAA"},      // 6 sharding
    {"A"},        // 7 shardings of values
    {"S"},        // 8 factors of a dimension
    {"A"},        // 9 factors of a tensor
    {"SAASSSSf"}, // 10 sharding rule of an op
    {"A"},        // 11 list of axis references
    {"A"},        // 12 list of such lists
    {"Ass"},      // 13 all-to-all parameters
    {"A"},        // 14 list of all-to-all parameters
    {"aAAA"},     // 15 sharding with unreduced axes
    {"A"},        // 16 shardings of values with unreduced axes
    {"aAAAs"},    // 17 sharding with unreduced axes and their reduction
};

unsigned Element::storageBits() const {
  if (kind == Complex)
    return 2 * Element{Integer, bits}.storageBits();
  return bits == 1 ? 1 : alignTo<8>(bits);
}

ArrayRef<Layout> attributeLayouts(StringRef dialect) {
  return StringSwitch<ArrayRef<Layout>>(dialect)
      .Case("builtin", kBuiltinAttributes)
      .Case("vhlo", kVhloAttributes)
      .Case("stablehlo", kStablehloAttributes)
      .Case("chlo", kChloAttributes)
      .Case("sdy", kSdyAttributes)
      .Default({});
}

ArrayRef<Layout> typeLayouts(StringRef dialect) {
  return StringSwitch<ArrayRef<Layout>>(dialect)
      .Case("builtin", kBuiltinTypes)
      .Case("vhlo", kVhloTypes)
      .Case("stablehlo", kStablehloTypes)
      .Default({});
}

Element vhloElement(uint64_t code) {
  switch (code) {
  case 0:
    return {Element::Integer, 1};
  case 31:
  case 32:
    return {Element::Integer, 2};
  case 10:
  case 15:
    return {Element::Integer, 4};
  case 11:
  case 16:
    return {Element::Integer, 8};
  case 12:
  case 17:
    return {Element::Integer, 16};
  case 13:
  case 18:
    return {Element::Integer, 32};
  case 9:
  case 14:
  case 19:
    return {Element::Integer, 64};
  case 37:
    return {Element::Float, 4};
  case 38:
  case 39:
    return {Element::Float, 6};
  case 6:
  case 7:
  case 27:
  case 28:
  case 29:
  case 35:
  case 36:
  case 40:
    return {Element::Float, 8};
  case 2:
  case 3:
    return {Element::Float, 16};
  case 34:
    return {Element::Float, 19};
  case 4:
    return {Element::Float, 32};
  case 5:
    return {Element::Float, 64};
  default:
    return {};
  }
}

} // namespace xlac::bytecode
