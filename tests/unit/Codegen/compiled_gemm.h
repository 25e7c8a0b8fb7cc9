// Planned GEMMs compiled to native code in this process, for tests and
// benchmarks of the contraction loops without kernels or dialects.
#ifndef XLAC_TESTS_UNIT_CODEGEN_COMPILED_PRODUCT_H
#define XLAC_TESTS_UNIT_CODEGEN_COMPILED_PRODUCT_H

#include "Contraction/ContractionLoops.h"
#include "Contraction/Microkernel.h"

#include "llvm/IR/Module.h"

#include <string>

/// Native code of a GEMM: `pack` runs first over packTasks() (if any), then
/// `multiply` over tasks(), and last `sum` over sumTasks() (if any). `shared`
/// has sharedBytes() of memory.
class CompiledProduct {
public:
  using Phase = void (*)(const void *a, const void *b, void *c, void *shared,
                         void *scratch, int64_t begin, int64_t end);

  CompiledProduct(const xlac::codegen::ContractionPlan &plan,
                  const xlac::TargetProfile &profile);
  ~CompiledProduct();
  CompiledProduct(const CompiledProduct &) = delete;
  CompiledProduct &operator=(const CompiledProduct &) = delete;

  /// Memory for packed operands, and for the parts of K if the plan divides it.
  int64_t sharedBytes() const {
    return plan.sharedBytes + plan.sharedBytesA + plan.partBytes();
  }
  /// Tasks of `pack`.
  int64_t packTasks() const { return plan.packTasks() + plan.packTasksA(); }

  Phase pack = nullptr, multiply = nullptr, sum = nullptr;
  std::string error; ///< the reason if the phases are null

private:
  void emit(llvm::Module &module, llvm::StringRef name);
  void scatter(llvm::IRBuilder<> &ir, llvm::Value *c,
               const xlac::codegen::AccumulatedTile &tile);

  xlac::codegen::ContractionPlan plan;
  void *address = nullptr;
  size_t size = 0;
};

#endif
