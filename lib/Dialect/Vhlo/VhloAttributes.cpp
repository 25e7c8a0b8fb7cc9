// The textual form of the attributes and types.
#include "xlac/Dialect/Vhlo/Conversion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace xlac::vhlo;

//===- Pieces -------------------------------------------------------------===//

/// Form: `[1, 2]`.
static ParseResult parseInts(AsmParser &parser,
                             SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void printInts(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[';
  llvm::interleaveComma(values, printer);
  printer << ']';
}

/// Form: `[1, ?]`.
static ParseResult parseBounds(AsmParser &parser,
                               SmallVectorImpl<int64_t> &bounds) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        int64_t &bound = bounds.emplace_back(ShapedType::kDynamic);
        if (succeeded(parser.parseOptionalQuestion()))
          return success();
        return parser.parseInteger(bound);
      });
}

static void printBounds(AsmPrinter &printer, ArrayRef<int64_t> bounds) {
  printer << '[';
  llvm::interleaveComma(bounds, printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
  printer << ']';
}

static ParseResult parseText(AsmParser &parser, std::string &text) {
  return parser.parseString(&text);
}

static void printText(AsmPrinter &printer, StringRef text) {
  printer.printString(text);
}

/// Form: `a, b`, or `()` for an empty list.
static ParseResult parseTypeList(AsmParser &parser,
                                 SmallVectorImpl<Type> &types) {
  if (succeeded(parser.parseOptionalLParen()))
    return parser.parseRParen();
  return parser.parseTypeList(types);
}

static void printTypeList(AsmPrinter &printer, ArrayRef<Type> types) {
  if (types.empty())
    printer << "()";
  llvm::interleaveComma(types, printer);
}

/// Form: `a, b`, or nothing for an empty list.
static ParseResult parseElements(AsmParser &parser,
                                 SmallVectorImpl<Type> &types) {
  Type type;
  OptionalParseResult first = parser.parseOptionalType(type);
  while (first.has_value()) {
    if (failed(*first))
      return failure();
    types.push_back(type);
    if (failed(parser.parseOptionalComma()))
      return success();
    first = parser.parseType(type);
  }
  return success();
}

static void printElements(AsmPrinter &printer, ArrayRef<Type> types) {
  llvm::interleaveComma(types, printer);
}

/// Form: `2x?x!vhlo.f32_v1`.
static ParseResult parseShape(AsmParser &parser,
                              SmallVectorImpl<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape) || parser.parseType(element));
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape,
                       Type element) {
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size))
      printer << '?';
    else
      printer << size;
    printer << 'x';
  }
  printer << element;
}

static ParseResult parseDouble(AsmParser &parser, double &value) {
  return parser.parseFloat(value);
}

/// Form: `name = 1.0e+00`.
static ParseResult parseDouble(AsmParser &parser, StringRef name,
                               double &value) {
  return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                 parseDouble(parser, value));
}

#include "xlac/Dialect/Vhlo/VhloDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Vhlo/VhloAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "xlac/Dialect/Vhlo/VhloTypes.cpp.inc"

void VhloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "xlac/Dialect/Vhlo/VhloAttributes.cpp.inc"
      >();
}

void VhloDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "xlac/Dialect/Vhlo/VhloTypes.cpp.inc"
      >();
}

void VhloDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  registerBytecode();
}

//===- Collections --------------------------------------------------------===//

Attribute ArrayV1Attr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> values;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseAttribute(values.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), values);
}

void ArrayV1Attr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getValue(), printer);
  printer << "]>";
}

Attribute DictionaryV1Attr::parse(AsmParser &parser, Type) {
  SmallVector<std::pair<Attribute, Attribute>> values;
  auto entry = [&]() -> ParseResult {
    auto &[name, value] = values.emplace_back();
    return failure(parser.parseAttribute(name) || parser.parseEqual() ||
                   parser.parseAttribute(value));
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, entry) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), values);
}

void DictionaryV1Attr::print(AsmPrinter &printer) const {
  printer << "<{";
  llvm::interleaveComma(getValue(), printer, [&](const auto &entry) {
    printer << entry.first << " = " << entry.second;
  });
  printer << "}>";
}

//===- Numbers ------------------------------------------------------------===//

Attribute FloatV1Attr::parse(AsmParser &parser, Type) {
  double value = 0;
  Type type;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseFloat(value) ||
      parser.parseColonType(type) || parser.parseGreater())
    return {};
  auto real = dyn_cast_or_null<FloatType>(xlac::vhlo::toStablehlo(type));
  if (!real) {
    parser.emitError(location, "expected a float type, got ") << type;
    return {};
  }
  APFloat number(value);
  bool lost = false;
  number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return get(parser.getContext(), type, number);
}

void FloatV1Attr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printFloat(getValue());
  printer << " : " << getType() << '>';
}

/// Returns the width of the integer type, 64 for index, or nothing for other
/// types.
static std::optional<unsigned> integerWidth(Type type) {
  Type plain = xlac::vhlo::toStablehlo(type);
  if (isa_and_nonnull<IndexType>(plain))
    return 64;
  auto integer = dyn_cast_or_null<IntegerType>(plain);
  return integer ? std::optional(integer.getWidth()) : std::nullopt;
}

Attribute IntegerV1Attr::parse(AsmParser &parser, Type) {
  int64_t value = 0;
  Type type;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(value) ||
      parser.parseColonType(type) || parser.parseGreater())
    return {};
  std::optional<unsigned> width = integerWidth(type);
  Type own = xlac::vhlo::toVhlo(type);
  if (!width || !own) {
    parser.emitError(location, "expected an integer type, got ") << type;
    return {};
  }
  return get(parser.getContext(), own,
             APInt(*width, static_cast<uint64_t>(value), /*isSigned=*/true,
                   /*implicitTrunc=*/true));
}

void IntegerV1Attr::print(AsmPrinter &printer) const {
  // Print the number like MLIR does: with its builtin type.
  Type type = xlac::vhlo::toStablehlo(getType());
  printer << '<';
  getValue().print(printer.getStream(), !isa_and_nonnull<IntegerType>(type) ||
                                            !type.isUnsignedInteger());
  printer << " : " << (type ? type : getType()) << '>';
}

//===- Tensors ------------------------------------------------------------===//

Attribute TensorV1Attr::parse(AsmParser &parser, Type) {
  Attribute value;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(value) ||
      parser.parseGreater())
    return {};
  Attribute tensor =
      isa<DenseElementsAttr>(value) ? xlac::vhlo::toVhlo(value) : nullptr;
  if (!tensor)
    parser.emitError(location, "expected the elements of a tensor, got ")
        << value;
  return tensor;
}

void TensorV1Attr::print(AsmPrinter &printer) const {
  if (Attribute elements = xlac::vhlo::toStablehlo(Attribute(*this)))
    printer << '<' << elements << '>';
  else
    printer << "<invalid : " << getType() << '>';
}

//===- Accuracy and quantization ------------------------------------------===//

Attribute ResultAccuracyV1Attr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  Attribute mode;
  if (parser.parseLess() || parseDouble(parser, "atol", atol) ||
      parser.parseComma() || parseDouble(parser, "rtol", rtol) ||
      parser.parseComma() || parser.parseKeyword("ulps") ||
      parser.parseEqual() || parser.parseInteger(ulps) || parser.parseComma() ||
      parser.parseKeyword("mode") || parser.parseEqual() ||
      parser.parseAttribute(mode) || parser.parseGreater())
    return {};
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void ResultAccuracyV1Attr::print(AsmPrinter &printer) const {
  printer << "<atol = ";
  printer.printFloat(getAtol());
  printer << ", rtol = ";
  printer.printFloat(getRtol());
  printer << ", ulps = " << getUlps() << ", mode = " << getMode() << '>';
}

namespace {
/// Shared fields of both quantized types.
struct Quantized {
  Type storage, expressed;
  int64_t least = 0, most = 0;
  uint64_t flags = 0;
};
} // namespace

static ParseResult parseTypes(AsmParser &parser, Quantized &type) {
  return failure(parser.parseLess() || parser.parseType(type.storage) ||
                 parser.parseColonType(type.expressed) || parser.parseComma());
}

static ParseResult parseRange(AsmParser &parser, Quantized &type) {
  return failure(parser.parseComma() || parser.parseInteger(type.least) ||
                 parser.parseColon() || parser.parseInteger(type.most) ||
                 parser.parseComma() || parser.parseInteger(type.flags) ||
                 parser.parseGreater());
}

Type UniformQuantizedV1Type::parse(AsmParser &parser) {
  Quantized type;
  double scale = 0;
  int64_t zero = 0;
  if (parseTypes(parser, type) || parseDouble(parser, scale) ||
      parser.parseColon() || parser.parseInteger(zero) ||
      parseRange(parser, type))
    return {};
  return get(parser.getContext(), type.flags, type.storage, type.expressed,
             APFloat(scale), zero, type.least, type.most);
}

void UniformQuantizedV1Type::print(AsmPrinter &printer) const {
  printer << '<' << getStorageType() << ':' << getExpressedType() << ", ";
  printer.printFloat(getScale());
  printer << ':' << getZeroPoint() << ", " << getStorageTypeMin() << ':'
          << getStorageTypeMax() << ", " << getFlags() << '>';
}

Type UniformQuantizedPerAxisV1Type::parse(AsmParser &parser) {
  Quantized type;
  int64_t dimension = 0;
  SmallVector<APFloat> scales;
  SmallVector<int64_t> zeros;
  auto scale = [&]() -> ParseResult {
    double value = 0;
    if (parseDouble(parser, value))
      return failure();
    scales.push_back(APFloat(value));
    return success();
  };
  if (parseTypes(parser, type) || parser.parseInteger(dimension) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, scale) ||
      parser.parseComma() || parseInts(parser, zeros) ||
      parseRange(parser, type))
    return {};
  return get(parser.getContext(), type.flags, type.storage, type.expressed,
             dimension, type.least, type.most, scales, zeros);
}

void UniformQuantizedPerAxisV1Type::print(AsmPrinter &printer) const {
  printer << '<' << getStorageType() << ':' << getExpressedType() << ", "
          << getQuantizedDimension() << ", [";
  llvm::interleaveComma(getScales(), printer, [&](const APFloat &scale) {
    printer.printFloat(scale);
  });
  printer << "], ";
  printInts(printer, getZeroPoints());
  printer << ", " << getStorageTypeMin() << ':' << getStorageTypeMax() << ", "
          << getFlags() << '>';
}
