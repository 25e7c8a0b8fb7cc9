#include "xlac/Dialect/Stablehlo/Assembly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace xlac::stablehlo;

#include "xlac/Dialect/Stablehlo/StablehloEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Stablehlo/StablehloAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "xlac/Dialect/Stablehlo/StablehloTypes.cpp.inc"

void StablehloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "xlac/Dialect/Stablehlo/StablehloAttributes.cpp.inc"
      >();
}

void StablehloDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "xlac/Dialect/Stablehlo/StablehloTypes.cpp.inc"
      >();
}

//===- Bounds -------------------------------------------------------------===//

/// Form: `[3, ?]` or `<3, ?>`.
static ParseResult parseBounds(AsmParser &parser,
                               AsmParser::Delimiter delimiter,
                               SmallVectorImpl<int64_t> &bounds) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    int64_t &bound = bounds.emplace_back(ShapedType::kDynamic);
    if (succeeded(parser.parseOptionalQuestion()))
      return mlir::success();
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseInteger(bound))
      return mlir::failure();
    if (bound < 0)
      return parser.emitError(location, "expected a bound of at least 0, got ")
             << bound;
    return mlir::success();
  });
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser,
                                           mlir::Type type) const {
  SMLoc location = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult parsed =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (parsed.has_value())
    return attribute;
  if (mnemonic == "bounds") {
    SmallVector<int64_t> bounds;
    if (parseBounds(parser, AsmParser::Delimiter::LessGreater, bounds))
      return {};
    return TypeExtensionsAttr::get(getContext(), bounds);
  }
  parser.emitError(location, "unknown stablehlo attribute '")
      << mnemonic << "'";
  return {};
}

void StablehloDialect::printAttribute(Attribute attribute,
                                      DialectAsmPrinter &printer) const {
  auto bounds = dyn_cast<TypeExtensionsAttr>(attribute);
  if (!bounds) {
    (void)generatedAttributePrinter(attribute, printer);
    return;
  }
  printer << "bounds<";
  llvm::interleaveComma(bounds.getBounds(), printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
  printer << '>';
}

Attribute TypeExtensionsAttr::parse(AsmParser &parser, mlir::Type) {
  SmallVector<int64_t> bounds;
  if (parser.parseLess() || parser.parseKeyword("bounds") ||
      parser.parseEqual() ||
      parseBounds(parser, AsmParser::Delimiter::Square, bounds) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), bounds);
}

void TypeExtensionsAttr::print(AsmPrinter &printer) const {
  printer << "<bounds = [";
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
  printer << "]>";
}

LogicalResult TypeExtensionsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, mlir::Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "expected a bound for each of " << shape.size()
                       << " dimensions, got " << getBounds().size();
  for (auto [index, size, bound] : llvm::enumerate(shape, getBounds()))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(bound))
      return emitError() << "dimension " << index << " of size " << size
                         << " is static, and yet has the bound " << bound;
  return mlir::success();
}

//===- Dimension numbers --------------------------------------------------===//

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, mlir::Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (parser.parseLess() ||
      parseStruct(parser, {{"lhs_batching_dimensions", &lhsBatch},
                           {"rhs_batching_dimensions", &rhsBatch},
                           {"lhs_contracting_dimensions", &lhsContract},
                           {"rhs_contracting_dimensions", &rhsContract}}))
    return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(printer,
              {{"lhs_batching_dimensions", getLhsBatchingDimensions()},
               {"rhs_batching_dimensions", getRhsBatchingDimensions()},
               {"lhs_contracting_dimensions", getLhsContractingDimensions()},
               {"rhs_contracting_dimensions", getRhsContractingDimensions()}});
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, mlir::Type) {
  SmallVector<int64_t> offset, collapsed, batching, indicesBatching, map;
  int64_t vector = 0;
  if (parser.parseLess() ||
      parseStruct(parser, {{"offset_dims", &offset},
                           {"collapsed_slice_dims", &collapsed},
                           {"operand_batching_dims", &batching},
                           {"start_indices_batching_dims", &indicesBatching},
                           {"start_index_map", &map},
                           {"index_vector_dim", nullptr, &vector}}))
    return {};
  return get(parser.getContext(), offset, collapsed, batching, indicesBatching,
             map, vector);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(printer,
              {{"offset_dims", getOffsetDims()},
               {"collapsed_slice_dims", getCollapsedSliceDims()},
               {"operand_batching_dims", getOperandBatchingDims()},
               {"start_indices_batching_dims", getStartIndicesBatchingDims()},
               {"start_index_map", getStartIndexMap()},
               {"index_vector_dim", getIndexVectorDim()}});
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, mlir::Type) {
  SmallVector<int64_t> window, inserted, batching, indicesBatching, map;
  int64_t vector = 0;
  if (parser.parseLess() ||
      parseStruct(parser, {{"update_window_dims", &window},
                           {"inserted_window_dims", &inserted},
                           {"input_batching_dims", &batching},
                           {"scatter_indices_batching_dims", &indicesBatching},
                           {"scatter_dims_to_operand_dims", &map},
                           {"index_vector_dim", nullptr, &vector}}))
    return {};
  return get(parser.getContext(), window, inserted, batching, indicesBatching,
             map, vector);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(
      printer,
      {{"update_window_dims", getUpdateWindowDims()},
       {"inserted_window_dims", getInsertedWindowDims()},
       {"input_batching_dims", getInputBatchingDims()},
       {"scatter_indices_batching_dims", getScatterIndicesBatchingDims()},
       {"scatter_dims_to_operand_dims", getScatterDimsToOperandDims()},
       {"index_vector_dim", getIndexVectorDim()}});
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, mlir::Type) {
  ConvDimensionNumbersAttr numbers;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalKeyword("raw"))) {
    if (parseConvolutionDimensions(parser, numbers) || parser.parseGreater())
      return {};
    return numbers;
  }
  int64_t inputBatch = 0, inputFeature = 0, kernelInput = 0, kernelOutput = 0,
          outputBatch = 0, outputFeature = 0;
  SmallVector<int64_t> input, kernel, output;
  if (parseStruct(parser,
                  {{"input_batch_dimension", nullptr, &inputBatch},
                   {"input_feature_dimension", nullptr, &inputFeature},
                   {"input_spatial_dimensions", &input},
                   {"kernel_input_feature_dimension", nullptr, &kernelInput},
                   {"kernel_output_feature_dimension", nullptr, &kernelOutput},
                   {"kernel_spatial_dimensions", &kernel},
                   {"output_batch_dimension", nullptr, &outputBatch},
                   {"output_feature_dimension", nullptr, &outputFeature},
                   {"output_spatial_dimensions", &output}}))
    return {};
  return get(parser.getContext(), inputBatch, inputFeature, input, kernelInput,
             kernelOutput, kernel, outputBatch, outputFeature, output);
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  if (isPrintable(*this)) {
    printer << '<';
    printConvolutionDimensions(printer, *this);
    printer << '>';
    return;
  }
  // parseStruct's brackets cannot contain the keyword, so print the fields
  // here.
  printer << "<raw";
  StringRef separator = " ";
  auto field = [&](StringRef name, auto value) {
    printer << separator << name << " = ";
    if constexpr (std::is_same_v<decltype(value), int64_t>)
      printer << value;
    else
      printDims(printer, value);
    separator = ", ";
  };
  field("input_batch_dimension", getInputBatchDimension());
  field("input_feature_dimension", getInputFeatureDimension());
  field("input_spatial_dimensions", getInputSpatialDimensions());
  field("kernel_input_feature_dimension", getKernelInputFeatureDimension());
  field("kernel_output_feature_dimension", getKernelOutputFeatureDimension());
  field("kernel_spatial_dimensions", getKernelSpatialDimensions());
  field("output_batch_dimension", getOutputBatchDimension());
  field("output_feature_dimension", getOutputFeatureDimension());
  field("output_spatial_dimensions", getOutputSpatialDimensions());
  printer << '>';
}

//===- Others -------------------------------------------------------------===//

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, mlir::Type) {
  SmallVector<int64_t> output, operand;
  int64_t index = 0;
  if (parser.parseLess() ||
      parseStruct(parser, {{"output_tuple_indices", &output},
                           {"operand_index", nullptr, &index},
                           {"operand_tuple_indices", &operand}}))
    return {};
  return get(parser.getContext(), output, index, operand);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  printer << "<output_tuple_indices = ";
  printDims(printer, getOutputTupleIndices());
  printer << ", operand_index = " << getOperandIndex()
          << ", operand_tuple_indices = ";
  printDims(printer, getOperandTupleIndices());
  printer << '>';
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, mlir::Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto field = [&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return mlir::failure();
    if (name == "atol")
      return parser.parseFloat(atol);
    if (name == "rtol")
      return parser.parseFloat(rtol);
    if (name == "ulps")
      return parser.parseInteger(ulps);
    if (name == "mode")
      return parser.parseAttribute(mode);
    return parser.emitError(location, "unknown field '") << name << "'";
  };
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, field))
    return {};
  if (!mode) {
    parser.emitError(location, "expected a field 'mode'");
    return {};
  }
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (!getAtol().isZero()) {
    printer << "atol = ";
    printer.printFloat(getAtol());
    printer << ", ";
  }
  if (!getRtol().isZero()) {
    printer << "rtol = ";
    printer.printFloat(getRtol());
    printer << ", ";
  }
  if (getUlps() != 0)
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = ";
  printer.printAttribute(getMode());
  printer << '>';
}
