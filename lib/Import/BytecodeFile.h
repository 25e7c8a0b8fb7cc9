// The sections of a bytecode file, located and checked once, so that the checks
// of attributes, types and ops can look up indices.
#ifndef XLAC_LIB_IMPORT_BYTECODEFILE_H
#define XLAC_LIB_IMPORT_BYTECODEFILE_H

#include "BytecodeCursor.h"

#include "mlir/Bytecode/Encoding.h"
#include "mlir/IR/OperationSupport.h"

#include <array>
#include <optional>
#include <vector>

namespace xlac::bytecode {

/// An attribute or a type: MLIR's text, or the dialect's own encoding.
struct Entry {
  llvm::StringRef dialect;
  llvm::ArrayRef<uint8_t> bytes;
  bool isEncoded = false;
};

struct File {
  uint64_t version = 0;
  std::array<std::optional<llvm::ArrayRef<uint8_t>>,
             mlir::bytecode::Section::kNumSections>
      sections;
  std::vector<llvm::StringRef> strings;
  std::vector<llvm::StringRef> dialects;
  std::vector<mlir::OperationName> operations;
  std::vector<Entry> attributes;
  std::vector<Entry> types;
  uint64_t propertyCount = 0;
};

/// Reads everything except the contents of the entries and of the IR section.
LogicalResult readFile(llvm::ArrayRef<uint8_t> bytes,
                       mlir::MLIRContext &context, ValidationResult &result,
                       File &file);

/// Checks every attribute and type: fields, indices, cycles, depth, sizes.
LogicalResult checkEntries(const File &file, mlir::MLIRContext &context,
                           ValidationResult &result);

/// Checks the ops, regions and blocks, and the indices of their values.
LogicalResult checkOperations(const File &file, ValidationResult &result);

} // namespace xlac::bytecode

#endif
