// Converts the attributes of an op between StableHLO and the forms of portable
// artifacts. The op's facts list the attributes; this file defines the values
// of attributes that StableHLO omits.
#ifndef XLAC_IMPORT_VHLO_ATTRIBUTES_H
#define XLAC_IMPORT_VHLO_ATTRIBUTES_H

#include "xlac/Dialect/Vhlo/VhloDialect.h"
#include "xlac/Dialect/Vhlo/VhloOps.h"

#include "mlir/IR/Builders.h"

namespace xlac {

/// A memoized conversion of attributes: many ops may share one large attribute.
class RememberedConversion {
public:
  /// `convert` returns null if it cannot convert an attribute.
  explicit RememberedConversion(mlir::Attribute (*convert)(mlir::Attribute))
      : convert(convert) {}

  mlir::Attribute operator()(mlir::Attribute attribute);

private:
  mlir::Attribute (*convert)(mlir::Attribute);
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> known;
};

/// Properties of an op that determine the defaults of its attributes.
struct DefaultsOf {
  mlir::MLIRContext *context;
  int64_t windowRank = 0; ///< dimensions of its window
  bool typedFfi = false;  ///< a custom call with a dictionary as configuration

  /// For a StableHLO op.
  explicit DefaultsOf(mlir::Operation *op);
  /// For an op that is to be created: its StableHLO name, the StableHLO type of
  /// its first operand and, for a custom call, its API version.
  DefaultsOf(mlir::MLIRContext *context, llvm::StringRef source,
             mlir::Type firstOperand, mlir::Attribute apiVersion);
};

/// Returns the value that an artifact stores if StableHLO omits the attribute,
/// or null if the attribute is required.
mlir::Attribute defaultValue(const vhlo::AttributeFacts &facts,
                             const DefaultsOf &defaults);

/// Returns the attributes of the newest form of a StableHLO or func op, in the
/// order of its facts. Emits an error on the op if one cannot be converted.
llvm::FailureOr<llvm::SmallVector<mlir::Attribute>>
attributesToVhlo(mlir::Operation *op, const vhlo::OpFacts &newest,
                 RememberedConversion &toVhlo);

/// Converts the attributes of the newest form to those of the StableHLO op,
/// without defaults. Emits an error at `location` if one is invalid.
llvm::LogicalResult attributesToStablehlo(
    mlir::Location location, const vhlo::OpFacts &newest,
    llvm::ArrayRef<mlir::Attribute> values, const DefaultsOf &defaults,
    RememberedConversion &toStablehlo, mlir::NamedAttrList &attributes);

} // namespace xlac

#endif
