// Each batch of kernels is one LLVM module. What kernels of several batches
// call is left out of them and compiled once, in modules of its own; when all
// objects are there, blobs are cut from them.
#include "CompileKernels.h"

#include "PhaseClock.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Jit/Jit.h"

#include "llvm/Support/thread.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace xlac::compiler {
namespace {

/// Kernels to one LLVM module: fewer lose to LLVM's fixed costs, more leave
/// threads idle while another one is at its last batch.
constexpr size_t kLeastBatch = 4;
constexpr size_t kMostBatch = 16;
/// Modules of shared functions, of which few programs have many.
constexpr size_t kMostLibraries = 8;

/// What becomes of one LLVM module.
struct Part {
  jit::Object object;
  std::string failure;
  std::vector<PhaseTime> times;
};

struct Batch : Part {
  std::vector<KernelTask *> tasks;
  std::vector<Blob> blobs;
};

struct Library : Part {
  std::vector<StringRef> functions;
};

/// The work of one program's kernels, done by as many threads as wish to.
class KernelCompilation {
public:
  KernelCompilation(const CompilerOptions &options, size_t batches,
                    size_t libraries)
      : target(options.target), store(options.kernels), batches(batches),
        unemitted(batches), libraries(libraries) {}

  /// The dearest first, each to the batch that has least to do.
  void deal(llvm::ArrayRef<KernelTask *> tasks);
  /// To objects; returns once nothing is left to begin.
  void compile();
  /// To blobs, which the store keeps; after every thread has come back from
  /// `compile`.
  void link();
  /// The first failure there is.
  Error failure() const;
  /// Moves blobs and times to where they are wanted.
  void finish(std::vector<Blob> &blobs, CompileReport *report);

private:
  Error compileBatch(Batch &batch);
  Error emitBatch(const Batch &batch, llvm::Module &module);
  Error compileLibrary(Library &library);
  Error linkBatch(Batch &batch);
  Expected<jit::Object> toObject(llvm::Module &module, PhaseClock &clock);
  void noteEmitted(std::vector<codegen::SharedFunction> functions);
  void dealShared();

  const TargetProfile &target;
  /// Where there is one, each kernel gets a blob of its own; else each batch.
  KernelStore *store;
  std::vector<Batch> batches;
  std::atomic<size_t> nextBatch = 0, nextLibrary = 0, nextLink = 0;

  std::mutex mutex;
  std::condition_variable allEmitted;
  size_t unemitted;                     ///< batches
  std::map<std::string, size_t> shared; ///< what batches left out, with sizes
  std::vector<Library> libraries;
};

} // namespace

static void note(Part &part, Error error) {
  if (error)
    part.failure = llvm::toString(std::move(error));
}

/// Where the next of a list, dearest first, goes.
static size_t leastOf(llvm::ArrayRef<int64_t> load) {
  return llvm::min_element(load) - load.begin();
}

/// What is in a library depends on nothing but the kernels and the number of
/// threads.
void KernelCompilation::dealShared() {
  std::vector<std::pair<int64_t, StringRef>> order;
  for (const auto &[name, size] : shared)
    order.emplace_back(size, name);
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<int64_t> load(libraries.size());
  for (auto [size, name] : order) {
    size_t least = leastOf(load);
    libraries[least].functions.push_back(name);
    load[least] += size;
  }
}

void KernelCompilation::noteEmitted(
    std::vector<codegen::SharedFunction> functions) {
  std::lock_guard lock(mutex);
  for (codegen::SharedFunction &function : functions)
    shared.emplace(std::move(function.name), function.instructions);
  if (--unemitted > 0)
    return;
  dealShared();
  allEmitted.notify_all();
}

Error KernelCompilation::emitBatch(const Batch &batch, llvm::Module &module) {
  if (Error error = jit::prepareModule(module, target))
    return error;
  for (KernelTask *task : batch.tasks)
    if (Error error = codegen::emitKernel(task->kernel, module, target))
      return error;
  return Error::success();
}

Expected<jit::Object> KernelCompilation::toObject(llvm::Module &module,
                                                  PhaseClock &clock) {
  if (Error error = jit::optimize(module, target))
    return std::move(error);
  clock.mark("optimize");
  auto object = jit::compileToObject(module, target);
  clock.mark("machine code");
  return object;
}

Error KernelCompilation::compileBatch(Batch &batch) {
  PhaseClock clock(&batch.times);
  llvm::LLVMContext context;
  llvm::Module module("kernels", context);
  Error failure = emitBatch(batch, module);
  noteEmitted(codegen::leaveOutSharedFunctions(module));
  if (failure)
    return failure;
  clock.mark("emit " + std::to_string(batch.tasks.size()) + " kernels");
  auto object = toObject(module, clock);
  if (!object)
    return object.takeError();
  batch.object = std::move(*object);
  return Error::success();
}

Error KernelCompilation::compileLibrary(Library &library) {
  if (library.functions.empty())
    return Error::success();
  PhaseClock clock(&library.times);
  llvm::LLVMContext context;
  llvm::Module module("shared", context);
  if (Error error = jit::prepareModule(module, target))
    return error;
  for (StringRef name : library.functions)
    codegen::emitSharedFunction(name, module);
  clock.mark("emit " + std::to_string(library.functions.size()) +
             " shared functions");
  auto object = toObject(module, clock);
  if (!object)
    return object.takeError();
  library.object = std::move(*object);
  return Error::success();
}

void KernelCompilation::compile() {
  for (size_t i; (i = nextBatch++) < batches.size();)
    note(batches[i], compileBatch(batches[i]));
  {
    std::unique_lock lock(mutex);
    allEmitted.wait(lock, [&] { return unemitted == 0; });
  }
  for (size_t i; (i = nextLibrary++) < libraries.size();)
    note(libraries[i], compileLibrary(libraries[i]));
}

Error KernelCompilation::linkBatch(Batch &batch) {
  PhaseClock clock(&batch.times);
  std::vector<jit::RootFilter> roots;
  if (store)
    for (KernelTask *task : batch.tasks)
      roots.push_back(
          [prefix = (task->kernel.getSymName() + ".").str()](StringRef symbol) {
            return symbol.starts_with(prefix);
          });
  else
    roots.emplace_back();
  std::vector<const jit::Object *> provided;
  for (const Library &library : libraries)
    if (!library.functions.empty())
      provided.push_back(&library.object);
  auto blobs = jit::linkBlobs(batch.object, target, roots, provided);
  if (!blobs)
    return blobs.takeError();
  batch.blobs = std::move(*blobs);
  clock.mark("link");
  if (store)
    for (auto [task, blob] : llvm::zip_equal(batch.tasks, batch.blobs))
      store->put(task->hash, blob);
  clock.mark("keep");
  return Error::success();
}

void KernelCompilation::link() {
  for (size_t i; (i = nextLink++) < batches.size();)
    note(batches[i], linkBatch(batches[i]));
}

/// How long a kernel takes to compile, in units of one elementwise op.
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
  default:
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
  for (const Batch &batch : batches)
    if (!batch.failure.empty())
      return llvm::createStringError(batch.failure);
  for (const Library &library : libraries)
    if (!library.failure.empty())
      return llvm::createStringError(library.failure);
  return Error::success();
}

void KernelCompilation::finish(std::vector<Blob> &blobs,
                               CompileReport *report) {
  for (Batch &batch : batches) {
    for (auto [number, task] : llvm::enumerate(batch.tasks))
      task->blob = blobs.size() + (store ? number : 0);
    for (Blob &blob : batch.blobs)
      blobs.push_back(std::move(blob));
    if (report)
      llvm::append_range(report->batches, batch.times);
  }
  if (report)
    for (const Library &library : libraries)
      llvm::append_range(report->batches, library.times);
}

/// Runs `work` on each of so many threads.
static void runCrew(size_t threads, llvm::function_ref<void()> work) {
  std::vector<llvm::thread> crew;
  for (size_t i = 0; i < threads; ++i)
    crew.emplace_back(std::optional<unsigned>(kThreadStack), work);
  for (llvm::thread &thread : crew)
    thread.join();
}

Error compileTasks(llvm::ArrayRef<KernelTask *> tasks,
                   const CompilerOptions &options, std::vector<Blob> &blobs,
                   CompileReport *report) {
  if (tasks.empty())
    return Error::success();
  size_t threads = options.threads > 0 ? options.threads
                                       : std::thread::hardware_concurrency();
  auto batchesOf = [&](size_t size) {
    return (tasks.size() + size - 1) / size;
  };
  size_t batches = std::min(batchesOf(kLeastBatch),
                            std::max(threads, batchesOf(kMostBatch)));
  size_t libraries = std::clamp<size_t>(threads, 1, kMostLibraries);
  KernelCompilation compilation(options, batches, libraries);
  compilation.deal(tasks);
  runCrew(std::min(threads, batches + libraries),
          [&] { compilation.compile(); });
  if (Error error = compilation.failure())
    return error;
  runCrew(std::min(threads, batches), [&] { compilation.link(); });
  if (Error error = compilation.failure())
    return error;
  compilation.finish(blobs, report);
  return Error::success();
}

} // namespace xlac::compiler
