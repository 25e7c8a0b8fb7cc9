// Custom calls with the names that JAX, PyTorch/XLA and XLA's builder emit.
#include "CustomCalls.h"

#include "Spmd/SdyShardings.h"
#include "Spmd/SpmdAnnotations.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/support/call_config.h"
#include "xlac/support/program_names.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace xlac::transforms {

using stablehlo::CustomCallOp;

bool returnsOperands(CustomCallOp call) {
  static constexpr StringRef targets[] = {names::kShardingCall,
                                          "annotate_device_placement",
                                          "AssumeGatherIndicesInBound",
                                          "LayoutConstraint",
                                          "MoveToHost",
                                          "MoveToDevice",
                                          "Pin",
                                          "Unpin",
                                          "xla.sdy.FuncResultSharding"};
  return llvm::is_contained(targets, call.getCallTargetName()) &&
         call->getNumOperands() == call->getNumResults();
}

/// Returns true for annotations that change no type, among them conversions
/// between a tensor and its shard on one device.
static bool isIdentity(CustomCallOp call) {
  static constexpr StringRef conversions[] = {
      names::kFullToShardCall, names::kShardToFullCall,
      "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"};
  return (returnsOperands(call) ||
          llvm::is_contained(conversions, call.getCallTargetName())) &&
         call->getOperandTypes() == call->getResultTypes();
}

/// Returns the entries of all dictionaries that configure the call. Entries of
/// its own attribute take precedence. A configuration that is a string has the
/// empty name.
static DictionaryAttr configOf(CustomCallOp call) {
  NamedAttrList entries;
  auto add = [&](Attribute attribute) {
    auto dictionary = llvm::dyn_cast_or_null<DictionaryAttr>(attribute);
    for (NamedAttribute entry :
         dictionary ? dictionary.getValue() : ArrayRef<NamedAttribute>())
      if (!entries.get(entry.getName()))
        entries.append(entry);
  };
  Attribute own = call->getAttr("backend_config");
  add(own);
  add(call->getDiscardableAttr(names::kMhloBackendConfig));
  add(call->getDiscardableAttr("mhlo.attributes"));
  if (auto text = llvm::dyn_cast_or_null<StringAttr>(own);
      text && !text.empty())
    entries.append("", text);
  return entries.getDictionary(call->getContext());
}

/// Replaces `call` by `op`, which is verified.
static FailureOr<Operation *> replaceByOp(CustomCallOp call, Operation *op) {
  if (failed(op->getName().verifyInvariants(op)))
    return failure();
  call->replaceAllUsesWith(op);
  call->erase();
  return op;
}

/// Expands "mhlo.topk", "TopK" and "stablehlo.dynamic_top_k": the largest
/// elements of the last dimension and their indices.
static FailureOr<Operation *> writeTopK(CustomCallOp call) {
  auto largest =
      llvm::dyn_cast_or_null<BoolAttr>(configOf(call).get("largest"));
  if (largest && !largest.getValue())
    return call.emitOpError("requests the smallest elements, which is not "
                            "supported");
  auto result = call->getNumResults() == 2
                    ? dyn_cast<RankedTensorType>(call->getResult(0).getType())
                    : RankedTensorType();
  if (!result || call->getNumOperands() < 1 || result.getRank() == 0 ||
      result.isDynamicDim(result.getRank() - 1))
    return call.emitOpError(
        "is not a top_k: it takes a tensor and gives two of a "
        "known last dimension");
  auto count = llvm::dyn_cast_or_null<IntegerAttr>(configOf(call).get("k"));
  if (count && count.getInt() != result.getShape().back())
    return call.emitOpError("asks for ")
           << count.getInt() << " elements and gives " << result;
  OpBuilder builder(call);
  NamedAttribute k("k", builder.getI64IntegerAttr(result.getShape().back()));
  StablehloBuilder b(builder, call.getLoc());
  Operation *op = b.op("chlo.top_k", call->getResultTypes(),
                       call->getOperands().take_front(), k);
  return replaceByOp(call, op);
}

FailureOr<Operation *> writeAsOp(CustomCallOp call) {
  StringRef target = call.getCallTargetName();
  if (target == "mhlo.topk" || target == "TopK" ||
      target == "stablehlo.dynamic_top_k")
    return writeTopK(call);
  if (!target.consume_front("mhlo."))
    return nullptr;
  for (StringRef dialect : {"stablehlo.", "chlo."}) {
    std::string name = (dialect + target).str();
    if (!RegisteredOperationName::lookup(name, call->getContext()))
      continue;
    OperationState state(call.getLoc(), name, call->getOperands(),
                         call->getResultTypes());
    return replaceByOp(call, OpBuilder(call).create(state));
  }
  return nullptr;
}

/// Checks that each result is its operand with fewer elements in dimension
/// `dim`: exactly top_k if the call aggregates them. Initial values must be
/// scalars.
static LogicalResult checkApproxTopK(CustomCallOp call, int64_t dim) {
  DictionaryAttr config = configOf(call);
  auto aggregates =
      llvm::dyn_cast_or_null<BoolAttr>(config.get("aggregate_to_topk"));
  auto wanted = llvm::dyn_cast_or_null<IntegerAttr>(config.get("top_k"));
  unsigned count = call->getNumResults();
  for (unsigned i = 0; i < count; ++i) {
    auto from = dyn_cast<RankedTensorType>(call->getOperand(i).getType());
    auto to = dyn_cast<RankedTensorType>(call->getResult(i).getType());
    if (!from || !to || !isStaticTensor(from) || !isStaticTensor(to) ||
        dim < 0 || dim >= from.getRank())
      return call.emitOpError("takes tensors of known sizes and a dimension "
                              "of theirs");
    SmallVector<int64_t> sizes(from.getShape());
    if (dim < to.getRank())
      sizes[dim] = std::min(to.getDimSize(dim), sizes[dim]);
    if (wanted && aggregates && aggregates.getValue())
      sizes[dim] = wanted.getInt();
    auto expected = RankedTensorType::get({}, from.getElementType());
    if (call->getOperand(count + i).getType() != expected)
      return call.emitOpError("has the initial value ")
             << call->getOperand(count + i).getType() << " for " << from;
    if (to.getElementType() != from.getElementType() ||
        to.getShape() != ArrayRef<int64_t>(sizes) ||
        sizes[dim] > from.getDimSize(dim))
      return call.emitOpError("gives ")
             << to << " for " << from << ", of which it may only take fewer in "
             << "dimension " << dim;
  }
  return success();
}

func::FuncOp computationOf(CustomCallOp call) {
  auto names = call->getAttrOfType<ArrayAttr>("called_computations");
  auto name = names && names.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(names[0])
                                         : FlatSymbolRefAttr();
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, name)
              : func::FuncOp();
}

void cloneComputation(func::FuncOp function, Region &region) {
  IRMapping mapping;
  function.getBody().cloneInto(&region, mapping);
  for (Block &block : region) {
    Operation *end = block.getTerminator();
    OpBuilder builder(end);
    builder.create(OperationState(end->getLoc(), "stablehlo.return",
                                  end->getOperands(), {}));
    end->erase();
  }
}

/// Expands "ApproxTopK" exactly: sorts with the call's comparator and takes the
/// first elements.
static LogicalResult writeApproxTopK(CustomCallOp call) {
  size_t count = call->getNumResults();
  func::FuncOp compare = computationOf(call);
  auto dimension =
      llvm::dyn_cast_or_null<IntegerAttr>(configOf(call).get("reduction_dim"));
  if (!compare || compare.isExternal() || !dimension || count == 0 ||
      call->getNumOperands() != 2 * count ||
      compare.getNumArguments() != 2 * count)
    return call.emitOpError(
        "takes operands, as many initial values, a reduction_dim and a "
        "comparator of twice as many arguments");
  OpBuilder builder(call);
  ValueRange operands = call->getOperands().take_front(count);
  int64_t dim = dimension.getInt();
  if (failed(checkApproxTopK(call, dim)))
    return failure();
  OperationState state(call.getLoc(), "stablehlo.sort", operands,
                       operands.getTypes());
  state.addAttribute("dimension", builder.getI64IntegerAttr(dim));
  state.addAttribute("is_stable", builder.getBoolAttr(true));
  cloneComputation(compare, *state.addRegion());
  Operation *sort = builder.create(state);
  if (failed(sort->getName().verifyInvariants(sort)) ||
      failed(sort->getName().verifyRegionInvariants(sort)))
    return failure();
  StablehloBuilder b(builder, call.getLoc());
  for (auto [sorted, result] :
       llvm::zip_equal(sort->getResults(), call->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    result.replaceAllUsesWith(b.slice(
        sorted, SmallVector<int64_t>(type.getRank(), 0), type.getShape()));
  }
  call->erase();
  return success();
}

/// Reads the layouts of `values` from `attribute`, each with dimensions from
/// the fastest to the slowest. Fails if one is not a permutation.
static LogicalResult readLayouts(CustomCallOp call, Attribute attribute,
                                 TypeRange types,
                                 SmallVector<SmallVector<int64_t>> &layouts) {
  auto all = llvm::dyn_cast_or_null<ArrayAttr>(attribute);
  if (all && all.size() != types.size())
    return call.emitOpError("has ")
           << all.size() << " layouts for " << types.size() << " tensors";
  for (auto [number, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    int64_t rank = tensor ? tensor.getRank() : 0;
    SmallVector<int64_t> layout;
    auto given = all ? dyn_cast<DenseIntElementsAttr>(all[number])
                     : DenseIntElementsAttr();
    for (int64_t dim = rank; !given && dim-- > 0;)
      layout.push_back(dim);
    if (given)
      for (const APInt &dim : given.getValues<APInt>())
        layout.push_back(dim.getSExtValue());
    llvm::SmallDenseSet<int64_t> seen(layout.begin(), layout.end());
    if (int64_t(layout.size()) != rank || int64_t(seen.size()) != rank ||
        llvm::any_of(layout, [&](int64_t d) { return d < 0 || d >= rank; }))
      return call.emitOpError("has a layout that is not a permutation of the "
                              "dimensions of ")
             << type;
    layouts.push_back(std::move(layout));
  }
  return success();
}

static bool isRowMajor(ArrayRef<int64_t> layout) {
  for (auto [position, dim] : llvm::enumerate(layout))
    if (dim != int64_t(layout.size() - 1 - position))
      return false;
  return true;
}

/// Creates a copy of the call with other result types.
static CustomCallOp remake(CustomCallOp call, TypeRange types) {
  OpBuilder builder(call);
  OperationState state(call.getLoc(), call->getName().getStringRef(),
                       call->getOperands(), types, call->getAttrs());
  return cast<CustomCallOp>(builder.create(state));
}

/// Returns whether the library's function takes row-major matrices in place of
/// others: it reads elements by strides, and transposing would take longer.
static bool takesRows(StringRef target) {
  return target.consume_front("lapack_") && !target.empty() &&
         StringRef("sdcz").contains(target.front()) &&
         (target.drop_front() == "getrf_ffi" ||
          target.drop_front() == "trsm_ffi");
}

/// Transposes operands and results between row-major and the call's own
/// layouts.
static CustomCallOp applyLayouts(CustomCallOp call,
                                 ArrayRef<SmallVector<int64_t>> layouts) {
  OpBuilder builder(call);
  StablehloBuilder b(builder, call.getLoc());
  for (OpOperand &operand : call->getOpOperands()) {
    ArrayRef<int64_t> layout = layouts[operand.getOperandNumber()];
    if (!isRowMajor(layout))
      operand.set(
          b.transpose(operand.get(), llvm::to_vector(llvm::reverse(layout))));
  }
  SmallVector<Type> types;
  for (auto [number, result] : llvm::enumerate(call->getResults())) {
    ArrayRef<int64_t> layout = layouts[call->getNumOperands() + number];
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || isRowMajor(layout)) {
      types.push_back(result.getType());
      continue;
    }
    SmallVector<int64_t> sizes;
    for (int64_t dim : llvm::reverse(layout))
      sizes.push_back(type.getDimSize(dim));
    types.push_back(RankedTensorType::get(sizes, type.getElementType()));
  }
  CustomCallOp made = remake(call, types);
  for (auto [number, result] : llvm::enumerate(call->getResults())) {
    ArrayRef<int64_t> layout = layouts[call->getNumOperands() + number];
    Value value = made->getResult(number);
    if (!isRowMajor(layout)) {
      SmallVector<int64_t> back(layout.size());
      for (auto [position, dim] : llvm::enumerate(llvm::reverse(layout)))
        back[dim] = position;
      value = b.transpose(value, back);
    }
    result.replaceAllUsesWith(value);
  }
  call->erase();
  return made;
}

/// Replaces a tuple result by several results and an op that creates the tuple.
static CustomCallOp splitTuple(CustomCallOp call) {
  auto tuple = call->getNumResults() == 1
                   ? dyn_cast<TupleType>(call->getResult(0).getType())
                   : TupleType();
  if (!tuple)
    return call;
  OpBuilder builder(call);
  CustomCallOp made = remake(call, tuple.getTypes());
  OperationState whole(call.getLoc(), "stablehlo.tuple", made->getResults(),
                       {tuple});
  call->getResult(0).replaceAllUsesWith(builder.create(whole)->getResult(0));
  call->erase();
  return made;
}

/// The positions of tokens among `types`.
static SmallVector<int64_t> tokensOf(TypeRange types) {
  SmallVector<int64_t> positions;
  for (auto [position, type] : llvm::enumerate(types))
    if (isa<stablehlo::TokenType>(type))
      positions.push_back(position);
  return positions;
}

/// Pairs of a result and the operand that it begins as. The call has no tuples.
static SmallVector<int64_t> aliasesOf(CustomCallOp call) {
  SmallVector<int64_t> pairs;
  auto all = call->getAttrOfType<ArrayAttr>("output_operand_aliases");
  for (Attribute attribute : all ? all.getValue() : ArrayRef<Attribute>()) {
    auto alias = dyn_cast<stablehlo::OutputOperandAliasAttr>(attribute);
    if (!alias || !alias.getOperandTupleIndices().empty())
      continue;
    ArrayRef<int64_t> place = alias.getOutputTupleIndices();
    int64_t result = place.empty() ? 0 : place.front();
    int64_t operand = alias.getOperandIndex();
    if (result < int64_t(call->getNumResults()) &&
        operand < int64_t(call->getNumOperands()) &&
        call->getResult(result).getType() ==
            call->getOperand(operand).getType())
      pairs.append({result, operand});
  }
  return pairs;
}

/// The partition that alone makes the call: its sharding says that one device
/// has the results.
static std::optional<int64_t> onlyPartition(CustomCallOp call,
                                            const SymbolTable &symbols) {
  // JAX gives this one such a sharding too, and means the shards of each
  // device.
  if (call.getCallTargetName() == names::kPartitionedCallback)
    return std::nullopt;
  if (Attribute attribute = call->getAttr(names::kSdySharding))
    return readMaximalDevice(attribute, symbols);
  auto text = call->getAttrOfType<StringAttr>(names::kMhloSharding);
  if (!text)
    return std::nullopt;
  auto sharding = parse_sharding(text.getValue().str());
  if (!sharding || sharding->kind != Sharding::Kind::Maximal)
    return std::nullopt;
  return sharding->devices.front();
}

/// The configuration of the call, and what else its function has to know:
/// buffers leave out tokens.
static DictionaryAttr hostConfigOf(CustomCallOp call,
                                   const SymbolTable &symbols) {
  MLIRContext *context = call.getContext();
  NamedAttrList entries(configOf(call));
  auto add = [&](StringRef name, ArrayRef<int64_t> positions) {
    entries.erase(name); // none of the program's own
    if (!positions.empty())
      entries.append(name, DenseI64ArrayAttr::get(context, positions));
  };
  add(names::kOperandTokens, tokensOf(call->getOperandTypes()));
  add(names::kResultTokens, tokensOf(call->getResultTypes()));
  add(names::kResultAliases, aliasesOf(call));
  entries.erase(names::kApiVersion);
  auto version = call->getAttrOfType<IntegerAttr>("api_version");
  if (version && (version.getInt() == 2 || version.getInt() == 3))
    entries.append(names::kApiVersion, version);
  entries.erase(names::kOnlyPartition);
  std::optional<int64_t> partition = onlyPartition(call, symbols);
  if (partition && 0 <= *partition &&
      *partition < partitionCount(call->getParentOfType<ModuleOp>()))
    entries.append(names::kOnlyPartition,
                   Builder(context).getI64IntegerAttr(*partition));
  return entries.getDictionary(context);
}

static LogicalResult prepareForHost(CustomCallOp call,
                                    const SymbolTable &symbols) {
  for (Operation *parent = call->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp())
    if (!isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(parent))
      return call.emitOpError("has the target @")
             << call.getCallTargetName() << " in a computation of "
             << parent->getName() << ", where no function can be called";
  if (auto computations = call->getAttrOfType<ArrayAttr>("called_computations");
      computations && !computations.empty())
    return call.emitOpError("has the target @")
           << call.getCallTargetName()
           << ", which takes computations; that is not supported";
  call = splitTuple(call);
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(call->getOperandTypes()),
                                llvm::to_vector(call->getResultTypes())))
    if (!isStaticTensor(type) && !isa<stablehlo::TokenType>(type))
      return call.emitOpError("has the target @")
             << call.getCallTargetName() << " and a value of type " << type
             << ", which is not supported";
  SmallVector<SmallVector<int64_t>> layouts;
  if (failed(readLayouts(call, call->getAttr("operand_layouts"),
                         call->getOperandTypes(), layouts)) ||
      failed(readLayouts(call, call->getAttr("result_layouts"),
                         call->getResultTypes(), layouts)))
    return failure();
  call.removeOperandLayoutsAttr();
  call.removeResultLayoutsAttr();
  DictionaryAttr config = hostConfigOf(call, symbols);
  if (!llvm::all_of(layouts, isRowMajor) &&
      !takesRows(call.getCallTargetName())) {
    call = applyLayouts(call, layouts);
    SmallVector<Attribute> kept;
    SmallVector<Type> types(call->getOperandTypes());
    llvm::append_range(types, call->getResultTypes());
    for (auto [layout, type] : llvm::zip_equal(layouts, types))
      if (isa<RankedTensorType>(type))
        kept.push_back(DenseI64ArrayAttr::get(call.getContext(), layout));
    call->setAttr(kCallLayouts, ArrayAttr::get(call.getContext(), kept));
  }
  call->setAttr(kCallConfig, config);
  return success();
}

static LogicalResult prepareCall(CustomCallOp call, SymbolTable &symbols) {
  StringRef target = call.getCallTargetName();
  if (isAnnotation(call)) // left for the partition pass
    return success();
  if (isIdentity(call)) {
    call->replaceAllUsesWith(call->getOperands());
    call->erase();
    return success();
  }
  if (target == "InspectSharding" && call->getNumResults() == 0) {
    call->erase();
    return success();
  }
  if (target == "ApproxTopK" || target == "stablehlo.dynamic_approx_top_k")
    return writeApproxTopK(call);
  FailureOr<Operation *> op = writeAsOp(call);
  if (failed(op) || *op)
    return success(succeeded(op));
  return prepareForHost(call, symbols);
}

LogicalResult prepareCustomCalls(func::FuncOp function, SymbolTable &symbols) {
  SmallVector<CustomCallOp> calls;
  function.walk([&](CustomCallOp call) { calls.push_back(call); });
  for (CustomCallOp call : calls)
    if (failed(prepareCall(call, symbols)))
      return failure();
  return success();
}

} // namespace xlac::transforms
