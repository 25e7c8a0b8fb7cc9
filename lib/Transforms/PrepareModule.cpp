// Makes the entry function the whole program: inlines calls and composites,
// flattens tuples, and removes asynchronous ops and annotations.
#include "xlac/Transforms/HostEffects.h"
#include "xlac/Transforms/Passes.h"

#include "Buffers/Donations.h"
#include "Collectives/PrepareCollectives.h"
#include "Expand/CustomCalls.h"
#include "Refine/RefineShapes.h"
#include "Spmd/SdyShardings.h"
#include "Spmd/SpmdAnnotations.h"
#include "Spmd/SpmdSorts.h"

#include "xlac/Dialect/Sdy/SdyDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/program_names.h"
#include "xlac/support/random_part.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PREPAREMODULE
#include "xlac/Transforms/Passes.h.inc"

namespace {

/// Inlines everything that an entry function calls, callees first.
class Inliner {
public:
  explicit Inliner(ModuleOp module) : symbols(module) {}

  LogicalResult flatten(func::FuncOp function);

private:
  /// Returns the function that `op` calls, or null if it is not a call. Fails
  /// if the function does not exist.
  FailureOr<func::FuncOp> calleeOf(Operation *op);
  LogicalResult inlineCall(Operation *call, func::FuncOp callee);

  /// Limit on inlined ops. Larger programs could not be compiled in reasonable
  /// time.
  static constexpr int64_t kMostOps = 2'000'000;

  SymbolTable symbols;
  DenseSet<func::FuncOp> finished, running;
  int64_t cloned = 0;
};

class PrepareModule : public impl::PrepareModuleBase<PrepareModule> {
public:
  using Base::Base;

private:
  void runOnOperation() override;
  LogicalResult applyPartitionOptions(ModuleOp module, func::FuncOp main);
  LogicalResult refine(func::FuncOp main);
};

} // namespace

FailureOr<func::FuncOp> Inliner::calleeOf(Operation *op) {
  StringRef name;
  if (auto call = dyn_cast<func::CallOp>(op))
    name = call.getCallee();
  else if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
    name = composite.getDecomposition();
  else
    return func::FuncOp();
  auto callee = symbols.lookup<func::FuncOp>(name);
  if (!callee)
    return op->emitOpError("calls @") << name << ", which is not defined";
  if (callee.isExternal())
    return op->emitOpError("calls @") << name << ", which has no body";
  return callee;
}

LogicalResult Inliner::flatten(func::FuncOp function) {
  if (finished.contains(function))
    return success();
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("has several blocks, which is not supported");
  running.insert(function);
  SmallVector<Operation *> calls;
  function.walk([&](Operation *op) {
    if (isa<func::CallOp, stablehlo::CompositeOp>(op))
      calls.push_back(op);
  });
  for (Operation *call : calls) {
    FailureOr<func::FuncOp> callee = calleeOf(call);
    if (failed(callee))
      return failure();
    if (running.contains(*callee))
      return call->emitOpError("calls @")
             << callee->getSymName() << " recursively, which is not supported";
    if (failed(flatten(*callee)) || failed(inlineCall(call, *callee)))
      return failure();
  }
  running.erase(function);
  finished.insert(function);
  return success();
}

LogicalResult Inliner::inlineCall(Operation *call, func::FuncOp callee) {
  Block &body = callee.getBody().front();
  if (call->getOperandTypes() != body.getArgumentTypes() ||
      call->getResultTypes() != callee.getResultTypes())
    return call->emitOpError("does not have the types of @")
           << callee.getSymName() << ", " << callee.getFunctionType();
  IRMapping mapping;
  mapping.map(body.getArguments(), call->getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator()) {
    builder.clone(op, mapping);
    if (++cloned > kMostOps)
      return call->emitOpError("makes the program too large when inlined");
  }
  for (auto [result, value] :
       llvm::zip_equal(call->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call->erase();
  return success();
}

/// Returns true for attributes that the compiler uses.
static bool isKept(StringRef name) {
  return name == names::kAliasingOutput || name == names::kBufferDonor ||
         name.starts_with("xlac.");
}

static void stripAttributes(func::FuncOp function) {
  auto keep = [](ArrayRef<NamedAttribute> all) {
    SmallVector<NamedAttribute> kept;
    for (NamedAttribute attribute : all)
      if (isKept(attribute.getName()))
        kept.push_back(attribute);
    return kept;
  };
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (DictionaryAttr all = function.getArgAttrDict(i))
      function.setArgAttrs(i, keep(all.getValue()));
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (DictionaryAttr all = function.getResultAttrDict(i))
      function.setResultAttrs(i, keep(all.getValue()));
  function.walk([&](Operation *op) {
    if (op == function)
      return;
    SmallVector<NamedAttribute> kept =
        keep(llvm::to_vector(op->getDiscardableAttrs()));
    op->setDiscardableAttrs(DictionaryAttr::get(op->getContext(), kept));
  });
}

/// Inlines a manual computation with a single shard, which equals the global
/// value.
static LogicalResult inlineManual(sdy::ManualComputationOp computation,
                                  const SymbolTable &symbols) {
  FailureOr<int64_t> parts = computation.partCount(symbols);
  if (failed(parts))
    return failure();
  if (*parts != 1)
    return computation.emitOpError("works on ")
           << *parts
           << " parts of its inputs, one a device, which is not supported";
  Block &body = computation.getBody().front();
  Operation *end = body.getTerminator();
  if (computation->getOperandTypes() != body.getArgumentTypes() ||
      computation->getResultTypes() != end->getOperandTypes())
    return computation.emitOpError(
        "has a body of other types, although its manual axes have size 1");
  IRRewriter(computation->getContext())
      .inlineBlockBefore(&body, computation, computation.getInputs());
  computation->replaceAllUsesWith(end->getOperands());
  end->erase();
  computation->erase();
  return success();
}

/// Removes shardings, which do not affect the values.
static LogicalResult removeShardings(func::FuncOp function,
                                     const SymbolTable &symbols) {
  function.walk([](sdy::ShardingConstraintOp constraint) {
    constraint.replaceAllUsesWith(constraint.getInput());
    constraint.erase();
  });
  WalkResult result = function.walk([&](sdy::ManualComputationOp computation) {
    return WalkResult(inlineManual(computation, symbols));
  });
  return failure(result.wasInterrupted());
}

static LogicalResult takeTuplesApart(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    if (auto element = dyn_cast<stablehlo::GetTupleElementOp>(op)) {
      auto tuple = element.getOperand().getDefiningOp<stablehlo::TupleOp>();
      if (!tuple)
        return WalkResult(op->emitOpError(
            "takes a tuple that does not come from stablehlo.tuple, which is "
            "not supported"));
      element.getResult().replaceAllUsesWith(
          tuple->getOperand(element.getIndex()));
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  function.walk<WalkOrder::PostOrder>([](Operation *op) {
    if (isa<stablehlo::GetTupleElementOp>(op))
      op->erase();
  });
  return success();
}

/// Rejects ops that passes create: they have no verifier for untrusted
/// programs.
static LogicalResult rejectXlacOps(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    if (isa_and_nonnull<ir::XlacDialect>(op->getDialect()))
      return WalkResult(
          op->emitOpError("is the compiler's own, which programs cannot have"));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Rejects ops that verify, because other producers emit them, but are
/// undefined in the specification.
static LogicalResult rejectInvalidOps(func::FuncOp function) {
  WalkResult result = function.walk([](stablehlo::ReduceOp reduce) {
    for (Type type : reduce.getInitValues().getTypes())
      if (cast<RankedTensorType>(type).getRank() != 0)
        return WalkResult(reduce.emitOpError(
            "has a body that combines tensors, which is not supported"));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Sets the options as the attributes that programs use themselves, so that
/// later passes read them in one place.
LogicalResult PrepareModule::applyPartitionOptions(ModuleOp module,
                                                   func::FuncOp main) {
  Builder builder(&getContext());
  if (partitions > kMostPartitions)
    return module.emitError("is for ")
           << int64_t(partitions) << " partitions, which are too many";
  if (partitions > 0)
    module->setAttr(
        names::kPartitionCount,
        builder.getI32IntegerAttr(static_cast<int32_t>(partitions)));
  for (const std::string &option : shardings) {
    auto [number, text] = StringRef(option).split(':');
    unsigned argument = 0;
    if (number.getAsInteger(10, argument) || argument >= main.getNumArguments())
      return main.emitOpError("has no argument ")
             << number << ", which the option 'shardings' names";
    main.removeArgAttr(argument, names::kSdySharding);
    main.setArgAttr(argument, names::kMhloSharding,
                    builder.getStringAttr(text));
  }
  return success();
}

/// Removes attributes by which passes pass on their results, which only passes
/// may set.
static void removeOwnAttributes(ModuleOp module) {
  for (NamedAttribute attribute :
       llvm::to_vector(module->getDiscardableAttrs()))
    if (attribute.getName().strref().starts_with("xlac."))
      module->removeDiscardableAttr(attribute.getName());
  module.walk([](Operation *op) {
    for (StringRef name :
         {StringRef(names::kRandomPartOf), StringRef(kFirstRows)})
      op->removeDiscardableAttr(name);
  });
}

/// Writes to the module what callers have to know of arguments and results and
/// no later pass needs.
static void describeSignature(ModuleOp module, func::FuncOp main) {
  Builder builder(module.getContext());
  SmallVector<int64_t> donated;
  for (auto [i, donation] : llvm::enumerate(donationsOf(main)))
    if (donation.isPossible())
      donated.push_back(i);
  if (!donated.empty())
    module->setAttr(names::kDonatedArguments,
                    builder.getDenseI64ArrayAttr(donated));
  SmallVector<Attribute> kinds(main.getNumResults(), builder.getStringAttr(""));
  bool requestsKinds = false;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (auto kind =
            main.getResultAttrOfType<StringAttr>(i, names::kMemoryKind)) {
      kinds[i] = kind;
      requestsKinds = true;
    }
  if (requestsKinds)
    module->setAttr(names::kMemoryKinds, builder.getArrayAttr(kinds));
}

/// Writes to the module the layouts that callers request of arguments and
/// results, if one of them may differ from the default.
static void keepLayoutModes(ModuleOp module, func::FuncOp main) {
  Builder builder(module.getContext());
  bool isDefault = true;
  auto modeOf = [&](StringAttr mode) -> Attribute {
    isDefault &= !mode || mode.getValue() == "default";
    return mode ? mode : builder.getStringAttr("default");
  };
  SmallVector<Attribute> arguments, results;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    arguments.push_back(
        modeOf(main.getArgAttrOfType<StringAttr>(i, names::kLayoutMode)));
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    results.push_back(
        modeOf(main.getResultAttrOfType<StringAttr>(i, names::kLayoutMode)));
  if (isDefault)
    return;
  module->setAttr(names::kArgumentLayoutModes, builder.getArrayAttr(arguments));
  module->setAttr(names::kResultLayoutModes, builder.getArrayAttr(results));
}

/// Makes the shapes of `main` static, which all later passes need.
LogicalResult PrepareModule::refine(func::FuncOp main) {
  FailureOr<SmallVector<SizedArgument>> all = readSizes(main, sizes);
  if (failed(all))
    return failure();
  if (all->empty() && !hasDynamicShapes(main))
    return success();
  return refineShapes(main, *all);
}

void PrepareModule::runOnOperation() {
  ModuleOp module = getOperation();
  auto main = module.lookupSymbol<func::FuncOp>(entry);
  if (!main || main.isExternal()) {
    module.emitError("has no function '") << entry << "' to compile";
    return signalPassFailure();
  }
  removeOwnAttributes(module);
  writePrintsAsCalls(module);
  if (failed(applyPartitionOptions(module, main)))
    return signalPassFailure();
  if (failed(Inliner(module).flatten(main)) || failed(rejectXlacOps(main)) ||
      failed(refine(main)))
    return signalPassFailure();
  SymbolTable symbols(module);
  simplifySdyOps(main);
  if (partitionCount(module) > 1 && failed(normalizeAnnotations(main, symbols)))
    return signalPassFailure();
  if (failed(prepareCustomCalls(main, symbols)) ||
      failed(removeShardings(main, symbols)))
    return signalPassFailure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (&op != main)
      op.erase();
  main.setPublic();
  describeSignature(module, main);
  if (layouts)
    keepLayoutModes(module, main);
  stripAttributes(main);
  if (failed(takeTuplesApart(main)) || failed(rejectInvalidOps(main)) ||
      failed(prepareCollectives(main)))
    return signalPassFailure();
}

} // namespace xlac::transforms
