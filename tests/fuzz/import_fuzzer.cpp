// Passes bytes to the Import component, as text or as bytecode according to
// their start. Terminates the process if live memory exceeds 64 times the input
// plus 64 MB. libFuzzer and the sanitizers detect other failures.
#include "xlac/Dialect/AllDialects.h"
#include "xlac/Import/Import.h"
#include "xlac/graph/program.h"

#include "mlir/IR/DialectRegistry.h"
#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

constexpr int64_t kMemoryFactor = 64, kMemorySlack = int64_t(64) << 20;
// A context retains every attribute; a new one costs milliseconds.
constexpr unsigned kInputsPerContext = 200;

std::atomic<int64_t> live{0}, limit{INT64_MAX};

void onAllocate(const volatile void *, size_t size) {
  if (live += size; live <= limit)
    return;
  limit = INT64_MAX;
  std::fprintf(stderr, "memory: %lld bytes are live\n",
               static_cast<long long>(live));
  std::abort();
}

void onFree(const volatile void *pointer) {
  if (pointer)
    live -= __sanitizer_get_allocated_size(const_cast<const void *>(pointer));
}

std::unique_ptr<mlir::MLIRContext> makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  mlir::DialectRegistry registry;
  xlac::registerAllDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();
  return context;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  __sanitizer_install_malloc_and_free_hooks(onAllocate, onFree);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned inputs = 0;
  if (inputs++ % kInputsPerContext == 0) {
    context.reset();
    context = makeContext();
  }
  xlac::Source source;
  source.bytes = {reinterpret_cast<const char *>(data), size};
  limit = live + kMemoryFactor * int64_t(size) + kMemorySlack;
  std::string error;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      xlac::parseModule(source, *context, error);
  if (!module == error.empty()) {
    std::fprintf(stderr, "a rejection without a reason, or the reverse\n");
    std::abort();
  }
  if (module) {
    llvm::consumeError(xlac::signatureOf(*module, "main").takeError());
    llvm::consumeError(xlac::exportGraph(*module).takeError());
  }
  limit = INT64_MAX;
  return 0;
}

// Half of the mutations use the structure of bytecode: integers of one byte,
// whose lowest bit is set, and byte ranges copied to other positions.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::minstd_rand random(seed);
  unsigned choice = random() % 4;
  if (size < 8 || choice < 2)
    return LLVMFuzzerMutate(data, size, maxSize);
  size_t at = random() % size;
  if (choice == 2) {
    static constexpr uint8_t kValues[] = {0, 1, 2, 3, 5, 8, 16, 63, 64, 127};
    uint8_t value = random() % 2 ? data[at] / 2 + 1 - random() % 3
                                 : kValues[random() % sizeof(kValues)];
    data[at] = uint8_t(value << 1 | 1);
    return size;
  }
  size_t length = 1 + random() % std::min<size_t>(16, size);
  size_t from = random() % (size - length + 1);
  size_t to = random() % (size - length + 1);
  std::memmove(data + to, data + from, length);
  return size;
}
