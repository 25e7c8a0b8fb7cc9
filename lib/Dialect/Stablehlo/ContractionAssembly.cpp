#include "xlac/Dialect/Stablehlo/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace xlac::stablehlo {

//===- Dots ---------------------------------------------------------------===//

/// Form after the name: `= [0] x [1]`.
static ParseResult parseDimPair(AsmParser &parser,
                                SmallVectorImpl<int64_t> &lhs,
                                SmallVectorImpl<int64_t> &rhs) {
  return mlir::failure(parser.parseEqual() || parseDims(parser, lhs) ||
                       parser.parseKeyword("x") || parseDims(parser, rhs));
}

ParseResult parseDotDimensionNumbers(AsmParser &parser,
                                     DotDimensionNumbersAttr &numbers) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parseDimPair(parser, lhsBatch, rhsBatch) || parser.parseComma()))
    return mlir::failure();
  if (parser.parseKeyword("contracting_dims") ||
      parseDimPair(parser, lhsContract, rhsContract))
    return mlir::failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch,
                                         rhsBatch, lhsContract, rhsContract);
  return mlir::success();
}

void printDotDimensionNumbers(AsmPrinter &printer, Operation *,
                              DotDimensionNumbersAttr numbers) {
  auto pair = [&](StringRef name, ArrayRef<int64_t> lhs,
                  ArrayRef<int64_t> rhs) {
    printer << name << " = ";
    printDims(printer, lhs);
    printer << " x ";
    printDims(printer, rhs);
  };
  if (!numbers.getLhsBatchingDimensions().empty() ||
      !numbers.getRhsBatchingDimensions().empty()) {
    pair("batching_dims", numbers.getLhsBatchingDimensions(),
         numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  pair("contracting_dims", numbers.getLhsContractingDimensions(),
       numbers.getRhsContractingDimensions());
}

static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> values;
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            SMLoc location = parser.getCurrentLocation();
            StringRef keyword;
            if (parser.parseKeyword(&keyword))
              return mlir::failure();
            std::optional<Precision> value = symbolizePrecision(keyword);
            if (!value)
              return parser.emitError(location,
                                      "expected DEFAULT, HIGH or HIGHEST, got ")
                     << keyword;
            values.push_back(PrecisionAttr::get(parser.getContext(), *value));
            return mlir::success();
          }))
    return mlir::failure();
  precision = parser.getBuilder().getArrayAttr(values);
  return mlir::success();
}

ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return mlir::success();
  return mlir::failure(parser.parseKeyword("precision") ||
                       parsePrecisions(parser, precision));
}

void printPrecisionConfig(OpAsmPrinter &printer, Operation *,
                          ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precision, printer, [&](Attribute each) {
    printer << stringifyPrecision(cast<PrecisionAttr>(each).getValue());
  });
  printer << ']';
}

ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser,
                                             ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc location = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return mlir::failure();
    if (keyword == "precision" && !precision) {
      if (parsePrecisions(parser, precision))
        return mlir::failure();
      continue;
    }
    if (keyword != "algorithm" || algorithm)
      return parser.emitError(location,
                              "expected 'precision' or 'algorithm', each once");
    if (parser.parseEqual() ||
        parser.parseCustomAttributeWithFallback(algorithm))
      return mlir::failure();
  }
  return mlir::success();
}

void printPrecisionConfigAndAlgorithm(OpAsmPrinter &printer, Operation *op,
                                      ArrayAttr precision,
                                      DotAlgorithmAttr algorithm) {
  printPrecisionConfig(printer, op, precision);
  if (!algorithm)
    return;
  printer << ", algorithm = ";
  printer.printStrippedAttrOrType(algorithm);
}

//===- Convolution dimensions ---------------------------------------------===//

namespace {
/// One bracket of the short form: the meaning of each position of a shape.
struct Layout {
  Layout(char first, char second) : first(first), second(second) {}

  char first, second;
  int64_t firstPosition = -1, secondPosition = -1;
  SmallVector<int64_t> spatial;
};
} // namespace

/// Positions without a letter are written `?`. More of them are an error.
static constexpr int64_t maxGaps = 8;

static bool isPrintable(int64_t first, int64_t second,
                        ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> positions(spatial);
  positions.append({first, second});
  llvm::sort(positions);
  return positions.front() >= 0 &&
         std::adjacent_find(positions.begin(), positions.end()) ==
             positions.end() &&
         positions.back() < int64_t(positions.size()) + maxGaps;
}

bool isPrintable(ConvDimensionNumbersAttr numbers) {
  return isPrintable(numbers.getInputBatchDimension(),
                     numbers.getInputFeatureDimension(),
                     numbers.getInputSpatialDimensions()) &&
         isPrintable(numbers.getKernelInputFeatureDimension(),
                     numbers.getKernelOutputFeatureDimension(),
                     numbers.getKernelSpatialDimensions()) &&
         isPrintable(numbers.getOutputBatchDimension(),
                     numbers.getOutputFeatureDimension(),
                     numbers.getOutputSpatialDimensions());
}

static ParseResult parseLayout(AsmParser &parser, Layout &layout) {
  int64_t position = 0;
  SMLoc start = parser.getCurrentLocation();
  llvm::SmallDenseMap<int64_t, int64_t> spatial;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            int64_t here = position++;
            SMLoc location = parser.getCurrentLocation();
            if (succeeded(parser.parseOptionalQuestion()))
              return mlir::success();
            int64_t number = 0;
            OptionalParseResult digits = parser.parseOptionalInteger(number);
            if (digits.has_value()) {
              if (failed(*digits))
                return mlir::failure();
              if (number < 0 || !spatial.try_emplace(number, here).second)
                return parser.emitError(location,
                                        "expected each spatial dimension once");
              return mlir::success();
            }
            StringRef letter;
            if (parser.parseKeyword(&letter))
              return mlir::failure();
            int64_t *target = letter == StringRef(&layout.first, 1)
                                  ? &layout.firstPosition
                              : letter == StringRef(&layout.second, 1)
                                  ? &layout.secondPosition
                                  : nullptr;
            if (!target || *target >= 0)
              return parser.emitError(location, "expected '")
                     << layout.first << "' and '" << layout.second
                     << "' once, got '" << letter << "'";
            *target = here;
            return mlir::success();
          }))
    return mlir::failure();
  if (layout.firstPosition < 0 || layout.secondPosition < 0)
    return parser.emitError(start, "expected '")
           << layout.first << "' and '" << layout.second << "'";
  for (int64_t i = 0, e = spatial.size(); i < e; ++i) {
    auto found = spatial.find(i);
    if (found == spatial.end())
      return parser.emitError(start, "expected spatial dimension ") << i;
    layout.spatial.push_back(found->second);
  }
  return mlir::success();
}

static void printLayout(AsmPrinter &printer, char firstLetter,
                        int64_t firstPosition, char secondLetter,
                        int64_t secondPosition, ArrayRef<int64_t> spatial) {
  int64_t rank = std::max(firstPosition, secondPosition);
  for (int64_t position : spatial)
    rank = std::max(rank, position);
  SmallVector<std::string> names(rank + 1, "?");
  names[firstPosition] = firstLetter;
  names[secondPosition] = secondLetter;
  for (auto [number, position] : llvm::enumerate(spatial))
    names[position] = std::to_string(number);
  printer << '[';
  llvm::interleaveComma(names, printer);
  printer << ']';
}

ParseResult parseConvolutionDimensions(AsmParser &parser,
                                       ConvDimensionNumbersAttr &numbers) {
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parser.parseAttribute(numbers);
  Layout input('b', 'f'), kernel('i', 'o'), output('b', 'f');
  if (parseLayout(parser, input) || parser.parseKeyword("x") ||
      parseLayout(parser, kernel) || parser.parseArrow() ||
      parseLayout(parser, output))
    return mlir::failure();
  numbers = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.firstPosition, input.secondPosition,
      input.spatial, kernel.firstPosition, kernel.secondPosition,
      kernel.spatial, output.firstPosition, output.secondPosition,
      output.spatial);
  return mlir::success();
}

void printConvolutionDimensions(AsmPrinter &printer,
                                ConvDimensionNumbersAttr numbers) {
  if (!isPrintable(numbers)) {
    printer << "raw ";
    printer.printAttribute(numbers);
    return;
  }
  printLayout(printer, 'b', numbers.getInputBatchDimension(), 'f',
              numbers.getInputFeatureDimension(),
              numbers.getInputSpatialDimensions());
  printer << 'x';
  printLayout(printer, 'i', numbers.getKernelInputFeatureDimension(), 'o',
              numbers.getKernelOutputFeatureDimension(),
              numbers.getKernelSpatialDimensions());
  printer << "->";
  printLayout(printer, 'b', numbers.getOutputBatchDimension(), 'f',
              numbers.getOutputFeatureDimension(),
              numbers.getOutputSpatialDimensions());
}

//===- Windows ------------------------------------------------------------===//

static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            SmallVector<int64_t> pair;
            if (parseDims(parser, pair))
              return mlir::failure();
            if (pair.size() != 2)
              return parser.emitError(location,
                                      "expected pairs such as [low, high]");
            llvm::append_range(values, pair);
            return mlir::success();
          }))
    return mlir::failure();
  Builder &builder = parser.getBuilder();
  auto type = RankedTensorType::get({int64_t(values.size()) / 2, 2},
                                    builder.getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return mlir::success();
}

/// Parses true, false or, in older text, numbers.
static ParseResult parseReversal(OpAsmParser &parser,
                                 DenseBoolArrayAttr &reversal) {
  SmallVector<bool> values;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            int64_t number = 0;
            if (succeeded(parser.parseOptionalKeyword("true")))
              number = 1;
            else if (failed(parser.parseOptionalKeyword("false")) &&
                     parser.parseInteger(number))
              return mlir::failure();
            values.push_back(number != 0);
            return mlir::success();
          }))
    return mlir::failure();
  reversal = parser.getBuilder().getDenseBoolArrayAttr(values);
  return mlir::success();
}

/// `padding` is null if it is an operand of the op.
static ParseResult parseWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                               DenseIntElementsAttr *padding,
                               DenseI64ArrayAttr &lhsDilation,
                               DenseI64ArrayAttr &rhsDilation,
                               DenseBoolArrayAttr &reversal) {
  StringRef name;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&name)))
    return mlir::success();
  while (true) {
    DenseI64ArrayAttr *dims = name == "stride"       ? &strides
                              : name == "lhs_dilate" ? &lhsDilation
                              : name == "rhs_dilate" ? &rhsDilation
                                                     : nullptr;
    bool isPad = name == "pad" && padding;
    if (!dims && !isPad && name != "reverse")
      return parser.emitError(location, "unknown field '") << name << "'";
    if (dims ? bool(*dims) : isPad ? bool(*padding) : bool(reversal))
      return parser.emitError(location, "field '")
             << name << "' is given twice";
    if (parser.parseEqual())
      return mlir::failure();
    if (dims) {
      SmallVector<int64_t> values;
      if (parseDims(parser, values))
        return mlir::failure();
      *dims = parser.getBuilder().getDenseI64ArrayAttr(values);
    } else if (isPad ? parsePadding(parser, *padding)
                     : parseReversal(parser, reversal)) {
      return mlir::failure();
    }
    if (failed(parser.parseOptionalComma()))
      return mlir::success();
    location = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return mlir::failure();
  }
}

static void printWindow(OpAsmPrinter &printer, DenseI64ArrayAttr strides,
                        DenseIntElementsAttr padding,
                        DenseI64ArrayAttr lhsDilation,
                        DenseI64ArrayAttr rhsDilation,
                        DenseBoolArrayAttr reversal) {
  StringRef separator;
  auto dims = [&](StringRef name, DenseI64ArrayAttr values) {
    if (!values)
      return;
    printer << separator << name << " = ";
    printDims(printer, values.asArrayRef());
    separator = ", ";
  };
  dims("stride", strides);
  if (padding) {
    printer << separator << "pad = [";
    SmallVector<int64_t> values(padding.getValues<int64_t>());
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      printer << (i ? ", [" : "[") << values[i] << ", " << values[i + 1] << ']';
    printer << ']';
    separator = ", ";
  }
  dims("lhs_dilate", lhsDilation);
  dims("rhs_dilate", rhsDilation);
  if (reversal) {
    printer << separator << "reverse = [";
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool each) {
      printer << (each ? "true" : "false");
    });
    printer << ']';
  }
}

ParseResult parseWindowAttributes(OpAsmParser &parser,
                                  DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding,
                                  DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation,
                                  DenseBoolArrayAttr &reversal) {
  return parseWindow(parser, strides, &padding, lhsDilation, rhsDilation,
                     reversal);
}

void printWindowAttributes(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding,
                           DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation,
                           DenseBoolArrayAttr reversal) {
  printWindow(printer, strides, padding, lhsDilation, rhsDilation, reversal);
}

ParseResult parseDynamicWindowAttributes(OpAsmParser &parser,
                                         DenseI64ArrayAttr &strides,
                                         DenseI64ArrayAttr &lhsDilation,
                                         DenseI64ArrayAttr &rhsDilation,
                                         DenseBoolArrayAttr &reversal) {
  return parseWindow(parser, strides, nullptr, lhsDilation, rhsDilation,
                     reversal);
}

void printDynamicWindowAttributes(OpAsmPrinter &printer, Operation *,
                                  DenseI64ArrayAttr strides,
                                  DenseI64ArrayAttr lhsDilation,
                                  DenseI64ArrayAttr rhsDilation,
                                  DenseBoolArrayAttr reversal) {
  printWindow(printer, strides, {}, lhsDilation, rhsDilation, reversal);
}

} // namespace xlac::stablehlo
