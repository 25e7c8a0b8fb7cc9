#include "xlac/Dialect/Stablehlo/TypeConversion.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace xlac {

//===- Element types ------------------------------------------------------===//

// The float types, for both directions of conversion.
#define XLAC_FLOAT_TYPES(ONE)                                                  \
  ONE(Float4E2M1FN, F4E2M1FN)                                                  \
  ONE(Float6E2M3FN, F6E2M3FN)                                                  \
  ONE(Float6E3M2FN, F6E3M2FN)                                                  \
  ONE(Float8E3M4, F8E3M4)                                                      \
  ONE(Float8E4M3, F8E4M3)                                                      \
  ONE(Float8E4M3B11FNUZ, F8E4M3B11FNUZ)                                        \
  ONE(Float8E4M3FN, F8E4M3FN)                                                  \
  ONE(Float8E4M3FNUZ, F8E4M3FNUZ)                                              \
  ONE(Float8E5M2, F8E5M2)                                                      \
  ONE(Float8E5M2FNUZ, F8E5M2FNUZ)                                              \
  ONE(Float8E8M0FNU, F8E8M0FNU)                                                \
  ONE(BFloat16, BF16)                                                          \
  ONE(Float16, F16)                                                            \
  ONE(Float32, F32)                                                            \
  ONE(Float64, F64)

static std::optional<ElementType> integerElement(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  if (type.isSigned())
    return std::nullopt;
  switch (type.getWidth()) {
  case 1:
    return isUnsigned ? std::nullopt : std::optional(ElementType::I1);
  case 2:
    return isUnsigned ? ElementType::UI2 : ElementType::I2;
  case 4:
    return isUnsigned ? ElementType::UI4 : ElementType::I4;
  case 8:
    return isUnsigned ? ElementType::UI8 : ElementType::I8;
  case 16:
    return isUnsigned ? ElementType::UI16 : ElementType::I16;
  case 32:
    return isUnsigned ? ElementType::UI32 : ElementType::I32;
  case 64:
    return isUnsigned ? ElementType::UI64 : ElementType::I64;
  default:
    return std::nullopt;
  }
}

static std::optional<ElementType> convertElement(mlir::Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integerElement(integer);
  if (isa<IndexType>(type))
    return ElementType::I64;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return ElementType::Complex64;
    if (complex.getElementType().isF64())
      return ElementType::Complex128;
    return std::nullopt;
  }
#define ONE(MLIR_NAME, NAME)                                                   \
  if (isa<MLIR_NAME##Type>(type))                                              \
    return ElementType::NAME;
  XLAC_FLOAT_TYPES(ONE)
#undef ONE
  return std::nullopt;
}

static mlir::Type convertElement(ElementType type, MLIRContext *context) {
  switch (type) {
#define ONE(MLIR_NAME, NAME)                                                   \
  case ElementType::NAME:                                                      \
    return MLIR_NAME##Type::get(context);
    XLAC_FLOAT_TYPES(ONE)
#undef ONE
  case ElementType::Complex64:
    return ComplexType::get(Float32Type::get(context));
  case ElementType::Complex128:
    return ComplexType::get(Float64Type::get(context));
  case ElementType::I1:
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
  case ElementType::UI2:
  case ElementType::UI4:
  case ElementType::UI8:
  case ElementType::UI16:
  case ElementType::UI32:
  case ElementType::UI64:
    return IntegerType::get(context, bit_width(type),
                            is_unsigned_integer(type) ? IntegerType::Unsigned
                                                      : IntegerType::Signless);
  }
  llvm_unreachable("an element type");
}

//===- Quantization -------------------------------------------------------===//

static std::shared_ptr<const Quantization>
convertQuantization(quant::QuantizedType type) {
  auto storage = convertElement(type.getStorageType());
  auto expressed = convertElement(type.getExpressedType());
  if (!storage || !expressed)
    return nullptr;
  auto result = std::make_shared<Quantization>();
  result->storage_type = *storage;
  if (!type.isSigned() && is_signed_integer(*storage))
    result->storage_type =
        *parse_element_type("u" + std::string(element_type_name(*storage)));
  result->expressed_type = *expressed;
  result->storage_min = type.getStorageTypeMin();
  result->storage_max = type.getStorageTypeMax();
  if (auto tensor = dyn_cast<quant::UniformQuantizedType>(type)) {
    result->scales = {tensor.getScale()};
    result->zero_points = {tensor.getZeroPoint()};
    return result;
  }
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(type)) {
    result->quantization_dimension = axis.getQuantizedDimension();
    result->scales = axis.getScales().vec();
    result->zero_points = axis.getZeroPoints().vec();
    return result;
  }
  auto blocks = dyn_cast<quant::UniformQuantizedSubChannelType>(type);
  if (!blocks)
    return nullptr;
  for (int32_t dimension : blocks.getQuantizedDimensions())
    result->block_dimensions.push_back(dimension);
  result->block_sizes = blocks.getBlockSizes().vec();
  for (const APFloat &scale : blocks.getScales().getValues<APFloat>())
    result->scales.push_back(scale.convertToDouble());
  for (const APInt &zero : blocks.getZeroPoints().getValues<APInt>())
    result->zero_points.push_back(zero.getSExtValue());
  return result;
}

static mlir::Type convertQuantization(const Quantization &q,
                                      MLIRContext *context) {
  assert(q.scales.size() == q.zero_points.size() &&
         "every scale has a zero point");
  bool isSigned = !is_unsigned_integer(q.storage_type);
  unsigned flags = isSigned ? quant::QuantizationFlags::Signed : 0;
  // The quant dialect's storage types are signless.
  mlir::Type storage = IntegerType::get(context, bit_width(q.storage_type));
  mlir::Type expressed = convertElement(q.expressed_type, context);
  if (q.quantization_dimension)
    return quant::UniformQuantizedPerAxisType::get(
        flags, storage, expressed, q.scales, q.zero_points,
        static_cast<int32_t>(*q.quantization_dimension), q.storage_min,
        q.storage_max);
  if (q.scales.size() != 1 || q.zero_points.size() != 1)
    return storage;
  return quant::UniformQuantizedType::get(flags, storage, expressed,
                                          q.scales[0], q.zero_points[0],
                                          q.storage_min, q.storage_max);
}

//===- Types --------------------------------------------------------------===//

static std::optional<TensorType> convertTensor(RankedTensorType type) {
  TensorType result;
  mlir::Type element = type.getElementType();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element)) {
    result.quantization = convertQuantization(quantized);
    if (!result.quantization)
      return std::nullopt;
    result.element = result.quantization->storage_type;
  } else if (auto plain = convertElement(element)) {
    result.element = *plain;
  } else {
    return std::nullopt;
  }
  assert((!result.quantization ||
          result.element == result.quantization->storage_type) &&
         "quantized elements are stored in their storage type");
  static_assert(kDynamic == ShapedType::kDynamic);
  result.dims = type.getShape().vec();
  if (auto bounds =
          dyn_cast_or_null<stablehlo::TypeExtensionsAttr>(type.getEncoding()))
    if (bounds.getBounds().size() == result.dims.size())
      result.bounds = bounds.getBounds().vec();
  return result;
}

template <class Range>
static std::optional<std::vector<Type>> convertTypes(Range &&types) {
  std::vector<Type> result;
  for (mlir::Type type : types) {
    std::optional<Type> plain = convertType(type);
    if (!plain)
      return std::nullopt;
    result.push_back(std::move(*plain));
  }
  return result;
}

std::optional<Type> convertType(mlir::Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    std::optional<TensorType> plain = convertTensor(tensor);
    return plain ? std::optional<Type>(std::move(*plain)) : std::nullopt;
  }
  if (isa<stablehlo::TokenType>(type))
    return Type(TokenType{});
  if (auto tuple = dyn_cast<mlir::TupleType>(type)) {
    auto elements = convertTypes(tuple.getTypes());
    return elements ? std::optional(Type::tuple(std::move(*elements)))
                    : std::nullopt;
  }
  if (auto future = dyn_cast<stablehlo::FutureType>(type)) {
    auto elements = convertTypes(future.getTypes());
    return elements ? std::optional(Type::future(std::move(*elements)))
                    : std::nullopt;
  }
  return std::nullopt;
}

static RankedTensorType convertTensor(const TensorType &type,
                                      MLIRContext *context) {
  mlir::Type element = type.quantization
                           ? convertQuantization(*type.quantization, context)
                           : convertElement(type.element, context);
  Attribute encoding;
  if (!type.bounds.empty())
    encoding = stablehlo::TypeExtensionsAttr::get(context, type.bounds);
  return RankedTensorType::get(type.dims, element, encoding);
}

mlir::Type convertType(const Type &type, MLIRContext *context) {
  if (type.is_tensor())
    return convertTensor(type.tensor(), context);
  if (type.is_token())
    return stablehlo::TokenType::get(context);
  SmallVector<mlir::Type> elements;
  for (const Type &element : type.elements())
    elements.push_back(convertType(element, context));
  if (type.is_tuple())
    return mlir::TupleType::get(context, elements);
  return stablehlo::FutureType::get(context, elements);
}

bool areCompatibleTypes(TypeRange inferred, TypeRange declared) {
  if (inferred.size() != declared.size())
    return false;
  for (auto [left, right] : llvm::zip(inferred, declared)) {
    if (left == right)
      continue;
    std::optional<Type> a = convertType(left), b = convertType(right);
    if (!a || !b || !ops::are_compatible(*a, *b))
      return false;
  }
  return true;
}

bool areCompatibleConstants(TypeRange inferred, TypeRange declared) {
  if (inferred.size() != 1 || declared.size() != 1)
    return false;
  auto value = dyn_cast<RankedTensorType>(inferred[0]);
  auto type = dyn_cast<RankedTensorType>(declared[0]);
  auto quantized =
      type ? dyn_cast<quant::QuantizedType>(type.getElementType()) : nullptr;
  if (value && quantized && !isa<quant::QuantizedType>(value.getElementType()))
    type = type.clone(quantized.getStorageType());
  return value && type && areCompatibleTypes(value, type);
}

//===- Elements -----------------------------------------------------------===//

static std::vector<std::byte> copyBytes(ArrayRef<char> raw) {
  auto bytes = llvm::map_range(raw, [](char c) { return std::byte(c); });
  return {bytes.begin(), bytes.end()};
}

/// Unpacks elements narrower than a byte to one byte each.
static std::vector<std::byte> unpack(DenseElementsAttr dense,
                                     ElementType element) {
  std::vector<std::byte> bytes;
  auto add = [&bytes](int64_t value) {
    bytes.push_back(static_cast<std::byte>(value));
  };
  if (dense.isSplat()) {
    APInt value = dense.getSplatValue<APInt>();
    add(is_signed_integer(element)
            ? value.getSExtValue()
            : static_cast<int64_t>(value.getZExtValue()));
    return bytes;
  }
  for (const APInt &value : dense.getValues<APInt>())
    add(is_signed_integer(element)
            ? value.getSExtValue()
            : static_cast<int64_t>(value.getZExtValue()));
  return bytes;
}

static std::optional<ops::DenseElements> readScalar(TypedAttr attribute) {
  if (!isa<IntegerAttr, FloatAttr>(attribute))
    return std::nullopt;
  auto type = RankedTensorType::get({}, attribute.getType());
  return readElements(
      DenseElementsAttr::get(type, ArrayRef<Attribute>(attribute)));
}

std::optional<ops::DenseElements> readElements(Attribute attribute) {
  if (isa<IntegerAttr, FloatAttr>(attribute))
    return readScalar(cast<TypedAttr>(attribute));
  auto elements = dyn_cast<ElementsAttr>(attribute);
  if (!elements)
    return std::nullopt;
  auto shaped = dyn_cast<RankedTensorType>(elements.getType());
  std::optional<TensorType> type =
      shaped ? convertTensor(shaped) : std::nullopt;
  if (!type)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    std::vector<std::byte> bytes =
        bit_width(type->element) < 8 && !is_float(type->element)
            ? unpack(dense, type->element)
            : copyBytes(dense.getRawData());
    if (dense.isSplat())
      return ops::DenseElements::make_splat(std::move(*type), std::move(bytes));
    return ops::DenseElements::make(std::move(*type), std::move(bytes));
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  std::optional<int64_t> size = type->byte_count();
  if (!blob || !size || blob->getData().size() != static_cast<size_t>(*size))
    return std::nullopt;
  return ops::DenseElements::make(std::move(*type), copyBytes(blob->getData()));
}

Attribute writeElements(const ops::DenseElements &elements,
                        MLIRContext *context) {
  TensorType plain = elements.type;
  plain.quantization = nullptr;
  RankedTensorType type = convertTensor(plain, context);
  const char *data = reinterpret_cast<const char *>(elements.bytes.data());
  SmallVector<char> raw(data, data + elements.bytes.size());
  if (is_boolean(plain.element)) {
    SmallVector<bool> values(raw.begin(), raw.end());
    return DenseElementsAttr::get(type, ArrayRef<bool>(values));
  }
  // Integers narrower than a byte are stored in bytes with zero upper bits.
  if (int bits = bit_width(plain.element); bits < 8)
    for (char &byte : raw)
      byte = static_cast<char>(byte & ((1 << bits) - 1));
  return DenseElementsAttr::getFromRawBuffer(type, raw);
}

} // namespace xlac
