// Where MLIR meets the shape rules of lib/ops: verifiers and type inference of
// the stablehlo and chlo dialects. Nothing here knows a rule itself.
#ifndef XLAC_DIALECT_STABLEHLO_SHAPERULES_H
#define XLAC_DIALECT_STABLEHLO_SHAPERULES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"
#include "xlac/Dialect/Stablehlo/AttributeConversion.h"
#include "xlac/Dialect/Stablehlo/TypeConversion.h"
#include "xlac/ops/infer.h"

#include <optional>

namespace xlac {

/// Checks `op` against its shape rule: operands, attributes, regions and
/// declared result types. Emits an error that names the constraint's label.
mlir::LogicalResult verifyWithShapeRule(mlir::Operation *op);

/// The result types that the shape rule of the op called `name`
/// ("stablehlo.add") gives. Reports at `location` where there is one.
mlir::LogicalResult inferWithShapeRule(
    mlir::MLIRContext *context, std::optional<mlir::Location> location,
    llvm::StringRef name, mlir::ValueRange operands, AttributeLookup attributes,
    mlir::RegionRange regions, llvm::SmallVectorImpl<mlir::Type> &types);

/// inferReturnTypes of `OpTy`. Attributes are read from the properties where
/// there are any, one by one: a dictionary of all of them would be made and
/// uniqued for each op that is built.
template <class OpTy>
mlir::LogicalResult
inferWithShapeRule(mlir::MLIRContext *context,
                   std::optional<mlir::Location> location,
                   mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                   mlir::OpaqueProperties properties, mlir::RegionRange regions,
                   llvm::SmallVectorImpl<mlir::Type> &types) {
  auto lookUp = [&](llvm::StringRef name) -> mlir::Attribute {
    if constexpr (OpTy::hasProperties())
      if (properties)
        return OpTy::getInherentAttr(
                   context, *properties.as<typename OpTy::Properties *>(), name)
            .value_or(nullptr);
    return attributes ? attributes.get(name) : nullptr;
  };
  return inferWithShapeRule(context, location, OpTy::getOperationName(),
                            operands, lookUp, regions, types);
}

/// The kind of a stablehlo, chlo or func op; nothing for others.
std::optional<ops::OpKind> opKind(mlir::OperationName name);

/// The inherent attributes of `op` as plain data. Fails, with an error at the
/// op, where one has no plain form.
mlir::FailureOr<ops::OpAttributes> readAttributes(mlir::Operation *op);

} // namespace xlac

#endif
