#include "kernel_runner.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Jit/Jit.h"
#include "xlac/abi/abi.h"
#include "xlac/library/routines.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <sys/mman.h>

using namespace llvm;

namespace xlac::test {

const TargetProfile &avx2Profile() {
  static const TargetProfile profile{"avx2", kFeatureAvx2, 256};
  return profile;
}

const TargetProfile &baselineProfile() {
  static const TargetProfile profile{"baseline", 0, 128};
  return profile;
}

std::vector<float> someFloats(size_t count, unsigned seed) {
  std::vector<float> values(count);
  unsigned state = seed * 2654435761u + 12345;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;
    value = float(int(state >> 8) - (1 << 23)) / float(1 << 22);
  }
  return values;
}

namespace {
/// Memory that ends at an unmapped page.
class GuardedBuffer {
public:
  explicit GuardedBuffer(size_t size) : size(size) {
    length = (size + 4095) / 4096 * 4096 + 4096;
    base = static_cast<char *>(mmap(nullptr, length, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base + length - 4096, 4096, PROT_NONE);
  }
  GuardedBuffer(const GuardedBuffer &) = delete;
  ~GuardedBuffer() { munmap(base, length); }
  char *data() { return base + length - 4096 - size; }

private:
  size_t size, length;
  char *base;
};

struct Compiled {
  std::string error;
  runtime::Blob blob;
  std::vector<int64_t> tasks, grain, inPlace;
  std::vector<size_t> resultBytes;
  std::string name;
  int64_t workspace = 0;
  bool streams = false;
};
} // namespace

/// Marks all results that a kernel may write past the caches. Returns whether
/// there are any.
static bool markStreamed(ir::KernelOp kernel) {
  ir::ScheduleKind kind = kernel.getSchedule().getKind();
  if (kind != ir::ScheduleKind::Loop && kind != ir::ScheduleKind::Reduction)
    return false;
  SmallVector<int64_t> streamed;
  for (size_t i = 0; i < kernel.getResultTypesOfBody().size(); ++i)
    if (!kernel.getInPlaceOperand(i))
      streamed.push_back(static_cast<int64_t>(i));
  kernel.setStreamed(streamed);
  return !streamed.empty();
}

/// With `streams`, large results and small ones are written past the caches.
static Compiled compile(const std::string &text, const TargetProfile &profile,
                        bool streams = false) {
  Compiled result;
  mlir::DialectRegistry registry;
  registry.insert<ir::XlacDialect, xlac::stablehlo::StablehloDialect,
                  xlac::chlo::ChloDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        result.error += diagnostic.str() + "\n";
        return mlir::success();
      });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return result;
  mlir::PassManager passes(&context);
  passes.addPass(codegen::createScheduleKernelsPass(profile));
  if (mlir::failed(passes.run(*module)))
    return result;
  result.error.clear();
  ir::KernelOp kernel = *module->getOps<ir::KernelOp>().begin();
  if (streams && !markStreamed(kernel))
    return result;
  result.streams = streams;
  llvm::LLVMContext llvmContext;
  llvm::Module target("kernel", llvmContext);
  if (Error error = jit::prepareModule(target, profile)) {
    result.error = toString(std::move(error));
    return result;
  }
  if (Error error = codegen::emitKernel(kernel, target, profile)) {
    result.error = toString(std::move(error));
    return result;
  }
  codegen::defineSharedFunctions(target);
  if (getenv("XLAC_TEST_PRINT"))
    target.print(errs(), nullptr);
  Expected<runtime::Blob> blob = jit::compileToBlob(target, profile);
  if (!blob) {
    result.error = toString(blob.takeError());
    return result;
  }
  result.blob = std::move(*blob);
  result.tasks = kernel.getSchedule().getTasks().vec();
  result.grain = kernel.getSchedule().getGrain().vec();
  result.inPlace = kernel.getInPlace().vec();
  result.workspace = kernel.getSchedule().getWorkspace();
  result.name = kernel.getSymName().str();
  for (mlir::Type type : kernel.getResultTypesOfBody()) {
    auto tensor = cast<mlir::RankedTensorType>(type);
    mlir::Type element = tensor.getElementType();
    int64_t parts = 1;
    if (auto complex = dyn_cast<mlir::ComplexType>(element)) {
      element = complex.getElementType();
      parts = 2;
    }
    result.resultBytes.push_back(tensor.getNumElements() * parts *
                                 ((element.getIntOrFloatBitWidth() + 7) / 8));
  }
  return result;
}

std::string compileKernel(const std::string &text,
                          const TargetProfile &profile) {
  return compile(text, profile).error;
}

static int32_t callLibrary(const xlac_ctx *, int32_t routine,
                           void *const *buffers, const int64_t *parameters) {
  return library::run_routine(routine, buffers, parameters) ? 0 : 1;
}

static void *giveScratch(const xlac_ctx *, int64_t bytes) {
  static std::vector<char> memory;
  memory.resize(bytes + 64);
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  return reinterpret_cast<void *>((address + 63) / 64 * 64);
}

static RunOutcome run(const Compiled &code, const std::vector<Data> &operands) {
  RunOutcome outcome;
  outcome.error = code.error;
  if (!code.error.empty())
    return outcome;
  size_t size = code.blob.bytes.size();
  void *text_memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(text_memory, code.blob.bytes.data(), size);
  mprotect(text_memory, size, PROT_READ | PROT_EXEC);

  std::vector<std::unique_ptr<GuardedBuffer>> memory;
  std::vector<void *> buffers;
  for (const Data &operand : operands) {
    memory.push_back(std::make_unique<GuardedBuffer>(operand.bytes.size()));
    buffers.push_back(memory.back()->data());
    if (!operand.bytes.empty())
      std::memcpy(buffers.back(), operand.bytes.data(), operand.bytes.size());
  }
  for (size_t bytes : code.resultBytes) {
    // The stores need the alignment that buffers of programs have.
    size_t size = code.streams ? llvm::alignTo(bytes, XLAC_ALIGNMENT) : bytes;
    memory.push_back(std::make_unique<GuardedBuffer>(size));
    buffers.push_back(memory.back()->data());
    std::memset(buffers.back(), 0xA5, bytes);
  }
  for (size_t i = 0; i < code.inPlace.size(); i += 2)
    buffers[code.inPlace[i + 1]] = std::memcpy(
        buffers[operands.size() + code.inPlace[i]],
        buffers[code.inPlace[i + 1]], code.resultBytes[code.inPlace[i]]);
  if (code.workspace > 0) {
    memory.push_back(std::make_unique<GuardedBuffer>(code.workspace));
    buffers.push_back(memory.back()->data());
  }
  xlac_services services{};
  services.version = XLAC_ABI_VERSION;
  services.size = sizeof(services);
  services.scratch = giveScratch;
  services.library = callLibrary;
  xlac_ctx context{};
  context.services = &services;
  for (size_t phase = 0; phase < code.tasks.size(); ++phase) {
    std::string name = code.name + "." + std::to_string(phase);
    const runtime::BlobSymbol *symbol = nullptr;
    for (const runtime::BlobSymbol &candidate : code.blob.symbols)
      if (candidate.name == name)
        symbol = &candidate;
    if (!symbol) {
      outcome.error = "the blob lacks a phase";
      break;
    }
    auto function = reinterpret_cast<xlac_kernel_fn>(
        static_cast<char *>(text_memory) + symbol->offset);
    int64_t tasks = code.tasks[phase], grain = code.grain[phase];
    for (int64_t piece = (tasks + grain - 1) / grain; piece-- > 0;)
      if (function(&context, buffers.data(), nullptr, piece * grain,
                   std::min(tasks, (piece + 1) * grain)) != 0)
        outcome.error = "the kernel failed";
  }
  for (size_t i = 0; i < code.resultBytes.size(); ++i) {
    Data data;
    data.bytes.resize(code.resultBytes[i]);
    if (!data.bytes.empty())
      std::memcpy(data.bytes.data(), buffers[operands.size() + i],
                  data.bytes.size());
    outcome.results.push_back(std::move(data));
  }
  munmap(text_memory, size);
  return outcome;
}

RunOutcome runKernelOnce(const std::string &text,
                         const std::vector<Data> &operands,
                         const TargetProfile &profile) {
  return run(compile(text, profile), operands);
}

RunOutcome runKernel(const std::string &text, const std::vector<Data> &operands,
                     const TargetProfile &profile) {
  RunOutcome outcome = runKernelOnce(text, operands, profile);
#ifdef XLAC_TEST_SANITIZED
  // Twice would exceed the time limit.
  return outcome;
#endif
  if (!outcome.error.empty())
    return outcome;
  Compiled streamed = compile(text, profile, /*streams=*/true);
  if (!streamed.streams)
    return outcome;
  RunOutcome other = run(streamed, operands);
  outcome.error = other.error;
  for (size_t i = 0; i < other.results.size(); ++i)
    if (other.results[i].bytes != outcome.results[i].bytes)
      outcome.error += "result " + std::to_string(i) +
                       " differs if it is written past the caches";
  return outcome;
}

} // namespace xlac::test
