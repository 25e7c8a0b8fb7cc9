#include "BufferPlanner.h"

#include "xlac/support/program_names.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace xlac::transforms {

//===- Sizes and overlap --------------------------------------------------===//

static int64_t bitsOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bitsOf(complex.getElementType());
  if (type.isIntOrFloat())
    return static_cast<int64_t>(llvm::alignTo(type.getIntOrFloatBitWidth(), 8));
  return 0;
}

std::optional<int64_t> bufferSize(Type type) {
  if (isa<stablehlo::TokenType>(type))
    return 0;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  int64_t size = bitsOf(tensor.getElementType()) / 8;
  if (size == 0)
    return std::nullopt;
  for (int64_t extent : tensor.getShape())
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  return size;
}

int64_t bytesOfValues(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += bufferSize(value.getType()).value_or(0);
  return bytes;
}

/// Returns true if each element of the result depends on `operand` only through
/// its element at the same row-major index.
static bool keepsPlaces(Operation *op, Value operand) {
  if (isa<stablehlo::ReshapeOp>(op))
    return true;
  auto type = dyn_cast<ShapedType>(operand.getType());
  auto resultType = dyn_cast<ShapedType>(op->getResult(0).getType());
  return type && resultType && type.getShape() == resultType.getShape() &&
         op->getNumRegions() == 0 &&
         (op->hasTrait<stablehlo::Elementwise>() ||
          isa<stablehlo::SelectOp, stablehlo::ClampOp>(op));
}

/// Adds values that `value` depends on to `seen` or `moved`. `seen` contains
/// values of which it reads only the element at the same index, `moved` all
/// others.
static void trace(Value value, bool same, DenseSet<Value> &seen,
                  DenseSet<Value> &moved) {
  if (!(same ? seen : moved).insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  for (Value operand : op->getOperands())
    trace(operand, same && keepsPlaces(op, operand), seen, moved);
  // Regions may read values from outside.
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          trace(operand, false, seen, moved);
    });
}

const llvm::BitVector &BufferPlanner::movedOperands(ir::KernelOp kernel) {
  auto [place, isNew] = moved.try_emplace(kernel);
  if (!isNew)
    return place->second;
  DenseSet<Value> elsewhere;
  for (Value result : kernel.getYield().getResults()) {
    DenseSet<Value> seen;
    trace(result, true, seen, elsewhere);
  }
  for (BlockArgument argument : kernel.getBody().getArguments())
    place->second.push_back(elsewhere.contains(argument));
  return place->second;
}

bool BufferPlanner::mayOverwrite(ir::KernelOp kernel, unsigned number,
                                 unsigned operand) {
  ir::ScheduleKind kind = kernel.getSchedule().getKind();
  if (kind == ir::ScheduleKind::Reduction) {
    ArrayRef<int64_t> pairs = kernel.getMayOverwrite();
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      if (pairs[i] == number && pairs[i + 1] == operand)
        return true;
    return false;
  }
  if (kind != ir::ScheduleKind::Loop && kind != ir::ScheduleKind::Contraction)
    return false;
  BlockArgument argument = kernel.getBody().getArgument(operand);
  auto results = kernel.getYield().getResults();
  if (bufferSize(argument.getType()) != bufferSize(results[number].getType()))
    return false;
  return !movedOperands(kernel).test(operand);
}

//===- Buffers ------------------------------------------------------------===//

BufferPlanner::BufferPlanner(func::FuncOp function, int64_t firstConstant)
    : function(function), donated(donationsOf(function)),
      firstConstant(firstConstant), builder(function.getContext()),
      liveness(function) {}

unsigned BufferPlanner::create(BufferKind place, int64_t number, int64_t size) {
  assert(size >= 0 && number >= 0 && "a buffer has a number and a size");
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&program.getBody().front());
  Location loc = function.getLoc();
  Type type = ir::BufferType::get(builder.getContext());
  Buffer buffer;
  buffer.place = place;
  buffer.number = number;
  buffer.size = size;
  switch (place) {
  case BufferKind::Argument:
    buffer.handle = ir::ArgumentOp::create(builder, loc, type, number);
    break;
  case BufferKind::Result:
    buffer.handle = ir::ResultOp::create(builder, loc, type, number);
    break;
  case BufferKind::Arena:
    buffer.handle = ir::ArenaOp::create(builder, loc, type, 0, size);
    break;
  case BufferKind::Constant:
    break;
  }
  assert((place == BufferKind::Constant || buffer.handle) &&
         "only constants get a handle later");
  buffers.push_back(std::move(buffer));
  return buffers.size() - 1;
}

unsigned BufferPlanner::createArena(Value value) {
  return create(BufferKind::Arena, 0, bufferSize(value.getType()).value_or(0));
}

unsigned BufferPlanner::bufferOf(Value value) const {
  auto it = places.find(liveness.root(value));
  assert(it != places.end() && "a value is read before it has a buffer");
  return it->second;
}

void BufferPlanner::hold(Value value, unsigned buffer) {
  assert(buffer < buffers.size() &&
         bufferSize(value.getType()) == buffers[buffer].size &&
         "a value has a buffer of its size");
  assert(liveness.root(value) == value && "roots alone hold buffers");
  places[value] = buffer;
  buffers[buffer].holders.push_back(value);
}

void BufferPlanner::leave(Block &block) {
  for (Buffer &buffer : buffers)
    llvm::erase_if(buffer.holders, [&](Value value) {
      return value.getParentBlock() == &block;
    });
}

void BufferPlanner::touch(unsigned number) {
  assert(number < buffers.size() && "a buffer that was created is touched");
  Buffer &buffer = buffers[number];
  if (buffer.first < 0)
    buffer.first = now;
  buffer.last = std::max(buffer.last, now);
  for (Loop &loop : loops)
    if (buffer.first < loop.begin)
      loop.outer.insert(number);
}

bool BufferPlanner::isFree(unsigned buffer, Operation *op,
                           bool including) const {
  return llvm::all_of(buffers[buffer].holders, [&](Value value) {
    return liveness.isDeadBefore(value, op, including);
  });
}

std::optional<unsigned> BufferPlanner::preferredBuffer(Value value) const {
  auto it = bufferHints.find(value);
  if (it == bufferHints.end())
    return std::nullopt;
  return it->second;
}

void BufferPlanner::want(Value value, unsigned buffer, Block *block) {
  Value source = liveness.root(value);
  if (source.getParentBlock() == block && source.getDefiningOp() &&
      !source.getDefiningOp<stablehlo::ConstantOp>() &&
      bufferSize(source.getType()) == buffers[buffer].size)
    bufferHints.try_emplace(source, buffer);
}

/// Returns whether `buffer` is one of a result of the program that may hold
/// other values before: it is not the memory of a donated argument, nor, for an
/// op in a loop, a carry.
bool BufferPlanner::isFreeResult(unsigned buffer, Operation *op) {
  return isa<func::FuncOp>(op->getParentOp()) &&
         buffers[buffer].place == BufferKind::Result &&
         !mayBeDonated(buffers[buffer].number);
}

/// Hints an operand that a launch may overwrite to use the buffer of the
/// program's result that the launch writes.
void BufferPlanner::hintOverwritten(ir::CallOp call, ir::KernelOp kernel) {
  for (unsigned i = 0, e = call->getNumResults(); i < e; ++i) {
    std::optional<unsigned> wanted =
        preferredBuffer(liveness.root(call->getResult(i)));
    if (!wanted || kernel.getInPlaceOperand(i) || !isFreeResult(*wanted, call))
      continue;
    for (Value operand : call.getOperands()) {
      Value source = liveness.root(operand);
      auto overwrites = [&](auto use) {
        auto [k, other] = use;
        return liveness.root(other) != source || mayOverwrite(kernel, i, k);
      };
      if (bufferHints.contains(source) ||
          !liveness.isDeadBefore(source, call, /*including=*/true) ||
          !llvm::all_of(llvm::enumerate(call.getOperands()), overwrites))
        continue;
      want(source, *wanted, call->getBlock());
      if (bufferHints.contains(source))
        break;
    }
  }
}

/// The same for the operands of an all_reduce, which its results replace.
void BufferPlanner::hintReduced(ir::TensorCollectiveOp collective) {
  if (collective.getWhat().getKind() != ir::CollectiveKind::AllReduce)
    return;
  for (auto [result, operand] :
       llvm::zip_first(collective.getResults(), collective.getOperands())) {
    std::optional<unsigned> wanted = preferredBuffer(liveness.root(result));
    if (wanted && isFreeResult(*wanted, collective) &&
        isLastRead(liveness.root(operand), collective))
      want(operand, *wanted, collective->getBlock());
  }
}

/// Propagates buffer hints from the end of the block. An operand that a result
/// may overwrite is hinted to use the result's preferred buffer.
void BufferPlanner::propagateBufferHints(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    auto handOn = [&](Value result, Value operand) {
      std::optional<unsigned> wanted = preferredBuffer(liveness.root(result));
      if (wanted && liveness.isDeadBefore(liveness.root(operand), &op, true))
        want(operand, *wanted, &block);
    };
    if (auto call = dyn_cast<ir::CallOp>(op)) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom<ir::KernelOp>(
          function, call.getKernelAttr());
      if (!kernel)
        continue;
      ArrayRef<int64_t> pairs = kernel.getInPlace();
      for (size_t i = 0; i + 1 < pairs.size(); i += 2)
        handOn(call.getResult(pairs[i]), call->getOperand(pairs[i + 1]));
      hintOverwritten(call, kernel);
    } else if (auto collective = dyn_cast<ir::TensorCollectiveOp>(op)) {
      hintReduced(collective);
    } else if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
      for (unsigned i = 0, e = loop->getNumOperands(); i < e; ++i)
        if (!liveness.isInvariantCarry(loop, i))
          handOn(loop->getResult(i), loop->getOperand(i));
    }
  }
}

//===- Launches -----------------------------------------------------------===//

LogicalResult BufferPlanner::planBlock(Block &block) {
  propagateBufferHints(block);
  for (Operation &op : block.without_terminator())
    if (failed(planOp(op)))
      return failure();
  return success();
}

LogicalResult BufferPlanner::planOp(Operation &op) {
  for (Type type : op.getResultTypes())
    if (!bufferSize(type))
      return op.emitOpError("has a result of type ")
             << type << ", which no buffer can hold";
  if (auto await = dyn_cast<ir::AwaitOp>(op))
    planAwait(await);
  if (isBufferAlias(&op))
    return success();
  if (auto call = dyn_cast<ir::CallOp>(op))
    return planCall(call);
  if (auto collective = dyn_cast<ir::TensorCollectiveOp>(op)) {
    planCollective(collective);
    return success();
  }
  if (isa<stablehlo::AfterAllOp>(op)) {
    hold(op.getResult(0), createArena(op.getResult(0)));
    return success();
  }
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
    return planWhile(loop);
  if (auto choice = dyn_cast<stablehlo::IfOp>(op))
    return planBranches(&op, choice.getPred(), true);
  if (auto choice = dyn_cast<stablehlo::CaseOp>(op))
    return planBranches(&op, choice.getIndex(), false);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    auto [it, fresh] = constants.try_emplace(constant.getValue(), 0);
    if (fresh) {
      OpBuilder::InsertionGuard guard(builder);
      int64_t number = firstConstant + constantCount() - 1;
      assert(bufferSize(constant.getType()) && "planOp has seen its size");
      it->second =
          create(BufferKind::Constant, number, *bufferSize(constant.getType()));
      builder.setInsertionPointToStart(&program.getBody().front());
      buffers[it->second].handle = ir::ConstantOp::create(
          builder, op.getLoc(), ir::BufferType::get(builder.getContext()),
          builder.getI64IntegerAttr(number), constant.getValue());
    }
    places[constant.getResult()] = it->second;
    return success();
  }
  return op.emitOpError("is not supported");
}

LogicalResult BufferPlanner::planCall(ir::CallOp call) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<ir::KernelOp>(
      function, call.getKernelAttr());
  if (!kernel)
    return call.emitOpError("names no kernel");
  // What launches access slice by slice is in use at the same time.
  if (!call.getJoined())
    ++now;
  SmallVector<unsigned> inputs, outputs;
  for (Value operand : call.getOperands())
    inputs.push_back(bufferOf(operand));
  for (unsigned i = 0, e = call->getNumResults(); i < e; ++i)
    outputs.push_back(assignResult(call, kernel, i, inputs, outputs));
  assert(std::set<unsigned>(outputs.begin(), outputs.end()).size() ==
             outputs.size() &&
         "each result of a launch has a buffer of its own");
  for (auto [result, buffer] : llvm::zip_equal(call.getResults(), outputs)) {
    // The values in this buffer have been read for the last time.
    llvm::erase_if(buffers[buffer].holders, [&](Value value) {
      return liveness.isDeadBefore(value, call, true);
    });
    assert(buffers[buffer].holders.empty() &&
           "a launch writes over nothing that is read later");
    hold(result, buffer);
  }
  SmallVector<Value> inputHandles, outputHandles;
  for (unsigned buffer : inputs) {
    touch(buffer);
    inputHandles.push_back(buffers[buffer].handle);
  }
  for (unsigned buffer : outputs) {
    touch(buffer);
    outputHandles.push_back(buffers[buffer].handle);
  }
  Value workspace;
  if (int64_t bytes = kernel.getSchedule().getWorkspace()) {
    unsigned buffer = create(BufferKind::Arena, 0, bytes);
    touch(buffer);
    workspace = buffers[buffer].handle;
  }
  for (auto [i, output] : llvm::enumerate(outputs))
    for (unsigned input : inputs)
      if (!call.getSlices() && buffers[output].place == BufferKind::Result &&
          buffers[input].place == BufferKind::Argument &&
          mayOverwriteAll(kernel, i, inputs, input))
        elementwise.insert({input, output});
  ir::LaunchOp::create(builder, call.getLoc(), call.getKernelAttr(),
                       inputHandles, outputHandles, workspace,
                       call.getSlicesAttr(), call.getWholeAttr(),
                       call.getJoinedAttr());
  return success();
}

bool BufferPlanner::mayOverwriteAll(ir::KernelOp kernel, unsigned number,
                                    ArrayRef<unsigned> inputs,
                                    unsigned buffer) {
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input == buffer && !mayOverwrite(kernel, number, i))
      return false;
  return true;
}

void BufferPlanner::addCollective() {
  ++now;
  // A failed collective of partitions need not preserve arguments: no process
  // can continue without the shards of this one.
  auto partitions =
      function->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
          names::kPartitionCount);
  if (!partitions || partitions.getInt() <= 1)
    lastCollective = now;
}

bool BufferPlanner::isLastRead(Value value,
                               ir::TensorCollectiveOp collective) const {
  if (value.getParentBlock() != collective->getBlock())
    return false;
  Operation *end = collective;
  if (collective.getStarted())
    for (Operation *user : collective->getUsers())
      if (isa<ir::AwaitOp>(user))
        end = user;
  return liveness.isDeadBefore(value, end, /*including=*/true) &&
         !liveness.isReadBetween(value, collective, end);
}

/// Returns whether result `number` may replace its operand. Peers read other
/// operands at any time until all peers are done. A sum replaces a part of an
/// operand only after the peers that need this part have it.
bool BufferPlanner::isReducedInPlace(ir::TensorCollectiveOp collective,
                                     unsigned number,
                                     ArrayRef<unsigned> inputs) const {
  if (collective.getWhat().getKind() != ir::CollectiveKind::AllReduce ||
      number >= inputs.size() || llvm::count(inputs, inputs[number]) != 1)
    return false;
  const Buffer &buffer = buffers[inputs[number]];
  return buffer.size == bufferSize(collective->getResult(number).getType()) &&
         llvm::all_of(buffer.holders, [&](Value value) {
           return isLastRead(value, collective);
         });
}

/// Returns the buffer of a result: the wanted one, its operand's, or a new one.
unsigned BufferPlanner::assignReceived(ir::TensorCollectiveOp collective,
                                       unsigned number,
                                       ArrayRef<unsigned> inputs,
                                       ArrayRef<unsigned> outputs) {
  Value result = collective->getResult(number);
  bool inPlace = isReducedInPlace(collective, number, inputs);
  std::optional<unsigned> wanted = preferredBuffer(result);
  auto usable = [&](unsigned buffer) {
    if (llvm::is_contained(outputs, buffer))
      return false;
    if (llvm::is_contained(inputs, buffer))
      return inPlace && inputs[number] == buffer;
    return isFree(buffer, collective, /*including=*/true);
  };
  if (wanted && usable(*wanted)) {
    assert(bufferSize(result.getType()) == buffers[*wanted].size &&
           "a hint names a buffer of the value's size");
    return *wanted;
  }
  if (inPlace && buffers[inputs[number]].place == BufferKind::Arena &&
      buffers[inputs[number]].size > 0 && (loops.empty() || !wanted) &&
      usable(inputs[number]))
    return inputs[number];
  return createArena(result);
}

void BufferPlanner::planCollective(ir::TensorCollectiveOp collective) {
  addCollective();
  SmallVector<unsigned> inputs, outputs;
  for (Value operand : collective.getOperands())
    inputs.push_back(bufferOf(operand));
  for (unsigned i = 0, e = collective->getNumResults(); i < e; ++i)
    outputs.push_back(assignReceived(collective, i, inputs, outputs));
  SmallVector<Value> inputHandles, outputHandles;
  for (unsigned buffer : inputs) {
    touch(buffer);
    inputHandles.push_back(buffers[buffer].handle);
  }
  for (auto [result, buffer] :
       llvm::zip_equal(collective.getResults(), outputs)) {
    touch(buffer);
    outputHandles.push_back(buffers[buffer].handle);
    if (llvm::is_contained(inputs, buffer))
      buffers[buffer].holders.clear(); // read for the last time
    hold(result, buffer);
  }
  if (collective.getStarted())
    started[collective] = collectives;
  ir::CollectiveOp::create(
      builder, collective.getLoc(), builder.getI64IntegerAttr(collectives++),
      collective.getWhat(),
      builder.getTypeArrayAttr(llvm::to_vector(collective.getOperandTypes())),
      builder.getTypeArrayAttr(llvm::to_vector(collective.getResultTypes())),
      inputHandles, outputHandles, collective.getReducersAttr(),
      collective.getStartedAttr());
}

/// Until this point, peers read the operands and write the results.
void BufferPlanner::planAwait(ir::AwaitOp await) {
  assert(started.contains(await.getCollective()) &&
         "an awaited collective has been started");
  addCollective();
  for (Value value : await->getOperands())
    touch(bufferOf(value));
  ir::AwaitCollectiveOp::create(
      builder, await.getLoc(),
      builder.getI64IntegerAttr(started.lookup(await.getCollective())));
}

unsigned BufferPlanner::assignResult(ir::CallOp call, ir::KernelOp kernel,
                                     unsigned number,
                                     MutableArrayRef<unsigned> inputs,
                                     ArrayRef<unsigned> outputs) {
  Value result = call->getResult(number);
  if (std::optional<unsigned> operand = kernel.getInPlaceOperand(number))
    return assignUpdated(call, number, *operand, inputs, outputs);
  int64_t size = *bufferSize(result.getType());
  auto usable = [&](unsigned buffer) {
    if (llvm::is_contained(outputs, buffer) ||
        !isFree(buffer, call, /*including=*/true))
      return false;
    // If the launch has other results, they may still need an operand that dies
    // in it. mayOverwrite checks this.
    return mayOverwriteAll(kernel, number, inputs, buffer);
  };
  if (std::optional<unsigned> wanted = preferredBuffer(result))
    if (usable(*wanted))
      return *wanted;
  for (unsigned input : inputs)
    if (buffers[input].place == BufferKind::Arena &&
        buffers[input].size == size && size > 0 &&
        (loops.empty() || !preferredBuffer(result)) && usable(input))
      return input;
  return createArena(result);
}

/// Returns the buffer of an in-place update's result: the operand's buffer if
/// the operand dies here, else a copy of it.
unsigned BufferPlanner::assignUpdated(ir::CallOp call, unsigned number,
                                      unsigned operand,
                                      MutableArrayRef<unsigned> inputs,
                                      ArrayRef<unsigned> outputs) {
  Value result = call->getResult(number);
  assert(operand < inputs.size() && "an updated operand is one of the call");
  unsigned old = inputs[operand];
  assert(bufferSize(result.getType()) == buffers[old].size &&
         "an update has the size of its operand");
  bool soleReader = llvm::count(inputs, old) == 1;
  std::optional<unsigned> wanted = preferredBuffer(result);
  auto writable = [&](unsigned buffer) {
    return buffers[buffer].place == BufferKind::Arena ||
           buffers[buffer].place == BufferKind::Result;
  };
  if (soleReader && writable(old) && (!wanted || *wanted == old) &&
      !llvm::is_contained(outputs, old) &&
      isFree(old, call, /*including=*/true))
    return old;
  unsigned target;
  if (wanted && *wanted != old && !llvm::is_contained(outputs, *wanted) &&
      !llvm::is_contained(inputs, *wanted) &&
      isFree(*wanted, call, /*including=*/true))
    target = *wanted;
  else
    target = createArena(result);
  copy(old, target);
  ++now;
  inputs[operand] = target;
  return target;
}

void BufferPlanner::copy(unsigned from, unsigned to) {
  assert(buffers[from].size == buffers[to].size &&
         "a copy fills the buffer that it writes");
  if (from == to || buffers[from].size == 0)
    return;
  touch(from);
  touch(to);
  if (buffers[from].place == BufferKind::Argument &&
      buffers[to].place == BufferKind::Result)
    elementwise.insert({from, to});
  ir::CopyOp::create(builder, function.getLoc(), buffers[from].handle,
                     buffers[to].handle,
                     builder.getI64IntegerAttr(buffers[from].size));
}

void BufferPlanner::moveAll(SmallVector<Move> moves) {
  llvm::erase_if(moves, [](Move move) { return move.from == move.to; });
  while (!moves.empty()) {
    ++now;
    assert(llvm::all_of(moves,
                        [&](Move move) {
                          return llvm::count_if(moves, [&](Move other) {
                                   return other.to == move.to;
                                 }) == 1;
                        }) &&
           "every buffer is the target of one move");
    auto ready = llvm::find_if(moves, [&](Move move) {
      return llvm::none_of(moves,
                           [&](Move other) { return other.from == move.to; });
    });
    if (ready != moves.end()) {
      copy(ready->from, ready->to);
      moves.erase(ready);
      continue;
    }
    // Only cycles are left: save one value in a temporary buffer.
    unsigned parked = create(BufferKind::Arena, 0, buffers[moves[0].from].size);
    unsigned from = moves[0].from;
    copy(from, parked);
    for (Move &move : moves)
      if (move.from == from)
        move.from = parked;
  }
}

} // namespace xlac::transforms
