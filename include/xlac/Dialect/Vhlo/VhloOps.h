// The ops of portable artifacts as facts, made from the table of ops. Each is a
// StableHLO op in one of the forms it has had, except func_v1.
#ifndef XLAC_DIALECT_VHLO_OPS_H
#define XLAC_DIALECT_VHLO_OPS_H

#include "xlac/Dialect/Vhlo/Version.h"

#include "mlir/IR/Operation.h"

namespace xlac::vhlo {

/// Attributes of StableHLO whose fields are attributes here.
#define XLAC_VHLO_SPREADS
#include "xlac/Dialect/Vhlo/VhloOps.inc"
#undef XLAC_VHLO_SPREADS

/// What the StableHLO op holds where the artifact has a plainer value.
enum class AttributeForm : uint8_t {
  Value,      ///< what the value is by itself
  Integers,   ///< array<i64>, here a tensor
  Booleans,   ///< array<i1>, here a tensor
  Unit,       ///< there or not, here a boolean
  Symbol,     ///< @name, here a string
  Symbols,    ///< [@name …], here strings
  ApiVersion, ///< an i32, here an enum
  Field,      ///< a field of a spread attribute
  Retired,    ///< nothing: later forms lack it
};

struct AttributeFacts {
  const char *name;
  const char *source; ///< the StableHLO op's attribute
  AttributeForm form;
  FlattenedAttribute spread; ///< what `source` is, for fields
  uint8_t field;             ///< which field of it
  bool optional;             ///< the StableHLO op may lack it
};

struct OpFacts {
  const char *name;   ///< "all_gather_v1"
  const char *source; ///< "stablehlo.all_gather"
  Version since;
  Version until; ///< the first version without it
  llvm::ArrayRef<AttributeFacts> attributes;
  uint8_t regions;
  bool variadicRegions;
  bool oneValue; ///< one operand, one result
  bool terminator;
};

/// Every op of the dialect.
llvm::ArrayRef<OpFacts> allOps();

/// Facts of "vhlo.all_gather_v1", or null.
const OpFacts *findOp(llvm::StringRef name);

/// Facts of the form that "stablehlo.all_gather" has at `version`: null where
/// it has none. kCurrentVersion gives the newest form.
const OpFacts *findForm(llvm::StringRef source, Version version);

/// The most attributes an op has.
inline constexpr size_t kMaxAttributes = 20;

/// An op's attributes in the order of its facts.
using AttributeValues = std::array<mlir::Attribute, kMaxAttributes>;

/// The attributes of an op of this dialect, as many as its facts name.
llvm::MutableArrayRef<mlir::Attribute> attributesOf(mlir::Operation *op,
                                                    const OpFacts &facts);

} // namespace xlac::vhlo

#endif
