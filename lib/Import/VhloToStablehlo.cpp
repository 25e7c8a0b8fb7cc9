#include "ConvertRegion.h"
#include "VhloAttributes.h"

#include "xlac/Dialect/Vhlo/Conversion.h"
#include "xlac/Import/Import.h"
#include "xlac/Import/PortableArtifact.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shape/IR/Shape.h"

using namespace mlir;
using namespace xlac::vhlo;

namespace xlac {

static bool isVhlo(Operation *op) {
  return isa_and_nonnull<VhloDialect>(op->getDialect());
}

bool holdsVhlo(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        return isVhlo(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// Creates the converted ops one by one, with regions inside their parents.
class Upgrade : ConversionState {
public:
  explicit Upgrade(Block *into)
      : ConversionState(OpBuilder::atBlockEnd(into)) {}

  /// Returns the converted op, created at the insertion point, or null.
  Operation *convert(Operation *op);

private:
  Operation *convertOther(Operation *op);
  Operation *convertFunction(Operation *op, const OpFacts &facts);
  Operation *convertTable(Operation *op, const OpFacts &facts);
  FailureOr<SmallVector<Attribute>> upgradeAttributes(Operation *op,
                                                      const OpFacts &facts,
                                                      const OpFacts &newest,
                                                      const DefaultsOf &of);
  LogicalResult addCarried(Operation *op, OperationState &state);
  Operation *finish(Operation *op, OperationState &state);
  LogicalResult convertRegion(Region &from, Region &to);
  mlir::Type convert(mlir::Type type);

  llvm::DenseMap<mlir::Type, mlir::Type> types;
  RememberedConversion convertAttribute{toStablehlo};
};

} // namespace

mlir::Type Upgrade::convert(mlir::Type type) {
  auto [place, isNew] = types.try_emplace(type);
  if (!isNew)
    return place->second;
  mlir::Type converted = toStablehlo(type);
  types[type] = converted;
  return converted;
}

/// Converts discardable attributes, which producers add for tools and devices.
LogicalResult Upgrade::addCarried(Operation *op, OperationState &state) {
  for (NamedAttribute one : op->getDiscardableAttrs()) {
    Attribute value = convertAttribute(one.getValue());
    if (!value)
      return op->emitError("attribute '") << one.getName().getValue() << "' of "
                                          << op->getName() << " makes no sense";
    state.attributes.append(one.getName(), value);
  }
  return success();
}

/// Creates the op of `state` in place of `op`, with its operands, result types
/// and regions.
Operation *Upgrade::finish(Operation *op, OperationState &state) {
  for (mlir::Value operand : op->getOperands())
    state.operands.push_back(mapping.lookup(operand));
  for (mlir::Type type : op->getResultTypes()) {
    state.types.push_back(convert(type));
    if (!state.types.back()) {
      op->emitError("a result type of ")
          << op->getName() << " makes no sense: " << type;
      return nullptr;
    }
  }
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  auto report = [&] { return op->emitError(); };
  if (failed(state.name.verifyInherentAttrs(state.attributes, report)))
    return nullptr;
  Operation *result = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), result->getRegions()))
    if (failed(convertRegion(from, to)))
      return nullptr;
  mapping.map(op->getResults(), result->getResults());
  return result;
}

LogicalResult Upgrade::convertRegion(Region &from, Region &to) {
  auto convertArgument = [&](mlir::Type old) {
    mlir::Type type = convert(old);
    if (!type)
      from.getParentOp()->emitError("an argument type in ")
          << from.getParentOp()->getName() << " makes no sense: " << old;
    return type;
  };
  return xlac::convertRegion(from, to, *this, convertArgument,
                             [&](Operation *op) { return convert(op); });
}

/// Copies an op of another dialect, with converted regions. Removes casts
/// between vhlo values and such ops.
Operation *Upgrade::convertOther(Operation *op) {
  if (op->getNumSuccessors() > 0) {
    op->emitError("branches are not StableHLO: ") << op->getName();
    return nullptr;
  }
  if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1 &&
      op->getNumResults() == 1) {
    mlir::Value value = mapping.lookup(op->getOperand(0));
    if (value.getType() == convert(op->getResult(0).getType())) {
      mapping.map(op->getResult(0), value);
      return op;
    }
  }
  for (mlir::Type type : op->getResultTypes())
    if (convert(type) != type) {
      op->emitError("an op of another dialect gives a type of vhlo: ")
          << op->getName();
      return nullptr;
    }
  Operation *result = op->cloneWithoutRegions(mapping);
  builder.insert(result);
  for (auto [from, to] : llvm::zip(op->getRegions(), result->getRegions()))
    if (failed(convertRegion(from, to)))
      return nullptr;
  return result;
}

/// Returns true if `attribute` is an array of `count` dictionaries.
static bool areDictionaries(ArrayAttr attribute, size_t count) {
  return attribute.size() == count &&
         llvm::all_of(attribute,
                      [](Attribute one) { return isa<DictionaryAttr>(one); });
}

Operation *Upgrade::convertFunction(Operation *op, const OpFacts &facts) {
  ArrayRef<Attribute> values = attributesOf(op, facts);
  SmallVector<Attribute> plain = llvm::map_to_vector(
      values, [&](Attribute one) { return convertAttribute(one); });
  auto name = dyn_cast_or_null<StringAttr>(plain[0]);
  auto held = dyn_cast_or_null<TypeAttr>(plain[1]);
  auto visibility = dyn_cast_or_null<StringAttr>(plain[2]);
  auto arguments = dyn_cast_or_null<ArrayAttr>(plain[3]);
  auto results = dyn_cast_or_null<ArrayAttr>(plain[4]);
  auto type = held ? dyn_cast<FunctionType>(held.getValue()) : nullptr;
  if (!name || name.empty() || !type || !visibility || !arguments || !results ||
      (!arguments.empty() &&
       !areDictionaries(arguments, type.getNumInputs())) ||
      (!results.empty() && !areDictionaries(results, type.getNumResults())) ||
      op->getNumOperands() > 0 || op->getNumResults() > 0) {
    op->emitError("vhlo.func_v1 has attributes that make no sense");
    return nullptr;
  }
  OperationState state(op->getLoc(), func::FuncOp::getOperationName());
  if (failed(addCarried(op, state)))
    return nullptr;
  state.attributes.set("sym_name", name);
  state.attributes.set("function_type", held);
  if (!visibility.empty())
    state.attributes.set("sym_visibility", visibility);
  if (!arguments.empty())
    state.attributes.set("arg_attrs", arguments);
  if (!results.empty())
    state.attributes.set("res_attrs", results);
  return finish(op, state);
}

/// Returns the attribute values of the newest form: those of the op's form, and
/// defaults for newer attributes.
FailureOr<SmallVector<Attribute>>
Upgrade::upgradeAttributes(Operation *op, const OpFacts &facts,
                           const OpFacts &newest, const DefaultsOf &of) {
  llvm::SmallDenseMap<StringRef, Attribute> byName;
  for (auto [attribute, value] :
       llvm::zip(facts.attributes, attributesOf(op, facts))) {
    if (attribute.form == AttributeForm::Retired &&
        value != defaultValue(attribute, of))
      return op->emitError("attribute '")
             << attribute.name << "' of " << op->getName()
             << " must be its default, since later forms lack it";
    else
      byName[attribute.name] = value;
  }
  SmallVector<Attribute> values;
  for (const AttributeFacts &attribute : newest.attributes) {
    Attribute value = byName.lookup(attribute.name);
    values.push_back(value ? value : defaultValue(attribute, of));
  }
  return values;
}

Operation *Upgrade::convertTable(Operation *op, const OpFacts &facts) {
  const OpFacts *newest = findForm(facts.source, kCurrentVersion);
  assert(newest && "every op has a form in the current version");
  mlir::Type first = op->getNumOperands() > 0
                         ? mapping.lookup(op->getOperand(0)).getType()
                         : nullptr;
  Attribute convention = op->getAttr("api_version");
  DefaultsOf defaults(op->getContext(), facts.source, first, convention);
  auto values = upgradeAttributes(op, facts, *newest, defaults);
  if (failed(values))
    return nullptr;
  StringRef name = facts.source;
  if (isa<func::FuncOp>(builder.getBlock()->getParentOp()) && facts.terminator)
    name = func::ReturnOp::getOperationName();
  OperationState state(op->getLoc(), name);
  if (failed(addCarried(op, state)) ||
      failed(attributesToStablehlo(op->getLoc(), *newest, *values, defaults,
                                   convertAttribute, state.attributes)))
    return nullptr;
  return finish(op, state);
}

Operation *Upgrade::convert(Operation *op) {
  if (failed(checkOperands(op, *this)))
    return nullptr;
  if (!isVhlo(op))
    return convertOther(op);
  const OpFacts *facts = findOp(op->getName().getStringRef());
  if (!facts) {
    op->emitError("unknown op ") << op->getName();
    return nullptr;
  }
  if (StringRef(facts->source) == func::FuncOp::getOperationName())
    return convertFunction(op, *facts);
  return convertTable(op, *facts);
}

OwningOpRef<ModuleOp> vhloToStablehlo(ModuleOp module) {
  module.getContext()
      ->loadDialect<func::FuncDialect, stablehlo::StablehloDialect,
                    shape::ShapeDialect>();
  OwningOpRef<ModuleOp> holder = ModuleOp::create(module.getLoc());
  auto result =
      cast_or_null<ModuleOp>(Upgrade(holder->getBody()).convert(module));
  if (!result)
    return {};
  result->remove();
  return result;
}

} // namespace xlac
