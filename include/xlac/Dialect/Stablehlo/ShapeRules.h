// Where MLIR meets the shape rules of lib/ops: verifiers and type inference of
// the stablehlo and chlo dialects, and the conversion of types, attributes and
// op kinds between MLIR and the plain C++ of lib/ops. Nothing here knows a
// rule itself.
#ifndef XLAC_DIALECT_STABLEHLO_SHAPERULES_H
#define XLAC_DIALECT_STABLEHLO_SHAPERULES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"
#include "xlac/ops/infer.h"
#include "xlac/support/tensor_type.h"

#include <optional>

namespace xlac {

/// Checks `op` against its shape rule: operands, attributes, regions and
/// declared result types. Emits an error that names the constraint's label.
mlir::LogicalResult verifyWithShapeRule(mlir::Operation *op);

/// Finds an inherent attribute of an op by its name; null where it is absent.
using AttributeLookup = llvm::function_ref<mlir::Attribute(llvm::StringRef)>;

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

/// True if `declared` may stand where a shape rule gives `inferred`: equal, or
/// tensors of one element type whose known sizes agree.
bool areCompatibleTypes(mlir::TypeRange inferred, mlir::TypeRange declared);

/// The same for constants, which hold the elements of a quantized type as their
/// storage type.
bool areCompatibleConstants(mlir::TypeRange inferred, mlir::TypeRange declared);

/// The plain type; nothing where StableHLO has none (memrefs, index tensors
/// become i64).
std::optional<Type> convertType(mlir::Type type);

/// The MLIR type of a plain type.
mlir::Type convertType(const Type &type, mlir::MLIRContext *context);

/// The kind of a stablehlo, chlo or func op; nothing for others.
std::optional<ops::OpKind> opKind(mlir::OperationName name);

/// The inherent attributes of `op` as plain data. Fails, with an error at the
/// op, where one has no plain form.
mlir::FailureOr<ops::OpAttributes> readAttributes(mlir::Operation *op);

/// Appends the MLIR form of `attributes` to `list`; members that hold their
/// default are left out where the op lets them be.
void writeAttributes(ops::OpKind kind, const ops::OpAttributes &attributes,
                     mlir::MLIRContext *context, mlir::NamedAttrList &list);

/// Constant elements as plain data, in the buffer layout of
/// support/element_type.h; nothing where the attribute or type is none that
/// StableHLO has. The bytes are copied.
std::optional<ops::DenseElements> readElements(mlir::Attribute attribute);

/// The DenseElementsAttr of `elements`.
mlir::Attribute writeElements(const ops::DenseElements &elements,
                              mlir::MLIRContext *context);

} // namespace xlac

#endif
