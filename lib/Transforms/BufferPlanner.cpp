#include "BufferPlanner.h"

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

/// True if each element of the result depends on the element at the same
/// row-major place of `operand` alone, and not on others of it.
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

/// Values that `value` depends on otherwise than place by place are added to
/// `moved`. `seen` are those that it depends on place by place.
static void trace(Value value, bool same, DenseSet<Value> &seen,
                  DenseSet<Value> &moved) {
  if (!(same ? seen : moved).insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  for (Value operand : op->getOperands())
    trace(operand, same && keepsPlaces(op, operand), seen, moved);
  // Regions may read what surrounds them.
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          trace(operand, false, seen, moved);
    });
}

bool mayOverwrite(ir::KernelOp kernel, unsigned number, unsigned operand) {
  ir::ScheduleKind kind = kernel.getSchedule().getKind();
  if (kind != ir::ScheduleKind::Loop && kind != ir::ScheduleKind::Contraction)
    return false;
  BlockArgument argument = kernel.getBody().getArgument(operand);
  auto results = kernel.getYield().getResults();
  if (bufferSize(argument.getType()) != bufferSize(results[number].getType()))
    return false;
  return llvm::none_of(results, [&](Value result) {
    DenseSet<Value> seen, moved;
    trace(result, true, seen, moved);
    return moved.contains(argument);
  });
}

//===- Buffers ------------------------------------------------------------===//

BufferPlanner::BufferPlanner(func::FuncOp function, int64_t firstConstant)
    : function(function), firstConstant(firstConstant),
      builder(function.getContext()), liveness(function) {}

unsigned BufferPlanner::create(Place place, int64_t number, int64_t size) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&program.getBody().front());
  Location loc = function.getLoc();
  Type type = ir::BufferType::get(builder.getContext());
  Buffer buffer;
  buffer.place = place;
  buffer.number = number;
  buffer.size = size;
  switch (place) {
  case Place::Argument:
    buffer.handle = ir::ArgumentOp::create(builder, loc, type, number);
    break;
  case Place::Result:
    buffer.handle = ir::ResultOp::create(builder, loc, type, number);
    break;
  case Place::Arena:
    buffer.handle = ir::ArenaOp::create(builder, loc, type, 0, size);
    break;
  case Place::Constant:
    break;
  }
  buffers.push_back(std::move(buffer));
  return buffers.size() - 1;
}

unsigned BufferPlanner::createArena(Value value) {
  return create(Place::Arena, 0, bufferSize(value.getType()).value_or(0));
}

unsigned BufferPlanner::bufferOf(Value value) const {
  auto it = places.find(liveness.root(value));
  assert(it != places.end() && "a value is read before it has a buffer");
  return it->second;
}

void BufferPlanner::hold(Value value, unsigned buffer) {
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
    return liveness.diesBefore(value, op, including);
  });
}

std::optional<unsigned> BufferPlanner::wantedBuffer(Value value) const {
  auto it = wants.find(value);
  if (it == wants.end())
    return std::nullopt;
  return it->second;
}

void BufferPlanner::want(Value value, unsigned buffer, Block *block) {
  Value source = liveness.root(value);
  if (source.getParentBlock() == block && source.getDefiningOp() &&
      !source.getDefiningOp<stablehlo::ConstantOp>() &&
      bufferSize(source.getType()) == buffers[buffer].size)
    wants.try_emplace(source, buffer);
}

/// From the end of the block on: what a value is wanted in, that which it is
/// made from in place is wanted in too.
void BufferPlanner::propagateWants(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    auto handOn = [&](Value result, Value operand) {
      std::optional<unsigned> wanted = wantedBuffer(liveness.root(result));
      if (wanted && liveness.diesBefore(liveness.root(operand), &op, true))
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
    } else if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
      for (unsigned i = 0, e = loop->getNumOperands(); i < e; ++i)
        if (!liveness.isInvariantCarry(loop, i))
          handOn(loop->getResult(i), loop->getOperand(i));
    }
  }
}

//===- Launches -----------------------------------------------------------===//

LogicalResult BufferPlanner::planBlock(Block &block) {
  propagateWants(block);
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
  if (auto exchange = dyn_cast<ir::ExchangeOp>(op)) {
    planExchange(exchange);
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
      it->second =
          create(Place::Constant, number, *bufferSize(constant.getType()));
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
  ++now;
  SmallVector<unsigned> inputs, outputs;
  for (Value operand : call.getOperands())
    inputs.push_back(bufferOf(operand));
  for (unsigned i = 0, e = call->getNumResults(); i < e; ++i)
    outputs.push_back(placeResult(call, kernel, i, inputs, outputs));
  for (auto [result, buffer] : llvm::zip_equal(call.getResults(), outputs)) {
    // What lay there has been read for the last time.
    llvm::erase_if(buffers[buffer].holders, [&](Value value) {
      return liveness.diesBefore(value, call, true);
    });
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
    unsigned buffer = create(Place::Arena, 0, bytes);
    touch(buffer);
    workspace = buffers[buffer].handle;
  }
  for (auto [i, output] : llvm::enumerate(outputs))
    for (unsigned input : inputs)
      if (buffers[output].place == Place::Result &&
          buffers[input].place == Place::Argument &&
          mayOverwriteAll(kernel, i, inputs, input))
        elementwise.insert({input, output});
  ir::LaunchOp::create(builder, call.getLoc(), call.getKernelAttr(),
                       inputHandles, outputHandles, workspace);
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

void BufferPlanner::noteExchange() {
  ++now;
  // The shards of one process have nobody to go on without them.
  auto partitions =
      function->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
          "mhlo.num_partitions");
  if (!partitions || partitions.getInt() <= 1)
    lastExchange = now;
}

/// Results never lie over operands: peers read those at any time before all of
/// them are done.
void BufferPlanner::planExchange(ir::ExchangeOp exchange) {
  noteExchange();
  SmallVector<unsigned> inputs, outputs;
  for (Value operand : exchange.getOperands())
    inputs.push_back(bufferOf(operand));
  for (Value result : exchange.getResults()) {
    std::optional<unsigned> wanted = wantedBuffer(result);
    bool usable = wanted && !llvm::is_contained(inputs, *wanted) &&
                  !llvm::is_contained(outputs, *wanted) &&
                  isFree(*wanted, exchange, /*including=*/true);
    outputs.push_back(usable ? *wanted : createArena(result));
  }
  SmallVector<Value> inputHandles, outputHandles;
  for (unsigned buffer : inputs) {
    touch(buffer);
    inputHandles.push_back(buffers[buffer].handle);
  }
  for (auto [result, buffer] :
       llvm::zip_equal(exchange.getResults(), outputs)) {
    touch(buffer);
    outputHandles.push_back(buffers[buffer].handle);
    hold(result, buffer);
  }
  if (exchange.getStarted())
    started[exchange] = exchanges;
  ir::CollectiveOp::create(
      builder, exchange.getLoc(), builder.getI64IntegerAttr(exchanges++),
      exchange.getWhat(),
      builder.getTypeArrayAttr(llvm::to_vector(exchange.getOperandTypes())),
      builder.getTypeArrayAttr(llvm::to_vector(exchange.getResultTypes())),
      inputHandles, outputHandles, exchange.getReducersAttr(),
      exchange.getStartedAttr());
}

/// Until here peers read the operands and write the results.
void BufferPlanner::planAwait(ir::AwaitOp await) {
  noteExchange();
  for (Value value : await->getOperands())
    touch(bufferOf(value));
  ir::AwaitCollectiveOp::create(
      builder, await.getLoc(),
      builder.getI64IntegerAttr(started.lookup(await.getExchange())));
}

unsigned BufferPlanner::placeResult(ir::CallOp call, ir::KernelOp kernel,
                                    unsigned number,
                                    MutableArrayRef<unsigned> inputs,
                                    ArrayRef<unsigned> outputs) {
  Value result = call->getResult(number);
  if (std::optional<unsigned> operand = kernel.getInPlaceOperand(number))
    return placeUpdated(call, number, *operand, inputs, outputs);
  int64_t size = *bufferSize(result.getType());
  auto usable = [&](unsigned buffer) {
    if (llvm::is_contained(outputs, buffer) ||
        !isFree(buffer, call, /*including=*/true))
      return false;
    // Where other results stand in the same launch, an operand that dies in it
    // may be needed for those: mayOverwrite has seen to that.
    return mayOverwriteAll(kernel, number, inputs, buffer);
  };
  if (std::optional<unsigned> wanted = wantedBuffer(result))
    if (usable(*wanted))
      return *wanted;
  for (unsigned input : inputs)
    if (buffers[input].place == Place::Arena && buffers[input].size == size &&
        size > 0 && !wantedBuffer(result) && usable(input))
      return input;
  return createArena(result);
}

/// The result of an in-place update: over the operand if it dies here, else
/// over a copy of it.
unsigned BufferPlanner::placeUpdated(ir::CallOp call, unsigned number,
                                     unsigned operand,
                                     MutableArrayRef<unsigned> inputs,
                                     ArrayRef<unsigned> outputs) {
  Value result = call->getResult(number);
  unsigned old = inputs[operand];
  bool soleReader = llvm::count(inputs, old) == 1;
  std::optional<unsigned> wanted = wantedBuffer(result);
  auto writable = [&](unsigned buffer) {
    return buffers[buffer].place == Place::Arena ||
           buffers[buffer].place == Place::Result;
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
  if (from == to || buffers[from].size == 0)
    return;
  touch(from);
  touch(to);
  if (buffers[from].place == Place::Argument &&
      buffers[to].place == Place::Result)
    elementwise.insert({from, to});
  ir::CopyOp::create(builder, function.getLoc(), buffers[from].handle,
                     buffers[to].handle,
                     builder.getI64IntegerAttr(buffers[from].size));
}

void BufferPlanner::moveAll(SmallVector<Move> moves) {
  llvm::erase_if(moves, [](Move move) { return move.from == move.to; });
  while (!moves.empty()) {
    ++now;
    auto ready = llvm::find_if(moves, [&](Move move) {
      return llvm::none_of(moves,
                           [&](Move other) { return other.from == move.to; });
    });
    if (ready != moves.end()) {
      copy(ready->from, ready->to);
      moves.erase(ready);
      continue;
    }
    // Only cycles are left: park one value elsewhere.
    unsigned parked = create(Place::Arena, 0, buffers[moves[0].from].size);
    unsigned from = moves[0].from;
    copy(from, parked);
    for (Move &move : moves)
      if (move.from == from)
        move.from = parked;
  }
}

} // namespace xlac::transforms
