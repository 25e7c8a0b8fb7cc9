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

/// Parses text in `brackets`, such as "<>", as it stands.
static ParseResult parseText(OpAsmParser &parser, StringRef brackets,
                             StringRef &text) {
  const char *begin = parser.getCurrentLocation().getPointer();
  auto expected = [&](const char *place, char wanted) {
    return parser.emitError(SMLoc::getFromPointer(place))
           << "expected '" << wanted << "'";
  };
  const char *end = begin;
  int depth = 0;
  do {
    end = parser.getCurrentLocation().getPointer();
    if (parseToken(parser, depth))
      return failure();
    if (depth == 0 && end == begin)
      return expected(begin, brackets[0]);
  } while (depth > 0);
  if (*begin != brackets[0])
    return expected(begin, brackets[0]);
  if (*end != brackets[1])
    return expected(end, brackets[1]);
  text = StringRef(begin, end + 1 - begin);
  return success();
}

/// Parses "<…>" into the attribute whose text is `name` and these brackets.
static ParseResult parseBrackets(OpAsmParser &parser, StringRef name,
                                 Attribute &attribute) {
  StringRef text;
  if (parseText(parser, "<>", text))
    return failure();
  attribute = makeAttribute(parser.getContext(), name + text);
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

//===- Manual computations ------------------------------------------------===//

namespace {

/// The parts that follow the operands of a manual computation: keyword, name of
/// the attribute whose text it stands for and what closes that text.
struct Part {
  StringRef keyword, prefix, suffix, brackets;
};

} // namespace

static constexpr Part kParts[] = {
    {"in_shardings", "sharding_per_value<", ">", "[]"},
    {"out_shardings", "sharding_per_value<", ">", "[]"},
    {"manual_axes", "manual_axes", "", "{}"}};

ParseResult ManualComputationOp::parse(OpAsmParser &parser,
                                       OperationState &state) {
  SMLoc place = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren))
    return failure();
  for (const Part &part : kParts) {
    StringRef text;
    if (parser.parseKeyword(part.keyword) || parser.parseEqual() ||
        parseText(parser, part.brackets, text))
      return failure();
    state.addAttribute(
        part.keyword,
        makeAttribute(parser.getContext(), part.prefix + text + part.suffix));
  }
  SmallVector<OpAsmParser::Argument> arguments;
  Region *body = state.addRegion();
  FunctionType type;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), place, state.operands))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  state.addTypes(type.getResults());
  return success();
}

void ManualComputationOp::print(OpAsmPrinter &printer) {
  printer << '(' << getInputs() << ')';
  SmallVector<StringRef> shown;
  for (const Part &part : kParts) {
    Attribute attribute = (*this)->getAttr(part.keyword);
    auto opaque = dyn_cast<OpaqueAttr>(attribute);
    StringRef text = opaque ? opaque.getAttrData() : StringRef();
    printer << ' ' << part.keyword << '=';
    if (text.consume_front(part.prefix) && text.consume_back(part.suffix))
      printer << text;
    else
      printer << attribute;
    shown.push_back(part.keyword);
  }
  printer << " (";
  llvm::interleaveComma(
      getBody().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), shown);
  printer << " : ";
  printer.printFunctionalType(*this);
}

LogicalResult ManualComputationOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getNumOperands())
    return emitOpError("has ") << getNumOperands() << " inputs, but its body "
                               << body.getNumArguments() << " arguments";
  unsigned returned = body.getTerminator()->getNumOperands();
  if (returned != getNumResults())
    return emitOpError("has ")
           << getNumResults() << " outputs, but its body returns " << returned;
  return success();
}

/// The size of `axis` in a mesh, or 0 if it is not there.
static int64_t axisSize(StringRef mesh, StringRef axis) {
  while (true) {
    StringRef name;
    mesh = mesh.split('"').second;
    if (mesh.empty())
      return 0;
    std::tie(name, mesh) = mesh.split('"');
    mesh = mesh.ltrim();
    int64_t size = 0;
    if (mesh.consume_front("=") &&
        !(mesh = mesh.ltrim()).consumeInteger(10, size) && name == axis)
      return size;
  }
}

/// The text of the mesh that the first of some shardings names, or nothing.
static StringRef meshOf(StringRef shardings, const SymbolTable &symbols) {
  shardings = shardings.split("[<").second;
  if (!shardings.consume_front("@"))
    return shardings.split(']').first;
  StringRef name = shardings.take_until([](char c) { return c == ','; });
  auto mesh = symbols.lookup<MeshOp>(name.trim().trim('"'));
  auto text = mesh ? dyn_cast<OpaqueAttr>(mesh.getMesh()) : OpaqueAttr();
  return text ? text.getAttrData().split(']').first : StringRef();
}

FailureOr<int64_t> ManualComputationOp::partCount(const SymbolTable &symbols) {
  auto textOf = [](Attribute attribute) {
    auto opaque = dyn_cast<OpaqueAttr>(attribute);
    return opaque ? opaque.getAttrData() : StringRef();
  };
  StringRef mesh = meshOf(textOf(getInShardings()), symbols);
  if (mesh.empty())
    mesh = meshOf(textOf(getOutShardings()), symbols);
  int64_t parts = 1;
  StringRef axes = textOf(getManualAxes()).split('"').second;
  while (!axes.empty()) {
    auto [axis, rest] = axes.split('"');
    int64_t size = axisSize(mesh, axis);
    if (size < 1 || llvm::MulOverflow(parts, size, parts))
      return emitOpError("has the manual axis '")
             << axis << "', whose size no mesh says";
    axes = rest.split('"').second;
  }
  return parts;
}

} // namespace mlir::sdy
