// Loops, branches and the ends of a program: moves values to the buffers in
// which the next block expects them.
#include "BufferPlanner.h"

#include "xlac/support/program_names.h"

using namespace mlir;

namespace xlac::transforms {

static constexpr unsigned kNowhere = ~0u;

/// Returns true if the source of a move at the end of a loop's body may take
/// the target's memory for the next iteration: it exists only in the loop, and
/// no other move involves either buffer.
bool BufferPlanner::canExchange(const Move &move, ArrayRef<Move> moves) const {
  // The driver copies up to 8 bytes with one load and one store.
  constexpr int64_t mostCopied = 8;
  const Buffer &next = buffers[move.from], &carry = buffers[move.to];
  assert(!loops.empty() && "buffers are exchanged in a loop");
  return move.from != move.to && carry.size > mostCopied &&
         next.place == BufferKind::Arena && next.first >= loops.back().begin &&
         llvm::count_if(moves, [&](const Move &other) {
           return other.from == move.from || other.from == move.to;
         }) == 1;
}

/// Neither buffer may share memory with others during the loop.
void BufferPlanner::exchange(const Move &move) {
  ++now;
  buffers[move.from].first = loops.back().begin;
  loops.back().outer.insert(move.from);
  touch(move.from);
  touch(move.to);
  ir::SwapOp::create(builder, function.getLoc(), buffers[move.from].handle,
                     buffers[move.to].handle,
                     builder.getI64IntegerAttr(buffers[move.to].size));
}

LogicalResult BufferPlanner::planRegion(Block &block,
                                        ArrayRef<unsigned> targets,
                                        bool mayExchange) {
  Operation *terminator = block.getTerminator();
  assert(terminator->getNumOperands() == targets.size() &&
         "every value that a block ends with has a target or none");
  for (auto [value, target] :
       llvm::zip_equal(terminator->getOperands(), targets))
    if (target != kNowhere)
      want(value, target, &block);
  if (failed(planBlock(block)))
    return failure();
  SmallVector<Move> moves;
  for (auto [value, target] :
       llvm::zip_equal(terminator->getOperands(), targets))
    if (target != kNowhere)
      moves.push_back({bufferOf(value), target});
  SmallVector<Move> exchanges;
  if (mayExchange)
    llvm::copy_if(moves, std::back_inserter(exchanges),
                  [&](const Move &move) { return canExchange(move, moves); });
  llvm::erase_if(moves, [&](const Move &move) {
    return llvm::any_of(exchanges, [&](const Move &exchanged) {
      return exchanged.to == move.to;
    });
  });
  moveAll(std::move(moves));
  for (const Move &move : exchanges)
    exchange(move);
  return success();
}

//===- Loops --------------------------------------------------------------===//

/// Returns true if a loop may overwrite `buffer`: the loop is the last reader
/// of everything in it.
bool BufferPlanner::mayTake(unsigned number, Operation *loop) const {
  const Buffer &buffer = buffers[number];
  return (buffer.place == BufferKind::Arena ||
          buffer.place == BufferKind::Result) &&
         llvm::all_of(buffer.holders, [&](Value value) {
           return liveness.isDeadBefore(value, loop, /*including=*/true) &&
                  !liveness.isReadInside(value, loop);
         });
}

unsigned BufferPlanner::assignLoopState(stablehlo::WhileOp loop,
                                        unsigned number,
                                        ArrayRef<unsigned> taken) {
  unsigned initial = bufferOf(loop->getOperand(number));
  auto usable = [&](unsigned buffer) {
    return !llvm::is_contained(taken, buffer) && mayTake(buffer, loop);
  };
  if (std::optional<unsigned> wanted =
          preferredBuffer(loop->getResult(number))) {
    if (usable(*wanted))
      return *wanted;
  } else if (buffers[initial].place == BufferKind::Arena && usable(initial)) {
    return initial;
  }
  return createArena(loop->getResult(number));
}

LogicalResult BufferPlanner::planWhile(stablehlo::WhileOp loop) {
  ++now;
  unsigned count = loop->getNumOperands();
  SmallVector<unsigned> carries(count, kNowhere);
  SmallVector<Move> moves;
  for (unsigned i = 0; i < count; ++i) {
    if (liveness.isInvariantCarry(loop, i))
      continue;
    carries[i] = assignLoopState(loop, i, carries);
    assert(llvm::count(carries, carries[i]) == 1 &&
           "each carry has a buffer of its own");
    moves.push_back({bufferOf(loop->getOperand(i)), carries[i]});
  }
  moveAll(std::move(moves));
  ++now;
  for (unsigned i = 0; i < count; ++i) {
    if (carries[i] == kNowhere)
      continue;
    buffers[carries[i]].holders.clear();
    hold(loop.getCond().getArgument(i), carries[i]);
    hold(loop.getBody().getArgument(i), carries[i]);
    touch(carries[i]);
  }
  loops.push_back({++now, {}});
  if (failed(planLoopRegions(loop, carries)))
    return failure();
  ++now;
  assert(!loops.empty() && loops.back().begin < now &&
         "loops end in the order in which they began");
  llvm::SetVector<unsigned> outer = std::move(loops.back().outer);
  loops.pop_back();
  for (unsigned buffer : outer)
    touch(buffer);
  for (unsigned i = 0; i < count; ++i)
    if (carries[i] != kNowhere) {
      touch(carries[i]);
      hold(loop->getResult(i), carries[i]);
    }
  return success();
}

LogicalResult BufferPlanner::planLoopRegions(stablehlo::WhileOp loop,
                                             ArrayRef<unsigned> carries) {
  OpBuilder::InsertionGuard guard(builder);
  OpBuilder outside(builder);
  Region conditionRegion, bodyRegion;
  builder.setInsertionPointToEnd(&conditionRegion.emplaceBlock());
  Block &condition = loop.getCond().front();
  if (failed(planRegion(condition, {kNowhere})))
    return failure();
  unsigned predicate = bufferOf(condition.getTerminator()->getOperand(0));
  ++now;
  touch(predicate);
  for (unsigned carry : carries)
    if (carry != kNowhere)
      touch(carry);
  leave(condition);

  builder.setInsertionPointToEnd(&bodyRegion.emplaceBlock());
  Block &body = loop.getBody().front();
  if (failed(planRegion(body, carries, /*mayExchange=*/true)))
    return failure();
  leave(body);
  auto planned =
      ir::WhileOp::create(outside, loop.getLoc(), buffers[predicate].handle);
  planned.getCondition().takeBody(conditionRegion);
  planned.getBody().takeBody(bodyRegion);
  return success();
}

//===- Branches -----------------------------------------------------------===//

LogicalResult BufferPlanner::planBranches(Operation *op, Value index,
                                          bool predicate) {
  ++now;
  SmallVector<unsigned> targets;
  for (Value result : op->getResults()) {
    std::optional<unsigned> wanted = preferredBuffer(result);
    bool usable = wanted && !llvm::is_contained(targets, *wanted) &&
                  isFree(*wanted, op, /*including=*/false);
    targets.push_back(usable ? *wanted : createArena(result));
    touch(targets.back());
    assert(llvm::count(targets, targets.back()) == 1 &&
           "each result of a branch has a buffer of its own");
  }
  unsigned chosen = bufferOf(index);
  touch(chosen);
  auto planned = ir::CaseOp::create(
      builder, op->getLoc(), buffers[chosen].handle,
      predicate ? builder.getUnitAttr() : UnitAttr(), op->getNumRegions());
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), planned.getBranches())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&to.emplaceBlock());
    ++now;
    if (failed(planRegion(from.front(), targets)))
      return failure();
    leave(from.front());
  }
  ++now;
  for (auto [result, target] : llvm::zip_equal(op->getResults(), targets)) {
    touch(target);
    hold(result, target);
  }
  return success();
}

//===- The program --------------------------------------------------------===//

FailureOr<ir::ProgramOp> BufferPlanner::run(StringRef name) {
  FunctionType type = function.getFunctionType();
  builder.setInsertionPointAfter(function);
  program = ir::ProgramOp::create(builder, function.getLoc(), name, type, 0,
                                  /*aliases=*/ArrayRef<int64_t>(),
                                  /*program_arguments=*/nullptr);
  Block &body = program.getBody().emplaceBlock();
  // Handles are created first, so that everything planned later may use them.
  builder.setInsertionPointToEnd(&body);
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    std::optional<int64_t> size = bufferSize(argument.getType());
    if (!size)
      return function.emitOpError("takes argument ")
             << i << " of type " << argument.getType()
             << ", which no buffer can hold";
    unsigned buffer = create(BufferKind::Argument, i, *size);
    argumentBuffers.push_back(buffer);
    places[argument] = buffer;
  }
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    std::optional<int64_t> size = bufferSize(result);
    if (!size)
      return function.emitOpError("returns result ")
             << i << " of type " << result << ", which no buffer can hold";
    resultBuffers.push_back(create(BufferKind::Result, i, *size));
  }
  if (failed(planRegion(function.getBody().front(), resultBuffers)))
    return failure();
  program.setAliases(donations());
  assignArena();
  return program;
}

void BufferPlanner::assignArena() {
  SmallVector<ArenaSlice> slices;
  SmallVector<unsigned> numbers;
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    if (buffer.handle.use_empty()) {
      // Constants keep their numbers, because the image lists all of them.
      if (buffer.place != BufferKind::Constant)
        buffer.handle.getDefiningOp()->erase();
      continue;
    }
    if (buffer.place != BufferKind::Arena)
      continue;
    numbers.push_back(i);
    assert(0 <= buffer.first && buffer.first <= buffer.last &&
           buffer.last <= now && "a used buffer was touched at its last use");
    slices.push_back({buffer.size, buffer.first, buffer.last, 0, {}});
  }
  // Results hold nothing before they are written, unless they may be the memory
  // of a donated argument.
  SmallVector<SpareBuffer> spares;
  SmallVector<unsigned> spareBuffers;
  ArrayRef<int64_t> aliases = program.getAliases();
  for (auto [i, number] : llvm::enumerate(resultBuffers)) {
    const Buffer &buffer = buffers[number];
    bool donated = false;
    for (size_t pair = 0; pair + 1 < aliases.size(); pair += 2)
      donated |= aliases[pair] == static_cast<int64_t>(i);
    if (donated || buffer.first < 0)
      continue;
    spares.push_back({buffer.size, buffer.first});
    spareBuffers.push_back(number);
  }
  program.setArenaBytes(layOutArena(slices, spares));
  for (auto [number, slice] : llvm::zip_equal(numbers, slices)) {
    auto handle = buffers[number].handle.getDefiningOp<ir::ArenaOp>();
    if (!slice.spare) {
      handle.setOffset(slice.offset);
      continue;
    }
    Value result = buffers[spareBuffers[*slice.spare]].handle;
    handle->replaceAllUsesWith(ValueRange{result});
    handle->erase();
    buffers[number].handle = result;
  }
}

//===- Donated arguments --------------------------------------------------===//

/// Returns true if both may be one buffer. The argument must have been read
/// when the result is written, or be read element by element at that time.
/// Results are not written before the last collective, which may fail: the
/// arguments are then unchanged.
bool BufferPlanner::mayDonate(unsigned argument, unsigned result) const {
  const Buffer &from = buffers[argument], &to = buffers[result];
  assert(from.place == BufferKind::Argument && to.place == BufferKind::Result &&
         "arguments are donated to results");
  if (from.size != to.size || (to.first >= 0 && to.first <= lastCollective))
    return false;
  if (from.first < 0 || to.first < 0 || from.last < to.first)
    return true;
  return from.last == to.first && elementwise.contains({argument, result});
}

/// Returns true if the result may be the memory of a donated argument, whatever
/// the order of launches.
bool BufferPlanner::mayBeDonated(unsigned result) {
  FunctionType type = function.getFunctionType();
  return llvm::any_of(llvm::enumerate(donated), [&](auto each) {
    auto [argument, donation] = each;
    return donation.result ? *donation.result == static_cast<int64_t>(result)
                           : donation.toAny && type.getInput(argument) ==
                                                   type.getResult(result);
  });
}

SmallVector<int64_t> BufferPlanner::donations() {
  SmallVector<int64_t> pairs;
  SmallVector<bool> used(resultBuffers.size());
  auto donate = [&](unsigned result, unsigned argument) {
    assert(!used[result] && "a result takes one argument's place");
    used[result] = true;
    pairs.append(
        {static_cast<int64_t>(result), static_cast<int64_t>(argument)});
  };
  SmallVector<unsigned> donors;
  for (auto [i, donation] : llvm::enumerate(donated)) {
    if (donation.result && *donation.result >= 0 &&
        *donation.result < static_cast<int64_t>(used.size())) {
      unsigned result = *donation.result;
      if (!used[result] && mayDonate(argumentBuffers[i], resultBuffers[result]))
        donate(result, i);
    } else if (donation.toAny) {
      donors.push_back(i);
    }
  }
  FunctionType type = function.getFunctionType();
  for (unsigned donor : donors)
    for (unsigned result = 0; result < used.size(); ++result)
      if (!used[result] && type.getInput(donor) == type.getResult(result) &&
          mayDonate(argumentBuffers[donor], resultBuffers[result])) {
        donate(result, donor);
        break;
      }
  return pairs;
}

} // namespace xlac::transforms
