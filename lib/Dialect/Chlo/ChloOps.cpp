#include "xlac/Dialect/Chlo/ChloDialect.h"

#include "mlir/IR/Builders.h"
#include "xlac/Dialect/Stablehlo/Assembly.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "xlac/Dialect/Chlo/ChloOps.cpp.inc"

namespace xlac::chlo {

//===- ConstantOp ---------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  return stablehlo::parseConstant(parser, state);
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << (getValue().getType() == getType() ? " " : "");
  stablehlo::printConstant(printer, *this, getValue());
}

//===- ScanOp -------------------------------------------------------------===//

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SMLoc location = parser.getCurrentLocation();
  int64_t dimension = 0;
  FunctionType type;
  if (parser.parseOperandList(inputs, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion()) || parser.parseColonType(type))
    return mlir::failure();
  auto segments = [](size_t first, size_t second) {
    return std::array<int32_t, 2>{int32_t(first), int32_t(second)};
  };
  // There are as many carries as initial values.
  size_t results = type.getNumResults();
  if (results < inits.size())
    return parser.emitError(location, "expected at least ")
           << inits.size() << " results, got " << results;
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = segments(inputs.size(), inits.size());
  properties.resultSegmentSizes =
      segments(results - inits.size(), inits.size());
  state.addAttribute("dimension",
                     parser.getBuilder().getI64IntegerAttr(dimension));
  llvm::append_range(inputs, inits);
  state.addTypes(type.getResults());
  return parser.resolveOperands(inputs, type.getInputs(), location,
                                state.operands);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << '(' << getInputs() << ") inits(" << getInits()
          << ") dimension=" << getDimension();
  SmallVector<StringRef> elided = {"dimension", "operandSegmentSizes",
                                   "resultSegmentSizes"};
  if (!getIsReverse())
    elided.push_back("is_reverse");
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

} // namespace xlac::chlo
