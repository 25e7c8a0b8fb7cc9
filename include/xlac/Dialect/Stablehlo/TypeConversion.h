// Converts types and constant elements between MLIR and the plain C++ of
// lib/ops.
#ifndef XLAC_DIALECT_STABLEHLO_TYPECONVERSION_H
#define XLAC_DIALECT_STABLEHLO_TYPECONVERSION_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/TypeRange.h"
#include "xlac/ops/attributes.h"
#include "xlac/support/tensor_type.h"

#include <optional>

namespace xlac {

/// Returns whether a value may be declared as `declared` if the shape rule
/// infers `inferred`: the types are equal, or tensors with one element type
/// whose static sizes agree.
bool areCompatibleTypes(mlir::TypeRange inferred, mlir::TypeRange declared);

/// The same for constants. A constant of a quantized type holds elements of the
/// storage type.
bool areCompatibleConstants(mlir::TypeRange inferred, mlir::TypeRange declared);

/// Returns the plain type, or nothing if StableHLO has none (such as memrefs).
/// Index tensors become i64.
std::optional<Type> convertType(mlir::Type type);

/// Returns the MLIR type of a plain type.
mlir::Type convertType(const Type &type, mlir::MLIRContext *context);

/// Returns constant elements as plain data in the buffer layout of
/// support/element_type.h, or nothing if StableHLO does not have the attribute
/// or its type. Copies the bytes.
std::optional<ops::DenseElements> readElements(mlir::Attribute attribute);

/// Returns the DenseElementsAttr of `elements`.
mlir::Attribute writeElements(const ops::DenseElements &elements,
                              mlir::MLIRContext *context);

} // namespace xlac

#endif
