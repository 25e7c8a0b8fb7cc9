// Emits a program of launches as one native function. It computes addresses,
// calls kernels through the context's table, and uses native loops and
// branches. Launches that follow one another outside of loops are data that a
// service reads, because LLVM needs longer for their code than all of them
// together gain from it.
#include "xlac/Codegen/Codegen.h"

#include "JoinLaunches.h"

#include "xlac/Dialect/Xlac/SlicedLaunches.h"
#include "xlac/abi/launches.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"

#include <cstddef>

using namespace llvm;

namespace xlac::codegen {
namespace {

/// Fewer launches are code, which starts a bit faster.
constexpr size_t kLeastTabled = 4;

class DriverEmitter {
public:
  DriverEmitter(ir::ProgramOp program, Module &module, const KernelTable &table,
                LaunchTables *tables, DriverNumbers *numbers)
      : program(program), module(module), table(table), tables(tables),
        numbers(numbers), symbols(program->getParentOp()),
        ir(module.getContext()) {}

  Error emit();

private:
  Error emitBlock(mlir::Block &block);
  Error emitOp(mlir::Operation &op);
  Error emitLaunch(ir::LaunchOp launch);
  Error emitPhases(ir::KernelOp kernel, ir::LaunchOp launch);
  void findTabled();
  void emitTable(ArrayRef<ir::LaunchOp> launches);
  /// Appends a record for each phase to the table. `joined` records after it
  /// may run with it. Returns their number.
  int64_t addRecords(ir::LaunchOp launch, int64_t joined);
  void emitSlices(ArrayRef<ir::LaunchOp> launches);
  ir::KernelOp kernelOf(ir::LaunchOp launch) {
    return symbols.lookup<ir::KernelOp>(launch.getKernel());
  }
  Value *extentsOf(KernelPlace place);
  Value *entryOf(ir::KernelOp kernel, unsigned phase, KernelPlace place);
  Value *callKernel(Value *entry, Value *extents, int64_t tasks, int64_t grain);
  Error emitWhile(ir::WhileOp loop);
  Error emitCase(ir::CaseOp branches);
  void emitCopy(ir::CopyOp copy);
  void emitCopy(Value *from, Value *to, int64_t bytes, bool mayBeSame);
  void emitCollective(ir::CollectiveOp collective);
  void emitAwait(ir::AwaitCollectiveOp await);
  /// Writes the addresses of `buffers` to the table that callees read, from
  /// slot `first` on. Returns the address of this slot.
  Value *storeSlots(mlir::ValueRange buffers, unsigned first = 0);

  /// Loads the pointer at byte `offset` of a table that never changes.
  Value *loadPointer(Value *table, uint64_t offset, const Twine &name);
  /// Returns a number that depends on sizes.
  Value *size(int64_t number);
  Value *service(size_t offset, const Twine &name) {
    return loadPointer(services, offset, name);
  }
  /// Returns `status` from the program unless it is 0.
  void returnIfFailed(Value *status);
  BasicBlock *newBlock(const Twine &name) {
    return BasicBlock::Create(module.getContext(), name, function);
  }
  Value *address(mlir::Value buffer) {
    assert(addresses.contains(buffer) &&
           "a buffer is defined before it is used");
    return addresses.lookup(buffer);
  }

  ir::ProgramOp program;
  Module &module;
  const KernelTable &table;
  LaunchTables *tables;
  DriverNumbers *numbers;
  mlir::SymbolTable symbols;
  /// Launches that a table describes, by the first one.
  DenseMap<mlir::Operation *, SmallVector<ir::LaunchOp>> tabled;
  DenseSet<mlir::Operation *> inTables;
  IRBuilder<> ir;
  Function *function = nullptr;
  Value *context = nullptr, *arguments = nullptr, *results = nullptr,
        *arena = nullptr;
  Value *services = nullptr, *kernels = nullptr, *constants = nullptr;
  Value *numberTable = nullptr; ///< the values of `numbers`
  AllocaInst *slots = nullptr;
  AllocaInst *slicedLaunches = nullptr; ///< null if there are none
  BasicBlock *failed = nullptr;
  PHINode *failedStatus = nullptr;
  DenseMap<mlir::Value, Value *> addresses;
};

} // namespace

static Error unsupported(mlir::Operation *op, const Twine &why) {
  std::string text;
  raw_string_ostream stream(text);
  stream << op->getLoc() << ": " << op->getName() << ": " << why;
  return createStringError(text);
}

Value *DriverEmitter::loadPointer(Value *table, uint64_t offset,
                                  const Twine &name) {
  Value *slot = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), table, offset);
  LoadInst *load = ir.CreateAlignedLoad(ir.getPtrTy(), slot, Align(8), name);
  load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(module.getContext(), {}));
  return load;
}

Value *DriverEmitter::size(int64_t number) {
  if (!numbers)
    return ir.getInt64(number);
  Value *slot = ir.CreateConstInBoundsGEP1_64(ir.getInt64Ty(), numberTable,
                                              numbers->values.size());
  numbers->values.push_back(number);
  return ir.CreateAlignedLoad(ir.getInt64Ty(), slot, Align(8), "size");
}

void DriverEmitter::returnIfFailed(Value *status) {
  BasicBlock *next = newBlock("");
  Value *bad = ir.CreateICmpNE(status, ir.getInt32(0));
  failedStatus->addIncoming(status, ir.GetInsertBlock());
  ir.CreateCondBr(bad, failed, next);
  ir.SetInsertPoint(next);
}

Error DriverEmitter::emit() {
  if (module.getFunction(program.getSymName()))
    return createStringError("program @" + program.getSymName() +
                             " is already in the module");
  Type *pointer = ir.getPtrTy();
  function = Function::Create(
      FunctionType::get(ir.getInt32Ty(), {pointer, pointer, pointer, pointer},
                        false),
      GlobalValue::ExternalLinkage, program.getSymName(), module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("no-jump-tables", "true");
  context = function->getArg(0);
  arguments = function->getArg(1);
  results = function->getArg(2);
  arena = function->getArg(3);

  ir.SetInsertPoint(newBlock("entry"));
  uint64_t mostBuffers = 1, mostLaunches = 1;
  if (tables)
    findTabled();
  if (!tabled.empty())
    mostBuffers = XLAC_MOST_JOINED_BUFFERS;
  program.walk([&](mlir::Operation *op) {
    if (auto launch = mlir::dyn_cast<ir::LaunchOp>(op)) {
      SmallVector<ir::LaunchOp> sliced = ir::slicedFrom(launch);
      uint64_t count = 0;
      for (ir::LaunchOp one : sliced)
        count += one->getNumOperands();
      mostBuffers = std::max(mostBuffers, count);
      mostLaunches = std::max<uint64_t>(mostLaunches, sliced.size());
    } else if (mlir::isa<ir::CollectiveOp>(op)) {
      mostBuffers = std::max<uint64_t>(mostBuffers, op->getNumOperands());
    }
  });
  slots =
      ir.CreateAlloca(ArrayType::get(pointer, mostBuffers), nullptr, "buffers");
  if (mostLaunches > 1) {
    slicedLaunches = ir.CreateAlloca(
        ArrayType::get(ir.getInt8Ty(),
                       mostLaunches * sizeof(xlac_sliced_launch)),
        nullptr, "launches");
    slicedLaunches->setAlignment(Align(8));
  }
  services = loadPointer(context, offsetof(xlac_ctx, services), "services");
  kernels = loadPointer(context, offsetof(xlac_ctx, kernels), "kernels");
  constants = loadPointer(context, offsetof(xlac_ctx, constants), "constants");
  if (numbers)
    numberTable =
        loadPointer(constants, sizeof(void *) * numbers->constant, "numbers");
  failed = newBlock("failed");
  {
    IRBuilder<> exit(failed);
    failedStatus = exit.CreatePHI(exit.getInt32Ty(), 0, "status");
    exit.CreateRet(failedStatus);
  }

  if (Error error = emitBlock(program.getBody().front()))
    return error;
  ir.CreateRet(ir.getInt32(0));
  if (failedStatus->getNumIncomingValues() == 0)
    failed->eraseFromParent();
  else
    failed->moveAfter(ir.GetInsertBlock());

  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyFunction(*function, &stream))
    return createStringError("program @" + program.getSymName() +
                             ": emitted code is malformed: " + problem);
  return Error::success();
}

Error DriverEmitter::emitBlock(mlir::Block &block) {
  unsigned emitted = 0; // launches that have been emitted already
  for (mlir::Operation &op : block) {
    if (emitted > 0) {
      --emitted;
      continue;
    }
    if (auto found = tabled.find(&op); found != tabled.end()) {
      emitTable(found->second);
      emitted = found->second.size() - 1;
      continue;
    }
    if (auto launch = mlir::dyn_cast<ir::LaunchOp>(op)) {
      SmallVector<ir::LaunchOp> launches = ir::slicedFrom(launch);
      if (launches.size() > 1) {
        emitSlices(launches);
        emitted = launches.size() - 1;
        continue;
      }
    }
    if (Error error = emitOp(op))
      return error;
  }
  return Error::success();
}

/// Returns whether a record can describe the launch.
static bool canBeTabled(ir::LaunchOp launch, ir::KernelOp kernel) {
  if (!kernel || kernel.getSchedule().getTasks().empty() ||
      (kernel.getSchedule().getWorkspace() > 0 && !launch.getWorkspace()))
    return false; // an error, which the emitter of single launches reports
  return ir::slicedFrom(launch).size() == 1;
}

void DriverEmitter::findTabled() {
  program.walk([&](mlir::Block *block) {
    // Addresses in loops may change, and code for few launches starts faster.
    if (mlir::isa<ir::WhileOp>(block->getParentOp()) ||
        block->getParentOp()->getParentOfType<ir::WhileOp>())
      return;
    SmallVector<ir::LaunchOp> run;
    auto end = [&] {
      if (run.size() >= kLeastTabled) {
        inTables.insert_range(run);
        tabled[run.front()] = run;
      }
      run.clear();
    };
    for (mlir::Operation &op : *block) {
      auto launch = mlir::dyn_cast<ir::LaunchOp>(op);
      if (launch && !launch.getJoined() &&
          canBeTabled(launch, kernelOf(launch)))
        run.push_back(launch);
      else
        end();
    }
    end();
  });
}

int64_t DriverEmitter::addRecords(ir::LaunchOp launch, int64_t joined) {
  ir::ScheduleAttr schedule = kernelOf(launch).getSchedule();
  assert(schedule.getGrain().size() == schedule.getTasks().size() &&
         "every phase has tasks and a grain");
  assert(table.contains(launch.getKernel()) && "every kernel has a place");
  KernelPlace place = table.lookup(launch.getKernel());
  int64_t records = 0;
  for (auto [phase, tasks, grain] :
       llvm::enumerate(schedule.getTasks(), schedule.getGrain())) {
    if (tasks <= 0)
      continue;
    int64_t extents = place.extents ? int64_t(*place.extents) : -1;
    int64_t buffers = records == 0 ? launch->getNumOperands() : 0;
    llvm::append_values(tables->words, place.entry + int64_t(phase), extents,
                        tasks, std::max<int64_t>(grain, 1), buffers, joined);
    if (records++ == 0)
      for (mlir::Value buffer : launch->getOperands()) {
        BufferMemory memory = memoryOf(buffer);
        tables->words.push_back(memory.begin * XLAC_BUFFER_KINDS + memory.kind);
      }
  }
  return records;
}

void DriverEmitter::emitTable(ArrayRef<ir::LaunchOp> launches) {
  int64_t first = tables->words.size(), records = 0;
  while (!launches.empty()) {
    size_t joined = countJoined(launches, program, [&](ir::LaunchOp launch) {
      return kernelOf(launch);
    });
    for (size_t left = joined; left-- > 0;) {
      records += addRecords(launches.front(), int64_t(left));
      launches = launches.drop_front();
    }
  }
  Type *pointer = ir.getPtrTy();
  auto *type = FunctionType::get(
      ir.getInt32Ty(),
      {pointer, pointer, ir.getInt64Ty(), pointer, pointer, pointer, pointer},
      false);
  Value *words =
      loadPointer(constants, sizeof(void *) * tables->constant, "launches");
  Value *start = ir.CreateInBoundsGEP(ir.getInt64Ty(), words, size(first));
  Value *callee =
      service(offsetof(xlac_services, run_launches), "run_launches");
  returnIfFailed(ir.CreateCall(
      type, callee,
      {context, start, size(records), arguments, results, arena, slots}));
}

void DriverEmitter::emitSlices(ArrayRef<ir::LaunchOp> launches) {
  int64_t slices = *ir::LaunchOp(launches[0]).getSlices();
  unsigned slot = 0;
  for (auto [number, one] : llvm::enumerate(launches)) {
    ir::LaunchOp launch = one;
    ir::KernelOp kernel = kernelOf(launch);
    assert(kernel && kernel.getSchedule().getTasks().size() == 1 &&
           kernel.getSchedule().getTasks()[0] % slices == 0 &&
           !launch.getWorkspace() && "slices have equal numbers of tasks");
    KernelPlace place = table.lookup(launch.getKernel());
    auto store = [&](size_t offset, Value *value) {
      ir.CreateAlignedStore(value,
                            ir.CreateConstInBoundsGEP1_64(
                                ir.getInt8Ty(), slicedLaunches,
                                number * sizeof(xlac_sliced_launch) + offset),
                            Align(8));
    };
    store(offsetof(xlac_sliced_launch, fn), entryOf(kernel, 0, place));
    store(offsetof(xlac_sliced_launch, buffers),
          storeSlots(launch->getOperands(), slot));
    store(offsetof(xlac_sliced_launch, extents), extentsOf(place));
    store(offsetof(xlac_sliced_launch, tasks),
          size(kernel.getSchedule().getTasks()[0] / slices));
    slot += launch->getNumOperands();
  }
  Type *pointer = ir.getPtrTy(), *i64 = ir.getInt64Ty();
  auto *type =
      FunctionType::get(ir.getInt32Ty(), {pointer, pointer, i64, i64}, false);
  Value *callee = service(offsetof(xlac_services, run_slices), "run_slices");
  returnIfFailed(ir.CreateCall(
      type, callee,
      {context, slicedLaunches, ir.getInt64(launches.size()), size(slices)}));
}

Error DriverEmitter::emitOp(mlir::Operation &op) {
  constexpr uint64_t slot = sizeof(void *);
  // Tables have the buffers' places.
  if (op.getNumResults() > 0 && llvm::all_of(op.getUsers(), [&](auto *user) {
        return inTables.contains(user);
      }))
    return Error::success();
  if (auto argument = mlir::dyn_cast<ir::ArgumentOp>(op)) {
    addresses[argument.getBuffer()] =
        loadPointer(arguments, slot * argument.getIndex(), "argument");
    return Error::success();
  }
  if (auto result = mlir::dyn_cast<ir::ResultOp>(op)) {
    addresses[result.getBuffer()] =
        loadPointer(results, slot * result.getIndex(), "result");
    return Error::success();
  }
  if (auto constant = mlir::dyn_cast<ir::ConstantOp>(op)) {
    addresses[constant.getBuffer()] =
        loadPointer(constants, slot * constant.getIndex(), "constant");
    return Error::success();
  }
  if (auto slice = mlir::dyn_cast<ir::ArenaOp>(op)) {
    assert(slice.getOffset() % XLAC_ALIGNMENT == 0 &&
           slice.getOffset() + slice.getSize() <= program.getArenaBytes() &&
           "a slice is aligned inside the arena");
    addresses[slice.getBuffer()] =
        ir.CreateInBoundsGEP(ir.getInt8Ty(), arena, size(slice.getOffset()));
    return Error::success();
  }
  if (auto launch = mlir::dyn_cast<ir::LaunchOp>(op))
    return emitLaunch(launch);
  if (auto collective = mlir::dyn_cast<ir::CollectiveOp>(op)) {
    emitCollective(collective);
    return Error::success();
  }
  if (auto await = mlir::dyn_cast<ir::AwaitCollectiveOp>(op)) {
    emitAwait(await);
    return Error::success();
  }
  if (auto copy = mlir::dyn_cast<ir::CopyOp>(op)) {
    emitCopy(copy);
    return Error::success();
  }
  if (auto loop = mlir::dyn_cast<ir::WhileOp>(op))
    return emitWhile(loop);
  if (mlir::isa<ir::SwapOp>(op)) {
    assert(mlir::isa<ir::WhileOp>(op.getParentOp()) && "the loop swaps");
    return Error::success();
  }
  if (auto branches = mlir::dyn_cast<ir::CaseOp>(op))
    return emitCase(branches);
  return unsupported(&op, "has no place in a program");
}

Error DriverEmitter::emitLaunch(ir::LaunchOp launch) {
  ir::KernelOp kernel = kernelOf(launch);
  if (!kernel)
    return unsupported(launch, "calls @" + launch.getKernel() +
                                   ", which is not a kernel");
  ir::ScheduleAttr schedule = kernel.getSchedule();
  if (schedule.getTasks().empty())
    return unsupported(launch, "calls @" + launch.getKernel() +
                                   ", which has not been scheduled");
  if (schedule.getWorkspace() > 0 && !launch.getWorkspace())
    return unsupported(launch, "calls @" + launch.getKernel() +
                                   " without the workspace that it needs");
  if (llvm::all_of(schedule.getTasks(), [](int64_t n) { return n <= 0; }))
    return Error::success();
  storeSlots(launch->getOperands());
  return emitPhases(kernel, launch);
}

Value *DriverEmitter::storeSlots(mlir::ValueRange buffers, unsigned first) {
  assert(first + buffers.size() <=
             cast<ArrayType>(slots->getAllocatedType())->getNumElements() &&
         "the table has a slot for each buffer");
  auto slot = [&](unsigned number) {
    return ir.CreateConstInBoundsGEP1_64(ir.getPtrTy(), slots, number);
  };
  unsigned number = first;
  for (mlir::Value buffer : buffers)
    ir.CreateAlignedStore(address(buffer), slot(number++), Align(8));
  return slot(first);
}

/// The image describes the collective with this index. The driver only passes
/// the operands, then the results.
void DriverEmitter::emitCollective(ir::CollectiveOp collective) {
  storeSlots(collective->getOperands());
  auto *type = FunctionType::get(
      ir.getInt32Ty(), {ir.getPtrTy(), ir.getInt32Ty(), ir.getPtrTy()}, false);
  Value *callee =
      collective.getStarted()
          ? service(offsetof(xlac_services, start_collective), "start")
          : service(offsetof(xlac_services, collective), "collective");
  returnIfFailed(ir.CreateCall(
      type, callee, {context, ir.getInt32(collective.getIndex()), slots}));
}

void DriverEmitter::emitAwait(ir::AwaitCollectiveOp await) {
  auto *type = FunctionType::get(ir.getInt32Ty(),
                                 {ir.getPtrTy(), ir.getInt32Ty()}, false);
  returnIfFailed(ir.CreateCall(
      type, service(offsetof(xlac_services, await_collective), "await"),
      {context, ir.getInt32(await.getIndex())}));
}

Value *DriverEmitter::extentsOf(KernelPlace place) {
  if (!place.extents)
    return ConstantPointerNull::get(ir.getPtrTy());
  return loadPointer(constants, sizeof(void *) * *place.extents, "extents");
}

Value *DriverEmitter::entryOf(ir::KernelOp kernel, unsigned phase,
                              KernelPlace place) {
  // Tiny kernels have internal functions in the driver's module.
  Function *tiny = module.getFunction(phaseSymbol(kernel, phase));
  if (tiny && tiny->hasInternalLinkage())
    return tiny;
  return loadPointer(kernels, sizeof(void *) * (place.entry + phase), "kernel");
}

Error DriverEmitter::emitPhases(ir::KernelOp kernel, ir::LaunchOp launch) {
  ir::ScheduleAttr schedule = kernel.getSchedule();
  assert(table.contains(launch.getKernel()) && "every kernel has a place");
  KernelPlace place = table.lookup(launch.getKernel());
  Value *extents = extentsOf(place);
  assert(schedule.getGrain().size() == schedule.getTasks().size() &&
         "every phase has tasks and a grain");
  for (unsigned phase = 0; phase < schedule.getTasks().size(); ++phase) {
    int64_t tasks = schedule.getTasks()[phase];
    int64_t grain = std::max<int64_t>(schedule.getGrain()[phase], 1);
    if (tasks <= 0)
      continue;
    returnIfFailed(
        callKernel(entryOf(kernel, phase, place), extents, tasks, grain));
  }
  return Error::success();
}

/// Returns the status of a phase.
Value *DriverEmitter::callKernel(Value *entry, Value *extents, int64_t tasks,
                                 int64_t grain) {
  Type *pointer = ir.getPtrTy();
  Type *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  auto *kernelType =
      FunctionType::get(i32, {pointer, pointer, pointer, i64, i64}, false);
  auto *parallelType = FunctionType::get(
      i32, {pointer, pointer, pointer, pointer, i64, i64}, false);
  Value *count = size(tasks), *piece = size(grain);
  auto callDirectly = [&] {
    return ir.CreateCall(kernelType, entry,
                         {context, slots, extents, ir.getInt64(0), count});
  };
  auto callInParallel = [&] {
    Value *callee =
        service(offsetof(xlac_services, parallel_for), "parallel_for");
    return ir.CreateCall(parallelType, callee,
                         {context, entry, slots, extents, count, piece});
  };
  // A single piece does not gain from the thread pool.
  if (!numbers)
    return tasks <= grain ? callDirectly() : callInParallel();
  BasicBlock *direct = newBlock("direct"), *parallel = newBlock("parallel"),
             *called = newBlock("called");
  ir.CreateCondBr(ir.CreateICmpSLE(count, piece), direct, parallel);
  ir.SetInsertPoint(direct);
  Value *directStatus = callDirectly();
  ir.CreateBr(called);
  ir.SetInsertPoint(parallel);
  Value *parallelStatus = callInParallel();
  ir.CreateBr(called);
  ir.SetInsertPoint(called);
  PHINode *status = ir.CreatePHI(i32, 2, "status");
  status->addIncoming(directStatus, direct);
  status->addIncoming(parallelStatus, parallel);
  return status;
}

void DriverEmitter::emitCopy(ir::CopyOp copy) {
  int64_t bytes = copy.getBytes();
  Value *from = address(copy.getSource());
  Value *to = address(copy.getTarget());
  if (bytes <= 0)
    return;
  // Loop counters and predicates: one load and one store.
  if (bytes <= 8 && llvm::isPowerOf2_64(bytes)) {
    Type *type = ir.getIntNTy(static_cast<unsigned>(bytes) * 8);
    ir.CreateAlignedStore(ir.CreateAlignedLoad(type, from, Align(1)), to,
                          Align(1));
    return;
  }
  // The buffer of a donated argument may be the result's buffer. Then no copy
  // is needed.
  emitCopy(from, to, bytes,
           copy.getSource().getDefiningOp<ir::ArgumentOp>() &&
               copy.getTarget().getDefiningOp<ir::ResultOp>());
}

void DriverEmitter::emitCopy(Value *from, Value *to, int64_t bytes,
                             bool mayBeSame) {
  BasicBlock *done = nullptr;
  if (mayBeSame) {
    BasicBlock *work = newBlock("copy");
    done = newBlock("copied");
    ir.CreateCondBr(ir.CreateICmpEQ(from, to), done, work);
    ir.SetInsertPoint(work);
  }
  auto *type = FunctionType::get(
      ir.getVoidTy(), {ir.getPtrTy(), ir.getPtrTy(), ir.getInt64Ty()}, false);
  ir.CreateCall(type, service(offsetof(xlac_services, copy), "copy"),
                {to, from, size(bytes)});
  if (done) {
    ir.CreateBr(done);
    ir.SetInsertPoint(done);
  }
}

/// Exchanged buffers have addresses that change in each iteration.
Error DriverEmitter::emitWhile(ir::WhileOp loop) {
  BasicBlock *before = ir.GetInsertBlock();
  BasicBlock *head = newBlock("while");
  ir.CreateBr(head);
  ir.SetInsertPoint(head);
  SmallVector<ir::SwapOp> swaps(loop.getBody().front().getOps<ir::SwapOp>());
  DenseMap<mlir::Value, Value *> own;
  for (ir::SwapOp swap : swaps)
    for (mlir::Value buffer : swap->getOperands()) {
      own[buffer] = address(buffer);
      PHINode *current = ir.CreatePHI(ir.getPtrTy(), 2, "current");
      current->addIncoming(own[buffer], before);
      addresses[buffer] = current;
    }
  if (Error error = emitBlock(loop.getCondition().front()))
    return error;
  Value *predicate = ir.CreateAlignedLoad(
      ir.getInt8Ty(), address(loop.getPredicate()), Align(1), "predicate");
  BasicBlock *body = newBlock("do");
  BasicBlock *done = newBlock("done");
  ir.CreateCondBr(ir.CreateICmpNE(predicate, ir.getInt8(0)), body, done);
  ir.SetInsertPoint(body);
  if (Error error = emitBlock(loop.getBody().front()))
    return error;
  for (ir::SwapOp swap : swaps) {
    auto *next = cast<PHINode>(address(swap.getNext()));
    auto *carry = cast<PHINode>(address(swap.getCarry()));
    next->addIncoming(carry, ir.GetInsertBlock());
    carry->addIncoming(next, ir.GetInsertBlock());
  }
  ir.CreateBr(head);
  ir.SetInsertPoint(done);
  for (ir::SwapOp swap : swaps) {
    emitCopy(address(swap.getCarry()), own[swap.getCarry()], swap.getBytes(),
             /*mayBeSame=*/true);
    for (mlir::Value buffer : swap->getOperands())
      addresses[buffer] = own[buffer];
  }
  return Error::success();
}

Error DriverEmitter::emitCase(ir::CaseOp branches) {
  unsigned count = branches.getBranches().size();
  if (count == 0)
    return Error::success();
  if (branches.getPredicate() && count != 2)
    return unsupported(branches,
                       "has a predicate and " + Twine(count) + " branches");
  Value *index;
  if (branches.getPredicate()) {
    Value *predicate = ir.CreateAlignedLoad(
        ir.getInt8Ty(), address(branches.getIndex()), Align(1), "predicate");
    index = ir.CreateSelect(ir.CreateICmpNE(predicate, ir.getInt8(0)),
                            ir.getInt32(0), ir.getInt32(1));
  } else {
    index = ir.CreateAlignedLoad(ir.getInt32Ty(), address(branches.getIndex()),
                                 Align(1), "index");
  }
  BasicBlock *done = newBlock("done");
  BasicBlock *last = newBlock("branch");
  SwitchInst *choice = ir.CreateSwitch(index, last, count - 1);
  for (unsigned i = 0; i < count; ++i) {
    BasicBlock *start = i + 1 == count ? last : newBlock("branch");
    if (i + 1 != count)
      choice->addCase(ir.getInt32(i), start);
    ir.SetInsertPoint(start);
    if (Error error = emitBlock(branches.getBranches()[i].front()))
      return error;
    ir.CreateBr(done);
  }
  ir.SetInsertPoint(done);
  return Error::success();
}

Error emitDriver(ir::ProgramOp program, Module &module,
                 const KernelTable &table, LaunchTables *launches,
                 DriverNumbers *numbers) {
  return DriverEmitter(program, module, table, launches, numbers).emit();
}

} // namespace xlac::codegen
