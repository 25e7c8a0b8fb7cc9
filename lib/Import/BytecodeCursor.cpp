#include "BytecodeCursor.h"

#include "xlac/Import/BytecodeValidator.h"

#include "mlir/Bytecode/Encoding.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace xlac::bytecode {

// Reading takes at most 64 times the input plus 64 MB. The counted objects may
// take most of this; the rest is for objects that are not counted.
static constexpr uint64_t kMemoryFactor = 48, kMemorySlack = uint64_t(32) << 20;

ValidationResult::ValidationResult(size_t inputSize)
    : size(inputSize), budget(kMemorySlack + kMemoryFactor * inputSize) {}

LogicalResult ValidationResult::reject(const Twine &reason) {
  if (why.empty())
    why = reason.str();
  return failure();
}

LogicalResult ValidationResult::charge(uint64_t bytes) {
  assert(size <= (UINT64_MAX - kMemorySlack) / kMemoryFactor &&
         "the budget of an input has not overflowed");
  if (bytes > budget)
    return reject("reading takes more memory than a file of this size may");
  budget -= bytes;
  return success();
}

LogicalResult Cursor::reject(const Twine &reason) {
  return result->reject(place + ": " + reason);
}

LogicalResult Cursor::readByte(uint8_t &value) {
  if (rest.empty())
    return reject("ends too early");
  value = rest.front();
  rest = rest.drop_front();
  return success();
}

LogicalResult Cursor::readVarInt(uint64_t &value) {
  uint8_t first;
  if (failed(readByte(first)))
    return failure();
  // The number of trailing zero bits is the number of bytes that follow. A zero
  // byte means eight.
  unsigned more = first ? llvm::countr_zero(first) : 8;
  assert(more <= 8 && "an integer has at most nine bytes");
  ArrayRef<uint8_t> bytes;
  if (failed(readBytes(more, bytes)))
    return failure();
  value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | bytes[i];
  if (more < 8)
    value = value << (7 - more) | first >> (more + 1);
  return success();
}

LogicalResult Cursor::readSignedVarInt(int64_t &value) {
  uint64_t raw;
  if (failed(readVarInt(raw)))
    return failure();
  value = static_cast<int64_t>((raw >> 1) ^ (0 - (raw & 1)));
  return success();
}

LogicalResult Cursor::readFlagged(uint64_t &value, bool &flag) {
  if (failed(readVarInt(value)))
    return failure();
  flag = value & 1;
  value >>= 1;
  return success();
}

LogicalResult Cursor::readBytes(uint64_t count, ArrayRef<uint8_t> &bytes) {
  if (count > rest.size())
    return reject(Twine(count) + " bytes expected, " + Twine(rest.size()) +
                  " are left");
  [[maybe_unused]] size_t before = rest.size();
  bytes = rest.take_front(count);
  rest = rest.drop_front(count);
  assert(bytes.size() + rest.size() == before && "no byte is read twice");
  return success();
}

LogicalResult Cursor::readBlob(ArrayRef<uint8_t> &bytes) {
  uint64_t count;
  return success(succeeded(readVarInt(count)) &&
                 succeeded(readBytes(count, bytes)));
}

LogicalResult Cursor::readTerminated(StringRef &text) {
  StringRef all(reinterpret_cast<const char *>(rest.data()), rest.size());
  size_t end = all.find('\0');
  if (end == StringRef::npos)
    return reject("a string has no end");
  text = all.take_front(end);
  rest = rest.drop_front(end + 1);
  return success();
}

LogicalResult Cursor::readCount(uint64_t &count, const char *what) {
  if (failed(readVarInt(count)))
    return failure();
  if (count > rest.size())
    return reject(Twine(count) + " " + what + " do not fit in " +
                  Twine(rest.size()) + " bytes");
  return success();
}

LogicalResult Cursor::checkIndex(uint64_t index, uint64_t end,
                                 const char *what) {
  if (index >= end)
    return reject(Twine(what) + " " + Twine(index) + " of " + Twine(end));
  return success();
}

LogicalResult Cursor::readIndex(uint64_t &index, uint64_t end,
                                const char *what) {
  return success(succeeded(readVarInt(index)) &&
                 succeeded(checkIndex(index, end, what)));
}

LogicalResult Cursor::skipPadding(uint64_t alignment) {
  if (!llvm::isPowerOf2_64(alignment) || alignment > kBytecodeAlignment)
    return reject("alignment by " + Twine(alignment));
  while (reinterpret_cast<uintptr_t>(rest.data()) & (alignment - 1)) {
    uint8_t padding;
    if (failed(readByte(padding)))
      return failure();
    if (padding != mlir::bytecode::kAlignmentByte)
      return reject("padding is not filled as it should");
  }
  return success();
}

LogicalResult Cursor::readSection(uint8_t &id, ArrayRef<uint8_t> &bytes) {
  uint64_t length, alignment;
  if (failed(readByte(id)) || failed(readVarInt(length)))
    return failure();
  bool aligned = id & 0x80;
  id &= 0x7f;
  if (id >= mlir::bytecode::Section::kNumSections)
    return reject("unknown section " + Twine(unsigned(id)));
  if (aligned &&
      (failed(readVarInt(alignment)) || failed(skipPadding(alignment))))
    return failure();
  return readBytes(length, bytes);
}

LogicalResult Cursor::expectEnd() {
  return rest.empty() ? success()
                      : reject(Twine(rest.size()) + " bytes too many");
}

} // namespace xlac::bytecode
