#include "SpmdCalls.h"

#include "Expand/CustomCalls.h"

#include "xlac/support/program_names.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace xlac::transforms {

using stablehlo::CustomCallOp;

//===- Questions to the embedder ------------------------------------------===//

bool SpmdCalls::isPartitioned(Operation *op) const {
  auto call = dyn_cast<CustomCallOp>(op);
  return call && calls.partitioner &&
         calls.partitioner->handles(call.getCallTargetName().str());
}

bool SpmdCalls::infers(Operation *op) const {
  return isPartitioned(op) && !op->hasAttr(kRuleName);
}

/// Returns the element type of this name; nothing for quantized types.
static std::optional<ElementType> plainElementOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parse_element_type(name);
}

FailureOr<CallSite>
SpmdCalls::siteOf(Operation *op,
                  llvm::function_ref<Sharding(Value)> shardingOf) const {
  CallSite site;
  auto call = cast<CustomCallOp>(op);
  site.target = call.getCallTargetName().str();
  if (auto config = op->getAttrOfType<DictionaryAttr>(kCallConfig))
    if (auto text = config.getAs<StringAttr>(""))
      site.config = text.getValue().str();
  auto add = [&](ValueRange values,
                 std::vector<CallValue> &to) -> LogicalResult {
    for (Value value : values) {
      RankedTensorType type = shardableType(value);
      std::optional<ElementType> element =
          type ? plainElementOf(type.getElementType()) : std::nullopt;
      if (!element)
        return op->emitError("custom_call @")
               << site.target << " has a value of type " << value.getType()
               << ", which cannot be partitioned by its function";
      to.push_back({*element, type.getShape(), shardingOf(value)});
    }
    return success();
  };
  if (failed(add(op->getOperands(), site.operands)) ||
      failed(add(op->getResults(), site.results)))
    return failure();
  return site;
}

LogicalResult SpmdCalls::fits(Operation *op, ArrayRef<Sharding> shardings,
                              ValueRange values, StringRef what) const {
  auto error = [&] {
    return op->emitError("the partitioner of custom_call @")
           << cast<CustomCallOp>(op).getCallTargetName();
  };
  if (shardings.size() != values.size())
    return error() << " returned " << shardings.size() << " shardings of "
                   << what << ", expected " << values.size();
  for (auto [i, sharding] : llvm::enumerate(shardings)) {
    auto type = cast<RankedTensorType>(values[i].getType());
    auto isForeign = [&](int64_t device) {
      return device >= mesh.deviceCount();
    };
    if (sharding.is_tiled()
            ? int64_t(sharding.tiles.size()) != type.getRank() ||
                  sharding.device_count() != mesh.deviceCount() ||
                  llvm::any_of(sharding.devices, isForeign)
            : sharding.kind == Sharding::Kind::Tuple)
      return error() << " returned the sharding " << sharding.str() << " of "
                     << what << " " << i << ", which has type " << type
                     << " on " << mesh.deviceCount() << " devices";
    if (sharding.is_unreduced() && !canSum(type))
      return error() << " returned the sharding " << sharding.str() << " of "
                     << what << " " << i << ", whose type " << type
                     << " cannot be summed";
  }
  return success();
}

FailureOr<std::vector<Sharding>>
SpmdCalls::checked(Operation *op, Result<std::vector<Sharding>> shardings,
                   StringRef what) const {
  if (!shardings)
    return op->emitError("the partitioner of custom_call @")
           << cast<CustomCallOp>(op).getCallTargetName() << " failed to "
           << what << ": " << shardings.error().message;
  if (failed(fits(op, *shardings, op->getResults(), "result")))
    return failure();
  return std::move(*shardings);
}

FailureOr<std::vector<Sharding>>
SpmdCalls::inferResults(Operation *op, const CallSite &site) const {
  return checked(op, calls.partitioner->infer_results(site),
                 "infer shardings from those of operands");
}

FailureOr<std::vector<Sharding>>
SpmdCalls::adaptResults(Operation *op, const CallSite &site) const {
  return checked(op, calls.partitioner->adapt_results(site),
                 "infer shardings from those of users");
}

FailureOr<PartitionedCall> SpmdCalls::partition(Operation *op,
                                                const CallSite &site) const {
  Result<PartitionedCall> call = calls.partitioner->partition(site);
  if (!call)
    return op->emitError("the partitioner of custom_call @")
           << site.target << " failed: " << call.error().message;
  if (failed(fits(op, call->operands, op->getOperands(), "operand")) ||
      failed(fits(op, call->results, op->getResults(), "result")))
    return failure();
  return std::move(*call);
}

//===- The program of one device ------------------------------------------===//

/// Returns the embedder's module with one function without calls, as the
/// partition pass requires it. Null after an error.
OwningOpRef<ModuleOp> SpmdCalls::prepared(Operation *op,
                                          StringRef bytes) const {
  auto error = [&] {
    return op->emitError("the partitioner of custom_call @")
           << cast<CustomCallOp>(op).getCallTargetName();
  };
  std::string problem;
  OwningOpRef<ModuleOp> module =
      calls.readModule(bytes, *op->getContext(), problem);
  if (!module) {
    error() << " returned a module that cannot be read: " << problem;
    return {};
  }
  // The module is for one device, so shardings in it have no effect.
  (*module)->removeAttr(names::kPartitionCount);
  PassManager passes(op->getContext());
  passes.enableVerifier(false); // the module is verified
  passes.addPass(createPrepareModule());
  passes.addPass(createExpandChlo());
  passes.addPass(createExpandRareOps());
  if (failed(passes.run(*module))) {
    error() << " returned a module that cannot be compiled";
    return {};
  }
  return module;
}

/// Gives every collective in `op` a channel of its own.
static void renumberChannels(Operation *op,
                             llvm::function_ref<int64_t()> newChannel) {
  op->walk([&](Operation *inner) {
    auto handle =
        inner->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
    if (handle && handle.getHandle() > 0)
      inner->setAttr("channel_handle",
                     stablehlo::ChannelHandleAttr::get(
                         op->getContext(), newChannel(), handle.getType()));
  });
}

FailureOr<SmallVector<Value>>
SpmdCalls::emit(Operation *op, const PartitionedCall &call, ValueRange operands,
                ArrayRef<Type> types, OpBuilder &builder,
                llvm::function_ref<int64_t()> newChannel) const {
  auto checkTypes = [&](TypeRange taken, TypeRange given) -> LogicalResult {
    if (taken == operands.getTypes() && given == TypeRange(types))
      return success();
    auto error = op->emitError("the partitioner of custom_call @");
    error << cast<CustomCallOp>(op).getCallTargetName()
          << " returned a function of type "
          << FunctionType::get(op->getContext(), taken, given)
          << ", but the shards are of type "
          << FunctionType::get(op->getContext(), operands.getTypes(), types);
    return error;
  };
  if (call.module.empty()) {
    if (failed(checkTypes(operands.getTypes(), operands.getTypes())))
      return failure();
    return SmallVector<Value>(operands);
  }
  OwningOpRef<ModuleOp> module = prepared(op, call.module);
  if (!module)
    return failure();
  auto main = module->lookupSymbol<func::FuncOp>("main");
  FunctionType type = main.getFunctionType();
  if (failed(checkTypes(type.getInputs(), type.getResults())))
    return failure();
  Block &body = main.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), operands);
  for (Operation &inner : body.without_terminator())
    renumberChannels(builder.clone(inner, mapping), newChannel);
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  return results;
}

LogicalResult
SpmdCalls::replaceManual(func::FuncOp function,
                         llvm::function_ref<int64_t()> newChannel) const {
  /// Most modules in modules.
  constexpr int kDeepest = 16;
  Sharding manual;
  manual.kind = Sharding::Kind::Manual;
  for (int depth = 0; depth < kDeepest; ++depth) {
    SmallVector<Operation *> found;
    function.walk([&](Operation *op) {
      if (isPartitioned(op))
        found.push_back(op);
    });
    if (found.empty())
      return success();
    for (Operation *op : found) {
      FailureOr<CallSite> site = siteOf(op, [&](Value) { return manual; });
      if (failed(site))
        return failure();
      FailureOr<PartitionedCall> call = partition(op, *site);
      if (failed(call))
        return failure();
      for (const auto *list : {&call->operands, &call->results})
        for (const Sharding &sharding : *list)
          if (sharding.is_tiled())
            return op->emitError("the partitioner of custom_call @")
                   << site->target << " returned the sharding "
                   << sharding.str()
                   << " for a call in code that is written for one device";
      OpBuilder builder(op);
      FailureOr<SmallVector<Value>> results =
          emit(op, *call, op->getOperands(),
               llvm::to_vector(op->getResultTypes()), builder, newChannel);
      if (failed(results))
        return failure();
      op->replaceAllUsesWith(*results);
      op->erase();
    }
  }
  return function.emitError("partitioners of custom calls return modules that "
                            "call them again, without end");
}

} // namespace xlac::transforms
