// Types, constants and dispatch of the scalar ops.
#include "ScalarOps.h"
#include "Bfloat16.h"
#include "ScalarOpsInternal.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/ops/elementwise.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/IR/Constants.h"

namespace xlac::codegen {

using llvm::Type;
using llvm::Value;

bool isUnsignedInteger(mlir::Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

unsigned bitWidth(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return bitWidth(complex.getElementType());
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

Type *laneType(llvm::LLVMContext &context, mlir::Type type, unsigned width) {
  Type *scalar = nullptr;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    type = complex.getElementType();
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type)) {
    unsigned bits = integer.getWidth();
    if (bits == 1 || (bits >= 8 && bits <= 64 && llvm::isPowerOf2_32(bits)))
      scalar = Type::getIntNTy(context, bits);
    else if (bits == 2 || bits == 4)
      scalar = Type::getInt8Ty(context);
  } else if (type.isIndex()) {
    scalar = Type::getInt64Ty(context);
  } else if (type.isF64()) {
    scalar = Type::getDoubleTy(context);
  } else if (type.isF32() || (llvm::isa<mlir::FloatType>(type) &&
                              type.getIntOrFloatBitWidth() <= 16)) {
    scalar = Type::getFloatTy(context);
  }
  if (!scalar || width == 1)
    return scalar;
  return llvm::FixedVectorType::get(scalar, width);
}

Element roundToType(ScalarEmitter &emitter, mlir::Type type, Element element) {
  llvm::IRBuilder<> &ir = emitter.ir;
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type)) {
    unsigned bits = integer.getWidth();
    if (bits != 2 && bits != 4)
      return element;
    Type *lane = element.real->getType();
    if (integer.isUnsigned())
      return {ir.CreateAnd(element.real,
                           llvm::ConstantInt::get(lane, (1u << bits) - 1))};
    return {ir.CreateAShr(ir.CreateShl(element.real, 8 - bits), 8 - bits)};
  }
  auto narrowFloat = llvm::dyn_cast<mlir::FloatType>(type);
  if (!narrowFloat || narrowFloat.getWidth() > 16)
    return element;
  Num x{&emitter, element.real};
  if (type.isBF16())
    return {roundToBfloat(x).value};
  Value *code = encodeNarrowFloat(emitter, narrowFloat, element.real);
  return {decodeNarrowFloat(emitter, narrowFloat, code)};
}

Element constantElement(ScalarEmitter &emitter, mlir::Type type,
                        mlir::Attribute value) {
  llvm::LLVMContext &context = emitter.ir.getContext();
  Type *lane = laneType(context, type, emitter.width);
  assert(lane && "constants are of types that lanes hold");
  auto part = [&](mlir::Attribute attribute) -> Value * {
    if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute)) {
      unsigned bits = lane->getScalarSizeInBits();
      llvm::APInt integer = number.getValue();
      integer = isUnsignedInteger(type) ? integer.zextOrTrunc(bits)
                                        : integer.sextOrTrunc(bits);
      return llvm::ConstantInt::get(lane, integer);
    }
    llvm::APFloat number = llvm::cast<mlir::FloatAttr>(attribute).getValue();
    // APFloat converts f8E8M0FNU's NaN to an infinity that claims to be a NaN.
    if (number.isNaN() && bitWidth(type) <= 8)
      return llvm::ConstantFP::getNaN(lane, number.isNegative());
    bool lost;
    number.convert(lane->getScalarType()->getFltSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &lost);
    return llvm::ConstantFP::get(lane, number);
  };
  if (auto parts = llvm::dyn_cast<mlir::ArrayAttr>(value))
    return {part(parts[0]), part(parts[1])};
  Value *real = part(value);
  if (llvm::isa<mlir::ComplexType>(type))
    return {real, llvm::Constant::getNullValue(lane)};
  return {real};
}

/// Returns the kind of `op` if it is defined on lanes.
static std::optional<ops::OpKind> scalarKind(mlir::Operation *op) {
  std::optional<ops::OpKind> kind = opKind(op->getName());
  if (!kind || op->getNumResults() != 1)
    return std::nullopt;
  const ops::ElementwiseFacts *facts = ops::elementwise_facts(*kind);
  bool known = facts ? facts->has_lanes : *kind == ops::OpKind::BitcastConvert;
  return known ? kind : std::nullopt;
}

bool isScalarOp(mlir::Operation *op) { return scalarKind(op).has_value(); }

/// Returns true if a result of `type` needs no rounding, given rounded
/// operands.
static bool keepsElementType(ops::OpKind kind, mlir::FloatType type) {
  const ops::ElementwiseFacts *facts = ops::elementwise_facts(kind);
  if (!facts)
    return false;
  return facts->rounding == ops::LaneRounding::Never ||
         (facts->rounding == ops::LaneRounding::Bytes && type.getWidth() > 8);
}

static llvm::Error unsupported(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "no code for '" << op->getName() << "' on (";
  llvm::interleaveComma(op->getOperandTypes(), stream);
  stream << ") -> ";
  llvm::interleaveComma(op->getResultTypes(), stream);
  stream << " at " << op->getLoc();
  return llvm::createStringError(text);
}

/// Returns the bits of one element as an integer of the type's width, or null
/// if the type has none. The imaginary part of a complex number is in the upper
/// half.
static Value *rawBits(ScalarEmitter &emitter, mlir::Type type,
                      Element element) {
  llvm::IRBuilder<> &ir = emitter.ir;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    assert(element.imag && "complex numbers have two parts");
    mlir::Type part = complex.getElementType();
    unsigned bits = bitWidth(part);
    Value *low = rawBits(emitter, part, {element.real});
    Value *high = rawBits(emitter, part, {element.imag});
    Type *wide = low->getType()->getWithNewBitWidth(2 * bits);
    return ir.CreateOr(ir.CreateZExt(low, wide),
                       ir.CreateShl(ir.CreateZExt(high, wide), bits));
  }
  if (auto narrowFloat = llvm::dyn_cast<mlir::FloatType>(type)) {
    if (narrowFloat.getWidth() <= 16)
      return encodeNarrowFloat(emitter, narrowFloat, element.real);
    return toBits({&emitter, element.real}).value;
  }
  return element.real;
}

static Element fromRawBits(ScalarEmitter &emitter, mlir::Type type,
                           Value *bits) {
  llvm::IRBuilder<> &ir = emitter.ir;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    mlir::Type part = complex.getElementType();
    unsigned width = bitWidth(part);
    Type *half = bits->getType()->getWithNewBitWidth(width);
    Value *low = ir.CreateTrunc(bits, half);
    Value *high = ir.CreateTrunc(ir.CreateLShr(bits, width), half);
    return {fromRawBits(emitter, part, low).real,
            fromRawBits(emitter, part, high).real};
  }
  if (auto narrowFloat = llvm::dyn_cast<mlir::FloatType>(type)) {
    if (narrowFloat.getWidth() <= 16)
      return {decodeNarrowFloat(emitter, narrowFloat, bits)};
    return {fromBits({&emitter, bits}, type.isF64()).value};
  }
  return roundToType(emitter, type, {bits});
}

static std::optional<Element> emitBitcast(ScalarEmitter &emitter,
                                          mlir::Type from, mlir::Type to,
                                          Element element) {
  unsigned fromBits = bitWidth(from) * (llvm::isa<mlir::ComplexType>(from) + 1);
  unsigned toBits = bitWidth(to) * (llvm::isa<mlir::ComplexType>(to) + 1);
  if (fromBits != toBits)
    return std::nullopt;
  if (from == to)
    return element;
  return fromRawBits(emitter, to, rawBits(emitter, from, element));
}

static Element emitSelect(ScalarEmitter &emitter,
                          llvm::ArrayRef<Element> operands) {
  llvm::IRBuilder<> &ir = emitter.ir;
  assert(operands.size() == 3 && !operands[1].imag == !operands[2].imag &&
         "a select takes a condition and two elements of one type");
  Value *mask = operands[0].real;
  Element result{ir.CreateSelect(mask, operands[1].real, operands[2].real)};
  if (operands[1].imag)
    result.imag = ir.CreateSelect(mask, operands[1].imag, operands[2].imag);
  return result;
}

/// Emits ops that are the same on every type, or convert between kinds of
/// types.
static std::optional<Element> emitGenericOp(const ScalarCall &call) {
  llvm::StringRef name = call.name;
  if (name == "select")
    return emitSelect(call.emitter, call.operands);
  if (name == "complex")
    return Element{call.operands[0].real, call.operands[1].real};
  if (name == "real")
    return Element{call.operands[0].real};
  if (name == "imag" && !call.operands[0].imag)
    // f8E8M0FNU has no zero; its smallest number replaces it.
    return roundToType(call.emitter, call.result, {call.real(0).like(0).value});
  if (name == "imag")
    return Element{call.operands[0].imag};
  if (name == "bitcast_convert")
    return emitBitcast(call.emitter, call.type, call.result, call.operands[0]);
  if (name == "constant_like") {
    mlir::Attribute value = call.op->getAttr("value");
    if (value && llvm::isa<mlir::IntegerAttr, mlir::FloatAttr>(value))
      return constantElement(call.emitter, call.result, value);
  }
  return std::nullopt;
}

llvm::Expected<Element> emitScalarOp(ScalarEmitter &emitter,
                                     mlir::Operation *op,
                                     llvm::ArrayRef<Element> operands) {
  std::optional<ops::OpKind> kind = scalarKind(op);
  if (!kind || op->getNumOperands() != operands.size() || operands.empty())
    return unsupported(op);
  llvm::StringRef name = op->getName().stripDialect();
  bool second = name == "select" || name == "clamp";
  mlir::Type type =
      mlir::getElementTypeOrSelf(op->getOperand(second ? 1 : 0).getType());
  mlir::Type result = mlir::getElementTypeOrSelf(op->getResult(0).getType());
  if (!laneType(emitter.ir.getContext(), type, emitter.width) ||
      !laneType(emitter.ir.getContext(), result, emitter.width))
    return unsupported(op);
  if (name == "convert")
    return emitConversion(emitter, type, result, operands[0]);

  ScalarCall call{emitter, op, *kind, name, type, result, operands};
  std::optional<Element> element = emitGenericOp(call);
  if (element)
    return *element;
  if (llvm::isa<mlir::IntegerType, mlir::IndexType>(type))
    element = emitIntegerOp(call);
  else if (llvm::isa<mlir::FloatType>(type))
    element = emitFloatOp(call);
  else if (llvm::isa<mlir::ComplexType>(type))
    element = emitComplexOp(call);
  if (!element)
    return unsupported(op);
  if (auto real = llvm::dyn_cast<mlir::FloatType>(type))
    if (keepsElementType(*kind, real))
      return *element;
  return roundToType(emitter, result, *element);
}

} // namespace xlac::codegen
