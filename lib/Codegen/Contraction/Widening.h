// Elements that are narrower in memory than in registers.
#ifndef XLAC_LIB_CODEGEN_WIDENING_H
#define XLAC_LIB_CODEGEN_WIDENING_H

#include "llvm/IR/IRBuilder.h"

#include <functional>
#include <string>

namespace xlac::codegen {

/// How to read elements that are narrower in memory than in registers. Empty
/// for other elements.
struct Widening {
  llvm::Type *memory = nullptr; ///< an integer with the element's width
  /// Identifies what `emit` does: different behaviour has a different name.
  std::string name;
  /// Converts raw memory values, scalars or vectors, to elements.
  std::function<llvm::Value *(llvm::IRBuilder<> &ir, llvm::Value *raw)> emit;

  explicit operator bool() const { return memory; }
};

} // namespace xlac::codegen

#endif
