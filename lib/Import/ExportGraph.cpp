// Converts a StableHLO module to a graph.
#include "xlac/Import/Import.h"

#include "xlac/Dialect/Sdy/SdyDialect.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/graph/program.h"
#include "xlac/support/program_names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace xlac {

/// Form: "file:line:col: error: 'op' message".
static llvm::Error errorAt(Operation *op, const llvm::Twine &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (std::string place = placeOf(op->getLoc()); !place.empty())
    os << place << ": ";
  os << "error: '" << op->getName() << "' " << message;
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

static graph::NamedAttributes namedText(DictionaryAttr dictionary,
                                        StringRef leaveOut = {}) {
  graph::NamedAttributes list;
  if (dictionary)
    for (NamedAttribute attribute : dictionary)
      if (attribute.getName() != leaveOut)
        list.emplace_back(attribute.getName().str(),
                          llvm::isa<UnitAttr>(attribute.getValue())
                              ? std::string()
                              : textOf(attribute.getValue()));
  return list;
}

namespace {

class GraphExporter {
public:
  explicit GraphExporter(ModuleOp module) : module(module), symbols(module) {}

  llvm::Expected<graph::Program> run(StringRef entry);

private:
  using Values = llvm::DenseMap<Value, graph::Value>;

  llvm::Error exportFunctions(graph::Program &program);
  llvm::Expected<graph::FunctionRef> exportFunction(func::FuncOp function);
  llvm::Expected<graph::Block> exportBlock(Block &block, Values &values);
  llvm::Expected<graph::NodeRef> exportOp(Operation &op, Values &values);
  llvm::SetVector<func::FuncOp> calleesOf(Operation *op, bool nested);

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, graph::FunctionRef> functions;
};

} // namespace

llvm::SetVector<func::FuncOp> GraphExporter::calleesOf(Operation *op,
                                                       bool nested) {
  llvm::SetVector<func::FuncOp> callees;
  auto collect = [&](Operation *user) {
    if (llvm::isa<func::FuncOp>(user))
      return;
    user->getAttrDictionary().walk([&](SymbolRefAttr reference) {
      if (auto callee = symbols.lookup<func::FuncOp>(
              reference.getRootReference().getValue()))
        callees.insert(callee);
    });
  };
  if (nested)
    op->walk(collect);
  else
    collect(op);
  return callees;
}

llvm::Expected<graph::NodeRef> GraphExporter::exportOp(Operation &op,
                                                       Values &values) {
  std::vector<graph::Value> operands;
  for (Value operand : op.getOperands()) {
    assert(values.contains(operand) && "operands are exported before their op");
    operands.push_back(values.lookup(operand));
  }
  std::vector<Type> types;
  for (mlir::Type type : op.getResultTypes()) {
    std::optional<Type> plain = convertType(type);
    if (!plain)
      return errorAt(&op, "has a result type that StableHLO does not have");
    types.push_back(std::move(*plain));
  }
  std::vector<graph::FunctionRef> callees;
  for (func::FuncOp callee : calleesOf(&op, false)) {
    assert(functions.contains(callee) && "callees are exported first");
    callees.push_back(functions.lookup(callee));
  }
  std::vector<graph::Block> regions;
  for (Region &region : op.getRegions()) {
    if (!region.hasOneBlock())
      return errorAt(&op, "has a region without exactly one block");
    llvm::Expected<graph::Block> block = exportBlock(region.front(), values);
    if (!block)
      return block.takeError();
    regions.push_back(std::move(*block));
  }
  if (llvm::isa<func::CallOp>(op)) {
    if (callees.empty())
      return errorAt(&op, "calls a function that is not in the module");
    return graph::Node::make_call(callees[0], std::move(operands));
  }
  StringRef dialect = op.getName().getDialectNamespace();
  std::optional<ops::OpKind> kind = opKind(op.getName());
  if (!kind || (dialect != "stablehlo" && dialect != "chlo"))
    return graph::Node::make_foreign(op.getName().getStringRef().str(),
                                     textOf(op.getAttrDictionary()),
                                     std::move(operands), std::move(types),
                                     std::move(regions), std::move(callees));
  FailureOr<ops::OpAttributes> attributes = readAttributes(&op);
  if (failed(attributes))
    return errorAt(&op, "has an attribute that has no plain form");
  if (*kind == ops::OpKind::Composite && !callees.empty()) {
    // The decomposition is identified by its content, not by its name.
    ops::CompositeAttributes composite =
        attributes->get<ops::CompositeAttributes>();
    composite.decomposition = {};
    attributes = ops::OpAttributes(std::move(composite));
  }
  graph::NodeRef node = graph::Node::make_op(
      *kind, std::move(*attributes), std::move(operands), std::move(types),
      std::move(regions), std::move(callees));
  if (DictionaryAttr extra = op.getDiscardableAttrDictionary();
      extra && !extra.empty())
    graph::Node::set_extra_attributes(node, textOf(extra));
  return node;
}

llvm::Expected<graph::Block> GraphExporter::exportBlock(Block &block,
                                                        Values &values) {
  graph::Block result;
  for (BlockArgument argument : block.getArguments()) {
    std::optional<Type> type = convertType(argument.getType());
    if (!type)
      return errorAt(block.getParentOp(),
                     "has an argument type that StableHLO does not have");
    result.arguments.push_back(graph::Node::make_parameter(std::move(*type)));
    values[argument] = {result.arguments.back(), 0};
  }
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
    return errorAt(block.getParentOp(), "has a block without terminator");
  for (Operation &op : block.without_terminator()) {
    llvm::Expected<graph::NodeRef> node = exportOp(op, values);
    if (!node)
      return node.takeError();
    for (OpResult value : op.getResults())
      values[value] = {*node, value.getResultNumber()};
    result.nodes.push_back(std::move(*node));
  }
  for (Value value : block.getTerminator()->getOperands())
    result.results.push_back(values.lookup(value));
  return result;
}

llvm::Expected<graph::FunctionRef>
GraphExporter::exportFunction(func::FuncOp function) {
  if (function.isExternal())
    return errorAt(function, "@" + function.getSymName() + " has no body");
  if (!function.getBody().hasOneBlock())
    return errorAt(function,
                   "@" + function.getSymName() + " has more than one block");
  auto result = std::make_shared<graph::Function>();
  result->name = function.getSymName().str();
  result->is_public = function.isPublic();
  Values values;
  llvm::Expected<graph::Block> body =
      exportBlock(function.getBody().front(), values);
  if (!body)
    return body.takeError();
  result->body = std::move(*body);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    result->argument_attributes.push_back(
        namedText(function.getArgAttrDict(i), names::kAliasingOutput));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    result->result_attributes.push_back(
        namedText(function.getResultAttrDict(i)));
  result->attributes = namedText(function->getDiscardableAttrDictionary());
  return result;
}

llvm::Error GraphExporter::exportFunctions(graph::Program &program) {
  // Callees first, with an explicit stack, because chains of calls may be long.
  struct Frame {
    func::FuncOp function;
    llvm::SetVector<func::FuncOp> callees;
    size_t next = 0;
  };
  llvm::DenseSet<Operation *> open;
  std::vector<Frame> stack;
  auto push = [&](func::FuncOp function) {
    open.insert(function);
    stack.push_back({function, calleesOf(function, true), 0});
  };
  for (Operation &top : module.getBody()->getOperations()) {
    if (auto mesh = llvm::dyn_cast<sdy::MeshOp>(top)) {
      program.meshes.emplace_back(mesh.getSymName().str(),
                                  textOf(mesh.getMeshAttr()));
      continue;
    }
    auto root = llvm::dyn_cast<func::FuncOp>(top);
    if (!root)
      return errorAt(&top, "is not supported next to functions");
    if (functions.contains(root))
      continue;
    push(root);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      if (frame.next < frame.callees.size()) {
        func::FuncOp callee = frame.callees[frame.next++];
        if (functions.contains(callee))
          continue;
        if (open.contains(callee))
          return errorAt(callee, "@" + callee.getSymName() + " calls itself");
        push(callee);
        continue;
      }
      llvm::Expected<graph::FunctionRef> done = exportFunction(frame.function);
      if (!done)
        return done.takeError();
      functions[frame.function] = *done;
      program.functions.push_back(std::move(*done));
      stack.pop_back();
    }
  }
  return llvm::Error::success();
}

llvm::Expected<graph::Program> GraphExporter::run(StringRef entry) {
  auto function = symbols.lookup<func::FuncOp>(entry);
  if (!function)
    return errorAt(module, "has no function @" + entry);
  graph::Program program;
  if (std::optional<StringRef> name = module.getSymName())
    program.name = name->str();
  program.entry = entry.str();
  program.attributes = namedText(module->getDiscardableAttrDictionary());
  if (llvm::Error error = exportFunctions(program))
    return std::move(error);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto alias =
            function.getArgAttrOfType<IntegerAttr>(i, names::kAliasingOutput))
      program.aliases.push_back({static_cast<uint32_t>(alias.getInt()), i});
  return program;
}

llvm::Expected<graph::Program> exportGraph(ModuleOp module, StringRef entry) {
  return GraphExporter(module).run(entry);
}

llvm::Expected<graph::Program> exportGraph(ModuleOp module) {
  StringRef entry = "main";
  if (!module.lookupSymbol<func::FuncOp>(entry)) {
    SmallVector<StringRef> publics;
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (function.isPublic())
        publics.push_back(function.getSymName());
    if (publics.size() == 1)
      entry = publics[0];
  }
  return exportGraph(module, entry);
}

static llvm::Expected<std::string>
keyOf(ModuleOp module, StringRef entry,
      Result<std::string> (*compute)(const graph::Program &)) {
  llvm::Expected<graph::Program> program = exportGraph(module, entry);
  if (!program)
    return program.takeError();
  Result<std::string> key = compute(*program);
  if (!key)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   key.error().message);
  return *key;
}

llvm::Expected<std::string> programKey(ModuleOp module, StringRef entry) {
  return keyOf(module, entry, graph::program_key);
}

llvm::Expected<std::string> familyKey(ModuleOp module, StringRef entry) {
  return keyOf(module, entry, graph::family_key);
}

/// The name in the location of an argument, or "".
static std::string nameOf(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name ? name.getName().str() : std::string();
}

static std::string stringOf(Attribute attribute) {
  auto text = dyn_cast_or_null<StringAttr>(attribute);
  return text ? text.str() : std::string();
}

llvm::Expected<Signature> signatureOf(ModuleOp module, StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return errorAt(module, "has no function @" + entry);
  if (function.isExternal())
    return errorAt(function, "@" + entry + " has no body");
  Signature signature;
  auto append = [&](TypeRange from, std::vector<Type> &to) {
    for (mlir::Type type : from) {
      std::optional<Type> plain = convertType(type);
      if (!plain)
        return false;
      to.push_back(std::move(*plain));
    }
    return true;
  };
  if (!append(function.getArgumentTypes(), signature.arguments) ||
      !append(function.getResultTypes(), signature.results))
    return errorAt(function,
                   "@" + entry + " has a type that StableHLO does not have");
  for (BlockArgument argument : function.getArguments()) {
    std::string info =
        stringOf(function.getArgAttr(argument.getArgNumber(), "jax.arg_info"));
    signature.argument_names.push_back(info.empty() ? nameOf(argument.getLoc())
                                                    : info);
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    signature.result_names.push_back(
        stringOf(function.getResultAttr(i, "jax.result_info")));
  return signature;
}

} // namespace xlac
