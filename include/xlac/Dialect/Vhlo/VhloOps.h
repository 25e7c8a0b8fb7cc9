// Facts about the ops of portable artifacts, generated from the op table. Each
// op except func_v1 is one version of a StableHLO op.
#ifndef XLAC_DIALECT_VHLO_OPS_H
#define XLAC_DIALECT_VHLO_OPS_H

#include "xlac/Dialect/Vhlo/Version.h"

#include "mlir/IR/Operation.h"

namespace xlac::vhlo {

/// StableHLO attributes whose fields are separate attributes in vhlo.
#define XLAC_VHLO_SPREADS
#include "xlac/Dialect/Vhlo/VhloOps.inc"
#undef XLAC_VHLO_SPREADS

/// Form of the StableHLO attribute if the vhlo attribute has a simpler one.
enum class AttributeForm : uint8_t {
  Value,      ///< the converted value itself
  Integers,   ///< array<i64>; a tensor in vhlo
  Booleans,   ///< array<i1>; a tensor in vhlo
  Unit,       ///< present or absent; a boolean in vhlo
  Symbol,     ///< @name; a string in vhlo
  Symbols,    ///< [@name …]; strings in vhlo
  ApiVersion, ///< an i32; an enum in vhlo
  Field,      ///< a field of a flattened attribute
  Retired,    ///< none: newer forms lack the attribute
};

struct AttributeFacts {
  const char *name;
  const char *source; ///< the StableHLO op's attribute
  AttributeForm form;
  FlattenedAttribute spread; ///< kind of `source`, for fields
  uint8_t field;             ///< number of the field in it
  bool optional;             ///< the StableHLO op may lack the attribute
};

struct OpFacts {
  const char *name;   ///< "all_gather_v1"
  const char *source; ///< "stablehlo.all_gather"
  Version since;
  Version until; ///< the first version without this form
  llvm::ArrayRef<AttributeFacts> attributes;
  uint8_t regions;
  bool variadicRegions;
  bool oneValue; ///< has one operand and one result
  bool terminator;
};

/// Every op of the dialect.
llvm::ArrayRef<OpFacts> allOps();

/// Returns the facts of an op such as "vhlo.all_gather_v1", or null.
const OpFacts *findOp(llvm::StringRef name);

/// Returns the facts of the form of an op such as "stablehlo.all_gather" at
/// `version`, or null if there is none. kCurrentVersion gives the newest form.
const OpFacts *findForm(llvm::StringRef source, Version version);

/// The largest number of attributes of an op.
inline constexpr size_t kMaxAttributes = 20;

/// An op's attributes in the order of its facts.
using AttributeValues = std::array<mlir::Attribute, kMaxAttributes>;

/// Returns the attributes of a vhlo op, as many as its facts list.
llvm::MutableArrayRef<mlir::Attribute> attributesOf(mlir::Operation *op,
                                                    const OpFacts &facts);

} // namespace xlac::vhlo

#endif
