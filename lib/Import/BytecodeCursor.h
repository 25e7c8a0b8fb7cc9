// The primitives of MLIR's bytecode: bytes, variable-length integers, sections.
// A cursor never reads beyond its end, and records the reason of a rejection.
#ifndef XLAC_LIB_IMPORT_BYTECODECURSOR_H
#define XLAC_LIB_IMPORT_BYTECODECURSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <string>

namespace xlac::bytecode {

// The namespace below declares other entities with some of these names.
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// The reason why bytes are rejected, and the memory that reading them would
/// take.
class ValidationResult {
public:
  explicit ValidationResult(size_t inputSize);

  /// Records the reason, if it is the first, and fails.
  LogicalResult reject(const llvm::Twine &reason);

  /// Fails if the objects that reading creates exceed the budget of the input's
  /// size.
  LogicalResult charge(uint64_t bytes);

  const std::string &reason() const { return why; }
  size_t inputSize() const { return size; }

private:
  std::string why;
  size_t size;
  uint64_t budget;
};

class Cursor {
public:
  /// `place` names the data in messages, such as "string section".
  Cursor(llvm::ArrayRef<uint8_t> bytes, ValidationResult &result,
         llvm::Twine place)
      : rest(bytes), result(&result), place(place.str()) {}

  bool empty() const { return rest.empty(); }
  size_t size() const { return rest.size(); }
  llvm::ArrayRef<uint8_t> remaining() const { return rest; }

  LogicalResult reject(const llvm::Twine &reason);
  LogicalResult charge(uint64_t bytes) { return result->charge(bytes); }

  LogicalResult readByte(uint8_t &value);
  LogicalResult readVarInt(uint64_t &value);
  LogicalResult readSignedVarInt(int64_t &value);
  /// Reads an integer whose lowest bit is a flag.
  LogicalResult readFlagged(uint64_t &value, bool &flag);
  LogicalResult readBytes(uint64_t count, llvm::ArrayRef<uint8_t> &bytes);
  /// Reads a length, and that number of bytes.
  LogicalResult readBlob(llvm::ArrayRef<uint8_t> &bytes);
  /// Reads characters up to a zero byte, which is dropped.
  LogicalResult readTerminated(llvm::StringRef &text);
  /// Reads a count of items that take at least one byte each.
  LogicalResult readCount(uint64_t &count, const char *what);
  /// Reads an index less than `end`.
  LogicalResult readIndex(uint64_t &index, uint64_t end, const char *what);
  LogicalResult checkIndex(uint64_t index, uint64_t end, const char *what);
  LogicalResult readSection(uint8_t &id, llvm::ArrayRef<uint8_t> &bytes);
  LogicalResult expectEnd();

private:
  LogicalResult skipPadding(uint64_t alignment);

  llvm::ArrayRef<uint8_t> rest;
  ValidationResult *result;
  std::string place;
};

} // namespace xlac::bytecode

#endif
