// Types and constant elements from MLIR to the plain C++ of lib/ops, and back.
#ifndef XLAC_DIALECT_STABLEHLO_TYPECONVERSION_H
#define XLAC_DIALECT_STABLEHLO_TYPECONVERSION_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/TypeRange.h"
#include "xlac/ops/attributes.h"
#include "xlac/support/tensor_type.h"

#include <optional>

namespace xlac {

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

/// Constant elements as plain data, in the buffer layout of
/// support/element_type.h; nothing where the attribute or type is none that
/// StableHLO has. The bytes are copied.
std::optional<ops::DenseElements> readElements(mlir::Attribute attribute);

/// The DenseElementsAttr of `elements`.
mlir::Attribute writeElements(const ops::DenseElements &elements,
                              mlir::MLIRContext *context);

} // namespace xlac

#endif
