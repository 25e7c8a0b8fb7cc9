// The meaning of every elementwise StableHLO and CHLO op on lanes: integers,
// floats and complex numbers of all types become LLVM IR without calls, but for
// rare functions that go lane by lane through the services of xlac_ctx. Shapes
// and indices are not known here; ElementEmitter.h deals with those.
#ifndef XLAC_LIB_CODEGEN_SCALAROPS_H
#define XLAC_LIB_CODEGEN_SCALAROPS_H

#include "Element/Element.h"
#include "ScalarEmitter.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace xlac::codegen {

/// True if emitScalarOp knows the kind of `op` (its types may still be
/// refused).
bool isScalarOp(mlir::Operation *op);

/// Result of elementwise op `op` on one element of each operand. Operands and
/// result follow the conventions of Element for the op's own element types; a
/// scalar predicate or bound (select, clamp) must already be spread to all
/// lanes. Fails, naming op and types, where the combination has no meaning or
/// no code.
llvm::Expected<Element> emitScalarOp(ScalarEmitter &emitter,
                                     mlir::Operation *op,
                                     llvm::ArrayRef<Element> operands);

/// `element` of type `from` as type `to`, with the meaning of
/// stablehlo.convert.
llvm::Expected<Element> emitConversion(ScalarEmitter &emitter, mlir::Type from,
                                       mlir::Type to, Element element);

/// `element`, computed in the type it travels as, brought back into the values
/// of `type`: halves and narrower floats rounded to nearest even, sub-byte
/// integers wrapped. Others are returned as they are.
Element roundToType(ScalarEmitter &emitter, mlir::Type type, Element element);

/// A float lane (f32) as the bits of a half, bfloat16 or narrower float
/// (integer of that width, at least i8), rounded to nearest even; and the way
/// back.
llvm::Value *encodeNarrowFloat(ScalarEmitter &emitter, mlir::FloatType type,
                               llvm::Value *value);
llvm::Value *decodeNarrowFloat(ScalarEmitter &emitter, mlir::FloatType type,
                               llvm::Value *bits);

/// The LLVM type that one part (real or imaginary) of `type` travels as, in
/// `width` lanes; null for types that no lane can hold.
llvm::Type *laneType(llvm::LLVMContext &context, mlir::Type type,
                     unsigned width);

/// The same constant in all lanes; `value` is an IntegerAttr, FloatAttr, or an
/// ArrayAttr of two FloatAttr for complex types.
Element constantElement(ScalarEmitter &emitter, mlir::Type type,
                        mlir::Attribute value);

} // namespace xlac::codegen

#endif
