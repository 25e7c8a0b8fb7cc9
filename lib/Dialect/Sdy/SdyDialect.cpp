#include "xlac/Dialect/Sdy/SdyDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

#include "xlac/Dialect/Sdy/SdyDialect.cpp.inc"
#include "xlac/Dialect/Sdy/SdyEnums.cpp.inc"

/// Declared before the generated parsers, which call them.
namespace xlac::sdy {
static ParseResult parseText(OpAsmParser &parser, Attribute &attribute,
                             StringRef name, StringRef brackets);
static void printText(OpAsmPrinter &printer, Operation *op, Attribute attribute,
                      StringRef name, StringRef brackets);
static ParseResult parseEdgeSharding(OpAsmParser &parser, Attribute &sharding);
static void printEdgeSharding(OpAsmPrinter &printer, Operation *op,
                              Attribute sharding);
static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &number);
static void printNumber(OpAsmPrinter &printer, Operation *op,
                        IntegerAttr number);
} // namespace xlac::sdy

#define GET_OP_CLASSES
#include "xlac/Dialect/Sdy/SdyOps.cpp.inc"

namespace xlac::sdy {

void SdyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Sdy/SdyOps.cpp.inc"
      >();
  registerBytecode();
}

Attribute SdyDialect::attributeOf(MLIRContext *context, const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, getDialectNamespace()),
                         text.str(), NoneType::get(context));
}

StringRef SdyDialect::textOf(Attribute attribute) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute);
  return opaque && opaque.getDialectNamespace() == getDialectNamespace()
             ? opaque.getAttrData()
             : StringRef();
}

Attribute SdyDialect::parseAttribute(DialectAsmParser &parser,
                                     mlir::Type) const {
  return attributeOf(getContext(), parser.getFullSymbolSpec());
}

/// Parses one token of a mesh or sharding. `depth` counts open brackets.
static ParseResult parseToken(OpAsmParser &parser, int &depth) {
  if (succeeded(parser.parseOptionalLess()) ||
      succeeded(parser.parseOptionalLSquare()) ||
      succeeded(parser.parseOptionalLBrace()) ||
      succeeded(parser.parseOptionalLParen())) {
    ++depth;
    return mlir::success();
  }
  if (succeeded(parser.parseOptionalGreater()) ||
      succeeded(parser.parseOptionalRSquare()) ||
      succeeded(parser.parseOptionalRBrace()) ||
      succeeded(parser.parseOptionalRParen())) {
    --depth;
    return mlir::success();
  }
  std::string text;
  StringRef keyword;
  StringAttr symbol;
  APInt number;
  if (succeeded(parser.parseOptionalComma()) ||
      succeeded(parser.parseOptionalColon()) ||
      succeeded(parser.parseOptionalEqual()) ||
      succeeded(parser.parseOptionalQuestion()) ||
      succeeded(parser.parseOptionalArrow()) ||
      succeeded(parser.parseOptionalString(&text)) ||
      succeeded(parser.parseOptionalKeyword(&keyword)) ||
      succeeded(parser.parseOptionalSymbolName(symbol)))
    return mlir::success();
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  if (integer.has_value())
    return *integer;
  return parser.emitError(parser.getCurrentLocation(),
                          "expected a mesh or sharding");
}

/// Parses text enclosed in `brackets`, such as "<>", without interpreting it.
static ParseResult parseText(OpAsmParser &parser, StringRef brackets,
                             StringRef &text) {
  assert(brackets.size() == 2 && "one bracket opens, one closes");
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
      return mlir::failure();
    if (depth == 0 && end == begin)
      return expected(begin, brackets[0]);
  } while (depth > 0);
  if (*begin != brackets[0])
    return expected(begin, brackets[0]);
  if (*end != brackets[1])
    return expected(end, brackets[1]);
  assert(begin <= end && "tokens follow each other");
  text = StringRef(begin, end + 1 - begin);
  return mlir::success();
}

/// Parses text enclosed in `brackets` into the attribute with the text `name`
/// and this text.
static ParseResult parseText(OpAsmParser &parser, Attribute &attribute,
                             StringRef name, StringRef brackets) {
  StringRef text;
  if (parseText(parser, brackets, text))
    return mlir::failure();
  attribute = SdyDialect::attributeOf(parser.getContext(), name + text);
  return mlir::success();
}

/// Prints the text of `attribute` after `name`, or the attribute if its text
/// has another prefix.
static void printText(OpAsmPrinter &printer, Operation *, Attribute attribute,
                      StringRef name, StringRef) {
  StringRef text = SdyDialect::textOf(attribute);
  if (text.consume_front(name))
    printer << text;
  else
    printer << attribute;
}

/// Form: "sharding=<…>", optional.
static ParseResult parseEdgeSharding(OpAsmParser &parser, Attribute &sharding) {
  if (failed(parser.parseOptionalKeyword("sharding")))
    return mlir::success();
  return mlir::failure(parser.parseEqual() ||
                       parseText(parser, sharding, "sharding", "<>"));
}

static void printEdgeSharding(OpAsmPrinter &printer, Operation *op,
                              Attribute sharding) {
  if (!sharding)
    return;
  printer << "sharding=";
  printText(printer, op, sharding, "sharding", "<>");
}

static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &number) {
  return parser.parseAttribute(number, parser.getBuilder().getI64Type());
}

static void printNumber(OpAsmPrinter &printer, Operation *,
                        IntegerAttr number) {
  printer << number.getValue();
}

ParseResult MeshOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  Attribute mesh;
  if (parser.parseSymbolName(name, getSymNameAttrName(state.name),
                             state.attributes) ||
      parser.parseEqual() || parseText(parser, mesh, "mesh", "<>"))
    return mlir::failure();
  state.addAttribute(getMeshAttrName(state.name), mesh);
  return parser.parseOptionalAttrDict(state.attributes);
}

void MeshOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " = ";
  printText(printer, *this, getMesh(), "mesh", "<>");
  printer.printOptionalAttrDict((*this)->getAttrs(), {"sym_name", "mesh"});
}

//===- Computations -------------------------------------------------------===//

namespace {

/// A part after the operands of a computation: its keyword, and the prefix and
/// suffix that complete its text to that of an attribute.
struct Part {
  StringRef keyword, prefix, suffix, brackets;
};

} // namespace

static constexpr Part kManualParts[] = {
    {"in_shardings", "sharding_per_value<", ">", "[]"},
    {"out_shardings", "sharding_per_value<", ">", "[]"},
    {"manual_axes", "manual_axes", "", "{}"}};
static constexpr size_t kNamedPartCount = 2; // no axes

/// Parses everything except the name: operands, parts, body, attributes and
/// types.
static ParseResult parseComputation(OpAsmParser &parser, OperationState &state,
                                    ArrayRef<Part> parts, bool areOptional) {
  SMLoc place = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren))
    return mlir::failure();
  for (const Part &part : parts) {
    if (failed(parser.parseOptionalKeyword(part.keyword))) {
      if (areOptional)
        continue;
      return parser.parseKeyword(part.keyword);
    }
    StringRef text;
    if (parser.parseEqual() || parseText(parser, part.brackets, text))
      return mlir::failure();
    state.addAttribute(part.keyword, SdyDialect::attributeOf(
                                         parser.getContext(),
                                         part.prefix + text + part.suffix));
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
    return mlir::failure();
  state.addTypes(type.getResults());
  return mlir::success();
}

template <class Computation>
static void printComputation(OpAsmPrinter &printer, Computation op,
                             ArrayRef<Part> parts) {
  printer << '(' << op.getInputs() << ')';
  SmallVector<StringRef> shown = {"name"};
  for (const Part &part : parts) {
    Attribute attribute = op->getAttr(part.keyword);
    if (!attribute)
      continue;
    StringRef text = SdyDialect::textOf(attribute);
    printer << ' ' << part.keyword << '=';
    if (text.consume_front(part.prefix) && text.consume_back(part.suffix))
      printer << text;
    else
      printer << attribute;
    shown.push_back(part.keyword);
  }
  printer << " (";
  llvm::interleaveComma(
      op.getBody().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict(op->getAttrs(), shown);
  printer << " : ";
  printer.printFunctionalType(op);
}

/// Checks that the body has as many arguments as the op has inputs, and returns
/// as many values as the op has outputs.
static LogicalResult verifyComputation(Operation *op) {
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != op->getNumOperands())
    return op->emitOpError("has ")
           << op->getNumOperands() << " inputs, but its body "
           << body.getNumArguments() << " arguments";
  unsigned returned = body.getTerminator()->getNumOperands();
  if (returned != op->getNumResults())
    return op->emitOpError("has ")
           << op->getNumResults() << " outputs, but its body returns "
           << returned;
  return mlir::success();
}

ParseResult ManualComputationOp::parse(OpAsmParser &parser,
                                       OperationState &state) {
  if (parseComputation(parser, state, kManualParts, /*areOptional=*/false))
    return mlir::failure();
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return mlir::success();
}

void ManualComputationOp::print(OpAsmPrinter &printer) {
  printComputation(printer, *this, kManualParts);
}

LogicalResult ManualComputationOp::verify() { return verifyComputation(*this); }

ParseResult NamedComputationOp::parse(OpAsmParser &parser,
                                      OperationState &state) {
  StringAttr name;
  if (parser.parseLess() ||
      parser.parseAttribute(name, getNameAttrName(state.name),
                            state.attributes) ||
      parser.parseGreater() ||
      parseComputation(parser, state, ArrayRef(kManualParts, kNamedPartCount),
                       /*areOptional=*/true))
    return mlir::failure();
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return mlir::success();
}

void NamedComputationOp::print(OpAsmPrinter &printer) {
  printer << '<' << getNameAttr() << '>';
  printComputation(printer, *this, ArrayRef(kManualParts, kNamedPartCount));
}

/// The body computes on the operands themselves, so the types must be equal.
LogicalResult NamedComputationOp::verify() {
  if (failed(verifyComputation(*this)))
    return mlir::failure();
  Block &body = getBody().front();
  if (getOperandTypes() != TypeRange(body.getArgumentTypes()) ||
      getResultTypes() != body.getTerminator()->getOperandTypes())
    return emitOpError("has a body of other types than its own");
  return mlir::success();
}

bool takeName(StringRef &text, std::string &name) {
  StringRef rest = text;
  if (!rest.consume_front("\""))
    return false;
  name.clear();
  while (!rest.empty()) {
    char c = rest.front();
    rest = rest.drop_front();
    if (c == '"') {
      text = rest;
      return true;
    }
    if (c != '\\') {
      name += c;
      continue;
    }
    uint8_t byte = 0;
    if (rest.consume_front("n"))
      name += '\n';
    else if (rest.consume_front("t"))
      name += '\t';
    else if (rest.consume_front("\""))
      name += '"';
    else if (rest.consume_front("\\"))
      name += '\\';
    else if (llvm::to_integer(rest.take_front(2), byte, 16)) {
      name += char(byte);
      rest = rest.drop_front(2);
    } else
      return false;
  }
  return false;
}

/// Removes everything up to the next quoted name from `text`, and the name.
/// Returns false if there is none.
static bool takeNextName(StringRef &text, std::string &name) {
  size_t begin = text.find('"');
  text = begin == StringRef::npos ? StringRef() : text.drop_front(begin);
  return takeName(text, name);
}

/// Returns the size of `axis` in a mesh, or 0 if the mesh does not have it.
static int64_t axisSize(StringRef mesh, StringRef axis) {
  std::string name;
  while (takeNextName(mesh, name)) {
    int64_t size = 0;
    StringRef rest = mesh.ltrim();
    if (name == axis && rest.consume_front("=") &&
        !rest.ltrim().consumeInteger(10, size))
      return size;
  }
  return 0;
}

/// Returns the text of the mesh that the first of the shardings names, or an
/// empty text.
static StringRef meshOf(StringRef shardings, const SymbolTable &symbols) {
  shardings = shardings.split("[<").second;
  if (!shardings.consume_front("@"))
    return shardings;
  std::string name;
  if (!takeName(shardings, name))
    name = shardings.take_until([](char c) { return c == ','; }).trim();
  auto mesh = symbols.lookup<MeshOp>(name);
  return mesh ? SdyDialect::textOf(mesh.getMesh()) : StringRef();
}

FailureOr<int64_t> ManualComputationOp::partCount(const SymbolTable &symbols) {
  StringRef mesh = meshOf(SdyDialect::textOf(getInShardings()), symbols);
  if (mesh.empty())
    mesh = meshOf(SdyDialect::textOf(getOutShardings()), symbols);
  int64_t parts = 1;
  StringRef axes = SdyDialect::textOf(getManualAxes());
  for (std::string axis; takeNextName(axes, axis);) {
    int64_t size = axisSize(mesh, axis);
    if (size < 1 || llvm::MulOverflow(parts, size, parts))
      return emitOpError("has the manual axis '")
             << axis << "', whose size no mesh says";
  }
  return parts;
}

} // namespace xlac::sdy
