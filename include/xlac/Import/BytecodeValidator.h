// Validates bytecode before MLIR's reader, which trusts its input: it allocates
// as many elements as a count says, follows any index and builds constants
// without verification. The validator walks the whole file without creating IR
// and rejects what a well-formed file cannot contain. It does not replace the
// verifier: operand types, dominance and the constraints of each op are checked
// after reading.
#ifndef XLAC_IMPORT_BYTECODEVALIDATOR_H
#define XLAC_IMPORT_BYTECODEVALIDATOR_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace xlac {

/// Returns whether `bytes` begin like MLIR bytecode.
bool isBytecode(llvm::ArrayRef<uint8_t> bytes);

/// Succeeds if MLIR's reader can safely read `bytes` at their current address.
/// Sections are aligned by address; kBytecodeAlignment suffices for every
/// accepted file. Dialects and ops must be registered in `context`.
llvm::Error validateBytecode(llvm::ArrayRef<uint8_t> bytes,
                             mlir::MLIRContext &context);
inline constexpr size_t kBytecodeAlignment = 64;

} // namespace xlac

#endif
