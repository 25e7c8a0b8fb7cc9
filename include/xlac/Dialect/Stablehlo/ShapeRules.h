// Connects MLIR to the shape rules of lib/ops: verifiers and type inference of
// the stablehlo and chlo dialects. The rules themselves are in lib/ops.
#ifndef XLAC_DIALECT_STABLEHLO_SHAPERULES_H
#define XLAC_DIALECT_STABLEHLO_SHAPERULES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"
#include "xlac/Dialect/Stablehlo/AttributeConversion.h"
#include "xlac/Dialect/Stablehlo/TypeConversion.h"
#include "xlac/ops/infer.h"

#include <optional>

namespace xlac {

/// Checks operands, attributes, regions and declared result types of `op`
/// against its shape rule. Emits an error that names the label of the violated
/// constraint.
mlir::LogicalResult verifyWithShapeRule(mlir::Operation *op);

/// Returns the result types of `op` by its shape rule, which takes sizes from
/// the operand types, from constant operands and from the declared result
/// types. `op` must have a shape rule. Emits an error on `op` if its operands
/// break the rule.
mlir::FailureOr<llvm::SmallVector<mlir::Type>>
refinedResultTypes(mlir::Operation *op);

/// Infers the result types of the op called `name`, such as "stablehlo.add",
/// with its shape rule. Reports errors at `location` if it is set.
mlir::LogicalResult inferWithShapeRule(
    mlir::MLIRContext *context, std::optional<mlir::Location> location,
    llvm::StringRef name, mlir::ValueRange operands, AttributeLookup attributes,
    mlir::RegionRange regions, llvm::SmallVectorImpl<mlir::Type> &types);

/// Implements inferReturnTypes of `OpTy`. Reads the attributes one by one from
/// the properties if there are any. A dictionary of all attributes would have
/// to be built and uniqued for each new op.
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

/// Returns the kind of a stablehlo, chlo or func op, or nothing for other ops.
std::optional<ops::OpKind> opKind(mlir::OperationName name);

/// Returns the inherent attributes of `op` as plain data. Fails, with an error
/// on the op, if an attribute has no plain form.
mlir::FailureOr<ops::OpAttributes> readAttributes(mlir::Operation *op);

} // namespace xlac

#endif
