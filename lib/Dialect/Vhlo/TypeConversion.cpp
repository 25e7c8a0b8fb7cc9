#include "xlac/Dialect/Vhlo/Conversion.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace xlac::vhlo {

// Types without parameters in vhlo, and their StableHLO counterparts.
#define XLAC_FLOAT_TYPES(ONE)                                                  \
  ONE(FloatBF16V1, BFloat16)                                                   \
  ONE(FloatF16V1, Float16)                                                     \
  ONE(FloatF32V1, Float32)                                                     \
  ONE(FloatF64V1, Float64)                                                     \
  ONE(FloatTF32V1, FloatTF32)                                                  \
  ONE(FloatF4E2M1FNV1, Float4E2M1FN)                                           \
  ONE(FloatF6E2M3FNV1, Float6E2M3FN)                                           \
  ONE(FloatF6E3M2FNV1, Float6E3M2FN)                                           \
  ONE(FloatF8E3M4V1, Float8E3M4)                                               \
  ONE(FloatF8E4M3V1, Float8E4M3)                                               \
  ONE(FloatF8E4M3FNV1, Float8E4M3FN)                                           \
  ONE(FloatF8E4M3FNUZV1, Float8E4M3FNUZ)                                       \
  ONE(FloatF8E4M3B11FNUZV1, Float8E4M3B11FNUZ)                                 \
  ONE(FloatF8E5M2V1, Float8E5M2)                                               \
  ONE(FloatF8E5M2FNUZV1, Float8E5M2FNUZ)                                       \
  ONE(FloatF8E8M0FNUV1, Float8E8M0FNU)
#define XLAC_OTHER_TYPES(ONE)                                                  \
  ONE(IndexV1, Index)                                                          \
  ONE(NoneV1, None)                                                            \
  ONE(TokenV1, stablehlo::Token)                                               \
  ONE(WitnessV1, shape::Witness)
#define XLAC_INTEGER_TYPES(ONE)                                                \
  ONE(BooleanV1, 1, Signless)                                                  \
  ONE(IntegerSI2V1, 2, Signless)                                               \
  ONE(IntegerSI4V1, 4, Signless)                                               \
  ONE(IntegerSI8V1, 8, Signless)                                               \
  ONE(IntegerSI16V1, 16, Signless)                                             \
  ONE(IntegerSI32V1, 32, Signless)                                             \
  ONE(IntegerSI64V1, 64, Signless)                                             \
  ONE(IntegerUI2V1, 2, Unsigned)                                               \
  ONE(IntegerUI4V1, 4, Unsigned)                                               \
  ONE(IntegerUI8V1, 8, Unsigned)                                               \
  ONE(IntegerUI16V1, 16, Unsigned)                                             \
  ONE(IntegerUI32V1, 32, Unsigned)                                             \
  ONE(IntegerUI64V1, 64, Unsigned)

//===- Lists --------------------------------------------------------------===//

/// Converts each value with `convert`. Returns nothing if one fails.
template <class T, class Range, class Function>
static std::optional<SmallVector<T>> convertEach(Range &&range,
                                                 Function convert) {
  SmallVector<T> result;
  for (auto one : range) {
    auto converted = convert(one);
    if (!converted)
      return std::nullopt;
    result.push_back(converted);
  }
  return result;
}

static std::optional<SmallVector<Type>> eachToStablehlo(ArrayRef<Type> types) {
  return convertEach<Type>(types, [](Type one) { return toStablehlo(one); });
}

static std::optional<SmallVector<Type>> eachToVhlo(ArrayRef<Type> types) {
  return convertEach<Type>(types, [](Type one) { return toVhlo(one); });
}

//===- Types to StableHLO -------------------------------------------------===//

/// Where getChecked reports an invalid type. Bytes have no source location.
static auto reportTo(MLIRContext *context) {
  return [context] { return mlir::emitError(UnknownLoc::get(context)); };
}

static double toDouble(APFloat value) {
  bool lost = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

static bool isShape(ArrayRef<int64_t> shape) {
  return llvm::all_of(shape, [](int64_t size) {
    return size >= 0 || ShapedType::isDynamic(size);
  });
}

static Type convertTensor(RankedTensorV1Type type) {
  Type element = toStablehlo(type.getElementType());
  Attribute encoding;
  if (type.getEncoding() && !(encoding = toStablehlo(type.getEncoding())))
    return {};
  if (!element || !isShape(type.getShape()))
    return {};
  return RankedTensorType::getChecked(reportTo(type.getContext()),
                                      type.getShape(), element, encoding);
}

static Type convertBuffer(RankedBufferV1Type type) {
  Type element = toStablehlo(type.getElementType());
  if (!element || type.getEncoding() || !isShape(type.getShape()) ||
      !BaseMemRefType::isValidElementType(element))
    return {};
  return MemRefType::get(type.getShape(), element);
}

/// Returns whether flags and types of a quantized type are valid in the quant
/// dialect.
template <class T> static bool hasSaneFields(T type) {
  return type.getFlags() <= 1 &&
         isa_and_nonnull<IntegerType>(toStablehlo(type.getStorageType())) &&
         isa_and_nonnull<FloatType>(toStablehlo(type.getExpressedType()));
}

static Type convertQuantized(UniformQuantizedV1Type type) {
  if (!hasSaneFields(type))
    return {};
  return quant::UniformQuantizedType::getChecked(
      reportTo(type.getContext()), type.getFlags(),
      toStablehlo(type.getStorageType()), toStablehlo(type.getExpressedType()),
      toDouble(type.getScale()), type.getZeroPoint(), type.getStorageTypeMin(),
      type.getStorageTypeMax());
}

/// Rejects types without scales (an axis of size 0), because the textual form
/// has no empty list of scales.
static Type convertQuantized(UniformQuantizedPerAxisV1Type type) {
  if (!hasSaneFields(type) || !llvm::isInt<32>(type.getQuantizedDimension()) ||
      type.getScales().empty() ||
      type.getScales().size() != type.getZeroPoints().size())
    return {};
  SmallVector<double> scales;
  for (const APFloat &scale : type.getScales())
    scales.push_back(toDouble(scale));
  return quant::UniformQuantizedPerAxisType::getChecked(
      reportTo(type.getContext()), type.getFlags(),
      toStablehlo(type.getStorageType()), toStablehlo(type.getExpressedType()),
      scales, type.getZeroPoints(),
      static_cast<int32_t>(type.getQuantizedDimension()),
      type.getStorageTypeMin(), type.getStorageTypeMax());
}

static Type convertFunction(FunctionV1Type type) {
  auto inputs = eachToStablehlo(type.getInputs());
  auto outputs = eachToStablehlo(type.getOutputs());
  if (!inputs || !outputs)
    return {};
  return FunctionType::get(type.getContext(), *inputs, *outputs);
}

Type toStablehlo(Type type) {
  MLIRContext *context = type.getContext();
  if (!isa<VhloDialect>(type.getDialect()))
    return type;
#define ONE(OWN, THEIRS)                                                       \
  .Case([&](OWN##Type) { return THEIRS##Type::get(context); })
#define INTEGER(OWN, WIDTH, SIGN)                                              \
  .Case([&](OWN##Type) {                                                       \
    return IntegerType::get(context, WIDTH, IntegerType::SIGN);                \
  })
  return TypeSwitch<Type, Type>(type) XLAC_FLOAT_TYPES(ONE) XLAC_OTHER_TYPES(
             ONE) XLAC_INTEGER_TYPES(INTEGER)
      .Case([](RankedTensorV1Type one) { return convertTensor(one); })
      .Case([](RankedBufferV1Type one) { return convertBuffer(one); })
      .Case([](FunctionV1Type one) { return convertFunction(one); })
      .Case<UniformQuantizedV1Type, UniformQuantizedPerAxisV1Type>(
          [](auto one) { return convertQuantized(one); })
      .Case([&](ComplexV1Type one) -> Type {
        Type element = toStablehlo(one.getElementType());
        return element ? ComplexType::getChecked(reportTo(context), element)
                       : nullptr;
      })
      .Case([&](TupleV1Type one) -> Type {
        auto elements = eachToStablehlo(one.getElementTypes());
        return elements ? TupleType::get(context, *elements) : nullptr;
      })
      .Case([&](FutureV1Type one) -> Type {
        auto types = eachToStablehlo(one.getTypes());
        return types ? stablehlo::FutureType::get(context, *types) : nullptr;
      })
      .Case([&](UnrankedTensorV1Type one) -> Type {
        Type element = toStablehlo(one.getElementType());
        return element
                   ? UnrankedTensorType::getChecked(reportTo(context), element)
                   : nullptr;
      })
      .Default([](Type) { return nullptr; });
#undef ONE
#undef INTEGER
}

//===- Types to VHLO ------------------------------------------------------===//

static Type convertInteger(IntegerType type) {
#define INTEGER(OWN, WIDTH, SIGN)                                              \
  if (type.getWidth() == WIDTH && type.getSignedness() == IntegerType::SIGN)   \
    return OWN##Type::get(type.getContext());
  XLAC_INTEGER_TYPES(INTEGER)
#undef INTEGER
  return {};
}

static Type convertTensor(RankedTensorType type) {
  Type element = toVhlo(type.getElementType());
  Attribute encoding;
  if (type.getEncoding() && !(encoding = toVhlo(type.getEncoding())))
    return {};
  return element ? RankedTensorV1Type::get(type.getContext(), type.getShape(),
                                           element, encoding)
                 : nullptr;
}

static Type convertBuffer(MemRefType type) {
  Type element = toVhlo(type.getElementType());
  if (!element || !type.getLayout().isIdentity() || type.getMemorySpace())
    return {};
  return RankedBufferV1Type::get(type.getContext(), type.getShape(), element,
                                 Attribute());
}

static Type convertQuantized(quant::UniformQuantizedType type) {
  Type storage = toVhlo(type.getStorageType());
  Type expressed = toVhlo(type.getExpressedType());
  if (!storage || !expressed)
    return {};
  return UniformQuantizedV1Type::get(
      type.getContext(), type.getFlags(), storage, expressed,
      APFloat(type.getScale()), type.getZeroPoint(), type.getStorageTypeMin(),
      type.getStorageTypeMax());
}

static Type convertQuantized(quant::UniformQuantizedPerAxisType type) {
  Type storage = toVhlo(type.getStorageType());
  Type expressed = toVhlo(type.getExpressedType());
  if (!storage || !expressed)
    return {};
  SmallVector<APFloat> scales;
  for (double scale : type.getScales())
    scales.push_back(APFloat(scale));
  return UniformQuantizedPerAxisV1Type::get(
      type.getContext(), type.getFlags(), storage, expressed,
      type.getQuantizedDimension(), type.getStorageTypeMin(),
      type.getStorageTypeMax(), scales, type.getZeroPoints());
}

static Type convertFunction(FunctionType type) {
  auto inputs = eachToVhlo(type.getInputs());
  auto outputs = eachToVhlo(type.getResults());
  if (!inputs || !outputs)
    return {};
  return FunctionV1Type::get(type.getContext(), *inputs, *outputs);
}

Type toVhlo(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<VhloDialect>(type.getDialect()))
    return type;
#define ONE(OWN, THEIRS)                                                       \
  .Case([&](THEIRS##Type) { return OWN##Type::get(context); })
  return TypeSwitch<Type, Type>(type) XLAC_FLOAT_TYPES(ONE) XLAC_OTHER_TYPES(
             ONE)
      .Case([](IntegerType one) { return convertInteger(one); })
      .Case([](RankedTensorType one) { return convertTensor(one); })
      .Case([](MemRefType one) { return convertBuffer(one); })
      .Case([](FunctionType one) { return convertFunction(one); })
      .Case<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          [](auto one) { return convertQuantized(one); })
      .Case([&](ComplexType one) -> Type {
        Type element = toVhlo(one.getElementType());
        return element ? ComplexV1Type::get(context, element) : nullptr;
      })
      .Case([&](TupleType one) -> Type {
        auto elements = eachToVhlo(llvm::to_vector(one.getTypes()));
        return elements ? TupleV1Type::get(context, *elements) : nullptr;
      })
      .Case([&](stablehlo::FutureType one) -> Type {
        auto types = eachToVhlo(one.getTypes());
        return types ? FutureV1Type::get(context, *types) : nullptr;
      })
      .Case([&](UnrankedTensorType one) -> Type {
        Type element = toVhlo(one.getElementType());
        return element ? UnrankedTensorV1Type::get(context, element) : nullptr;
      })
      .Default([](Type) { return nullptr; });
#undef ONE
}

//===- Versions -----------------------------------------------------------===//

Version sinceOf(Type type) {
  return TypeSwitch<Type, Version>(type)
      .Case<
#define GET_TYPEDEF_LIST
#include "xlac/Dialect/Vhlo/VhloTypes.cpp.inc"
          >([](auto one) { return decltype(one)::kSince; })
      .Default([](Type) { return kOldestVersion; });
}

Version sinceOf(Attribute attribute) {
  return TypeSwitch<Attribute, Version>(attribute)
      .Case<
#define GET_ATTRDEF_LIST
#include "xlac/Dialect/Vhlo/VhloAttributes.cpp.inc"
          >([](auto one) { return decltype(one)::kSince; })
      .Default([](Attribute) { return kOldestVersion; });
}

} // namespace xlac::vhlo
