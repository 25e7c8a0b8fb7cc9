// Converts a graph to a StableHLO module.
#include "xlac/Import/Import.h"

#include "xlac/Dialect/AllDialects.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/graph/program.h"
#include "xlac/support/program_names.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace xlac {

static llvm::Error importError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

namespace {

/// Builds one module. Creates ops through operation states, because the graph
/// only knows their kinds.
class GraphImporter {
public:
  GraphImporter(MLIRContext &context, bool debugInfo)
      : context(context), builder(&context), debugInfo(debugInfo) {}

  llvm::Expected<OwningOpRef<ModuleOp>> run(const graph::Program &program);

private:
  using ValueMap = llvm::DenseMap<const graph::Node *, ValueRange>;

  void nameFunctions(const graph::Program &program);
  llvm::Error importFunction(const graph::Program &program,
                             const graph::Function &function);
  void addEntryAttributes(const graph::Program &program, func::FuncOp entry);
  llvm::Error importBlock(const graph::Block &block, Block &into,
                          ValueMap &values, StringRef terminator);
  llvm::Error importNode(const graph::Node &node, ValueMap &values);
  llvm::Error addAttributes(const graph::Node &node, OperationState &state);
  llvm::Error addNamed(const graph::NamedAttributes &from, NamedAttrList &to);
  llvm::Expected<Attribute> parse(const std::string &text);
  Location locationOf(const graph::Node &node);
  llvm::Expected<SmallVector<Value>> lookUp(llvm::ArrayRef<graph::Value> wanted,
                                            const ValueMap &values);

  MLIRContext &context;
  OpBuilder builder;
  bool debugInfo;
  llvm::DenseMap<const graph::Function *, std::string> symbols;
  llvm::StringSet<> taken;
};

} // namespace

Location GraphImporter::locationOf(const graph::Node &node) {
  if (!debugInfo || node.origin() == 0)
    return builder.getUnknownLoc();
  return NameLoc::get(builder.getStringAttr(
      llvm::formatv("origin:{0:x}", node.origin()).str()));
}

llvm::Expected<Attribute> GraphImporter::parse(const std::string &text) {
  if (text.empty())
    return builder.getUnitAttr();
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  if (Attribute attribute = parseAttribute(text, &context))
    return attribute;
  return importError("attribute '" + text + "' cannot be read");
}

llvm::Error GraphImporter::addNamed(const graph::NamedAttributes &from,
                                    NamedAttrList &to) {
  for (const auto &[name, text] : from) {
    llvm::Expected<Attribute> attribute = parse(text);
    if (!attribute)
      return attribute.takeError();
    to.set(name, *attribute);
  }
  return llvm::Error::success();
}

void GraphImporter::nameFunctions(const graph::Program &program) {
  // The entry keeps its name, whatever the names of other functions are.
  const graph::Function *entry = program.entry_function();
  auto name = [&](const graph::Function *function) {
    std::string symbol = function->name;
    for (unsigned i = 0; !taken.insert(symbol).second; ++i)
      symbol = function->name + "_" + std::to_string(i);
    symbols[function] = symbol;
  };
  if (entry)
    name(entry);
  for (const graph::FunctionRef &function : program.functions)
    if (function.get() != entry)
      name(function.get());
}

llvm::Expected<SmallVector<Value>>
GraphImporter::lookUp(llvm::ArrayRef<graph::Value> wanted,
                      const ValueMap &values) {
  SmallVector<Value> result;
  for (const graph::Value &value : wanted) {
    auto found = values.find(value.node.get());
    if (found == values.end() || value.number >= found->second.size())
      return importError("a value of '" + value.node->name() +
                         "' is used where it is not defined");
    result.push_back(found->second[value.number]);
  }
  return result;
}

llvm::Error GraphImporter::addAttributes(const graph::Node &node,
                                         OperationState &state) {
  NamedAttrList list;
  auto symbol = [&](size_t i) {
    assert(i < node.callees().size() &&
           symbols.contains(node.callees()[i].get()) &&
           "every callee is a function of the program");
    return FlatSymbolRefAttr::get(&context, symbols[node.callees()[i].get()]);
  };
  auto addDictionary = [&](const std::string &text) -> llvm::Error {
    llvm::Expected<Attribute> attribute = parse(text);
    if (!attribute)
      return attribute.takeError();
    if (auto dictionary = llvm::dyn_cast<DictionaryAttr>(*attribute))
      for (NamedAttribute named : dictionary)
        list.set(named.getName(), named.getValue());
    return llvm::Error::success();
  };
  switch (node.kind()) {
  case graph::NodeKind::Op:
    writeAttributes(node.op(), node.attributes(), &context, list);
    if (node.op() == ops::OpKind::Composite && !node.callees().empty())
      list.set("decomposition", symbol(0));
    break;
  case graph::NodeKind::Call:
    list.set("callee", symbol(0));
    break;
  case graph::NodeKind::Foreign:
    if (!node.foreign_attributes().empty())
      if (llvm::Error error = addDictionary(node.foreign_attributes()))
        return error;
    break;
  case graph::NodeKind::Parameter:
    break;
  }
  if (!node.extra_attributes().empty())
    if (llvm::Error error = addDictionary(node.extra_attributes()))
      return error;
  state.addAttributes(list.getAttrs());
  return llvm::Error::success();
}

llvm::Error GraphImporter::importNode(const graph::Node &node,
                                      ValueMap &values) {
  OperationState state(locationOf(node), node.name());
  llvm::Expected<SmallVector<Value>> operands = lookUp(node.operands(), values);
  if (!operands)
    return operands.takeError();
  state.addOperands(*operands);
  for (const Type &type : node.types())
    state.addTypes(convertType(type, &context));
  if (llvm::Error error = addAttributes(node, state))
    return error;
  for (const graph::Block &block : node.regions()) {
    Region *region = state.addRegion();
    OpBuilder::InsertionGuard guard(builder);
    if (llvm::Error error = importBlock(block, region->emplaceBlock(), values,
                                        "stablehlo.return"))
      return error;
  }
  Operation *op = builder.create(state);
  values[&node] = op->getResults();
  return llvm::Error::success();
}

llvm::Error GraphImporter::importBlock(const graph::Block &block, Block &into,
                                       ValueMap &values, StringRef terminator) {
  for (const graph::NodeRef &argument : block.arguments)
    into.addArgument(convertType(argument->types()[0], &context),
                     builder.getUnknownLoc());
  assert(into.getNumArguments() == block.arguments.size() &&
         "a block is filled once");
  for (auto [i, argument] : llvm::enumerate(block.arguments))
    values[argument.get()] = ValueRange(into.getArguments()).slice(i, 1);
  builder.setInsertionPointToEnd(&into);
  for (const graph::NodeRef &node : block.nodes) {
    if (llvm::Error error = importNode(*node, values))
      return error;
    builder.setInsertionPointToEnd(&into);
  }
  llvm::Expected<SmallVector<Value>> results = lookUp(block.results, values);
  if (!results)
    return results.takeError();
  OperationState state(builder.getUnknownLoc(), terminator);
  state.addOperands(*results);
  builder.create(state);
  return llvm::Error::success();
}

void GraphImporter::addEntryAttributes(const graph::Program &program,
                                       func::FuncOp entry) {
  for (const AliasPair &alias : program.aliases)
    entry.setArgAttr(alias.argument, names::kAliasingOutput,
                     builder.getI32IntegerAttr(alias.result));
  for (auto [i, sharding] : llvm::enumerate(program.argument_shardings))
    if (sharding)
      entry.setArgAttr(i, names::kMhloSharding,
                       builder.getStringAttr(sharding->str()));
  for (auto [i, sharding] : llvm::enumerate(program.result_shardings))
    if (sharding)
      entry.setResultAttr(i, names::kMhloSharding,
                          builder.getStringAttr(sharding->str()));
}

llvm::Error GraphImporter::importFunction(const graph::Program &program,
                                          const graph::Function &function) {
  SmallVector<mlir::Type> inputs, outputs;
  for (const graph::NodeRef &argument : function.body.arguments)
    inputs.push_back(convertType(argument->types()[0], &context));
  for (const graph::Value &result : function.body.results)
    outputs.push_back(convertType(result.type(), &context));
  bool isEntry = &function == program.entry_function();
  auto op =
      func::FuncOp::create(builder, builder.getUnknownLoc(), symbols[&function],
                           builder.getFunctionType(inputs, outputs));
  op.setVisibility(function.is_public || isEntry
                       ? SymbolTable::Visibility::Public
                       : SymbolTable::Visibility::Private);
  NamedAttrList own;
  if (llvm::Error error = addNamed(function.attributes, own))
    return error;
  for (NamedAttribute attribute : own)
    op->setDiscardableAttr(attribute.getName(), attribute.getValue());
  for (size_t i = 0; i < function.argument_attributes.size(); ++i) {
    NamedAttrList list;
    if (llvm::Error error = addNamed(function.argument_attributes[i], list))
      return error;
    op.setArgAttrs(i, list);
  }
  for (size_t i = 0; i < function.result_attributes.size(); ++i) {
    NamedAttrList list;
    if (llvm::Error error = addNamed(function.result_attributes[i], list))
      return error;
    op.setResultAttrs(i, list);
  }
  if (isEntry)
    addEntryAttributes(program, op);
  OpBuilder::InsertionGuard guard(builder);
  ValueMap values;
  return importBlock(function.body, op.getBody().emplaceBlock(), values,
                     "func.return");
}

llvm::Expected<OwningOpRef<ModuleOp>>
GraphImporter::run(const graph::Program &program) {
  loadCompilerDialects(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(
      builder.getUnknownLoc(), program.name.empty()
                                   ? std::optional<StringRef>()
                                   : std::optional<StringRef>(program.name));
  NamedAttrList attributes;
  if (llvm::Error error = addNamed(program.attributes, attributes))
    return std::move(error);
  for (NamedAttribute attribute : attributes)
    (*module)->setDiscardableAttr(attribute.getName(), attribute.getValue());
  if (program.partitions > 1)
    (*module)->setDiscardableAttr(
        names::kPartitionCount,
        builder.getI32IntegerAttr(static_cast<int32_t>(program.partitions)));
  nameFunctions(program);
  // The entry first, for readability.
  const graph::Function *entry = program.entry_function();
  if (!entry)
    return importError("the program has no function @" + program.entry);
  SmallVector<const graph::Function *> order{entry};
  for (const graph::FunctionRef &function : program.functions)
    if (function.get() != entry)
      order.push_back(function.get());
  for (const graph::Function *function : order) {
    builder.setInsertionPointToEnd(module->getBody());
    if (llvm::Error error = importFunction(program, *function))
      return std::move(error);
  }
  std::string problems;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (problems.empty())
      problems = diagnostic.str();
    return success();
  });
  if (failed(verify(*module)))
    return importError("the traced program is not valid: " + problems);
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>> importGraph(const graph::Program &program,
                                                  MLIRContext &context,
                                                  bool debugInfo) {
  return GraphImporter(context, debugInfo).run(program);
}

} // namespace xlac
