#include "xlac/Dialect/Stablehlo/ShapeRules.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace xlac {

std::optional<ops::OpKind> opKind(OperationName name) {
  StringRef text = name.getStringRef();
  return ops::find_op(std::string_view(text.data(), text.size()));
}

static FailureOr<ops::OpAttributes>
readAttributes(ops::OpKind kind, Operation *op, bool typesOnly) {
  return readAttributes(
      kind, [op](StringRef name) { return op->getAttr(name); }, typesOnly,
      [op] { return op->emitOpError(); });
}

FailureOr<ops::OpAttributes> readAttributes(Operation *op) {
  std::optional<ops::OpKind> kind = opKind(op->getName());
  if (!kind)
    return op->emitOpError("is not a StableHLO, CHLO or func op");
  return readAttributes(*kind, op, /*typesOnly=*/false);
}

namespace {

/// Owns the data that an InferContext refers to.
struct Given {
  std::vector<Type> operands, declared;
  std::vector<const Type *> operandPlaces;
  std::vector<ops::RegionSignature> regions;
  std::vector<std::optional<std::vector<int64_t>>> constants;
};

} // namespace

template <class Range>
static bool addTypes(Range &&types, std::vector<Type> &to) {
  for (mlir::Type type : types) {
    std::optional<Type> plain = convertType(type);
    if (!plain)
      return false;
    to.push_back(std::move(*plain));
  }
  return true;
}

static bool addRegion(Region *region, Given &given) {
  ops::RegionSignature &signature = given.regions.emplace_back();
  signature.known = false;
  if (!region || region->empty())
    return true;
  Block &last = region->back();
  if (last.empty() || !last.back().hasTrait<OpTrait::IsTerminator>())
    return true;
  signature.known = true;
  return addTypes(region->getArgumentTypes(), signature.arguments) &&
         addTypes(last.back().getOperandTypes(), signature.results);
}

/// Adds the values of constant operands that determine sizes.
static void addConstants(ops::OpKind kind, ValueRange operands, Given &given) {
  std::span<const ops::OperandFacts> facts = ops::facts(kind).operands;
  for (size_t i = 0; i < facts.size() && i < operands.size(); ++i) {
    if (!facts[i].sizes)
      continue;
    DenseIntElementsAttr value;
    if (!matchPattern(operands[i], m_Constant(&value)) || !mayExpand(value))
      continue;
    given.constants.resize(operands.size());
    std::vector<int64_t> &numbers = given.constants[i].emplace();
    for (const APInt &number : value.getValues<APInt>())
      numbers.push_back(number.getSExtValue());
  }
}

/// Returns false if a type has no plain form. No rule applies then.
template <class Regions>
static bool gather(ops::OpKind kind, ValueRange operands, Regions &&regions,
                   Given &given) {
  if (!addTypes(operands.getTypes(), given.operands))
    return false;
  for (Region *region : regions)
    if (!addRegion(region, given))
      return false;
  given.operandPlaces = ops::places_of(given.operands);
  addConstants(kind, operands, given);
  return true;
}

static ops::InferContext contextOf(const Given &given,
                                   ops::OpAttributes attributes) {
  assert(given.operandPlaces.size() == given.operands.size() &&
         "every operand's type has a place");
  ops::InferContext context;
  context.operands = given.operandPlaces;
  context.attributes = std::move(attributes);
  context.regions = given.regions;
  context.constants = given.constants;
  context.declared = given.declared;
  return context;
}

/// Returns the rule's message without the op's name, which MLIR adds.
static StringRef withoutName(ops::OpKind kind, StringRef message) {
  std::string_view name = ops::short_name(kind);
  message.consume_front(StringRef(name.data(), name.size()));
  message.consume_front(": ");
  return message;
}

/// Returns the MLIR type of result `number`. If an operand (preferably that of
/// the same number) has the same plain type, returns the operand's type,
/// because plain types lack `index` and unknown encodings.
static mlir::Type resultType(const Type &type, size_t number,
                             const Given &given, ValueRange operands,
                             MLIRContext *context) {
  if (number < given.operands.size() && given.operands[number] == type)
    return operands[number].getType();
  auto found = llvm::find(given.operands, type);
  if (found != given.operands.end())
    return operands[found - given.operands.begin()].getType();
  return convertType(type, context);
}

/// Applies the shape rule of `op` to its operands and declared results, which
/// `given` then holds. Returns nothing if a type has no plain form.
static FailureOr<std::optional<std::vector<Type>>>
applyShapeRule(ops::OpKind kind, Operation *op, Given &given) {
  auto regions =
      llvm::map_range(op->getRegions(), [](Region &region) { return &region; });
  // Buffers and types of other dialects are let pass: no rule speaks of them.
  if (!gather(kind, op->getOperands(), regions, given) ||
      !addTypes(op->getResultTypes(), given.declared))
    return std::optional<std::vector<Type>>();
  FailureOr<ops::OpAttributes> attributes =
      readAttributes(kind, op, /*typesOnly=*/true);
  if (failed(attributes))
    return mlir::failure();
  ops::InferContext context = contextOf(given, std::move(*attributes));
  context.declares_results = true;
  Result<std::vector<Type>> types = ops::infer(kind, context);
  if (!types)
    return op->emitOpError(withoutName(kind, types.error().message));
  return std::optional(std::move(*types));
}

LogicalResult verifyWithShapeRule(Operation *op) {
  std::optional<ops::OpKind> kind = opKind(op->getName());
  if (!kind)
    return success();
  Given given;
  return applyShapeRule(*kind, op, given);
}

FailureOr<SmallVector<mlir::Type>> refinedResultTypes(Operation *op) {
  std::optional<ops::OpKind> kind = opKind(op->getName());
  assert(kind && "the op has a shape rule");
  Given given;
  auto types = applyShapeRule(*kind, op, given);
  if (failed(types))
    return mlir::failure();
  if (!*types)
    return llvm::to_vector(op->getResultTypes());
  SmallVector<mlir::Type> refined;
  for (auto [number, type] : llvm::enumerate(**types))
    refined.push_back(
        resultType(type, number, given, op->getOperands(), op->getContext()));
  return refined;
}

LogicalResult inferWithShapeRule(MLIRContext *context,
                                 std::optional<Location> location,
                                 StringRef name, ValueRange operands,
                                 AttributeLookup attributes,
                                 RegionRange regions,
                                 SmallVectorImpl<mlir::Type> &types) {
  std::optional<ops::OpKind> kind =
      ops::find_op(std::string_view(name.data(), name.size()));
  if (!kind)
    return emitOptionalError(location, "'", name, "' has no shape rule");
  Given given;
  if (!gather(*kind, operands, regions, given)) {
    // Loops and barriers may pass buffers through.
    if (*kind == ops::OpKind::While ||
        *kind == ops::OpKind::OptimizationBarrier) {
      llvm::append_range(types, operands.getTypes());
      return success();
    }
    return emitOptionalError(location, "'", name,
                             "' has operands of unsupported types");
  }
  FailureOr<ops::OpAttributes> plain = readAttributes(
      *kind, attributes, /*typesOnly=*/true, /*emitError=*/nullptr);
  if (failed(plain))
    return emitOptionalError(location, "'", name,
                             "' lacks an attribute or has one of a wrong form");
  Result<std::vector<Type>> inferred =
      ops::infer(*kind, contextOf(given, std::move(*plain)));
  if (!inferred)
    return emitOptionalError(location, "'", name, "' op ",
                             withoutName(*kind, inferred.error().message));
  for (auto [number, type] : llvm::enumerate(*inferred))
    types.push_back(resultType(type, number, given, operands, context));
  return success();
}

} // namespace xlac
