#include "BytecodeFile.h"

#include "xlac/Import/BytecodeValidator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
namespace Section = mlir::bytecode::Section;

namespace xlac::bytecode {

// Bytes that MLIR's reader allocates for one item of each table.
static constexpr uint64_t kStringCost = 16, kDialectCost = 256,
                          kOperationCost = 128, kEntryCost = 96;
static constexpr size_t kMaxVersionBytes = 64;

namespace {
class FileReader {
public:
  FileReader(ArrayRef<uint8_t> bytes, MLIRContext &context,
             ValidationResult &result, File &file)
      : bytes(bytes), context(context), result(result), file(file) {}

  LogicalResult read();

private:
  LogicalResult readSections();
  LogicalResult checkSectionsPresent();
  LogicalResult readStrings();
  LogicalResult readDialects();
  LogicalResult readDialect(Cursor &cursor);
  LogicalResult readOperationNames(Cursor &cursor);
  LogicalResult readOperationName(Cursor &cursor, StringRef dialect);
  LogicalResult readString(Cursor &cursor, bool hasFlag, StringRef &string,
                           bool &flag);
  LogicalResult readGroup(Cursor &cursor, StringRef &dialect, uint64_t &count);
  LogicalResult readEntryTables();
  LogicalResult readEntryTable(Cursor &offsets, ArrayRef<uint8_t> &data,
                               std::vector<Entry> &entries);
  LogicalResult readProperties();
  LogicalResult rejectResources();

  Cursor open(Section::ID id, const char *place) {
    return Cursor(*file.sections[id], result, place);
  }

  ArrayRef<uint8_t> bytes;
  MLIRContext &context;
  ValidationResult &result;
  File &file;
  llvm::StringSet<> seenOperations;
};
} // namespace

LogicalResult FileReader::read() {
  return success(succeeded(readSections()) &&
                 succeeded(checkSectionsPresent()) &&
                 succeeded(readStrings()) && succeeded(readDialects()) &&
                 succeeded(rejectResources()) && succeeded(readProperties()) &&
                 succeeded(readEntryTables()));
}

LogicalResult FileReader::readSections() {
  Cursor cursor(bytes, result, "file");
  ArrayRef<uint8_t> magic;
  StringRef producer;
  if (failed(cursor.readBytes(4, magic)) ||
      failed(cursor.readVarInt(file.version)))
    return failure();
  if (file.version > mlir::bytecode::kVersion)
    return cursor.reject("bytecode version " + Twine(file.version) +
                         " is newer than " +
                         Twine(unsigned(mlir::bytecode::kVersion)));
  if (failed(cursor.readTerminated(producer)))
    return failure();
  while (!cursor.empty()) {
    uint8_t id;
    ArrayRef<uint8_t> section;
    if (failed(cursor.readSection(id, section)))
      return failure();
    if (file.sections[id])
      return cursor.reject("section " + Twine(unsigned(id)) + " appears twice");
    file.sections[id] = section;
  }
  return success();
}

LogicalResult FileReader::checkSectionsPresent() {
  SmallVector<Section::ID> needed = {Section::kString, Section::kDialect,
                                     Section::kAttrType,
                                     Section::kAttrTypeOffset, Section::kIR};
  if (file.version >= mlir::bytecode::kNativePropertiesEncoding)
    needed.push_back(Section::kProperties);
  for (Section::ID id : needed)
    if (!file.sections[id])
      return result.reject("file: section " + Twine(unsigned(id)) +
                           " is missing");
  return success();
}

LogicalResult FileReader::readStrings() {
  ArrayRef<uint8_t> section = *file.sections[Section::kString];
  Cursor cursor = open(Section::kString, "string section");
  uint64_t count;
  if (failed(cursor.readCount(count, "strings")) ||
      failed(cursor.charge(count * kStringCost)))
    return failure();
  file.strings.resize(count);
  // The lengths are in reverse order of the strings, and include the
  // terminating zero.
  size_t end = section.size();
  for (StringRef &string : llvm::reverse(file.strings)) {
    uint64_t length;
    if (failed(cursor.readVarInt(length)))
      return failure();
    if (length == 0 || length > end)
      return cursor.reject("a string of " + Twine(length) + " bytes in " +
                           Twine(end));
    end -= length;
    assert(end + length <= section.size() && "strings are in their section");
    string = StringRef(reinterpret_cast<const char *>(section.data()) + end,
                       length - 1);
    if (section[end + length - 1] != 0)
      return cursor.reject("a string has no end");
  }
  return end == section.size() - cursor.size()
             ? success()
             : cursor.reject("strings and their lengths do not meet");
}

/// Reads a string's index. In newer versions, the number also contains a flag.
LogicalResult FileReader::readString(Cursor &cursor, bool hasFlag,
                                     StringRef &string, bool &flag) {
  uint64_t index;
  if (failed(hasFlag ? cursor.readFlagged(index, flag)
                     : cursor.readVarInt(index)) ||
      failed(cursor.checkIndex(index, file.strings.size(), "string")))
    return failure();
  string = file.strings[index];
  return success();
}

LogicalResult FileReader::readDialect(Cursor &cursor) {
  StringRef name;
  bool hasVersion = false;
  if (failed(readString(cursor,
                        file.version >= mlir::bytecode::kDialectVersioning,
                        name, hasVersion)))
    return failure();
  if (llvm::is_contained(file.dialects, name))
    return cursor.reject("a dialect appears twice");
  if (!context.getOrLoadDialect(name))
    return cursor.reject("dialect '" + name.take_front(80) + "' is unknown");
  file.dialects.push_back(name);
  if (!hasVersion)
    return success();
  uint8_t id;
  ArrayRef<uint8_t> version;
  if (failed(cursor.readSection(id, version)))
    return failure();
  if (id != Section::kDialectVersions || version.size() > kMaxVersionBytes)
    return cursor.reject("the version of dialect '" + name + "' is damaged");
  return success();
}

LogicalResult FileReader::readGroup(Cursor &cursor, StringRef &dialect,
                                    uint64_t &count) {
  uint64_t index;
  if (failed(cursor.readIndex(index, file.dialects.size(), "dialect")) ||
      failed(cursor.readCount(count, "entries")))
    return failure();
  // With empty groups, a few bytes could keep the reader busy without limit.
  if (count == 0)
    return cursor.reject("a group is empty");
  dialect = file.dialects[index];
  return success();
}

LogicalResult FileReader::readOperationName(Cursor &cursor, StringRef dialect) {
  StringRef suffix;
  bool wasRegistered = true;
  if (failed(readString(
          cursor, file.version >= mlir::bytecode::kNativePropertiesEncoding,
          suffix, wasRegistered)) ||
      failed(cursor.charge(kOperationCost)))
    return failure();
  std::string name = (dialect + "." + suffix).str();
  std::optional<RegisteredOperationName> operation =
      RegisteredOperationName::lookup(name, &context);
  if (!operation || !wasRegistered)
    return cursor.reject("op '" + StringRef(name).take_front(80) +
                         "' is unknown");
  if (!seenOperations.insert(name).second)
    return cursor.reject("op '" + name + "' appears twice");
  file.operations.push_back(*operation);
  return success();
}

LogicalResult FileReader::readOperationNames(Cursor &cursor) {
  uint64_t announced = 0;
  bool counted = file.version >= mlir::bytecode::kElideUnknownBlockArgLocation;
  if (counted && failed(cursor.readCount(announced, "op names")))
    return failure();
  while (!cursor.empty()) {
    StringRef dialect;
    uint64_t count;
    if (failed(readGroup(cursor, dialect, count)))
      return failure();
    for (uint64_t i = 0; i < count; ++i)
      if (failed(readOperationName(cursor, dialect)))
        return failure();
  }
  if (counted && announced != file.operations.size())
    return cursor.reject(Twine(announced) + " op names announced, got " +
                         Twine(file.operations.size()));
  return success();
}

LogicalResult FileReader::readDialects() {
  Cursor cursor = open(Section::kDialect, "dialect section");
  uint64_t count;
  if (failed(cursor.readCount(count, "dialects")))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(cursor.charge(kDialectCost)) || failed(readDialect(cursor)))
      return failure();
  return readOperationNames(cursor);
}

/// Rejects resources, which no supported op uses. Writers may emit both
/// sections without entries.
LogicalResult FileReader::rejectResources() {
  if (file.sections[Section::kResource].has_value() !=
      file.sections[Section::kResourceOffset].has_value())
    return result.reject("file: one of the resource sections is missing");
  if (!file.sections[Section::kResource])
    return success();
  Cursor offsets = open(Section::kResourceOffset, "resource offsets");
  uint64_t groups;
  if (failed(offsets.readVarInt(groups)))
    return failure();
  if (groups != 0 || !offsets.empty() ||
      !file.sections[Section::kResource]->empty())
    return offsets.reject("resources are not supported");
  return success();
}

LogicalResult FileReader::readProperties() {
  if (!file.sections[Section::kProperties] ||
      file.sections[Section::kProperties]->empty())
    return success();
  Cursor cursor = open(Section::kProperties, "properties section");
  if (failed(cursor.readCount(file.propertyCount, "properties")) ||
      failed(cursor.charge(file.propertyCount * sizeof(int64_t))))
    return failure();
  for (uint64_t i = 0; i < file.propertyCount; ++i) {
    ArrayRef<uint8_t> properties;
    if (failed(cursor.readBlob(properties)))
      return failure();
  }
  return cursor.expectEnd();
}

LogicalResult FileReader::readEntryTable(Cursor &offsets,
                                         ArrayRef<uint8_t> &data,
                                         std::vector<Entry> &entries) {
  size_t next = 0;
  while (next < entries.size()) {
    StringRef dialect;
    uint64_t count;
    if (failed(readGroup(offsets, dialect, count)))
      return failure();
    if (count > entries.size() - next)
      return offsets.reject("a group holds more entries than announced");
    for (uint64_t i = 0; i < count; ++i) {
      Entry &entry = entries[next++];
      uint64_t size;
      if (failed(offsets.readFlagged(size, entry.isEncoded)))
        return failure();
      if (size > data.size())
        return offsets.reject("an entry is outside of its section");
      entry.dialect = dialect;
      entry.bytes = data.take_front(size);
      data = data.drop_front(size);
    }
  }
  return success();
}

LogicalResult FileReader::readEntryTables() {
  Cursor offsets = open(Section::kAttrTypeOffset, "attribute offsets");
  ArrayRef<uint8_t> data = *file.sections[Section::kAttrType];
  uint64_t attributes, types;
  if (failed(offsets.readCount(attributes, "attributes")) ||
      failed(offsets.readCount(types, "types")) ||
      failed(offsets.charge((attributes + types) * kEntryCost)))
    return failure();
  file.attributes.resize(attributes);
  file.types.resize(types);
  if (failed(readEntryTable(offsets, data, file.attributes)) ||
      failed(readEntryTable(offsets, data, file.types)))
    return failure();
  return offsets.expectEnd();
}

LogicalResult readFile(ArrayRef<uint8_t> bytes, MLIRContext &context,
                       ValidationResult &result, File &file) {
  return FileReader(bytes, context, result, file).read();
}

} // namespace xlac::bytecode

namespace xlac {

bool isBytecode(ArrayRef<uint8_t> bytes) {
  static constexpr uint8_t kMagic[] = {'M', 'L', 0xef, 'R'};
  return bytes.take_front(sizeof(kMagic)) == ArrayRef<uint8_t>(kMagic);
}

llvm::Error validateBytecode(ArrayRef<uint8_t> bytes, MLIRContext &context) {
  bytecode::ValidationResult result(bytes.size());
  bytecode::File file;
  if (isBytecode(bytes) &&
      succeeded(bytecode::readFile(bytes, context, result, file)) &&
      succeeded(bytecode::checkEntries(file, context, result)) &&
      succeeded(bytecode::checkOperations(file, result)))
    return llvm::Error::success();
  return llvm::createStringError(result.reason().empty()
                                     ? "not MLIR bytecode"
                                     : "damaged or unsupported bytecode: " +
                                           result.reason());
}

} // namespace xlac
