// The attributes of an op between StableHLO and the forms that portable
// artifacts have had: which there are is in the op's facts, what they are when
// StableHLO leaves them out is here.
#ifndef XLAC_IMPORT_VHLO_ATTRIBUTES_H
#define XLAC_IMPORT_VHLO_ATTRIBUTES_H

#include "xlac/Dialect/Vhlo/VhloDialect.h"
#include "xlac/Dialect/Vhlo/VhloOps.h"

#include "mlir/IR/Builders.h"

namespace xlac {

/// A conversion of attributes that remembers what it made of each: many ops may
/// share one large attribute.
class RememberedConversion {
public:
  /// `convert` gives null for what it cannot convert.
  explicit RememberedConversion(mlir::Attribute (*convert)(mlir::Attribute))
      : convert(convert) {}

  mlir::Attribute operator()(mlir::Attribute attribute);

private:
  mlir::Attribute (*convert)(mlir::Attribute);
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> known;
};

/// What the default values of an op's attributes depend on.
struct DefaultsOf {
  mlir::MLIRContext *context;
  int64_t windowRank = 0; ///< dimensions that its window has
  bool typedFfi = false;  ///< a custom call that takes a dictionary

  /// Of a StableHLO op.
  explicit DefaultsOf(mlir::Operation *op);
  /// Of an op to be, by its StableHLO name, its first operand's StableHLO type
  /// and, for a custom call, its convention.
  DefaultsOf(mlir::MLIRContext *context, llvm::StringRef source,
             mlir::Type firstOperand, mlir::Attribute apiVersion);
};

/// What an artifact holds where StableHLO has nothing, or null where it must
/// have something.
mlir::Attribute defaultValue(const vhlo::AttributeFacts &facts,
                             const DefaultsOf &defaults);

/// The attributes of the newest form of a StableHLO or func op, in the order of
/// its facts. Emits an error at the op where one cannot be had.
llvm::FailureOr<llvm::SmallVector<mlir::Attribute>>
attributesToVhlo(mlir::Operation *op, const vhlo::OpFacts &newest,
                 RememberedConversion &toVhlo);

/// The StableHLO op's attributes from those of the newest form, without what is
/// the default. Emits an error at `location` where one makes no sense.
llvm::LogicalResult attributesToStablehlo(
    mlir::Location location, const vhlo::OpFacts &newest,
    llvm::ArrayRef<mlir::Attribute> values, const DefaultsOf &defaults,
    RememberedConversion &toStablehlo, mlir::NamedAttrList &attributes);

} // namespace xlac

#endif
