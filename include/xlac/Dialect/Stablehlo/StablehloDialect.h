// The stablehlo dialect in C++: ops, attributes and types, generated from
// lib/ops/StablehloOps.td. Parsing any text gives either verified ops or a
// diagnostic.
#ifndef XLAC_DIALECT_STABLEHLO_STABLEHLODIALECT_H
#define XLAC_DIALECT_STABLEHLO_STABLEHLODIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h.inc"
#include "xlac/Dialect/Stablehlo/StablehloEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Stablehlo/StablehloAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "xlac/Dialect/Stablehlo/StablehloTypes.h.inc"

namespace xlac::stablehlo {

/// Returns whether `type` is a valid element type: an integer of 1, 2, 4 … 64
/// bits (signless or unsigned), a float of 4 … 64 bits, complex of f32 or f64,
/// or a quantized type.
bool isElementType(mlir::Type type);

/// Returns whether `type` is a ranked tensor of an element type or of `index`.
bool isTensor(mlir::Type type);

/// Returns whether `type` is a ranked tensor of integers or of `index`, such as
/// a shape.
bool isDimensionTensor(mlir::Type type);

/// Returns whether `type` is a valid type of an operand or result: tensor,
/// token, tuple or future.
bool isValue(mlir::Type type);

/// Marks ops that compute each result element from the operand elements at the
/// same index. Unlike MLIR's trait of this name, it verifies nothing: the shape
/// rule does, and its errors name the constraint.
template <class ConcreteOp>
struct Elementwise : mlir::OpTrait::TraitBase<ConcreteOp, Elementwise> {};

} // namespace xlac::stablehlo

#define GET_OP_CLASSES
#include "xlac/Dialect/Stablehlo/StablehloOps.h.inc"

#endif
