#include "xlac/Dialect/Stablehlo/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace xlac::stablehlo {

//===- Lists --------------------------------------------------------------===//

ParseResult parseDims(AsmParser &parser, SmallVectorImpl<int64_t> &dims) {
  dims.clear();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dims.emplace_back());
  });
}

void printDims(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer);
  printer << ']';
}

ParseResult parseStruct(AsmParser &parser, ArrayRef<StructField> fields) {
  SmallVector<bool> seen(fields.size(), false);
  if (succeeded(parser.parseOptionalGreater()))
    return mlir::success();
  ParseResult read = parser.parseCommaSeparatedList([&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return mlir::failure();
    const StructField *field = llvm::find_if(
        fields, [&](const StructField &f) { return f.name == name; });
    if (field == fields.end())
      return parser.emitError(location, "unknown field '") << name << "'";
    bool &given = seen[field - fields.begin()];
    if (given)
      return parser.emitError(location, "field '")
             << name << "' is given twice";
    given = true;
    if (parser.parseEqual())
      return mlir::failure();
    return field->dims ? parseDims(parser, *field->dims)
                       : parser.parseInteger(*field->number);
  });
  return mlir::failure(failed(read) || failed(parser.parseGreater()));
}

void printStruct(AsmPrinter &printer, ArrayRef<StructValue> values) {
  printer << '<';
  bool first = true;
  for (const StructValue &field : values) {
    const auto *dims = std::get_if<ArrayRef<int64_t>>(&field.value);
    if (dims ? dims->empty() : std::get<int64_t>(field.value) == 0)
      continue;
    printer << (first ? "" : ", ") << field.name << " = ";
    first = false;
    if (dims)
      printDims(printer, *dims);
    else
      printer << std::get<int64_t>(field.value);
  }
  printer << '>';
}

//===- Types --------------------------------------------------------------===//

/// Assigns the types of a function type to operands and one result.
static ParseResult assignFunctionType(OpAsmParser &parser, SMLoc location,
                                      FunctionType type,
                                      ArrayRef<mlir::Type *> operands,
                                      mlir::Type &result) {
  if (type.getNumInputs() != operands.size() || type.getNumResults() != 1)
    return parser.emitError(location, "expected a function type of ")
           << operands.size() << " operands and 1 result, got " << type;
  for (auto [operand, input] : llvm::zip(operands, type.getInputs()))
    *operand = input;
  result = type.getResult(0);
  return mlir::success();
}

ParseResult parseSameTypes(OpAsmParser &parser, ArrayRef<mlir::Type *> types) {
  SMLoc location = parser.getCurrentLocation();
  mlir::Type type;
  if (parser.parseType(type))
    return mlir::failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignFunctionType(parser, location, function, types.drop_back(),
                              *types.back());
  for (mlir::Type *each : types)
    *each = type;
  return mlir::success();
}

void printSameTypes(OpAsmPrinter &printer, ArrayRef<mlir::Type> types) {
  if (llvm::all_equal(types))
    printer << types.front();
  else
    printer.printFunctionalType(types.drop_back(), types.take_back());
}

ParseResult parseVariadicSameOperandsAndResultType(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
    SmallVectorImpl<mlir::Type> &types, mlir::Type &result) {
  types.resize(operands.size());
  SmallVector<mlir::Type *> all;
  for (mlir::Type &type : types)
    all.push_back(&type);
  all.push_back(&result);
  return parseSameTypes(parser, all);
}

void printVariadicSameOperandsAndResultType(OpAsmPrinter &printer, Operation *,
                                            OperandRange, TypeRange types,
                                            mlir::Type result) {
  SmallVector<mlir::Type> all(types);
  all.push_back(result);
  printSameTypes(printer, all);
}

/// Returns the type of the real or imaginary part of `type`, or null if it is
/// not complex.
static mlir::Type partOfComplex(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return element ? tensor.clone(element.getElementType()) : mlir::Type();
}

ParseResult parseComplexOpType(OpAsmParser &parser, mlir::Type &lhs,
                               mlir::Type &rhs, mlir::Type &result) {
  SMLoc location = parser.getCurrentLocation();
  mlir::Type type;
  if (parser.parseType(type))
    return mlir::failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignFunctionType(parser, location, function, {&lhs, &rhs}, result);
  lhs = rhs = partOfComplex(type);
  if (!lhs)
    return parser.emitError(location, "expected a tensor of complex, got ")
           << type;
  result = type;
  return mlir::success();
}

void printComplexOpType(OpAsmPrinter &printer, Operation *, mlir::Type lhs,
                        mlir::Type rhs, mlir::Type result) {
  if (lhs == rhs && partOfComplex(result) == lhs)
    printer << result;
  else
    printer.printFunctionalType(TypeRange{lhs, rhs}, TypeRange{result});
}

ParseResult parseSelectOpType(OpAsmParser &parser, mlir::Type &predicate,
                              mlir::Type &onTrue, mlir::Type &onFalse,
                              mlir::Type &result) {
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseType(predicate))
    return mlir::failure();
  if (auto function = dyn_cast<FunctionType>(predicate))
    return assignFunctionType(parser, location, function,
                              {&predicate, &onTrue, &onFalse}, result);
  if (parser.parseComma() || parser.parseType(result))
    return mlir::failure();
  onTrue = onFalse = result;
  return mlir::success();
}

void printSelectOpType(OpAsmPrinter &printer, Operation *, mlir::Type predicate,
                       mlir::Type onTrue, mlir::Type onFalse,
                       mlir::Type result) {
  if (onTrue == result && onFalse == result)
    printer << predicate << ", " << result;
  else
    printer.printFunctionalType(TypeRange{predicate, onTrue, onFalse},
                                TypeRange{result});
}

ParseResult parseTupleOpType(OpAsmParser &parser,
                             SmallVectorImpl<mlir::Type> &operands,
                             mlir::Type &result) {
  SMLoc location = parser.getCurrentLocation();
  mlir::Type type;
  if (parser.parseType(type))
    return mlir::failure();
  if (auto tuple = dyn_cast<mlir::TupleType>(type)) {
    llvm::append_range(operands, tuple.getTypes());
    result = tuple;
    return mlir::success();
  }
  auto function = dyn_cast<FunctionType>(type);
  if (!function || function.getNumResults() != 1)
    return parser.emitError(location, "expected a tuple type, got ") << type;
  llvm::append_range(operands, function.getInputs());
  result = function.getResult(0);
  return mlir::success();
}

void printTupleOpType(OpAsmPrinter &printer, Operation *, TypeRange operands,
                      mlir::Type result) {
  auto tuple = dyn_cast<mlir::TupleType>(result);
  if (tuple && operands == TypeRange(tuple.getTypes()))
    printer << result;
  else
    printer.printFunctionalType(operands, TypeRange{result});
}

ParseResult parsePairwiseOpType(OpAsmParser &parser,
                                SmallVectorImpl<mlir::Type> &operands,
                                SmallVectorImpl<mlir::Type> &results) {
  if (parser.parseTypeList(operands))
    return mlir::failure();
  if (operands.size() == 1)
    if (auto function = dyn_cast<FunctionType>(operands.front())) {
      operands.assign(function.getInputs().begin(), function.getInputs().end());
      llvm::append_range(results, function.getResults());
      return mlir::success();
    }
  results = operands;
  return mlir::success();
}

void printPairwiseOpType(OpAsmPrinter &printer, Operation *, TypeRange operands,
                         TypeRange results) {
  if (operands == results)
    llvm::interleaveComma(operands, printer);
  else
    printer.printFunctionalType(operands, results);
}

//===- Operands and small attributes --------------------------------------===//

ParseResult parseVariadicOperandWithAttribute(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return mlir::success();
    if (failed(*parsed) || parser.parseComma())
      return mlir::failure();
    operands.push_back(operand);
  }
}

void printVariadicOperandWithAttribute(OpAsmPrinter &printer, Operation *,
                                       OperandRange operands) {
  llvm::interleave(
      operands, printer, [&](Value operand) { printer << operand << ','; },
      " ");
}

ParseResult parseExponentMantissa(AsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa) {
  SMLoc location = parser.getCurrentLocation();
  StringRef format;
  if (parser.parseKeyword(&format))
    return mlir::failure();
  StringRef rest = format;
  int32_t exponentBits = 0, mantissaBits = 0;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.getAsInteger(10, mantissaBits))
    return parser.emitError(location, "expected a format such as e8m10, got ")
           << format;
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return mlir::success();
}

void printExponentMantissa(AsmPrinter &printer, Operation *,
                           IntegerAttr exponent, IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> starts, limits, steps;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            if (parser.parseInteger(starts.emplace_back()) ||
                parser.parseColon() ||
                parser.parseInteger(limits.emplace_back()))
              return mlir::failure();
            steps.push_back(1);
            if (failed(parser.parseOptionalColon()))
              return mlir::success();
            return parser.parseInteger(steps.back());
          }))
    return mlir::failure();
  Builder &builder = parser.getBuilder();
  start = builder.getDenseI64ArrayAttr(starts);
  limit = builder.getDenseI64ArrayAttr(limits);
  strides = builder.getDenseI64ArrayAttr(steps);
  return mlir::success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr start, DenseI64ArrayAttr limit,
                      DenseI64ArrayAttr strides) {
  printer << '[';
  llvm::interleaveComma(
      llvm::zip(start.asArrayRef(), limit.asArrayRef(), strides.asArrayRef()),
      printer, [&](auto range) {
        auto [from, to, step] = range;
        printer << from << ':' << to;
        if (step != 1)
          printer << ':' << step;
      });
  printer << ']';
}

ParseResult parseCustomCallTarget(AsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCustomCallTarget(AsmPrinter &printer, Operation *,
                           StringAttr target) {
  printer.printSymbolName(target.getValue());
}

ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  // Values with a type other than the result's, such as quantized constants,
  // use the generic form.
  if (succeeded(parser.parseOptionalLParen())) {
    NamedAttrList attributes;
    if (parser.parseRParen())
      return mlir::failure();
    if (succeeded(parser.parseOptionalLess()) &&
        (parser.parseOptionalAttrDict(attributes) || parser.parseGreater()))
      return mlir::failure();
    SMLoc location = parser.getCurrentLocation();
    FunctionType type;
    if (parser.parseOptionalAttrDict(attributes) || parser.parseColonType(type))
      return mlir::failure();
    if (type.getNumInputs() != 0 || type.getNumResults() != 1)
      return parser.emitError(location, "expected no operands and 1 result");
    if (!isa_and_present<ElementsAttr>(attributes.get("value")))
      return parser.emitError(location, "expected elements as 'value'");
    state.addAttributes(attributes.getAttrs());
    state.addTypes(type.getResult(0));
    return mlir::success();
  }
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(state.attributes))
    return mlir::failure();
  SMLoc location = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return mlir::failure();
  value = dyn_cast<ElementsAttr>(attribute);
  if (!value)
    return parser.emitError(location, "expected elements such as dense<…>");
  state.addAttribute("value", value);
  state.addTypes(value.getType());
  return mlir::success();
}

void printConstant(OpAsmPrinter &printer, Operation *op, ElementsAttr value) {
  bool plain = value.getType() == op->getResult(0).getType();
  if (!plain) {
    printer << "() <{value = ";
    printer.printAttribute(value);
    printer << "}>";
  }
  printer.printOptionalAttrDict(op->getAttrs(), {"value"});
  if (!plain) {
    printer << " : ";
    printer.printFunctionalType(op);
    return;
  }
  printer << ' ';
  printer.printAttribute(value);
}

} // namespace xlac::stablehlo
