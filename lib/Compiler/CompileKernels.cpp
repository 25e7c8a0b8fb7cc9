// Compiles kernels. Each batch of kernels is one LLVM module. Functions that
// kernels of several batches call are compiled once, in separate modules,
// unless their code exists already. When all objects exist, blobs are linked
// from them. Each part records exceptions of its own work, so that the threads
// always reach the next synchronization.
#include "CompileKernels.h"

#include "PhaseClock.h"
#include "SharedObjects.h"
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

/// Limits on kernels in one LLVM module. Fewer suffer from LLVM's fixed costs.
/// More leave threads idle while another one compiles its last batch.
constexpr size_t kLeastBatch = 4;
constexpr size_t kMostBatch = 16;
/// Limit on modules of shared functions, of which most programs have few.
constexpr size_t kMostLibraries = 8;

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

/// Code of a task that does not depend only on the task's hash.
struct SharedCode {
  std::optional<runtime::Blob> blob; ///< code compiled earlier
  std::string key;                   ///< of new code in the store
  std::string form;
  KernelTemplate added; ///< the template of new code
};

struct Batch : Part {
  std::vector<KernelTask *> tasks;
  std::map<KernelTask *, SharedCode> sharedCode;
  std::vector<std::string> called; ///< names of shared functions
  SharedFunctions shared;          ///< the same, until the batch is emitted
  std::vector<runtime::Blob> blobs;
};

struct Library : Part {
  std::vector<StringRef> functions;
};

/// The compilation of one program's kernels, by any number of threads.
class KernelCompilation {
public:
  KernelCompilation(const CompilerOptions &options, KernelTemplates *templates,
                    size_t batches, size_t libraries)
      : isCancelled(options.is_cancelled), target(options.target),
        store(options.kernels), templates(templates), batches(batches),
        unemitted(batches), libraries(libraries) {
    assert((store || !templates) && "templates refer to code in the store");
  }

  /// Assigns kernels to batches: the most expensive first, each to the batch
  /// with the least work.
  void deal(llvm::ArrayRef<KernelTask *> tasks);
  /// Compiles to objects. Returns when no work is left to start, or after the
  /// compilation has been cancelled.
  void compile();
  /// Links to blobs, and puts them into the store. Call after `compile` has
  /// returned on every thread.
  void link();
  /// Returns the first failure. If a part recorded an exception, throws the
  /// first one.
  Error failure() const;
  /// Moves blobs and times to the caller.
  void finish(std::vector<runtime::Blob> &blobs, CompileReport *report);

private:
  void compileBatch(Batch &batch);
  Error emitBatch(Batch &batch);
  void shareCode(Batch &batch, KernelTask &task);
  std::optional<codegen::KernelForm> formOfVariant(ir::KernelOp kernel,
                                                   StringRef variant,
                                                   llvm::LLVMContext &context);
  Error emitLibrary(Library &library);
  Error linkBatch(Batch &batch);
  Error failIfCancelled() const;
  Error makeModule(Part &part, StringRef name);
  Error makeObject(Part &part);
  void noteEmitted(Batch &batch);
  void dealShared();

  const std::atomic<bool> *isCancelled; ///< null for never
  const TargetProfile &target;
  /// If set, each kernel gets its own blob; else each batch.
  KernelStore *store;
  KernelTemplates *templates; ///< null: every kernel has code of its own
  std::vector<Batch> batches;
  std::atomic<size_t> nextBatch = 0, nextLibrary = 0, nextLink = 0;

  std::mutex mutex;
  std::condition_variable allEmitted;
  size_t unemitted; ///< number of batches
  SharedFunctions shared;
  bool dealt = false; ///< shared functions are assigned to libraries
  std::exception_ptr dealProblem;
  std::vector<Library> libraries;
  /// Code of the other shared functions.
  std::map<StringRef, SharedObject> known;
};

} // namespace

/// Runs one step of a part. After an exception, leaks LLVM's objects, which may
/// be in a state in which they cannot be destroyed.
static void record(Part &part, llvm::function_ref<Error()> work) {
  part.problem = exceptionOf([&] {
    if (Error error = work())
      part.failure = llvm::toString(std::move(error));
  });
  if (part.problem) {
    (void)part.module.release();
    (void)part.context.release();
  }
}

/// Returns the index with the least load, to which the next item is assigned.
static size_t leastOf(llvm::ArrayRef<int64_t> load) {
  assert(!load.empty() && "work is assigned to a thread");
  return llvm::min_element(load) - load.begin();
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
  std::vector<int64_t> load(libraries.size());
  for (auto [size, name] : order) {
    size_t least = leastOf(load);
    libraries[least].functions.push_back(name);
    load[least] += size;
  }
}

/// Allocates no memory while it holds the lock. The last batch assigns the
/// shared functions of all.
void KernelCompilation::noteEmitted(Batch &batch) {
  {
    std::lock_guard lock(mutex);
    shared.merge(batch.shared);
    assert(unemitted > 0 && "a batch is emitted once");
    if (--unemitted > 0)
      return;
  }
  std::exception_ptr problem = exceptionOf([&] { dealShared(); });
  std::lock_guard lock(mutex);
  dealProblem = problem;
  dealt = true;
  allEmitted.notify_all();
}

Error KernelCompilation::makeModule(Part &part, StringRef name) {
  part.context = std::make_unique<llvm::LLVMContext>();
  part.module = std::make_unique<llvm::Module>(name, *part.context);
  return jit::prepareModule(*part.module, target);
}

/// Compiles the part's module to an object, and destroys the module.
Error KernelCompilation::makeObject(Part &part) {
  PhaseClock clock(&part.times);
  if (Error error = jit::optimize(*part.module, target))
    return error;
  clock.mark("optimize");
  auto object = jit::compileToObject(*part.module, target);
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

static llvm::SmallVector<llvm::Function *> phasesOf(ir::KernelOp kernel,
                                                    llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> phases;
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

/// Removes the emitted code of a task if code that was compiled for other sizes
/// serves it. Otherwise makes the code general enough for the sizes seen so
/// far.
void KernelCompilation::shareCode(Batch &batch, KernelTask &task) {
  llvm::SmallVector<llvm::Function *> phases =
      phasesOf(task.kernel, *batch.module);
  codegen::KernelForm form = codegen::formOf(phases);
  SharedCode &code = batch.sharedCode[&task];
  if (auto use = templates->find(form)) {
    code.blob = store->find(use->code.code);
    if (code.blob && (code.blob->features & ~target.features) == 0) {
      task.symbol = use->code.symbol;
      task.extents = std::move(use->extents);
      for (llvm::Function *phase : phases)
        phase->eraseFromParent();
      return;
    }
    code.blob.reset();
  }
  std::vector<codegen::KernelForm> variants;
  for (const std::string &text : task.variants)
    if (auto variant = formOfVariant(task.kernel, text, *batch.context))
      variants.push_back(std::move(*variant));
  KernelTemplates::Use use = templates->generalize(form, variants);
  code.key = task.hash;
  if (use.code.parameters.count > 0) {
    codegen::parameterize(phases, use.code.parameters, use.code.numbers.claims);
    code.key = keyOf(task, use.code);
  }
  task.extents = std::move(use.extents);
  code.form = std::move(form.key);
  code.added = std::move(use.code);
  code.added.code = code.key;
  code.added.symbol = task.symbol;
}

Error KernelCompilation::failIfCancelled() const {
  if (isCancelled && *isCancelled)
    return llvm::createStringError("the compilation was cancelled");
  return Error::success();
}

Error KernelCompilation::emitBatch(Batch &batch) {
  PhaseClock clock(&batch.times);
  if (Error error = makeModule(batch, "kernels"))
    return error;
  for (KernelTask *task : batch.tasks) {
    task->symbol = task->kernel.getSymName().str();
    codegen::KernelNeeds needs;
    if (Error error =
            codegen::emitKernel(task->kernel, *batch.module, target, &needs))
      return error;
    task->needs = {needs.scratchBytes, needs.routines};
    if (templates && task->takesExtents)
      shareCode(batch, *task);
  }
  eraseUnused(*batch.module);
  for (codegen::SharedFunction &function :
       codegen::calledSharedFunctions(*batch.module)) {
    batch.called.push_back(function.name);
    batch.shared.emplace(std::move(function.name), function.cost);
  }
  batch.isEmitted = true;
  clock.mark("emit " + std::to_string(batch.tasks.size()) + " kernels");
  return Error::success();
}

/// Reports to the other threads that the batch is emitted, even if it has
/// failed.
void KernelCompilation::compileBatch(Batch &batch) {
  record(batch, [&] { return failIfCancelled(); });
  if (batch.succeeded())
    record(batch, [&] { return emitBatch(batch); });
  noteEmitted(batch);
  bool hasCode = batch.succeeded() &&
                 !llvm::all_of(*batch.module, [](const llvm::Function &each) {
                   return each.isDeclaration();
                 });
  if (hasCode)
    record(batch, [&] { return makeObject(batch); });
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
  for (size_t i; (i = nextBatch++) < batches.size();)
    compileBatch(batches[i]);
  {
    std::unique_lock lock(mutex);
    allEmitted.wait(lock, [&] { return dealt; });
  }
  for (size_t i; (i = nextLibrary++) < libraries.size();) {
    Library &library = libraries[i];
    if (library.functions.empty())
      continue;
    record(library, [&] { return emitLibrary(library); });
    if (library.succeeded())
      record(library, [&] { return makeObject(library); });
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
  std::vector<KernelTask *> tasks;
  llvm::copy_if(batch.tasks, std::back_inserter(tasks), [&](KernelTask *task) {
    auto found = batch.sharedCode.find(task);
    return found == batch.sharedCode.end() || !found->second.blob;
  });
  if (tasks.empty())
    return Error::success();
  std::vector<jit::RootFilter> roots;
  if (store)
    for (KernelTask *task : tasks)
      roots.push_back(
          [prefix = (task->kernel.getSymName() + ".").str()](StringRef symbol) {
            return symbol.starts_with(prefix);
          });
  else
    roots.emplace_back();
  std::vector<llvm::ArrayRef<char>> provided;
  assert((!store || roots.size() == tasks.size()) &&
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
  for (auto [number, task] : llvm::enumerate(tasks))
    batch.blobs[store ? number : 0].needs.add(task->needs);
  clock.mark("link");
  if (store)
    for (auto [task, blob] : llvm::zip_equal(tasks, batch.blobs)) {
      auto found = batch.sharedCode.find(task);
      if (found == batch.sharedCode.end()) {
        store->put(task->hash, blob);
        continue;
      }
      store->put(found->second.key, blob);
      templates->add(found->second.form, std::move(found->second.added));
    }
  clock.mark("keep");
  return Error::success();
}

void KernelCompilation::link() {
  for (size_t i; (i = nextLink++) < batches.size();)
    record(batches[i], [&] { return linkBatch(batches[i]); });
}

/// Returns the estimated compile time of a kernel, in units of one elementwise
/// op.
static int64_t compileCost(ir::KernelOp kernel) {
  int64_t cost = 4;
  switch (kernel.getSchedule().getKind()) {
  case ir::ScheduleKind::Contraction:
    cost = 30;
    break;
  case ir::ScheduleKind::Reduction:
  case ir::ScheduleKind::Transpose:
    cost = 15;
    break;
  case ir::ScheduleKind::Loop:
  case ir::ScheduleKind::Scan:
  case ir::ScheduleKind::Scatter:
  case ir::ScheduleKind::Sort:
  case ir::ScheduleKind::Library:
    break;
  }
  kernel.getBody().walk([&](mlir::Operation *op) { ++cost; });
  return cost * kernel.getSchedule().getTasks().size();
}

void KernelCompilation::deal(llvm::ArrayRef<KernelTask *> tasks) {
  std::vector<std::pair<int64_t, KernelTask *>> order;
  for (KernelTask *task : tasks)
    order.emplace_back(compileCost(task->kernel), task);
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<int64_t> load(batches.size());
  for (auto [cost, task] : order) {
    size_t least = leastOf(load);
    batches[least].tasks.push_back(task);
    load[least] += cost;
  }
}

Error KernelCompilation::failure() const {
  if (dealProblem)
    std::rethrow_exception(dealProblem);
  llvm::SmallVector<const Part *> parts;
  for (const Batch &batch : batches)
    parts.push_back(&batch);
  for (const Library &library : libraries)
    parts.push_back(&library);
  for (const Part *part : parts)
    if (part->problem)
      std::rethrow_exception(part->problem);
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
    for (KernelTask *task : batch.tasks) {
      task->blob = blobs.size();
      if (!store)
        continue;
      if (auto found = batch.sharedCode.find(task);
          found != batch.sharedCode.end() && found->second.blob) {
        blobs.push_back(std::move(*found->second.blob));
        if (report)
          ++report->kernels_for_other_sizes;
      } else {
        assert(own != batch.blobs.end() && "a kernel without code was linked");
        blobs.push_back(std::move(*own++));
      }
    }
    if (!store)
      blobs.push_back(std::move(batch.blobs.front()));
    if (report)
      llvm::append_range(report->batches, batch.times);
  }
  if (report)
    for (const Library &library : libraries)
      llvm::append_range(report->batches, library.times);
}

Error compileTasks(llvm::ArrayRef<KernelTask *> tasks,
                   const CompilerOptions &options, KernelTemplates *templates,
                   std::vector<runtime::Blob> &blobs, CompileReport *report) {
  if (tasks.empty())
    return Error::success();
  size_t threads =
      options.threads > 0 ? options.threads : default_thread_count();
  auto batchesOf = [&](size_t size) {
    return (tasks.size() + size - 1) / size;
  };
  // Only between batches, a compilation can be cancelled.
  size_t most = options.is_cancelled ? kLeastBatch : kMostBatch;
  size_t batches =
      std::min(batchesOf(kLeastBatch), std::max(threads, batchesOf(most)));
  size_t libraries = std::clamp<size_t>(threads, 1, kMostLibraries);
  KernelCompilation compilation(options, templates, batches, libraries);
  compilation.deal(tasks);
  runOnThreads(std::min(threads, batches + libraries),
               [&] { compilation.compile(); });
  if (Error error = compilation.failure())
    return error;
  runOnThreads(std::min(threads, batches), [&] { compilation.link(); });
  if (Error error = compilation.failure())
    return error;
  compilation.finish(blobs, report);
  return Error::success();
}

} // namespace xlac::compiler
