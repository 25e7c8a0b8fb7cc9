// Runs one elementwise op on arrays through emitScalarOp and LLVM's own JIT,
// without symbols to link against: a call of libm fails the test.
#pragma once

#include "Scalar/ScalarOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <memory>
#include <string>
#include <vector>

namespace xlac::codegen::test {

/// The target of code generation and compilation; by default AVX2 on this
/// machine.
struct Target {
  TargetProfile profile{"avx2", kFeatureAvx2, 256};
  std::string cpu; ///< LLVM's name; empty: this machine's CPU
};

/// One op compiled for `width` lanes. Arrays have the types of lanes (one byte
/// for booleans), and complex numbers are two arrays.
class ScalarProgram {
public:
  /// `types` are the element types of operands, then of the result, as MLIR
  /// text. `attributes` is the dictionary of the generic form, such as "{a = 1
  /// : i32}".
  ScalarProgram(const std::string &op, const std::vector<std::string> &types,
                unsigned width, const std::string &attributes = "",
                const Target &target = {});
  ~ScalarProgram();

  /// Empty if it was compiled, else the reason.
  const std::string &error() const { return message; }

  /// Runs over `count` elements, a multiple of the width.
  void run(const std::vector<const void *> &inputs,
           const std::vector<void *> &outputs, size_t count) const;

private:
  std::string build(const std::string &op,
                    const std::vector<std::string> &types,
                    const std::string &attributes, const Target &target);

  unsigned width;
  std::string message;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<size_t> inputBytes, outputBytes; ///< of one element
  void (*function)(const void *const *, void *const *) = nullptr;
};

} // namespace xlac::codegen::test
