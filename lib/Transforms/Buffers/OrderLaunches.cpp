// The pass that orders the outlined kernels. The order of a program's ops may
// be bad for memory: a training step computes all weight gradients next to the
// updates at its end, which keeps every activation alive until then. This pass
// runs a launch as soon as it frees more memory than it allocates, and delays a
// launch that only allocates until its first reader. Collectives start as early
// as possible, and their operands are computed before everything else but
// launches that only read a value and free it. They are awaited before the
// first read of their results.
#include "xlac/Transforms/Passes.h"

#include "BufferPlanner.h"
#include "Fusion/FusionGroups.h"

#include "xlac/support/program_names.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"

#include <algorithm>

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_ORDERLAUNCHES
#include "xlac/Transforms/Passes.h.inc"

namespace {
/// Orders the ops of one block. Nested blocks are not changed.
class LaunchOrder {
public:
  LaunchOrder(func::FuncOp function, Block &block)
      : function(function), donated(donationsOf(function)), liveness(function),
        block(block) {
    for (Operation &op : block.without_terminator()) {
      numbers[&op] = ops.size();
      ops.push_back(&op);
    }
    for (OpOperand &use : block.getTerminator()->getOpOperands()) {
      Value value = liveness.root(use.get());
      kept.insert(value);
      if (Operation *writer = value.getDefiningOp())
        returned[writer].push_back(use.getOperandNumber());
    }
    waitsFor.resize(ops.size());
    followers.resize(ops.size());
    leaders.resize(ops.size());
    waiting.resize(ops.size());
    reads.resize(ops.size());
    done.resize(ops.size());
    kernels.resize(ops.size());
    for (unsigned number = 0; number < ops.size(); ++number)
      collectReads(number);
    for (unsigned number = 0; number < ops.size(); ++number)
      addOrderEdges(number);
    if (isa<func::ReturnOp>(block.getTerminator()))
      noteLateReaders();
  }

  /// Reorders the ops.
  void run() {
    for (unsigned number = 0; number < ops.size(); ++number)
      if (isForPeers(number))
        consider(number);
    hoist();
    for (unsigned number = 0; number < ops.size(); ++number) {
      if (mayWait(number)) {
        waiting.set(number);
        release(number);
        continue;
      }
      issue(number);
      hoist();
    }
    // What needs nothing from peers runs while they send.
    for (unsigned number : waiting.set_bits())
      if (!isa<ir::AwaitOp>(ops[number]) && !awaitsPeers(number))
        issue(number);
    for (unsigned number : waiting.set_bits())
      issue(number);
#ifndef NDEBUG
    verifyOrder();
#endif
    for (unsigned number : result)
      ops[number]->moveBefore(block.getTerminator());
    joinIdle();
  }

private:
#ifndef NDEBUG
  /// Asserts that the order contains every op once, after all ops that it waits
  /// for.
  void verifyOrder() const {
    assert(result.size() == ops.size() && done.all() &&
           "every op is issued once");
    llvm::BitVector issued(ops.size());
    for (unsigned number : result) {
      assert(!issued.test(number) && "every op is issued once");
      for (unsigned leader : leaders[number])
        assert(issued.test(leader) && "an op comes after those it waits for");
      issued.set(number);
    }
  }
#endif

  /// Returns true for ops without cost, which only need to precede their
  /// readers.
  static bool isFree(Operation *op) {
    return (isBufferAlias(op) && !isa<ir::AwaitOp>(op)) ||
           isa<stablehlo::ConstantOp>(op);
  }

  /// Issues ops that are better executed now than at their position.
  void hoist() {
    while (!candidates.empty()) {
      llvm::erase_if(candidates, [&](unsigned candidate) {
        return !isWorthHoisting(candidate);
      });
      // The last of the most urgent ones: what it reads is in caches.
      auto next = std::min_element(
          candidates.rbegin(), candidates.rend(),
          [&](unsigned a, unsigned b) { return rankOf(a) < rankOf(b); });
      if (next == candidates.rend())
        return;
      unsigned number = *next;
      candidates.erase(std::next(next).base());
      issue(number);
    }
  }

  /// Returns the rank of an op that is worth hoisting. Started collectives are
  /// first. Launches that free a value in one pass over it are next: they delay
  /// peers by less than the memory is worth.
  int rankOf(unsigned number) const {
    if (isStarted(ops[number]))
      return 0;
    return isOnePass(number) && !isForPeers(number) ? 1 : 2;
  }

  /// Returns true for launches whose time is that of reading their operands.
  bool isOnePass(unsigned number) const {
    ir::KernelOp kernel = kernels[number];
    return kernel && llvm::is_contained(
                         {ir::ScheduleKind::Loop, ir::ScheduleKind::Reduction},
                         kernel.getSchedule().getKind());
  }

  static bool isStarted(Operation *op) {
    auto collective = dyn_cast<ir::TensorCollectiveOp>(op);
    return collective && collective.getStarted();
  }

  /// Makes collectives synchronous if nothing runs between start and await.
  void joinIdle() {
    for (Operation *op : ops) {
      auto await = dyn_cast<ir::AwaitOp>(op);
      if (!await)
        continue;
      Operation *before = await->getPrevNode();
      while (before && isFree(before))
        before = before->getPrevNode();
      ir::TensorCollectiveOp collective = await.getCollective();
      if (before != collective)
        continue;
      collective.setStarted(false);
      await->replaceAllUsesWith(collective.getResults());
      await->erase();
    }
  }

  void collectReads(unsigned number) {
    Operation *op = ops[number];
    if (isFree(op))
      return;
    llvm::SetVector<Value> roots;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        roots.insert(liveness.root(operand));
    });
    for (Value root : roots) {
      reads[number].push_back(root);
      readers[root].push_back(number);
      ++readersLeft[root];
    }
  }

  void follow(unsigned number, unsigned earlier) {
    if (earlier < number)
      link(number, earlier);
  }

  /// Records that op `number` comes after op `earlier`.
  void link(unsigned number, unsigned earlier) {
    assert(number != earlier && number < ops.size() && earlier < ops.size() &&
           "an op waits for another one");
    ++waitsFor[number];
    followers[earlier].push_back(number);
    leaders[number].push_back(earlier);
  }

  void followReaders(unsigned number, Value value) {
    for (unsigned reader : readers.lookup(liveness.root(value)))
      follow(number, reader);
  }

  /// Adds the predecessors of op `number`: the producers of its operands, the
  /// previous collective, and other readers of buffers that it may overwrite.
  void addOrderEdges(unsigned number) {
    Operation *op = ops[number];
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp())
          if (auto it = numbers.find(source); it != numbers.end())
            follow(number, it->second);
    });
    if (isOrdered(op)) {
      if (lastOrdered)
        follow(number, *lastOrdered);
      lastOrdered = number;
    }
    auto call = dyn_cast<ir::CallOp>(op);
    if (!call)
      return;
    if (auto kernel = SymbolTable::lookupNearestSymbolFrom<ir::KernelOp>(
            function, call.getKernelAttr())) {
      kernels[number] = kernel;
      ArrayRef<int64_t> pairs = kernel.getInPlace();
      for (size_t i = 0; i + 1 < pairs.size(); i += 2)
        followReaders(number, call->getOperand(pairs[i + 1]));
    }
    if (isa<func::ReturnOp>(block.getTerminator()))
      collectDonations(number, call);
  }

  /// A result can use a donated argument's buffer only if the argument has been
  /// read.
  void collectDonations(unsigned number, ir::CallOp call) {
    for (unsigned result : returned.lookup(call)) {
      for (BlockArgument argument : block.getArguments()) {
        const Donation &donation = donated[argument.getArgNumber()];
        bool mayTake =
            donation.result
                ? *donation.result == result
                : donation.toAny && llvm::is_contained(reads[number], argument);
        if (mayTake)
          followReaders(number, argument);
      }
    }
  }

  /// Orders readers of a donated argument before the op that writes the aliased
  /// result, unless they depend on that op. The result can then use the
  /// argument's buffer.
  void noteLateReaders() {
    for (BlockArgument argument : block.getArguments()) {
      std::optional<int64_t> taker = donated[argument.getArgNumber()].result;
      Operation *end = block.getTerminator();
      if (!taker || *taker >= end->getNumOperands())
        continue;
      Value result = liveness.root(end->getOperand(*taker));
      auto writer = numbers.find(result.getDefiningOp());
      if (writer == numbers.end())
        continue;
      for (unsigned reader : readers.lookup(argument))
        if (reader > writer->second && takesAtMost(reader, argument) &&
            !leadsTo(writer->second, reader))
          link(writer->second, reader);
    }
  }

  /// Returns true if the results of op `number` take at most as many arena
  /// bytes as donating `argument` saves.
  bool takesAtMost(unsigned number, BlockArgument argument) const {
    int64_t taken = 0;
    for (Value value : ops[number]->getResults())
      taken += bytesOf(value);
    return taken <= bufferSize(argument.getType()).value_or(0);
  }

  /// Returns true if op `to` must come after op `from`, or if the search limit
  /// is reached.
  bool leadsTo(unsigned from, unsigned to) {
    llvm::BitVector seen(ops.size());
    SmallVector<unsigned> pending = {from};
    while (!pending.empty()) {
      if (--searchesLeft < 0)
        return true;
      unsigned next = pending.pop_back_val();
      for (unsigned follower : followers[next]) {
        if (follower == to)
          return true;
        if (!seen.test(follower)) {
          seen.set(follower);
          pending.push_back(follower);
        }
      }
    }
    return false;
  }

  /// Issues op `number`. Delayed predecessors are issued before it, and
  /// successors without cost after it.
  void issue(unsigned number) {
    SmallVector<unsigned> pending = {number};
    while (!pending.empty()) {
      unsigned next = pending.back();
      size_t before = pending.size();
      for (unsigned earlier : leaders[next])
        if (!done[earlier])
          pending.push_back(earlier);
      if (pending.size() > before)
        continue;
      pending.pop_back();
      if (done[next])
        continue;
      done.set(next);
      result.push_back(next);
      for (Value root : reads[next]) {
        unsigned &left = readersLeft[root];
        assert(left > 0 && "a reader is counted once");
        if (--left == 1)
          for (unsigned reader : readers[root])
            consider(reader);
      }
      if (waiting[next])
        waiting.reset(next);
      else
        llvm::append_range(pending, release(next));
    }
  }

  /// Marks op `number` as no longer blocking its followers. Returns the
  /// followers without cost that can be issued now.
  SmallVector<unsigned> release(unsigned number) {
    SmallVector<unsigned> ready;
    for (unsigned follower : followers[number]) {
      assert(waitsFor[follower] > 0 && "an op is released once by each leader");
      if (--waitsFor[follower] > 0)
        continue;
      if (isFree(ops[follower]))
        ready.push_back(follower);
      else
        consider(follower);
    }
    return ready;
  }

  /// Returns true for launches that read no arena value, for aliases of delayed
  /// results, and for awaits.
  bool mayWait(unsigned number) const {
    if (done[number])
      return false;
    if (isa<ir::AwaitOp>(ops[number]))
      return true;
    if (isFree(ops[number]))
      return llvm::any_of(leaders[number],
                          [&](unsigned leader) { return waiting[leader]; });
    return isa<ir::CallOp>(ops[number]) &&
           llvm::all_of(reads[number],
                        [&](Value root) { return bytesOf(root) == 0; });
  }

  void consider(unsigned number) {
    if (!done[number] && waitsFor[number] == 0 &&
        (isa<ir::CallOp>(ops[number]) || isStarted(ops[number])))
      candidates.push_back(number);
  }

  /// Returns true for started collectives whose results take no more memory
  /// than their operands, and for launches whose results only these read.
  bool isForPeers(unsigned number) const {
    ResultRange results = ops[number]->getResults();
    if (isStarted(ops[number])) {
      int64_t more = 0;
      for (Value value : results)
        more += bytesOf(value);
      for (Value root : reads[number])
        more -= bytesOf(root);
      return more <= 0;
    }
    auto sent = [&](Value result) {
      auto it = readers.find(result);
      return it != readers.end() &&
             llvm::all_of(it->second, [&](unsigned reader) {
               return isa<ir::AwaitOp>(ops[reader]) ||
                      (isStarted(ops[reader]) && isForPeers(reader));
             });
    };
    return !results.empty() && llvm::all_of(results, sent);
  }

  /// Returns the arena bytes of the root `value`.
  int64_t bytesOf(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || isFree(op) || kept.contains(value))
      return 0;
    return bufferSize(value.getType()).value_or(0);
  }

  /// Returns true if op `number` reads what a delayed await returns.
  bool awaitsPeers(unsigned number) const {
    return llvm::any_of(leaders[number], [&](unsigned leader) {
      return waiting[leader] && isa<ir::AwaitOp>(ops[leader]);
    });
  }

  bool isWorthHoisting(unsigned number) const {
    if (done[number])
      return false;
    if (isForPeers(number))
      return true;
    // Peers are not awaited before there is nothing else to do.
    if (awaitsPeers(number))
      return false;
    if (isStarted(ops[number]))
      return false;
    int64_t freed = 0;
    for (Value root : reads[number])
      if (readersLeft.lookup(root) == 1)
        freed += bytesOf(root);
    for (Value value : ops[number]->getResults())
      freed -= bytesOf(value);
    return freed > 0;
  }

  func::FuncOp function;
  SmallVector<Donation> donated; ///< by argument
  ValueLiveness liveness;
  Block &block;
  SmallVector<Operation *> ops;
  SmallVector<ir::KernelOp> kernels; ///< of the launches among them
  DenseMap<Operation *, unsigned> numbers;
  DenseSet<Value> kept; ///< operands of the terminator: never in the arena
  /// Operands of the terminator that ops compute.
  DenseMap<Operation *, SmallVector<unsigned, 2>> returned;
  SmallVector<unsigned> waitsFor;
  SmallVector<SmallVector<unsigned, 4>> followers, leaders;
  SmallVector<SmallVector<Value, 4>> reads; ///< roots, without duplicates
  DenseMap<Value, SmallVector<unsigned, 4>> readers;
  DenseMap<Value, unsigned> readersLeft;
  std::optional<unsigned> lastOrdered;
  /// Number of ops that leadsTo() may still visit.
  int64_t searchesLeft = 1 << 20;
  /// Waiting: delayed until a reader, and not done.
  llvm::BitVector done, waiting;
  SmallVector<unsigned> candidates, result;
};

class OrderLaunches : public impl::OrderLaunchesBase<OrderLaunches> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        LaunchOrder(function, function.getBody().front()).run();
  }
};
} // namespace

} // namespace xlac::transforms
