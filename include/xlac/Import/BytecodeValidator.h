// The guard before MLIR's bytecode reader, which trusts what it reads: counts
// become allocations, indices are followed, wrong constants are built without
// their verifiers. Walks the whole file without making any IR and refuses what
// a well-formed file cannot hold. It does not replace the verifier: types of
// operands, dominance and the rules of each op are checked after reading.
#ifndef XLAC_IMPORT_BYTECODEVALIDATOR_H
#define XLAC_IMPORT_BYTECODEVALIDATOR_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace xlac {

/// True where `bytes` open as MLIR bytecode does.
bool isBytecode(llvm::ArrayRef<uint8_t> bytes);

/// Succeeds where MLIR's reader may read `bytes`, at this very address, since
/// sections are aligned by address: kBytecodeAlignment is enough for any file
/// that is accepted. Dialects and ops must be registered in `context`.
llvm::Error validateBytecode(llvm::ArrayRef<uint8_t> bytes,
                             mlir::MLIRContext &context);
inline constexpr size_t kBytecodeAlignment = 64;

} // namespace xlac

#endif
