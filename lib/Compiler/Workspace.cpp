#include "Workspace.h"

#include "xlac/Dialect/AllDialects.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <mutex>

using namespace mlir;

namespace xlac::compiler {
namespace {

/// Limits on what a context that is passed on may contain.
constexpr size_t kMostBytes = 64u << 10;
constexpr int kMostUses = 64;

/// Contexts that no request uses. No thread is in the compiler during a fork,
/// so the mutex is free then.
class ContextPool {
public:
  static ContextPool &process() {
    static auto *pool = new ContextPool; // outlives static destructors
    return *pool;
  }

  std::unique_ptr<Workspace::Entry> take() {
    std::lock_guard lock(mutex);
    for (std::unique_ptr<Workspace::Entry> &one : idle)
      if (one)
        return std::move(one);
    return nullptr;
  }
  /// Does nothing if enough contexts are idle.
  void give(std::unique_ptr<Workspace::Entry> &entry) {
    std::lock_guard lock(mutex);
    for (std::unique_ptr<Workspace::Entry> &one : idle)
      if (!one) {
        one = std::move(entry);
        return;
      }
  }

private:
  std::mutex mutex;
  std::unique_ptr<Workspace::Entry> idle[2];
};

std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  loadCompilerDialects(*context);
  context->allowUnregisteredDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

/// Whether programs left named data in the context, which would change the
/// names of later data.
bool hasResources(MLIRContext &context) {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(&context)
                      .getBlobManager();
  bool found = false;
  manager.getBlobMap([&](const auto &blobs) { found = !blobs.empty(); });
  return found;
}

} // namespace

Workspace::Workspace() : entry(ContextPool::process().take()) {
  if (!entry)
    entry = std::make_unique<Entry>(Entry{makeContext(), 0});
}

Workspace::~Workspace() {
  if (isPassedOn)
    ContextPool::process().give(entry);
}

void Workspace::passOn(size_t bytes) {
  isPassedOn = bytes <= kMostBytes && ++entry->uses < kMostUses &&
               !hasResources(*entry->context);
}

} // namespace xlac::compiler
