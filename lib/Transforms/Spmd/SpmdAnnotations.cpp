#include "SpmdAnnotations.h"

#include "SdyShardings.h"
#include "SpmdRules.h"

#include "xlac/Dialect/Sdy/SdyDialect.h"
#include "xlac/support/program_names.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace xlac::transforms {

using stablehlo::CustomCallOp;

int64_t partitionCount(ModuleOp module) {
  auto attribute = module->getAttrOfType<IntegerAttr>(names::kPartitionCount);
  bool fits = attribute && attribute.getValue().isSignedIntN(31);
  return fits ? std::max<int64_t>(attribute.getValue().getSExtValue(), 1) : 1;
}

static bool isCallOf(Operation *op, StringRef target) {
  auto call = dyn_cast<CustomCallOp>(op);
  return call && call.getCallTargetName() == target;
}

bool isAnnotation(Operation *op) {
  return isCallOf(op, kShardingCall) || isFullToShard(op) || isShardToFull(op);
}

bool isFullToShard(Operation *op) { return isCallOf(op, kFullToShardCall); }
bool isShardToFull(Operation *op) { return isCallOf(op, kShardToFullCall); }

std::optional<Sharding> manualAxesOf(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>(kManualName);
  auto sharding = text ? parse_sharding(text.getValue().str())
                       : Result<Sharding>(Sharding());
  if (!text || !sharding)
    return std::nullopt;
  return std::move(*sharding);
}

/// Appends the annotation of a value of `type` as attributes. Fails, with an
/// error at `op`, if the sharding does not fit the type.
static LogicalResult addAnnotation(Operation *op, Type type, int64_t devices,
                                   const SpmdAnnotation &annotation,
                                   NamedAttrList &attributes) {
  const Sharding &sharding = annotation.sharding;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text = sharding.str();
  if (sharding.kind == Sharding::Kind::Tuple)
    return op->emitError("has the sharding ")
           << text << " of a tuple on a value of type " << type;
  if (sharding.is_tiled()) {
    if (!tensor || tensor.getRank() != int64_t(sharding.tiles.size()))
      return op->emitError("has the sharding ")
             << text << " on a value of type " << type;
    if (sharding.device_count() != devices ||
        llvm::any_of(sharding.devices,
                     [&](int64_t device) { return device >= devices; }))
      return op->emitError("has the sharding ")
             << text << " in a program of " << devices << " partitions";
    if (sharding.is_unreduced() && !canSum(tensor))
      return op->emitError("has the sharding ")
             << text << " on a value of type " << type
             << ", which cannot be summed";
  }
  MLIRContext *context = op->getContext();
  attributes.set(kShardingName, StringAttr::get(context, text));
  if (!annotation.open.empty())
    attributes.set(kOpenName, DenseI64ArrayAttr::get(context, annotation.open));
  if (!annotation.priorities.empty())
    attributes.set(kPriorityName,
                   DenseI64ArrayAttr::get(context, annotation.priorities));
  return success();
}

namespace {

class Normalizer {
public:
  Normalizer(func::FuncOp function, const SymbolTable &symbols)
      : function(function), symbols(symbols),
        devices(partitionCount(function->getParentOfType<ModuleOp>())) {}

  LogicalResult run();

private:
  /// Returns the annotation among the attributes of a user's program, if any.
  FailureOr<std::optional<SpmdAnnotation>> read(Operation *op,
                                                DictionaryAttr attributes);
  /// Returns the attributes of an argument or result of that type, with its
  /// annotation in the form that later passes read.
  FailureOr<DictionaryAttr> normalized(DictionaryAttr attributes, Type type);
  /// Fails if a value at the border of the partitioned program is annotated as
  /// unreduced with a reduction other than a sum.
  LogicalResult requireSum(Operation *op, const SpmdAnnotation &annotation);
  LogicalResult readSignature();
  LogicalResult normalizeCall(CustomCallOp call);
  LogicalResult normalizeConstraint(sdy::ShardingConstraintOp constraint);
  LogicalResult inlineManual(sdy::ManualComputationOp computation);
  FailureOr<Value> makeCall(OpBuilder &builder, Operation *at, Value operand,
                            Type type, StringRef target,
                            const SpmdAnnotation &annotation,
                            StringAttr manual = {});

  func::FuncOp function;
  const SymbolTable &symbols;
  int64_t devices;
};

} // namespace

FailureOr<std::optional<SpmdAnnotation>>
Normalizer::read(Operation *op, DictionaryAttr attributes) {
  std::optional<SpmdAnnotation> annotation;
  if (!attributes)
    return annotation;
  if (auto text = attributes.getAs<StringAttr>(names::kMhloSharding)) {
    auto sharding = parse_sharding(text.getValue().str());
    if (!sharding)
      return op->emitError(sharding.error().message);
    annotation = SpmdAnnotation{std::move(*sharding), {}};
  } else if (Attribute sharding = attributes.get(names::kSdySharding)) {
    std::string problem;
    annotation = readSdySharding(sharding, symbols, problem);
    if (!annotation)
      return op->emitError(problem);
    if (failed(requireSum(op, *annotation)))
      return failure();
  }
  return annotation;
}

LogicalResult Normalizer::requireSum(Operation *op,
                                     const SpmdAnnotation &annotation) {
  if (!annotation.otherReduction || devices == 1)
    return success();
  return op->emitError("has a sharding with unreduced axes of another "
                       "reduction than a sum, which is not supported at the "
                       "border of a partitioned program");
}

FailureOr<DictionaryAttr> Normalizer::normalized(DictionaryAttr attributes,
                                                 Type type) {
  NamedAttrList changed(attributes);
  auto read = this->read(function, attributes);
  if (failed(read))
    return failure();
  if (*read && failed(addAnnotation(function, type, devices, **read, changed)))
    return failure();
  return changed.getDictionary(function.getContext());
}

LogicalResult Normalizer::readSignature() {
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
    FailureOr<DictionaryAttr> attributes =
        normalized(function.getArgAttrDict(i), function.getArgumentTypes()[i]);
    if (failed(attributes))
      return failure();
    function.setArgAttrs(i, *attributes);
  }
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    FailureOr<DictionaryAttr> attributes =
        normalized(function.getResultAttrDict(i), function.getResultTypes()[i]);
    if (failed(attributes))
      return failure();
    function.setResultAttrs(i, *attributes);
  }
  return success();
}

FailureOr<Value> Normalizer::makeCall(OpBuilder &builder, Operation *at,
                                      Value operand, Type type,
                                      StringRef target,
                                      const SpmdAnnotation &annotation,
                                      StringAttr manual) {
  NamedAttrList attributes;
  if (manual)
    attributes.set(kManualName, manual);
  attributes.set("call_target_name", builder.getStringAttr(target));
  Type whole = target == kShardToFullCall ? type : operand.getType();
  if (failed(addAnnotation(at, whole, devices, annotation, attributes)))
    return failure();
  OperationState state(at->getLoc(), CustomCallOp::getOperationName(),
                       {operand}, {type}, attributes);
  return builder.create(state)->getResult(0);
}

/// Copies the sharding rule and the number of batch dimensions of a call to the
/// attributes that the partition pass reads.
static void keepCallRules(CustomCallOp call) {
  Builder builder(call->getContext());
  for (StringRef own : {kRuleName, kBatchName}) // none of the program's
    call->removeDiscardableAttr(own);
  if (StringRef rule = sdy::SdyDialect::textOf(
          call->getDiscardableAttr("sdy.sharding_rule"));
      !rule.empty())
    call->setDiscardableAttr(kRuleName, builder.getStringAttr(rule));
  auto frontend = llvm::dyn_cast_or_null<DictionaryAttr>(
      call->getDiscardableAttr("mhlo.frontend_attributes"));
  auto text =
      frontend ? frontend.getAs<StringAttr>("num_batch_dims") : StringAttr();
  int64_t count = 0;
  if (text && !text.getValue().getAsInteger(10, count) && count > 0)
    call->setDiscardableAttr(kBatchName, builder.getI64IntegerAttr(count));
}

/// Reads the dimensions that GSPMD leaves open: `unspecified_dims=[0,1]` in the
/// configuration of the call. Returns false if the text cannot be read or names
/// a dimension that the value does not have.
static bool readUnspecified(CustomCallOp call, SpmdAnnotation &annotation) {
  auto config = call->getAttrOfType<StringAttr>("backend_config");
  StringRef text = config ? config.getValue() : StringRef();
  auto [before, after] = text.split("unspecified_dims=");
  if (before == text)
    return true;
  auto type = llvm::dyn_cast<RankedTensorType>(call->getResult(0).getType());
  if (!type || !after.consume_front("["))
    return false;
  size_t end = after.find(']');
  if (end == StringRef::npos)
    return false;
  SmallVector<StringRef> numbers;
  after.take_front(end).split(numbers, ',', /*MaxSplit=*/-1,
                              /*KeepEmpty=*/false);
  for (StringRef number : numbers) {
    int64_t dim = 0;
    if (number.trim().getAsInteger(10, dim) || dim < 0 || dim >= type.getRank())
      return false;
    if (!llvm::is_contained(annotation.open, dim))
      annotation.open.push_back(dim);
  }
  return true;
}

LogicalResult Normalizer::normalizeCall(CustomCallOp call) {
  StringRef name = call.getCallTargetName();
  StringRef target = llvm::StringSwitch<StringRef>(name)
                         .Case(names::kShardingCall, kShardingCall)
                         .Case(names::kFullToShardCall, kFullToShardCall)
                         .Case(names::kShardToFullCall, kShardToFullCall)
                         .Default({});
  if (target.empty() || call->getNumOperands() != 1 ||
      call->getNumResults() != 1) {
    keepCallRules(call);
    return success();
  }
  auto read = this->read(call, call->getDiscardableAttrDictionary());
  if (failed(read))
    return failure();
  auto kind = *read ? (*read)->sharding.kind : Sharding::Kind::Unknown;
  if (target == kShardingCall &&
      (kind == Sharding::Kind::Manual || kind == Sharding::Kind::Unknown)) {
    call->getResult(0).replaceAllUsesWith(call->getOperand(0));
    call->erase();
    return success();
  }
  SpmdAnnotation annotation = *read ? **read : SpmdAnnotation();
  if (target == kShardingCall && !readUnspecified(call, annotation))
    return call.emitOpError("has unspecified_dims that are not a list of its "
                            "dimensions");
  OpBuilder builder(call);
  FailureOr<Value> made =
      makeCall(builder, call, call->getOperand(0), call->getResult(0).getType(),
               target, annotation);
  if (failed(made))
    return failure();
  call->getResult(0).replaceAllUsesWith(*made);
  call->erase();
  return success();
}

LogicalResult
Normalizer::normalizeConstraint(sdy::ShardingConstraintOp constraint) {
  std::string problem;
  std::optional<SpmdAnnotation> read =
      readSdySharding(constraint.getSharding(), symbols, problem);
  if (!read)
    return constraint.emitOpError(problem);
  OpBuilder builder(constraint);
  FailureOr<Value> made =
      makeCall(builder, constraint, constraint.getInput(),
               constraint.getInput().getType(), kShardingCall, *read);
  if (failed(made))
    return failure();
  constraint.replaceAllUsesWith(*made);
  constraint.erase();
  return success();
}

/// The body computes on shards, between calls that convert global values to
/// shards and back.
LogicalResult Normalizer::inlineManual(sdy::ManualComputationOp computation) {
  FailureOr<int64_t> parts = computation.partCount(symbols);
  if (failed(parts))
    return failure();
  if (*parts == 1)
    return success(); // the prepare pass inlines it unchanged
  std::string problem;
  StringAttr manual;
  if (*parts != devices) {
    auto axes = readManualAxes(computation, symbols, problem);
    if (!axes)
      return computation.emitOpError(problem);
    if (axes->device_count() != devices)
      return computation.emitOpError("has a mesh of ")
             << axes->device_count() << " devices in a program of " << devices
             << " partitions";
    manual = StringAttr::get(computation->getContext(), axes->str());
  }
  auto in = readSdyShardings(computation.getInShardings(), symbols, problem);
  auto out = readSdyShardings(computation.getOutShardings(), symbols, problem);
  if (!in || !out)
    return computation.emitOpError(problem);
  if (in->size() != computation->getNumOperands() ||
      out->size() != computation->getNumResults())
    return computation.emitOpError(
        "has another number of shardings than values");
  for (const auto *list : {&*in, &*out})
    for (const SpmdAnnotation &annotation : *list)
      if (failed(requireSum(computation, annotation)))
        return failure();
  Block &body = computation.getBody().front();
  Operation *end = body.getTerminator();
  IRRewriter rewriter(computation->getContext());
  rewriter.setInsertionPoint(computation);
  SmallVector<Value> given, made;
  for (auto [i, operand] : llvm::enumerate(computation->getOperands())) {
    if (isa<stablehlo::TokenType>(operand.getType())) { // each device has one
      given.push_back(operand);
      continue;
    }
    (*in)[i].open.clear();
    FailureOr<Value> placed =
        makeCall(rewriter, computation, operand, operand.getType(),
                 kShardingCall, (*in)[i]);
    FailureOr<Value> part =
        failed(placed) ? placed
                       : makeCall(rewriter, computation, *placed,
                                  body.getArgument(i).getType(),
                                  kFullToShardCall, SpmdAnnotation(), manual);
    if (failed(part))
      return failure();
    given.push_back(*part);
  }
  // A body may return its arguments, which inlining replaces.
  SmallVector<Value> returned(end->getOperands());
  for (Value &value : returned)
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &body)
      value = given[argument.getArgNumber()];
  rewriter.eraseOp(end);
  rewriter.inlineBlockBefore(&body, computation, given);
  rewriter.setInsertionPoint(computation);
  for (auto [i, value] : llvm::enumerate(returned)) {
    if (isa<stablehlo::TokenType>(value.getType())) {
      made.push_back(value);
      continue;
    }
    (*out)[i].open.clear();
    FailureOr<Value> whole = makeCall(rewriter, computation, value,
                                      computation->getResult(i).getType(),
                                      kShardToFullCall, (*out)[i], manual);
    if (failed(whole))
      return failure();
    made.push_back(*whole);
  }
  rewriter.replaceOp(computation, made);
  return success();
}

/// Computations that combine single elements have nothing to place.
static void dropElementConstraints(func::FuncOp function) {
  function.walk([](sdy::ShardingConstraintOp constraint) {
    if (isa<func::FuncOp, sdy::ManualComputationOp, stablehlo::WhileOp,
            stablehlo::IfOp, stablehlo::CaseOp>(constraint->getParentOp()))
      return;
    constraint.replaceAllUsesWith(constraint.getInput());
    constraint.erase();
  });
}

LogicalResult Normalizer::run() {
  dropElementConstraints(function);
  if (failed(readSignature()))
    return failure();
  SmallVector<Operation *> found;
  function.walk([&](Operation *op) {
    if (isa<CustomCallOp, sdy::ShardingConstraintOp, sdy::ManualComputationOp>(
            op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    LogicalResult result = success();
    if (auto call = dyn_cast<CustomCallOp>(op))
      result = normalizeCall(call);
    else if (auto constraint = dyn_cast<sdy::ShardingConstraintOp>(op))
      result = normalizeConstraint(constraint);
    else
      result = inlineManual(cast<sdy::ManualComputationOp>(op));
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult normalizeAnnotations(func::FuncOp function,
                                   const SymbolTable &symbols) {
  return Normalizer(function, symbols).run();
}

std::optional<SpmdAnnotation> annotationOf(DictionaryAttr attributes) {
  auto text =
      attributes ? attributes.getAs<StringAttr>(kShardingName) : StringAttr();
  if (!text)
    return std::nullopt;
  auto sharding = parse_sharding(text.getValue().str());
  if (!sharding)
    return std::nullopt;
  SpmdAnnotation annotation{std::move(*sharding), {}};
  if (auto open = attributes.getAs<DenseI64ArrayAttr>(kOpenName))
    annotation.open.assign(open.asArrayRef().begin(), open.asArrayRef().end());
  if (auto rounds = attributes.getAs<DenseI64ArrayAttr>(kPriorityName))
    annotation.priorities.assign(rounds.asArrayRef().begin(),
                                 rounds.asArrayRef().end());
  return annotation;
}

} // namespace xlac::transforms
