// The stablehlo dialect in C++: ops, attributes and types, generated from
// lib/ops/StablehloOps.td. Parsing is total: what the text says is either an op
// that the verifier has seen or a diagnostic.
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

/// Whether a tensor may hold elements of `type`: integers of 1, 2, 4 … 64 bits
/// (signless or unsigned), floats of 4 … 64 bits, complex of f32 and f64,
/// quantized.
bool isElementType(mlir::Type type);

/// A ranked tensor of an element type, or of `index`.
bool isTensor(mlir::Type type);

/// A ranked tensor of integers or `index`, such as a shape.
bool isDimensionTensor(mlir::Type type);

/// Whatever an op may pass on: tensor, token, tuple, future.
bool isValue(mlir::Type type);

/// Each element of a result comes of the operands' elements at its place.
/// Unlike MLIR's trait of this name it verifies nothing: the shape rule does,
/// and names the constraint.
template <class ConcreteOp>
struct Elementwise : mlir::OpTrait::TraitBase<ConcreteOp, Elementwise> {};

} // namespace xlac::stablehlo

#define GET_OP_CLASSES
#include "xlac/Dialect/Stablehlo/StablehloOps.h.inc"

#endif
