#include "ConvertRegion.h"
#include "VhloAttributes.h"

#include "xlac/Dialect/Vhlo/Conversion.h"
#include "xlac/Import/Import.h"
#include "xlac/Import/PortableArtifact.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace xlac::vhlo;

namespace xlac {
namespace {

/// Creates the ops in the target's forms. Values of vhlo ops have vhlo types;
/// ops of other dialects use them through casts.
class Downgrade : ConversionState {
public:
  Downgrade(Block *into, Version target)
      : ConversionState(OpBuilder::atBlockEnd(into)), target(target) {}

  /// Returns the converted op, created at the insertion point, or null.
  Operation *convert(Operation *op);

  /// Makes the uses by ops in older forms the newest uses of their values, as
  /// if these ops had replaced newer ones. The bytes contain the use order, and
  /// so they equal those of other writers.
  void orderUses();

private:
  Operation *keep(Operation *op);
  Operation *convertFunction(func::FuncOp function);
  Operation *convertTable(Operation *op, StringRef source);
  const OpFacts *formOf(Operation *op, StringRef source);
  LogicalResult selectAttributes(Operation *op, const OpFacts &newest,
                                 const OpFacts &form,
                                 AttributeValues &selected);
  LogicalResult checkForm(Operation *op, const OpFacts &form);
  LogicalResult addCarried(Operation *op, OperationState &state);
  Operation *finish(Operation *op, OperationState &state,
                    const AttributeValues &values, const OpFacts &form);
  LogicalResult convertRegion(Region &from, Region &to, bool converted);
  mlir::Value cast(mlir::Value value, mlir::Type type, Location location);
  /// Returns the vhlo type, or null with an error at `op`.
  mlir::Type convert(mlir::Type type, Operation *op);
  /// Reports the parts of `value` that the target lacks, at `op`.
  template <class T> LogicalResult check(T value, Operation *op);

  Version target;
  llvm::DenseMap<mlir::Type, mlir::Type> types;
  RememberedConversion convertAttribute{toVhlo};
  llvm::DenseSet<const void *> checked;
  SmallVector<Operation *> older; ///< ops in older forms than the newest
};

} // namespace

//===- Support by the target version --------------------------------------===//

static InFlightDiagnostic emitTooNew(Operation *op, Version target) {
  return op->emitError() << "version " << target.text() << " lacks ";
}

template <class T> LogicalResult Downgrade::check(T value, Operation *op) {
  if (!checked.insert(value.getAsOpaquePointer()).second)
    return success();
  Version since;
  AttrTypeWalker walker;
  mlir::Type missingType;
  Attribute missingAttribute;
  walker.addWalk([&](mlir::Type type) {
    since = sinceOf(type);
    if (since > target)
      missingType = type;
    return since > target ? WalkResult::interrupt() : WalkResult::advance();
  });
  walker.addWalk([&](Attribute attribute) {
    since = sinceOf(attribute);
    if (since > target)
      missingAttribute = attribute;
    return since > target ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!walker.walk(value).wasInterrupted())
    return success();
  InFlightDiagnostic error = emitTooNew(op, target);
  if (missingType)
    error << "type " << toStablehlo(missingType);
  else
    error << "attribute " << toStablehlo(missingAttribute);
  return error << ", which came with " << since.text();
}

mlir::Type Downgrade::convert(mlir::Type type, Operation *op) {
  auto [place, isNew] = types.try_emplace(type);
  if (!isNew)
    return place->second;
  mlir::Type converted = toVhlo(type);
  if (!converted)
    op->emitError("type ") << type << " has no form in portable artifacts";
  else if (failed(check(converted, op)))
    converted = {};
  types[type] = converted;
  return converted;
}

/// Returns the target's form of the op `source`, or null with an error.
const OpFacts *Downgrade::formOf(Operation *op, StringRef source) {
  if (const OpFacts *form = findForm(source, target))
    return form;
  InFlightDiagnostic error = emitTooNew(op, target) << "op " << op->getName();
  for (const OpFacts &facts : allOps())
    if (source == facts.source) {
      error << ", which came with " << facts.since.text();
      break;
    }
  return nullptr;
}

/// Returns true if a computation of the op has a result element type other than
/// its operand's, as allowed for reductions since 0.17.0.
static bool promotes(Operation *op) {
  auto elementOf = [](mlir::Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? shaped.getElementType() : mlir::Type();
  };
  if (!isa<stablehlo::AllReduceOp, stablehlo::ReduceOp,
           stablehlo::ReduceScatterOp, stablehlo::ReduceWindowOp,
           stablehlo::ScatterOp, stablehlo::SelectAndScatterOp>(op))
    return false;
  for (auto [operand, result] :
       llvm::zip(op->getOperandTypes(), op->getResultTypes()))
    if (elementOf(operand) != elementOf(result))
      return true;
  return false;
}

/// Rejects what a form cannot express although it has the attributes.
LogicalResult Downgrade::checkForm(Operation *op, const OpFacts &form) {
  if (form.oneValue && (op->getNumOperands() != 1 || op->getNumResults() != 1))
    return emitTooNew(op, target)
           << op->getName() << " of several values, which came with "
           << form.until.text();
  if (op->getNumRegions() > form.regions && !form.variadicRegions)
    return emitTooNew(op, target)
           << op->getName() << " with regions, which came with "
           << form.until.text();
  if (target < Version{0, 17, 0} && promotes(op))
    return emitTooNew(op, target)
           << op->getName()
           << " that gives another element type, which came with 0.17.0";
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  if (!call)
    return success();
  if (target < Version{1, 3, 0} &&
      isa_and_nonnull<DictionaryAttr>(call.getBackendConfigAttr()))
    return emitTooNew(op, target) << "a dictionary as the backend_config of "
                                  << op->getName() << ", which came with 1.3.0";
  auto isFuture = [](mlir::Type type) {
    return isa<stablehlo::FutureType>(type);
  };
  if (target < Version{1, 17, 0} &&
      (llvm::any_of(op->getOperandTypes(), isFuture) ||
       llvm::any_of(op->getResultTypes(), isFuture)))
    return emitTooNew(op, target)
           << op->getName() << " on futures, which came with 1.17.0";
  return success();
}

/// Selects the attributes of `form` from those of the newest form. Attributes
/// that the form lacks must have the default value.
LogicalResult Downgrade::selectAttributes(Operation *op, const OpFacts &newest,
                                          const OpFacts &form,
                                          AttributeValues &selected) {
  auto values = attributesToVhlo(op, newest, convertAttribute);
  if (failed(values))
    return mlir::failure();
  DefaultsOf defaults(op);
  llvm::SmallDenseMap<StringRef, Attribute> byName;
  for (auto [facts, value] : llvm::zip(newest.attributes, *values)) {
    StringRef name = facts.name;
    bool has = llvm::any_of(form.attributes, [&](const AttributeFacts &one) {
      return name == one.name;
    });
    if (!has && value != defaultValue(facts, defaults))
      return emitTooNew(op, target)
             << "attribute '" << facts.name << "' of " << op->getName()
             << ", which came with " << form.until.text();
    byName[name] = value;
  }
  for (auto [index, facts] : llvm::enumerate(form.attributes))
    selected[index] = facts.form == AttributeForm::Retired
                          ? defaultValue(facts, defaults)
                          : byName.lookup(facts.name);
  return success();
}

//===- Ops ----------------------------------------------------------------===//

mlir::Value Downgrade::cast(mlir::Value value, mlir::Type type,
                            Location location) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, location, type, value)
      .getResult(0);
}

/// Converts discardable attributes to vhlo, if they have a vhlo form.
LogicalResult Downgrade::addCarried(Operation *op, OperationState &state) {
  for (NamedAttribute one : op->getDiscardableAttrs()) {
    Attribute own = convertAttribute(one.getValue());
    if (own && failed(check(own, op)))
      return mlir::failure();
    state.attributes.append(one.getName(), own ? own : one.getValue());
  }
  return success();
}

LogicalResult Downgrade::convertRegion(Region &from, Region &to,
                                       bool converted) {
  return xlac::convertRegion(
      from, to, *this,
      [&](mlir::Type type) {
        return converted ? convert(type, from.getParentOp()) : type;
      },
      [&](Operation *op) { return convert(op); });
}

/// Creates the op of `state` in place of `op`. `values` are its attributes.
Operation *Downgrade::finish(Operation *op, OperationState &state,
                             const AttributeValues &values,
                             const OpFacts &form) {
  if (failed(addCarried(op, state)))
    return nullptr;
  for (Attribute value : ArrayRef(values).take_front(form.attributes.size()))
    if (failed(check(value, op)))
      return nullptr;
  for (mlir::Value operand : op->getOperands()) {
    mlir::Type type = convert(operand.getType(), op);
    if (!type)
      return nullptr;
    state.operands.push_back(cast(mapping.lookup(operand), type, op->getLoc()));
  }
  for (mlir::Type type : op->getResultTypes()) {
    state.types.push_back(convert(type, op));
    if (!state.types.back())
      return nullptr;
  }
  if (!form.attributes.empty())
    state.getOrAddProperties<AttributeValues>() = values;
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *result = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), result->getRegions()))
    if (failed(convertRegion(from, to, /*converted=*/true)))
      return nullptr;
  mapping.map(op->getResults(), result->getResults());
  return result;
}

/// Copies an op of another dialect, between casts of its values.
Operation *Downgrade::keep(Operation *op) {
  if (op->getNumSuccessors() > 0) {
    op->emitError("branches have no form in portable artifacts: ")
        << op->getName();
    return nullptr;
  }
  IRMapping operands;
  for (mlir::Value operand : op->getOperands())
    operands.map(operand, cast(mapping.lookup(operand), operand.getType(),
                               op->getLoc()));
  Operation *result = op->cloneWithoutRegions(operands);
  builder.insert(result);
  for (auto [from, to] : llvm::zip(op->getRegions(), result->getRegions()))
    if (failed(convertRegion(from, to, /*converted=*/false)))
      return nullptr;
  mapping.map(op->getResults(), result->getResults());
  return result;
}

Operation *Downgrade::convertFunction(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  mlir::Type type = convert(mlir::Type(function.getFunctionType()), function);
  if (!type)
    return nullptr;
  auto orEmpty = [&](Attribute attribute, Attribute empty) {
    return convertAttribute(attribute ? attribute : empty);
  };
  const OpFacts &form = *findOp("vhlo.func_v1");
  Attribute none = ArrayAttr::get(context, {});
  AttributeValues values = {
      toVhlo(Attribute(function.getSymNameAttr())),
      TypeV1Attr::get(context, type),
      orEmpty(function.getSymVisibilityAttr(), StringAttr::get(context)),
      orEmpty(function.getArgAttrsAttr(), none),
      orEmpty(function.getResAttrsAttr(), none)};
  OperationState state(function.getLoc(), "vhlo.func_v1");
  if (function.getNoInline())
    state.addAttribute("no_inline", UnitAttr::get(context));
  return finish(function, state, values, form);
}

Operation *Downgrade::convertTable(Operation *op, StringRef source) {
  const OpFacts *form = formOf(op, source);
  const OpFacts *newest = findForm(source, kCurrentVersion);
  assert(newest && "convert() has found the newest form");
  AttributeValues values;
  if (!form || failed(checkForm(op, *form)) ||
      failed(selectAttributes(op, *newest, *form, values)))
    return nullptr;
  OperationState state(op->getLoc(), ("vhlo." + Twine(form->name)).str());
  Operation *result = finish(op, state, values, *form);
  if (form != newest)
    older.push_back(result);
  return result;
}

void Downgrade::orderUses() {
  for (Operation *op : older)
    for (OpOperand &operand : op->getOpOperands())
      operand.set(operand.get());
}

Operation *Downgrade::convert(Operation *op) {
  if (failed(checkOperands(op, *this)))
    return nullptr;
  if (auto function = dyn_cast<func::FuncOp>(op))
    return convertFunction(function);
  StringRef source = op->getName().getStringRef();
  if (isa<func::ReturnOp>(op))
    source = stablehlo::ReturnOp::getOperationName();
  if (findForm(source, kCurrentVersion))
    return convertTable(op, source);
  return keep(op);
}

OwningOpRef<ModuleOp> stablehloToVhlo(ModuleOp module, Version target) {
  module.getContext()->loadDialect<VhloDialect>();
  OwningOpRef<ModuleOp> holder = ModuleOp::create(module.getLoc());
  Downgrade downgrade(holder->getBody(), target);
  auto result = cast_or_null<ModuleOp>(downgrade.convert(module));
  if (!result)
    return {};
  downgrade.orderUses();
  result->remove();
  return result;
}

} // namespace xlac
