// The primitives of MLIR's bytecode: bytes, variable-length integers, sections.
// A cursor never reads past its end, and gives the reason where it refuses.
#ifndef XLAC_LIB_IMPORT_BYTECODECURSOR_H
#define XLAC_LIB_IMPORT_BYTECODECURSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <string>

namespace xlac::bytecode {

// The namespace below has names of its own for some of these.
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// Why bytes are refused, and how much memory reading them would take.
class ValidationResult {
public:
  explicit ValidationResult(size_t inputSize);

  /// Notes the first reason and fails.
  LogicalResult refuse(const llvm::Twine &reason);

  /// Fails when the objects that reading makes outgrow what the input warrants.
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
  /// `place` names what is read in the reasons: "string section".
  Cursor(llvm::ArrayRef<uint8_t> bytes, ValidationResult &result,
         llvm::Twine place)
      : rest(bytes), result(&result), place(place.str()) {}

  bool empty() const { return rest.empty(); }
  size_t size() const { return rest.size(); }
  llvm::ArrayRef<uint8_t> remaining() const { return rest; }

  LogicalResult refuse(const llvm::Twine &reason);
  LogicalResult charge(uint64_t bytes) { return result->charge(bytes); }

  LogicalResult readByte(uint8_t &value);
  LogicalResult readVarInt(uint64_t &value);
  LogicalResult readSignedVarInt(int64_t &value);
  /// An integer whose lowest bit is a flag.
  LogicalResult readFlagged(uint64_t &value, bool &flag);
  LogicalResult readBytes(uint64_t count, llvm::ArrayRef<uint8_t> &bytes);
  /// A length and as many bytes.
  LogicalResult readBlob(llvm::ArrayRef<uint8_t> &bytes);
  /// Characters up to a zero, which is dropped.
  LogicalResult readTerminated(llvm::StringRef &text);
  /// A count of things that take a byte each at least.
  LogicalResult readCount(uint64_t &count, const char *what);
  /// An index below `end`.
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
