// What the parts of emitScalarOp share: one operation as its handler sees it,
// and the table of handlers by kind of type.
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

/// One elementwise op under emission. `type` is the element type of the operand
/// that decides how it computes; `result` that of its result.
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

/// Each returns nullopt for an op that has no meaning on its types. Results of
/// the float functions are not yet rounded to narrow types, nor are those of
/// the integer functions wrapped to sub-byte ones.
std::optional<Element> emitIntegerOp(const ScalarCall &call);
std::optional<Element> emitFloatOp(const ScalarCall &call);
std::optional<Element> emitComplexOp(const ScalarCall &call);

/// Lanes of an integer or boolean compared.
Num compareIntegers(Comparison direction, bool isUnsigned, Num a, Num b);
Num compareFloats(Comparison direction, Num a, Num b);
/// IEEE total order: -NaN < -inf < … < -0 < +0 < … < +inf < +NaN.
Num compareTotalOrder(Comparison direction, Num a, Num b);

/// Direction and order of a compare op of either dialect.
struct CompareAttributes {
  Comparison direction;
  bool totalOrder;
};
std::optional<CompareAttributes> compareAttributes(mlir::Operation *op);

/// True for uiN and i1.
bool isUnsignedInteger(mlir::Type type);
/// Bits of one part of `type` as the op sees it (4 for i4).
unsigned bitWidth(mlir::Type type);

} // namespace xlac::codegen

#endif
