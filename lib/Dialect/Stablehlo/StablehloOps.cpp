#include "xlac/Dialect/Stablehlo/Assembly.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace xlac::stablehlo {

//===- ConstantOp ---------------------------------------------------------===//

Operation *StablehloDialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value,
                                                 mlir::Type type,
                                                 Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || !isTensor(type) ||
      !xlac::areCompatibleConstants(elements.getType(), type))
    return nullptr;
  return ConstantOp::create(builder, location, type, elements);
}

void ConstantOp::build(OpBuilder &builder, OperationState &state,
                       Attribute value) {
  auto elements = cast<ElementsAttr>(value);
  build(builder, state, elements.getType(), elements);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getType().getElementType().isIntOrIndex() ? "c" : "cst");
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseConstant(parser, state);
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << (getValue().getType() == getType() ? " " : "");
  printConstant(printer, *this, getValue());
}

//===- CustomCallOp -------------------------------------------------------===//

void CustomCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A call with side effects may access any memory.
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Allocate::get());
  effects.emplace_back(MemoryEffects::Free::get());
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

//===- CompositeOp --------------------------------------------------------===//

ParseResult CompositeOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  StringAttr name;
  FunctionType type;
  if (parser.parseAttribute(name, "name", state.attributes) ||
      parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes))
    return mlir::failure();
  if (succeeded(parser.parseOptionalKeyword("regions")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        return parser.parseRegion(*state.addRegion());
      }))
    return mlir::failure();
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), location,
                             state.operands))
    return mlir::failure();
  state.addTypes(type.getResults());
  return mlir::success();
}

LogicalResult AsyncStartOp::verifyRegions() {
  Block &block = getBody().front();
  if (!llvm::hasNItems(block, 2))
    return emitOpError("has a body of ")
           << std::distance(block.begin(), block.end()) - 1
           << " ops, but one wanted (C1)";
  Operation &op = block.front();
  if (!isa<AllReduceOp, AllGatherOp, AllToAllOp, CollectivePermuteOp,
           ReduceScatterOp, CollectiveBroadcastOp, SliceOp, DynamicSliceOp,
           DynamicUpdateSliceOp>(op))
    return emitOpError("runs ")
           << op.getName() << ", but a collective or a slice wanted (C2)";
  return mlir::success();
}

LogicalResult
CompositeOp::verifySymbolUses(SymbolTableCollection &symbolTables) {
  auto callee = symbolTables.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getDecompositionAttr());
  if (!callee)
    return emitOpError("has the decomposition ")
           << getDecompositionAttr() << ", which is not defined (C2)";
  if (!xlac::areCompatibleTypes(callee.getArgumentTypes(), getOperandTypes()))
    return emitOpError("takes (")
           << getOperandTypes() << "), but its decomposition ("
           << callee.getArgumentTypes() << ") (C3)";
  if (!xlac::areCompatibleTypes(callee.getResultTypes(), getResultTypes()))
    return emitOpError("returns (")
           << getResultTypes() << "), but its decomposition ("
           << callee.getResultTypes() << ") (C4)";
  return mlir::success();
}

void CompositeOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttribute(getNameAttr());
  if (!getInputs().empty())
    printer << ' ' << getInputs();
  SmallVector<StringRef> elided = {"name"};
  if (getVersion() == 0)
    elided.push_back("version");
  if (getCompositeAttributes().empty())
    elided.push_back("composite_attributes");
  printer.printOptionalAttrDict((*this)->getAttrs(), elided);
  if (getNumRegions() != 0) {
    printer << " regions (";
    llvm::interleaveComma((*this)->getRegions(), printer,
                          [&](Region &region) { printer.printRegion(region); });
    printer << ')';
  }
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===- WhileOp ------------------------------------------------------------===//

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

/// Parses the optional location after the op. It is also the location of ops
/// that the short form implies.
static ParseResult parseLocation(OpAsmParser &parser, OperationState &state,
                                 std::optional<Location> &where) {
  if (parser.parseOptionalLocationSpecifier(where))
    return mlir::failure();
  if (where)
    state.location = *where;
  return mlir::success();
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<mlir::Type> types;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren, [&]() -> ParseResult {
            return mlir::failure(
                parser.parseArgument(arguments.emplace_back()) ||
                parser.parseEqual() ||
                parser.parseOperand(operands.emplace_back()));
          }))
    return mlir::failure();
  if (!operands.empty() && parser.parseColonTypeList(types))
    return mlir::failure();
  if (parser.resolveOperands(operands, types, location, state.operands) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return mlir::failure();
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  state.addTypes(types);
  std::optional<Location> where;
  if (parser.parseKeyword("cond") ||
      parser.parseRegion(*state.addRegion(), arguments) ||
      parser.parseKeyword("do") ||
      parser.parseRegion(*state.addRegion(), arguments) ||
      parseLocation(parser, state, where))
    return mlir::failure();
  for (const std::unique_ptr<Region> &region : state.regions)
    for (BlockArgument argument : region->getArguments())
      if (where)
        argument.setLoc(*where);
  return mlir::success();
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(getCond().getArguments(), getOperands()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair);
                        });
  printer << ')';
  if (getNumOperands() != 0) {
    printer << " : ";
    llvm::interleaveComma(getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===- ReduceOp -----------------------------------------------------------===//

/// Returns the op that the short form names, or null. It is the only op of the
/// body: it applies to both arguments in order, on scalars of the input's
/// element type, and its result is returned.
static Operation *wholeBody(ReduceOp op) {
  if (op.getInputs().size() != 1 || !op.getBody().hasOneBlock())
    return nullptr;
  Block &block = op.getBody().front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation *inner = &block.front();
  auto end = dyn_cast<ReturnOp>(block.back());
  auto input = dyn_cast<RankedTensorType>(op.getInputs().front().getType());
  if (!end || !input || end->getNumOperands() != 1 ||
      !end->getAttrDictionary().empty() ||
      !isa_and_nonnull<StablehloDialect>(inner->getDialect()) ||
      !inner->hasTrait<OpTrait::IsCommutative>() ||
      inner->getNumOperands() != 2 || inner->getNumResults() != 1 ||
      inner->getNumRegions() != 0 || !inner->getAttrDictionary().empty())
    return nullptr;
  mlir::Type scalar = RankedTensorType::get({}, input.getElementType());
  bool same = inner->getOperand(0) == block.getArgument(0) &&
              inner->getOperand(1) == block.getArgument(1) &&
              end->getOperand(0) == inner->getResult(0) &&
              block.getArgument(0).getType() == scalar &&
              block.getArgument(1).getType() == scalar &&
              inner->getResult(0).getType() == scalar;
  return same ? inner : nullptr;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  llvm::interleaveComma(llvm::zip(getInputs(), getInitValues()), printer,
                        [&](auto pair) {
                          printer << '(' << std::get<0>(pair)
                                  << " init: " << std::get<1>(pair) << ')';
                        });
  Operation *inner = wholeBody(*this);
  if (inner)
    printer << " applies " << inner->getName();
  printer << " across dimensions = [";
  llvm::interleaveComma(getDimensions(), printer);
  printer << ']';
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (inner)
    return;
  printer.printNewline();
  printer << " reducer";
  size_t count = getBody().getNumArguments() / 2;
  for (size_t i = 0; i < count; ++i) {
    printer << '(';
    printer.printRegionArgument(getBody().getArgument(i));
    printer << ", ";
    printer.printRegionArgument(getBody().getArgument(i + count));
    printer << ") ";
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Creates the body that the short form implies.
static ParseResult buildBody(OpAsmParser &parser, SMLoc location,
                             OperationName name, FunctionType type,
                             OperationState &state, Region &body) {
  auto input = type.getNumInputs() == 2
                   ? dyn_cast<RankedTensorType>(type.getInput(0))
                   : RankedTensorType();
  if (!input)
    return parser.emitError(location,
                            "expected one input and one initial value");
  if (!name.isRegistered() || name.getDialectNamespace() != "stablehlo" ||
      !name.hasTrait<OpTrait::IsCommutative>())
    return parser.emitError(
               location, "expected a commutative stablehlo op to apply, got ")
           << name;
  mlir::Type scalar = RankedTensorType::get({}, input.getElementType());
  std::optional<Location> written;
  if (parseLocation(parser, state, written))
    return mlir::failure();
  Location where = written.value_or(parser.getEncodedSourceLoc(location));
  Block &block = body.emplaceBlock();
  block.addArguments({scalar, scalar}, {where, where});
  // The region has no parent yet, so the block cannot provide the context.
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState inner(where, name, block.getArguments(), scalar, {});
  Value result = builder.create(inner)->getResult(0);
  ReturnOp::create(builder, where, result);
  return mlir::success();
}

/// Form: `(%a: t, %b: t) (…) {…}`, pairs of an accumulator and an element.
static ParseResult parseReducer(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> accumulators, elements;
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(accumulators.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(elements.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return mlir::failure();
  llvm::append_range(accumulators, elements);
  return parser.parseRegion(body, accumulators);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits;
  SMLoc location = parser.getCurrentLocation();
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return mlir::failure();
  } while (succeeded(parser.parseOptionalComma()));
  llvm::append_range(operands, inits);

  std::optional<OperationName> inner;
  SMLoc innerLocation = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return mlir::failure();
    inner = *name;
  }
  SmallVector<int64_t> dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseDims(parser, dimensions) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), location,
                             state.operands))
    return mlir::failure();
  state.addAttribute("dimensions",
                     parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  state.addTypes(type.getResults());
  Region &body = *state.addRegion();
  if (inner)
    return buildBody(parser, innerLocation, *inner, type, state, body);
  return mlir::failure(parser.parseKeyword("reducer") ||
                       parseReducer(parser, body));
}

} // namespace xlac::stablehlo
