#include "xlac/Dialect/Sdy/SdyDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "xlac/Dialect/Sdy/SdyDialect.cpp.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Sdy/SdyOps.cpp.inc"

namespace mlir::sdy {

void SdyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Sdy/SdyOps.cpp.inc"
      >();
}

static OpaqueAttr makeAttribute(MLIRContext *context, const Twine &text) {
  return OpaqueAttr::get(
      StringAttr::get(context, SdyDialect::getDialectNamespace()), text.str(),
      NoneType::get(context));
}

Attribute SdyDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  return makeAttribute(getContext(), parser.getFullSymbolSpec());
}

/// Parses one token of those that meshes and shardings are made of; `depth`
/// follows the brackets.
static ParseResult parseToken(OpAsmParser &parser, int &depth) {
  if (succeeded(parser.parseOptionalLess()) ||
      succeeded(parser.parseOptionalLSquare()) ||
      succeeded(parser.parseOptionalLBrace()) ||
      succeeded(parser.parseOptionalLParen())) {
    ++depth;
    return success();
  }
  if (succeeded(parser.parseOptionalGreater()) ||
      succeeded(parser.parseOptionalRSquare()) ||
      succeeded(parser.parseOptionalRBrace()) ||
      succeeded(parser.parseOptionalRParen())) {
    --depth;
    return success();
  }
  std::string text;
  StringRef keyword;
  StringAttr symbol;
  APInt number;
  if (succeeded(parser.parseOptionalComma()) ||
      succeeded(parser.parseOptionalColon()) ||
      succeeded(parser.parseOptionalEqual()) ||
      succeeded(parser.parseOptionalQuestion()) ||
      succeeded(parser.parseOptionalString(&text)) ||
      succeeded(parser.parseOptionalKeyword(&keyword)) ||
      succeeded(parser.parseOptionalSymbolName(symbol)))
    return success();
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  if (integer.has_value())
    return *integer;
  return parser.emitError(parser.getCurrentLocation(),
                          "expected a mesh or sharding");
}

/// Parses "<…>" into the attribute whose text is `name` and these brackets.
static ParseResult parseBrackets(OpAsmParser &parser, StringRef name,
                                 Attribute &attribute) {
  const char *begin = parser.getCurrentLocation().getPointer();
  if (parser.parseLess())
    return failure();
  const char *end = begin;
  for (int depth = 1; depth > 0;) {
    end = parser.getCurrentLocation().getPointer();
    if (parseToken(parser, depth))
      return failure();
  }
  if (*end != '>')
    return parser.emitError(SMLoc::getFromPointer(end), "expected '>'");
  attribute = makeAttribute(parser.getContext(),
                            name + StringRef(begin, end + 1 - begin));
  return success();
}

/// The text of an attribute behind `name`, or all of it.
static void printBrackets(OpAsmPrinter &printer, StringRef name,
                          Attribute attribute) {
  auto opaque = dyn_cast<OpaqueAttr>(attribute);
  StringRef text = opaque ? opaque.getAttrData() : StringRef();
  if (text.consume_front(name))
    printer << ' ' << text;
  else
    printer << ' ' << attribute;
}

ParseResult MeshOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  Attribute mesh;
  if (parser.parseSymbolName(name, getSymNameAttrName(state.name),
                             state.attributes) ||
      parser.parseEqual() || parseBrackets(parser, "mesh", mesh))
    return failure();
  state.addAttribute(getMeshAttrName(state.name), mesh);
  return parser.parseOptionalAttrDict(state.attributes);
}

void MeshOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " =";
  printBrackets(printer, "mesh", getMesh());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"sym_name", "mesh"});
}

ParseResult ShardingConstraintOp::parse(OpAsmParser &parser,
                                        OperationState &state) {
  OpAsmParser::UnresolvedOperand input;
  Attribute sharding;
  Type type;
  if (parser.parseOperand(input) ||
      parseBrackets(parser, "sharding", sharding) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(input, type, state.operands))
    return failure();
  state.addAttribute(getShardingAttrName(state.name), sharding);
  state.addTypes(type);
  return success();
}

void ShardingConstraintOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInput();
  printBrackets(printer, "sharding", getSharding());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"sharding"});
  printer << " : " << getType();
}

} // namespace mlir::sdy
