// Shared declarations of emitScalarOp's parts: the op being emitted, and one
// handler for each kind of type.
#ifndef XLAC_LIB_CODEGEN_SCALAROPSINTERNAL_H
#define XLAC_LIB_CODEGEN_SCALAROPSINTERNAL_H

#include "Element/Element.h"
#include "Math/VectorMath.h"
#include "ScalarEmitter.h"

#include "xlac/ops/op.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace xlac::codegen {

/// Direction of stablehlo.compare.
enum class Comparison { EQ, NE, GE, GT, LE, LT };

/// The elementwise op being emitted. `type` is the element type of the operand
/// that determines how it computes; `result` is the element type of its result.
struct ScalarCall {
  ScalarEmitter &emitter;
  mlir::Operation *op;
  ops::OpKind kind;
  llvm::StringRef name; ///< without the dialect
  mlir::Type type;
  mlir::Type result;
  llvm::ArrayRef<Element> operands;

  Num real(unsigned i) const { return {&emitter, operands[i].real}; }
  Num imag(unsigned i) const { return {&emitter, operands[i].imag}; }
};

/// Each returns nullopt for an op that is undefined on its types. Float results
/// are not yet rounded to narrow types, and integer results not yet wrapped to
/// sub-byte types.
std::optional<Element> emitIntegerOp(const ScalarCall &call);
std::optional<Element> emitFloatOp(const ScalarCall &call);
std::optional<Element> emitComplexOp(const ScalarCall &call);

/// Compares integer or boolean lanes.
Num compareIntegers(Comparison direction, bool isUnsigned, Num a, Num b);
Num compareFloats(Comparison direction, Num a, Num b);
/// Compares in IEEE total order: -NaN < -inf < … < -0 < +0 < … < +inf < +NaN.
Num compareTotalOrder(Comparison direction, Num a, Num b);

/// Direction and order of a compare op of either dialect.
struct CompareAttributes {
  Comparison direction;
  bool totalOrder;
};
std::optional<CompareAttributes> compareAttributes(mlir::Operation *op);

/// Returns true for uiN and i1.
bool isUnsignedInteger(mlir::Type type);
/// Returns the width of one part of `type` as the op sees it (4 for i4).
unsigned bitWidth(mlir::Type type);

} // namespace xlac::codegen

#endif
