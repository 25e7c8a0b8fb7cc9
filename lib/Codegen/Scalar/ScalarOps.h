// Lowers every elementwise StableHLO and CHLO op on lanes of integers, floats
// and complex numbers to LLVM IR without calls. A few rare functions call the
// services of xlac_ctx lane by lane. ElementEmitter.h handles shapes and
// indices.
#ifndef XLAC_LIB_CODEGEN_SCALAROPS_H
#define XLAC_LIB_CODEGEN_SCALAROPS_H

#include "Element/Element.h"
#include "ScalarEmitter.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace xlac::codegen {

/// Returns whether emitScalarOp supports the kind of `op`. It may still reject
/// the types.
bool isScalarOp(mlir::Operation *op);

/// Returns the result of the elementwise op `op` on one element of each
/// operand. Operands and result follow the conventions of Element for the op's
/// own element types. A scalar predicate or bound (select, clamp) must be
/// broadcast to all lanes. Fails, naming op and types, for an unsupported
/// combination.
llvm::Expected<Element> emitScalarOp(ScalarEmitter &emitter,
                                     mlir::Operation *op,
                                     llvm::ArrayRef<Element> operands);

/// Converts `element` from type `from` to type `to` like stablehlo.convert.
llvm::Expected<Element> emitConversion(ScalarEmitter &emitter, mlir::Type from,
                                       mlir::Type to, Element element);

/// Rounds `element`, computed in the type that represents it, to the values of
/// `type`. Floats of 16 bits and fewer are rounded to nearest even; sub-byte
/// integers wrap. Other elements are returned unchanged.
Element roundToType(ScalarEmitter &emitter, mlir::Type type, Element element);

/// Converts a float lane (f32) to the bits of an f16, bf16 or narrower float,
/// rounded to nearest even, and back. The bits are an integer of that width, at
/// least i8.
llvm::Value *encodeNarrowFloat(ScalarEmitter &emitter, mlir::FloatType type,
                               llvm::Value *value);
llvm::Value *decodeNarrowFloat(ScalarEmitter &emitter, mlir::FloatType type,
                               llvm::Value *bits);

/// Returns the LLVM type that represents one part (real or imaginary) of `type`
/// in `width` lanes, or null if the type is not supported.
llvm::Type *laneType(llvm::LLVMContext &context, mlir::Type type,
                     unsigned width);

/// Returns a constant in all lanes. `value` is an IntegerAttr, a FloatAttr, or
/// an ArrayAttr of two FloatAttr for complex types.
Element constantElement(ScalarEmitter &emitter, mlir::Type type,
                        mlir::Attribute value);

} // namespace xlac::codegen

#endif
