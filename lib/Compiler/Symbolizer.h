// Converts return addresses of this process to file:line. Private to the
// component.
#ifndef XLAC_LIB_COMPILER_SYMBOLIZER_H
#define XLAC_LIB_COMPILER_SYMBOLIZER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"

#include <cstdint>
#include <mutex>
#include <string>

namespace xlac::compiler {

class Symbolizer {
public:
  /// Implements Compiler::symbolize().
  std::string describe(uintptr_t address);

  /// Replaces locations "origin:<hex>" by file and line if these are known.
  void resolveLocations(mlir::ModuleOp module);

private:
  struct SourceLocation {
    std::string file;
    unsigned line = 0;
  };
  SourceLocation find(uintptr_t address);

  std::mutex mutex;
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

} // namespace xlac::compiler

#endif
