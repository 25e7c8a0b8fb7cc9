// Compiles kernels. Each batch of kernels is one LLVM module. When all batches
// are emitted, kernels that one code can serve are found. Functions that
// kernels of several batches call are compiled once, in separate modules,
// unless their code exists already. When all objects exist, blobs are linked
// from them. Each part records exceptions of its own work, so that the threads
// always reach the next synchronization.
#include "CompileKernels.h"

#include "PhaseClock.h"
#include "SharedObjects.h"
#include "SimilarKernels.h"
#include "WorkerThread.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Jit/Jit.h"
#include "xlac/support/cores.h"
#include "xlac/support/hash.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace xlac::compiler {
namespace {

/// Limits on the work in one LLVM module, as compileCost counts it: of a module
/// that occupies another thread, and of one more that lets threads end at about
/// the same time. Less suffers from LLVM's fixed costs.
constexpr int64_t kLeastBatchCost = 250, kLeastFurtherCost = 600;
/// The quotient of the times for optimized and for unoptimized code.
constexpr int64_t kColdGain = 2;
/// Limit on kernels in one LLVM module of a compilation that may be cancelled,
/// which happens between two modules.
constexpr size_t kMostCancellable = 4;
/// Limit on modules of shared functions, of which most programs have few.
constexpr size_t kMostLibraries = 8;
/// Appended to the key of a form whose code is not optimized. Such code serves
/// only cold kernels.
constexpr char kColdSuffix[] = "-cold";

/// The state of one LLVM module.
struct Part {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module; ///< until its object exists
  jit::Object object;
  std::string failure;
  bool isEmitted = false;     ///< else an emitter has failed
  std::exception_ptr problem; ///< exception of its work
  std::vector<PhaseTime> times;

  bool succeeded() const { return failure.empty() && !problem; }
};

/// Functions that modules only declare, with their costs.
using SharedFunctions = std::map<std::string, size_t>;

/// A task of a batch, and its code if that does not depend only on the task's
/// hash.
struct BatchKernel : EmittedKernel {
  std::optional<runtime::Blob> blob; ///< code compiled earlier
  std::string key;                   ///< of new code in the store
  KernelTemplate added;              ///< the template of new code

  /// Whether the batch compiles code for the task.
  bool hasOwnCode() const { return !blob && !leader; }
};

struct Batch : Part {
  bool isCold = false; ///< of cold kernels, whose code is not optimized
  std::vector<BatchKernel> kernels;
  std::vector<std::string> called; ///< names of shared functions
  SharedFunctions shared;          ///< the same, until the batch is emitted
  std::vector<runtime::Blob> blobs;
};

struct Library : Part {
  std::vector<StringRef> functions;
};

/// A latch with a completion function, which may throw.
class Latch {
public:
  explicit Latch(size_t parts) : missing(parts) {}

  /// Notes the arrival of one part. The last one does `work` for all. Allocates
  /// no memory while it holds the lock.
  void arrive(llvm::function_ref<void()> work) {
    {
      std::lock_guard lock(mutex);
      assert(missing > 0 && "each part arrives once");
      if (--missing > 0)
        return;
    }
    std::exception_ptr thrown = exceptionOf(work);
    std::lock_guard lock(mutex);
    problem = thrown;
    isOpen = true;
    opened.notify_all();
  }
  /// Returns the exception of `work` or null.
  std::exception_ptr wait() {
    std::unique_lock lock(mutex);
    opened.wait(lock, [&] { return isOpen; });
    return problem;
  }

private:
  std::mutex mutex;
  std::condition_variable opened;
  size_t missing;
  bool isOpen = false;
  std::exception_ptr problem;
};

/// The compilation of one program's kernels, by any number of threads.
class KernelCompilation {
public:
  KernelCompilation(const CompilerOptions &options, KernelTemplates *templates,
                    std::vector<Batch> batches, size_t libraries)
      : isCancelled(options.is_cancelled), target(options.target),
        store(options.kernels), templates(templates),
        batches(std::move(batches)), allEmitted(this->batches.size()),
        allPrepared(this->batches.size()), libraries(libraries) {
    assert((store || !templates) && "templates refer to code in the store");
  }

  /// Compiles to objects. Returns when no work is left to start, or after the
  /// compilation has been cancelled.
  void compile();
  /// Links to blobs, and puts them into the store. Call after `compile` has
  /// returned on every thread.
  void link();
  /// Returns the first failure. If a part recorded an exception, throws the
  /// first one.
  Error failure();
  /// Moves blobs and times to the caller.
  void finish(std::vector<runtime::Blob> &blobs, CompileReport *report);

private:
  Error emitBatch(Batch &batch);
  void findCode(Batch &batch, BatchKernel &kernel);
  void findSimilar();
  void orderBatches();
  void compileBatch(Batch &batch);
  Error prepareBatch(Batch &batch);
  void generalize(Batch &batch, BatchKernel &kernel);
  std::optional<codegen::KernelForm> formOfVariant(ir::KernelOp kernel,
                                                   StringRef variant,
                                                   llvm::LLVMContext &context);
  Error emitLibrary(Library &library);
  Error linkBatch(Batch &batch);
  Error failIfCancelled() const;
  Error makeModule(Part &part, StringRef name);
  Error makeObject(Part &part, llvm::CodeGenOptLevel level);
  void dealShared();

  const std::atomic<bool> *isCancelled; ///< null for never
  const TargetProfile &target;
  /// If set, each kernel gets its own blob; else each batch.
  KernelStore *store;
  KernelTemplates *templates; ///< null: every kernel has code of its own
  std::vector<Batch> batches;
  std::vector<Batch *> byWork; ///< the most work first
  std::atomic<size_t> nextEmitted = 0, nextBatch = 0, nextLibrary = 0,
                      nextLink = 0;
  Latch allEmitted;  ///< then similar kernels are known
  Latch allPrepared; ///< then shared functions are assigned to libraries

  std::mutex mutex;
  SharedFunctions shared;
  std::vector<Library> libraries;
  /// Code of the other shared functions.
  std::map<StringRef, SharedObject> known;
};

} // namespace

/// Runs one step of a part. After an exception, leaks LLVM's objects, which may
/// be in a state in which they cannot be destroyed.
static void record(Part &part, llvm::function_ref<Error()> work) {
  assert(part.succeeded() && "a failed part does no further work");
  part.problem = exceptionOf([&] {
    if (Error error = work())
      part.failure = llvm::toString(std::move(error));
  });
  if (part.problem) {
    (void)part.module.release();
    (void)part.context.release();
  }
}

/// Returns the index with the least load for its share, to which the next item
/// is assigned.
static size_t leastOf(llvm::ArrayRef<int64_t> load,
                      llvm::ArrayRef<int64_t> shares) {
  assert(!load.empty() && load.size() == shares.size() &&
         "work is assigned to a thread");
  size_t least = 0;
  for (size_t i = 1; i < load.size(); ++i)
    if (load[i] * shares[least] < load[least] * shares[i])
      least = i;
  return least;
}

/// Assigns shared functions without code to libraries. The assignment depends
/// only on these functions and the number of threads.
void KernelCompilation::dealShared() {
  std::vector<std::pair<int64_t, StringRef>> order;
  for (const auto &[name, cost] : shared)
    if (SharedObject object = SharedObjects::process().find(target, name))
      known.emplace(name, std::move(object));
    else
      order.emplace_back(cost, name);
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<int64_t> load(libraries.size()), shares(libraries.size(), 1);
  for (auto [size, name] : order) {
    size_t least = leastOf(load, shares);
    libraries[least].functions.push_back(name);
    load[least] += size;
  }
}

Error KernelCompilation::makeModule(Part &part, StringRef name) {
  part.context = std::make_unique<llvm::LLVMContext>();
  part.module = std::make_unique<llvm::Module>(name, *part.context);
  return jit::prepareModule(*part.module, target);
}

/// Compiles the part's module to an object, and destroys the module.
Error KernelCompilation::makeObject(Part &part, llvm::CodeGenOptLevel level) {
  PhaseClock clock(&part.times);
  if (Error error = jit::optimize(*part.module, target))
    return error;
  clock.mark("optimize");
  auto object = jit::compileToObject(*part.module, target, level);
  clock.mark("machine code");
  if (!object)
    return object.takeError();
  part.object = std::move(*object);
  part.module.reset();
  part.context.reset();
  return Error::success();
}

/// Erases helper functions that no kernel calls any more.
static void eraseUnused(llvm::Module &module) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (function.hasLocalLinkage() && function.use_empty()) {
        function.eraseFromParent();
        isChanged = true;
      }
  }
}

static std::string keyOf(const KernelTask &task,
                         const KernelTemplate &generalized) {
  Hasher hasher;
  hasher.update(task.hash);
  hasher.update(std::as_bytes(std::span(generalized.parameters.parameter)));
  hasher.update(std::as_bytes(std::span(generalized.numbers.claims)));
  return to_hex(hasher.finish());
}

static void erasePhases(EmittedKernel &kernel) {
  for (llvm::Function *phase : kernel.phases)
    phase->eraseFromParent();
  kernel.phases.clear();
}

static llvm::SmallVector<llvm::Function *, 2> phasesOf(ir::KernelOp kernel,
                                                       llvm::Module &module) {
  llvm::SmallVector<llvm::Function *, 2> phases;
  for (unsigned phase = 0; phase < kernel.getSchedule().getTasks().size();
       ++phase)
    phases.push_back(module.getFunction(codegen::phaseSymbol(kernel, phase)));
  return phases;
}

/// Returns the form of the kernel for other sizes, or nothing if it cannot be
/// emitted.
std::optional<codegen::KernelForm>
KernelCompilation::formOfVariant(ir::KernelOp kernel, StringRef text,
                                 llvm::LLVMContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> parsed =
      codegen::makeSizeVariant(kernel, text, target);
  if (!parsed)
    return std::nullopt;
  ir::KernelOp variant = *parsed->getOps<ir::KernelOp>().begin();
  llvm::Module module("variant", context);
  Error error = jit::prepareModule(module, target);
  if (!error)
    error = codegen::emitKernel(variant, module, target);
  if (error) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return codegen::formOf(phasesOf(variant, module));
}

/// Removes the emitted code of a kernel if code that was compiled for other
/// sizes serves it.
void KernelCompilation::findCode(Batch &batch, BatchKernel &kernel) {
  KernelTask &task = *kernel.task;
  kernel.phases = phasesOf(task.kernel, *batch.module);
  kernel.form = codegen::formOf(kernel.phases);
  if (!templates)
    return;
  std::optional<KernelTemplates::Use> use = templates->find(kernel.form);
  if (!use && batch.isCold) {
    codegen::KernelForm form = kernel.form;
    form.key += kColdSuffix;
    use = templates->find(form);
  }
  if (use) {
    kernel.blob = store->find(use->code.code);
    if (kernel.blob && (kernel.blob->features & ~target.features) == 0) {
      task.symbol = use->code.symbol;
      task.extents = std::move(use->extents);
      erasePhases(kernel);
      return;
    }
    kernel.blob.reset();
  }
  // Older processors access aligned vectors faster.
  kernel.mayReadNumbers = target.features & kFeatureAvx2;
}

/// Finds kernels of the whole program that share code.
void KernelCompilation::findSimilar() {
  std::vector<EmittedKernel *> kernels;
  for (Batch &batch : batches)
    for (BatchKernel &kernel : batch.kernels)
      if (kernel.task->takesExtents && !kernel.form.key.empty() && !kernel.blob)
        kernels.push_back(&kernel);
  // Batches depend on the number of threads. Optimized code also serves cold
  // kernels, but not the other way round.
  auto orderOf = [](const EmittedKernel *one) {
    KernelTask *task = one->task;
    return std::pair(task->kernel.getCold(), StringRef(task->hash));
  };
  llvm::sort(kernels, [&](const EmittedKernel *a, const EmittedKernel *b) {
    return orderOf(a) < orderOf(b);
  });
  findSimilarKernels(kernels);
}

/// Orders batches by the instructions that are left to compile, so that threads
/// end at about the same time.
void KernelCompilation::orderBatches() {
  llvm::DenseMap<Batch *, int64_t> work;
  for (Batch &batch : batches) {
    byWork.push_back(&batch);
    if (!batch.isEmitted)
      continue;
    for (const llvm::Function &function : *batch.module)
      work[&batch] += function.getInstructionCount();
    for (const BatchKernel &kernel : batch.kernels)
      if (kernel.leader)
        for (const llvm::Function *phase : kernel.phases)
          work[&batch] -= phase->getInstructionCount();
    if (batch.isCold)
      work[&batch] /= kColdGain;
  }
  llvm::stable_sort(byWork, [&](Batch *a, Batch *b) {
    return work.lookup(a) > work.lookup(b);
  });
}

/// Makes the code of a kernel general enough for the sizes seen so far, and for
/// the kernels that share it.
void KernelCompilation::generalize(Batch &batch, BatchKernel &kernel) {
  KernelTask &task = *kernel.task;
  std::vector<codegen::KernelForm> variants;
  for (const std::string &text : task.variants)
    if (auto variant = formOfVariant(task.kernel, text, *batch.context))
      variants.push_back(std::move(*variant));
  // Equal numbers stay constants of the code.
  for (const EmittedKernel *follower : kernel.followers)
    if (follower->form.numbers.constants != kernel.form.numbers.constants ||
        follower->form.numbers.claims != kernel.form.numbers.claims)
      variants.push_back(follower->form);
  if (batch.isCold) {
    kernel.form.key += kColdSuffix;
    for (codegen::KernelForm &variant : variants)
      variant.key += kColdSuffix;
  }
  KernelTemplates::Use use = templates->generalize(kernel.form, variants);
  kernel.key = task.hash;
  if (use.code.parameters.count > 0) {
    codegen::parameterize(kernel.phases, use.code.parameters,
                          use.code.numbers.claims);
    kernel.key = keyOf(task, use.code);
  }
  task.extents = std::move(use.extents);
  for (EmittedKernel *follower : kernel.followers) {
    auto extents = use.code.extentsFor(follower->form.numbers);
    assert(extents && "the template serves all kernels that share its code");
    follower->task->extents = std::move(*extents);
  }
  kernel.added = std::move(use.code);
  kernel.added.code = kernel.key;
  kernel.added.symbol = task.symbol;
}

Error KernelCompilation::failIfCancelled() const {
  if (isCancelled && *isCancelled)
    return llvm::createStringError("the compilation was cancelled");
  return Error::success();
}

Error KernelCompilation::emitBatch(Batch &batch) {
  if (Error error = failIfCancelled())
    return error;
  PhaseClock clock(&batch.times);
  if (Error error = makeModule(batch, "kernels"))
    return error;
  for (BatchKernel &kernel : batch.kernels) {
    KernelTask &task = *kernel.task;
    task.symbol = task.kernel.getSymName().str();
    codegen::KernelNeeds needs;
    if (Error error =
            codegen::emitKernel(task.kernel, *batch.module, target, &needs))
      return error;
    task.needs = {needs.scratchBytes, needs.routines};
    if (task.takesExtents)
      findCode(batch, kernel);
  }
  batch.isEmitted = true;
  clock.mark("emit " + std::to_string(batch.kernels.size()) + " kernels");
  return Error::success();
}

/// Removes the kernels that have the code of others from the module.
Error KernelCompilation::prepareBatch(Batch &batch) {
  PhaseClock clock(&batch.times);
  for (BatchKernel &kernel : batch.kernels) {
    if (kernel.leader)
      erasePhases(kernel);
    else if (templates && kernel.task->takesExtents && !kernel.blob)
      generalize(batch, kernel);
  }
  eraseUnused(*batch.module);
  for (codegen::SharedFunction &function :
       codegen::calledSharedFunctions(*batch.module)) {
    batch.called.push_back(function.name);
    batch.shared.emplace(std::move(function.name), function.cost);
  }
  clock.mark("prepare");
  return Error::success();
}

/// Reports to the other threads that the batch is prepared, even if it has
/// failed.
void KernelCompilation::compileBatch(Batch &batch) {
  if (batch.succeeded())
    record(batch, [&] { return prepareBatch(batch); });
  {
    std::lock_guard lock(mutex);
    shared.merge(batch.shared); // allocates no memory
  }
  allPrepared.arrive([&] { dealShared(); });
  bool hasCode = batch.succeeded() &&
                 !llvm::all_of(*batch.module, [](const llvm::Function &each) {
                   return each.isDeclaration();
                 });
  if (hasCode)
    record(batch, [&] {
      return makeObject(batch, batch.isCold ? llvm::CodeGenOptLevel::None
                                            : llvm::CodeGenOptLevel::Default);
    });
}

Error KernelCompilation::emitLibrary(Library &library) {
  PhaseClock clock(&library.times);
  if (Error error = makeModule(library, "shared"))
    return error;
  for (StringRef name : library.functions)
    codegen::emitSharedFunction(name, *library.module);
  clock.mark("emit " + std::to_string(library.functions.size()) +
             " shared functions");
  library.isEmitted = true;
  return Error::success();
}

void KernelCompilation::compile() {
  for (size_t i; (i = nextEmitted++) < batches.size();) {
    record(batches[i], [&] { return emitBatch(batches[i]); });
    allEmitted.arrive([&] {
      findSimilar();
      orderBatches();
    });
  }
  if (allEmitted.wait())
    return;
  for (size_t i; (i = nextBatch++) < byWork.size();) {
    Batch &batch = *byWork[i];
    if (batch.succeeded())
      record(batch, [&] { return failIfCancelled(); });
    compileBatch(batch);
  }
  if (allPrepared.wait())
    return;
  for (size_t i; (i = nextLibrary++) < libraries.size();) {
    Library &library = libraries[i];
    if (library.functions.empty())
      continue;
    record(library, [&] { return emitLibrary(library); });
    if (library.succeeded())
      record(library, [&] {
        return makeObject(library, llvm::CodeGenOptLevel::Default);
      });
    if (library.succeeded())
      record(library, [&] {
        SharedObjects::process().keep(target, library.functions,
                                      library.object);
        return Error::success();
      });
  }
}

Error KernelCompilation::linkBatch(Batch &batch) {
  PhaseClock clock(&batch.times);
  std::vector<BatchKernel *> kernels;
  for (BatchKernel &kernel : batch.kernels)
    if (kernel.hasOwnCode())
      kernels.push_back(&kernel);
  if (kernels.empty())
    return Error::success();
  std::vector<jit::RootFilter> roots;
  if (store)
    for (BatchKernel *kernel : kernels)
      roots.push_back(
          [prefix = (kernel->task->kernel.getSymName() + ".").str()](
              StringRef symbol) { return symbol.starts_with(prefix); });
  else
    roots.emplace_back();
  std::vector<llvm::ArrayRef<char>> provided;
  assert((!store || roots.size() == kernels.size()) &&
         "every kernel has a blob of its own");
  for (const Library &library : libraries)
    if (!library.functions.empty())
      provided.push_back(library.object);
  for (const std::string &name : batch.called)
    if (auto found = known.find(name); found != known.end())
      provided.push_back(found->second.code);
  auto blobs = jit::linkBlobs(batch.object, target, roots, provided);
  if (!blobs)
    return blobs.takeError();
  batch.blobs = std::move(*blobs);
  for (auto [number, kernel] : llvm::enumerate(kernels))
    batch.blobs[store ? number : 0].needs.add(kernel->task->needs);
  clock.mark("link");
  if (store)
    for (auto [kernel, blob] : llvm::zip_equal(kernels, batch.blobs)) {
      if (kernel->key.empty()) {
        store->put(kernel->task->hash, blob);
        continue;
      }
      store->put(kernel->key, blob);
      templates->add(kernel->form.key, std::move(kernel->added));
    }
  clock.mark("keep");
  return Error::success();
}

void KernelCompilation::link() {
  for (size_t i; (i = nextLink++) < batches.size();)
    record(batches[i], [&] { return linkBatch(batches[i]); });
}

/// Returns the estimated time to compile a kernel, in optimized instructions of
/// LLVM.
static int64_t compileCost(ir::KernelOp kernel) {
  int64_t perPhase = 60, perOp = 3;
  switch (kernel.getSchedule().getKind()) {
  case ir::ScheduleKind::Contraction:
    perPhase = 150;
    perOp = 8;
    break;
  case ir::ScheduleKind::Reduction:
    perOp = 6;
    break;
  case ir::ScheduleKind::Scan:
    perPhase = 250;
    perOp = 10;
    break;
  case ir::ScheduleKind::Transpose:
    perPhase = 300;
    perOp = 40;
    break;
  case ir::ScheduleKind::Loop:
  case ir::ScheduleKind::Scatter:
  case ir::ScheduleKind::Sort:
  case ir::ScheduleKind::Library:
    break;
  }
  int64_t cost = perPhase * kernel.getSchedule().getTasks().size();
  kernel.getBody().walk([&](mlir::Operation *) { cost += perOp; });
  return kernel.getCold() ? cost / kColdGain : cost;
}

static int64_t compileCost(llvm::ArrayRef<KernelTask *> tasks) {
  int64_t cost = 0;
  for (KernelTask *task : tasks)
    cost += compileCost(task->kernel);
  return cost;
}

/// Assigns kernels to batches: the most expensive first, each to the batch with
/// the least work for its share.
static std::vector<Batch> deal(llvm::ArrayRef<KernelTask *> tasks,
                               llvm::ArrayRef<int64_t> shares) {
  std::vector<Batch> batches(shares.size());
  std::vector<std::pair<int64_t, KernelTask *>> order;
  for (KernelTask *task : tasks)
    order.emplace_back(compileCost(task->kernel), task);
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<int64_t> load(batches.size());
  for (auto [cost, task] : order) {
    size_t least = leastOf(load, shares);
    batches[least].kernels.emplace_back().task = task;
    load[least] += cost;
  }
  return batches;
}

Error KernelCompilation::failure() {
  llvm::SmallVector<const Part *> parts;
  for (const Batch &batch : batches)
    parts.push_back(&batch);
  for (const Library &library : libraries)
    parts.push_back(&library);
  for (const Part *part : parts)
    if (part->problem)
      std::rethrow_exception(part->problem);
  // With a problem at a latch, the work behind it is not done.
  for (Latch *latch : {&allEmitted, &allPrepared})
    if (std::exception_ptr problem = latch->wait())
      std::rethrow_exception(problem);
  for (const Part *part : parts)
    if (!part->failure.empty())
      return llvm::createStringError(
          part->isEmitted ? llvm::inconvertibleErrorCode()
                          : std::make_error_code(std::errc::not_supported),
          part->failure);
  return Error::success();
}

void KernelCompilation::finish(std::vector<runtime::Blob> &blobs,
                               CompileReport *report) {
  for (Batch &batch : batches) {
    auto own = batch.blobs.begin();
    for (BatchKernel &kernel : batch.kernels) {
      kernel.task->blob = blobs.size();
      if (kernel.leader || !store)
        continue;
      if (kernel.blob) {
        blobs.push_back(std::move(*kernel.blob));
        if (report)
          ++report->kernels_for_other_sizes;
      } else {
        assert(own != batch.blobs.end() && "a kernel without code was linked");
        blobs.push_back(std::move(*own++));
      }
    }
    if (!store && !batch.blobs.empty())
      blobs.push_back(std::move(batch.blobs.front()));
    if (report)
      llvm::append_range(report->batches, batch.times);
  }
  for (Batch &batch : batches)
    for (BatchKernel &kernel : batch.kernels)
      if (kernel.leader) {
        kernel.task->blob = kernel.leader->task->blob;
        kernel.task->symbol = kernel.leader->task->symbol;
        kernel.task->sharesCode = kernel.leader->task->sharesCode = true;
      }
  if (report)
    for (const Library &library : libraries)
      llvm::append_range(report->batches, library.times);
}

/// Returns the shares of batches in the work: for each thread one of half of
/// the work, then one of half of the rest, and so on, so that all threads end
/// at about the same time (Hummel, Schonberg, Flynn: Factoring, 1992). `others`
/// is the cost of other modules, which a thread compiles if another one has no
/// share.
static std::vector<int64_t> sharesOf(llvm::ArrayRef<KernelTask *> tasks,
                                     int64_t others, size_t threads,
                                     bool mayBeCancelled) {
  if (mayBeCancelled)
    return std::vector<int64_t>(
        (tasks.size() + kMostCancellable - 1) / kMostCancellable, 1);
  int64_t rest = compileCost(tasks);
  int64_t parts = int64_t(std::min(threads, tasks.size()));
  std::vector<int64_t> shares;
  for (; rest >= 2 * parts * kLeastFurtherCost; rest -= rest / 2)
    shares.insert(shares.end(), parts, rest / (2 * parts));
  parts = std::clamp<int64_t>((rest + others) / kLeastBatchCost, 1, parts);
  shares.insert(shares.end(), parts, rest / parts);
  // Each batch gets a kernel.
  shares.resize(std::min(shares.size(), tasks.size()));
  return shares;
}

/// Assigns kernels to batches. Cold ones have batches of their own, which come
/// last.
static std::vector<Batch> makeBatches(llvm::ArrayRef<KernelTask *> tasks,
                                      size_t threads, bool mayBeCancelled) {
  std::vector<KernelTask *> hot, cold;
  for (KernelTask *task : tasks)
    (task->kernel.getCold() ? cold : hot).push_back(task);
  std::vector<Batch> batches;
  if (!hot.empty())
    batches =
        deal(hot, sharesOf(hot, compileCost(cold), threads, mayBeCancelled));
  if (!cold.empty())
    for (Batch &batch :
         deal(cold, sharesOf(cold, 0, threads, mayBeCancelled))) {
      batch.isCold = true;
      batches.push_back(std::move(batch));
    }
  return batches;
}

Error compileTasks(llvm::ArrayRef<KernelTask *> tasks,
                   const CompilerOptions &options, KernelTemplates *templates,
                   std::vector<runtime::Blob> &blobs, CompileReport *report) {
  if (tasks.empty())
    return Error::success();
  size_t threads =
      options.threads > 0 ? options.threads : default_thread_count();
  std::vector<Batch> batches =
      makeBatches(tasks, threads, options.is_cancelled);
  size_t libraries = std::clamp<size_t>(threads, 1, kMostLibraries);
  size_t modules = batches.size();
  KernelCompilation compilation(options, templates, std::move(batches),
                                libraries);
  runOnThreads(std::min(threads, modules + libraries),
               [&] { compilation.compile(); });
  if (Error error = compilation.failure())
    return error;
  runOnThreads(std::min(threads, modules), [&] { compilation.link(); });
  if (Error error = compilation.failure())
    return error;
  compilation.finish(blobs, report);
  return Error::success();
}

} // namespace xlac::compiler
