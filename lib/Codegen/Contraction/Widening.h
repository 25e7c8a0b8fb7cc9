// Elements that are narrower in memory than in registers.
#ifndef XLAC_LIB_CODEGEN_WIDENING_H
#define XLAC_LIB_CODEGEN_WIDENING_H

#include "llvm/IR/IRBuilder.h"

#include <functional>
#include <string>

namespace xlac::codegen {

/// How elements that are narrower in memory than in registers are read; nothing
/// for those that are not.
struct Widening {
  llvm::Type *memory = nullptr; ///< an integer of the element's bits
  /// Different for what `emit` does differently.
  std::string name;
  /// Elements, or vectors of them, from what memory holds.
  std::function<llvm::Value *(llvm::IRBuilder<> &ir, llvm::Value *raw)> emit;

  explicit operator bool() const { return memory; }
};

} // namespace xlac::codegen

#endif
