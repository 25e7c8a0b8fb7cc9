#include "BytecodeFile.h"
#include "BytecodeLayouts.h"
#include "TextLimits.h"

#include "xlac/Import/Import.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace xlac::bytecode {

// Byte values that make a bool constant of one byte a splat.
static constexpr uint8_t kNoBits = 0, kAllBits = 0xff;
static constexpr size_t kMaxTextBytes = size_t(1) << 20;
static constexpr size_t kMaxRangeFields = 4;
// Bytes of text for one part of an sdy attribute: a number and its
// surroundings.
static constexpr uint64_t kSdyTextCost = 32;

namespace {
/// The decoded fields of one entry.
struct Fields {
  StringRef dialect;
  uint64_t code = 0;
  SmallVector<uint64_t, 4> attributes, types, numbers;
  SmallVector<int64_t, 8> list;
  ArrayRef<uint8_t> blob;
  uint64_t string = 0;
  bool hasString = false;
  size_t pairs = 0;
};

class EntryChecker {
public:
  EntryChecker(const File &file, MLIRContext &context, ValidationResult &result)
      : file(file), context(context), result(result),
        textTypes(file.types.size()) {}

  LogicalResult check();

private:
  LogicalResult parseTextTypes();
  LogicalResult checkEntry(size_t node);
  LogicalResult checkText(Cursor &cursor, StringRef &text);
  LogicalResult decode(Cursor &cursor, const Entry &entry,
                       ArrayRef<Layout> layouts, Fields &fields);
  LogicalResult readField(Cursor &cursor, char kind, Fields &fields);
  LogicalResult readFlag(Cursor &cursor, uint64_t &flag);
  LogicalResult readReferences(Cursor &cursor, char kind, Fields &fields);
  LogicalResult readNumbers(Cursor &cursor, char kind, Fields &fields);
  LogicalResult readConstant(Cursor &cursor, const Fields &fields);
  LogicalResult readScalar(Cursor &cursor, unsigned bits);

  LogicalResult checkBuiltinAttribute(Cursor &cursor, const Fields &fields);
  LogicalResult checkBuiltinType(Cursor &cursor, const Fields &fields);
  LogicalResult checkNames(Cursor &cursor, const Fields &fields);
  LogicalResult checkDenseArray(Cursor &cursor, const Fields &fields);
  LogicalResult checkDenseElements(Cursor &cursor, const Fields &fields);
  LogicalResult checkBounds(Cursor &cursor, const Fields &fields);
  LogicalResult checkShape(Cursor &cursor, const Fields &fields);

  Element numberOf(uint64_t type, StringRef dialect);
  Element elementOf(uint64_t type, StringRef dialect);
  bool mayBeElement(uint64_t type);
  std::optional<uint64_t> builtinCode(const Entry &entry) const;
  bool isBuiltinAttribute(uint64_t index, uint64_t code) const;
  StringRef textOf(uint64_t stringAttribute);

  LogicalResult checkGraph();
  LogicalResult visit(size_t root);
  LogicalResult finish(size_t node);

  Cursor cursorOf(size_t node);
  const Entry &entryOf(size_t node) const {
    return node < file.attributes.size()
               ? file.attributes[node]
               : file.types[node - file.attributes.size()];
  }

  const File &file;
  MLIRContext &context;
  ValidationResult &result;
  /// Parsed types of entries that are text.
  std::vector<mlir::Type> textTypes;

  // The graph of references between entries: attributes first, then types.
  struct Node {
    size_t firstChild = 0, endChild = 0;
    uint64_t unfolded = 1;
    uint64_t flattened = 1;
    unsigned depth = 0;
    bool isOpen = false, isDone = false, isFused = false;
  };
  std::vector<Node> nodes;
  std::vector<size_t> children;
};
} // namespace

Cursor EntryChecker::cursorOf(size_t node) {
  bool isAttribute = node < file.attributes.size();
  size_t index = isAttribute ? node : node - file.attributes.size();
  return Cursor(entryOf(node).bytes, result,
                Twine(isAttribute ? "attribute " : "type ") + Twine(index));
}

LogicalResult EntryChecker::check() {
  if (failed(parseTextTypes()))
    return failure();
  nodes.resize(file.attributes.size() + file.types.size());
  // Types are last, but checked first, because constants read their shapes.
  for (size_t node = nodes.size(); node-- > 0;)
    if (failed(checkEntry(node)))
      return failure();
  return checkGraph();
}

LogicalResult EntryChecker::checkText(Cursor &cursor, StringRef &text) {
  if (failed(cursor.readTerminated(text)) || failed(cursor.expectEnd()))
    return failure();
  if (text.size() > kMaxTextBytes)
    return cursor.reject("text of " + Twine(text.size()) + " bytes");
  if (std::optional<TextError> rejection = findTextError(text))
    return cursor.reject(rejection->reason);
  return success();
}

LogicalResult EntryChecker::parseTextTypes() {
  // The reader parses them again and reports their errors.
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  for (auto [i, entry] : llvm::enumerate(file.types)) {
    if (entry.isEncoded)
      continue;
    Cursor cursor = cursorOf(file.attributes.size() + i);
    StringRef text;
    if (failed(checkText(cursor, text)))
      return failure();
    size_t read = 0;
    textTypes[i] = parseType(text, &context, &read, true);
    if (!textTypes[i] || read != text.size())
      return cursor.reject("'" + text.take_front(80) + "' is not a type");
  }
  return success();
}

LogicalResult EntryChecker::checkEntry(size_t node) {
  const Entry &entry = entryOf(node);
  bool isAttribute = node < file.attributes.size();
  nodes[node].firstChild = nodes[node].endChild = children.size();
  Cursor cursor = cursorOf(node);
  if (!entry.isEncoded) {
    StringRef text;
    nodes[node].unfolded = 1 + entry.bytes.size();
    return isAttribute ? checkText(cursor, text) : success();
  }
  Fields fields;
  if (failed(decode(cursor, entry,
                    isAttribute ? attributeLayouts(entry.dialect)
                                : typeLayouts(entry.dialect),
                    fields)) ||
      failed(cursor.expectEnd()))
    return failure();
  llvm::append_range(children, fields.attributes);
  for (uint64_t type : fields.types)
    children.push_back(file.attributes.size() + type);
  nodes[node].endChild = children.size();
  // Names become part of the text of the attributes that refer to them.
  if (entry.dialect == "sdy" && fields.hasString)
    nodes[node].unfolded += file.strings[fields.string].size();

  if (entry.dialect == "builtin")
    return isAttribute ? checkBuiltinAttribute(cursor, fields)
                       : checkBuiltinType(cursor, fields);
  if (entry.dialect != "vhlo")
    return success();
  if (isAttribute)
    return fields.code == vhlo_code::TensorV1
               ? checkDenseElements(cursor, fields)
               : success();
  // Its list contains zero points, not sizes.
  if (fields.code == vhlo_code::QuantizedPerAxisV1)
    return success();
  return checkShape(cursor, fields);
}

LogicalResult EntryChecker::decode(Cursor &cursor, const Entry &entry,
                                   ArrayRef<Layout> layouts, Fields &fields) {
  fields.dialect = entry.dialect;
  if (layouts.empty())
    return cursor.reject("its dialect has no encoding");
  if (failed(cursor.readVarInt(fields.code)))
    return failure();
  if (fields.code >= layouts.size() || !layouts[fields.code].fields)
    return cursor.reject("code " + Twine(fields.code) + " is not supported");
  for (const char *kind = layouts[fields.code].fields; *kind; ++kind)
    if (failed(readField(cursor, *kind, fields)))
      return failure();
  return success();
}

LogicalResult EntryChecker::readField(Cursor &cursor, char kind,
                                      Fields &fields) {
  switch (kind) {
  case 'a':
  case 'A':
  case 'o':
  case 'O':
  case 'p':
  case 'D':
  case 't':
  case 'T':
    return readReferences(cursor, kind, fields);
  case 'b':
    return cursor.readBlob(fields.blob);
  case 'g':
    fields.hasString = true;
    return cursor.readIndex(fields.string, file.strings.size(), "string");
  case 'c':
    return readConstant(cursor, fields);
  case 'f': {
    uint64_t flag;
    return readFlag(cursor, flag);
  }
  default:
    return readNumbers(cursor, kind, fields);
  }
}

LogicalResult EntryChecker::readFlag(Cursor &cursor, uint64_t &flag) {
  uint8_t byte;
  if (failed(cursor.readByte(byte)))
    return failure();
  flag = byte;
  return byte <= 1 ? success() : cursor.reject("a flag that is not 0 or 1");
}

LogicalResult EntryChecker::readReferences(Cursor &cursor, char kind,
                                           Fields &fields) {
  bool isType = kind == 't' || kind == 'T';
  size_t end = isType ? file.types.size() : file.attributes.size();
  SmallVector<uint64_t, 4> &into = isType ? fields.types : fields.attributes;
  const char *what = isType ? "type" : "attribute";
  assert(StringRef("aAoOpDtT").contains(kind) && "a kind of reference");
  uint64_t count = 1, index;
  if (kind == 'p') {
    bool isThere;
    if (failed(cursor.readFlagged(index, isThere)) || !isThere)
      return success(index == 0);
    into.push_back(index);
    return cursor.checkIndex(index, end, what);
  }
  if (kind == 'o') {
    // A preceding number states whether it is present.
    if (failed(cursor.readIndex(count, 2, "presence")))
      return failure();
  }
  if (kind == 'O' && failed(readFlag(cursor, count)))
    return failure();
  if ((kind == 'A' || kind == 'T' || kind == 'D') &&
      failed(cursor.readCount(count, "elements")))
    return failure();
  if (kind == 'D') {
    fields.pairs = count;
    count *= 2;
  }
  for (uint64_t i = 0; i < count; ++i) {
    if (failed(cursor.readIndex(index, end, what)))
      return failure();
    into.push_back(index);
  }
  return success();
}

LogicalResult EntryChecker::readNumbers(Cursor &cursor, char kind,
                                        Fields &fields) {
  assert(StringRef("vVsSdEn").contains(kind) && "a kind of number");
  uint64_t count = 1;
  if (kind == 'n') {
    bool isThere;
    return cursor.readFlagged(count, isThere);
  }
  if ((kind == 'V' || kind == 'S' || kind == 'E') &&
      failed(cursor.readCount(count, "elements")))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t number;
    int64_t element;
    bool isList = kind == 'S';
    LogicalResult read = kind == 'v' || kind == 'V'
                             ? cursor.readVarInt(number)
                             : cursor.readSignedVarInt(element);
    if (failed(read))
      return failure();
    if (isList)
      fields.list.push_back(element);
    else if (kind == 'v' || kind == 'V')
      fields.numbers.push_back(number);
  }
  return success();
}

/// Numbers are stored without sign. Arithmetic relies on zero bits beyond the
/// width.
LogicalResult EntryChecker::readScalar(Cursor &cursor, unsigned bits) {
  assert(0 < bits && bits <= 64 && "a number has bits");
  uint64_t value = 0;
  if (bits <= 8) {
    uint8_t byte;
    if (failed(cursor.readByte(byte)))
      return failure();
    value = byte;
  } else {
    int64_t stored;
    if (failed(cursor.readSignedVarInt(stored)))
      return failure();
    value = stored;
  }
  if (bits < 64 && value >> bits)
    return cursor.reject("a number has more than " + Twine(bits) + " bits");
  return success();
}

LogicalResult EntryChecker::readConstant(Cursor &cursor, const Fields &fields) {
  assert(!fields.types.empty() && "a layout names the type before a constant");
  Element element = numberOf(fields.types.back(), fields.dialect);
  if (element.kind != Element::Integer && element.kind != Element::Float)
    return cursor.reject("its type is not a number");
  return readScalar(cursor, element.bits);
}

std::optional<uint64_t> EntryChecker::builtinCode(const Entry &entry) const {
  if (!entry.isEncoded || entry.dialect != "builtin")
    return std::nullopt;
  // Every code takes a single byte, which its lowest bit indicates.
  if (entry.bytes.empty() || !(entry.bytes.front() & 1))
    return std::nullopt;
  return entry.bytes.front() >> 1;
}

bool EntryChecker::isBuiltinAttribute(uint64_t index, uint64_t code) const {
  return builtinCode(file.attributes[index]) == code;
}

StringRef EntryChecker::textOf(uint64_t stringAttribute) {
  Cursor cursor(file.attributes[stringAttribute].bytes.drop_front(), result,
                "name");
  uint64_t index;
  return succeeded(cursor.readIndex(index, file.strings.size(), "string"))
             ? file.strings[index]
             : StringRef();
}

LogicalResult EntryChecker::checkNames(Cursor &cursor, const Fields &fields) {
  llvm::DenseSet<StringRef> seen;
  assert(fields.attributes.size() >= 2 * fields.pairs && "names and values");
  for (size_t i = 0; i < fields.pairs; ++i) {
    uint64_t name = fields.attributes[2 * i];
    if (!isBuiltinAttribute(name, builtin_code::String))
      return cursor.reject("a dictionary's name is not a string");
    StringRef text = textOf(name);
    if (text.empty() || !seen.insert(text).second)
      return cursor.reject("a dictionary's name is empty or twice there");
  }
  return success();
}

LogicalResult EntryChecker::checkBuiltinAttribute(Cursor &cursor,
                                                  const Fields &fields) {
  using namespace builtin_code;
  auto firstIsString = [&] {
    return isBuiltinAttribute(fields.attributes[0], String)
               ? success()
               : cursor.reject("its name is not a string");
  };
  switch (fields.code) {
  case Dictionary:
    return checkNames(cursor, fields);
  case SymbolRef:
    for (uint64_t nested : ArrayRef(fields.attributes).drop_front())
      if (!isBuiltinAttribute(nested, FlatSymbolRef))
        return cursor.reject("a part of a symbol is not a symbol");
    return firstIsString();
  case FlatSymbolRef:
  case FileLineCol:
  case NameLoc:
    return firstIsString();
  case FileLineColRange:
    if (fields.numbers.size() > kMaxRangeFields)
      return cursor.reject("a range has too many parts");
    return firstIsString();
  case Integer:
  case Float:
    return (numberOf(fields.types[0], "builtin").kind == Element::Float) ==
                   (fields.code == Float)
               ? success()
               : cursor.reject("its type does not suit it");
  case DenseArray:
    return checkDenseArray(cursor, fields);
  case DenseElements:
    return checkDenseElements(cursor, fields);
  default:
    return success();
  }
}

LogicalResult EntryChecker::checkBuiltinType(Cursor &cursor,
                                             const Fields &fields) {
  using namespace builtin_code;
  switch (fields.code) {
  case IntegerType: {
    uint64_t width = fields.numbers[0] >> 2, sign = fields.numbers[0] & 3;
    return width > 0 && width <= 64 && sign < 3
               ? success()
               : cursor.reject("an integer of " + Twine(width) + " bits");
  }
  case Complex: {
    Element::Kind part = numberOf(fields.types[0], "builtin").kind;
    return part == Element::Integer || part == Element::Float
               ? success()
               : cursor.reject("a complex number of no numbers");
  }
  case EncodedTensor:
    if (failed(checkBounds(cursor, fields)))
      return failure();
    [[fallthrough]];
  case RankedTensor:
  case UnrankedTensor:
    return mayBeElement(fields.types[0])
               ? checkShape(cursor, fields)
               : cursor.reject("a tensor of an invalid element type");
  default:
    return success();
  }
}

/// MLIR's reader does not check that an encoding fits its tensor. StableHLO's
/// only encoding bounds dynamic sizes.
LogicalResult EntryChecker::checkBounds(Cursor &cursor, const Fields &fields) {
  const Entry &entry = file.attributes[fields.attributes[0]];
  Cursor encoding(entry.bytes, result, "encoding of a tensor");
  Fields bounds;
  if (!entry.isEncoded || entry.dialect != "stablehlo" ||
      failed(
          decode(encoding, entry, attributeLayouts(entry.dialect), bounds)) ||
      bounds.code != stablehlo_code::TypeExtensions)
    return cursor.reject("an encoding that is not a list of bounds");
  bool fits = bounds.list.size() == fields.list.size();
  for (auto [size, bound] : llvm::zip(fields.list, bounds.list))
    fits &= ShapedType::isDynamic(size) || ShapedType::isDynamic(bound);
  return fits ? success() : cursor.reject("bounds that do not fit its sizes");
}

/// Checks that the rank and the number of elements (without dynamic sizes) are
/// within limits.
LogicalResult EntryChecker::checkShape(Cursor &cursor, const Fields &fields) {
  if (fields.list.size() > kMaxRank)
    return cursor.reject("rank " + Twine(fields.list.size()) + " is above " +
                         Twine(kMaxRank));
  uint64_t product = 1;
  for (int64_t size : fields.list) {
    if (size < 0 && !ShapedType::isDynamic(size))
      return cursor.reject("a negative size");
    if (size > 0 && size > int64_t(kMaxElements / product))
      return cursor.reject("a tensor of more than 2^56 elements");
    product *= size > 0 ? size : 1;
  }
  return success();
}

bool EntryChecker::mayBeElement(uint64_t type) {
  if (elementOf(type, "builtin").kind != Element::None)
    return true;
  return textTypes[type] &&
         mlir::TensorType::isValidElementType(textTypes[type]);
}

static Element elementOfType(mlir::Type type) {
  if (isa<IndexType>(type))
    return {Element::Integer, IndexType::kInternalStorageBitWidth};
  if (auto complex = dyn_cast<ComplexType>(type))
    return {Element::Complex, elementOfType(complex.getElementType()).bits};
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
    return {};
  return {isa<FloatType>(type) ? Element::Float : Element::Integer,
          type.getIntOrFloatBitWidth()};
}

/// Returns the scalar type of `type` in `dialect`, which has its own types.
Element EntryChecker::numberOf(uint64_t type, StringRef dialect) {
  bool isBuiltin = dialect == "builtin";
  if (textTypes[type])
    return isBuiltin ? elementOfType(textTypes[type]) : Element{};
  const Entry &entry = file.types[type];
  Cursor cursor(entry.bytes, result, "element type");
  uint64_t code, width = 0;
  if (entry.dialect != dialect || failed(cursor.readVarInt(code)))
    return {};
  if (!isBuiltin)
    return vhloElement(code);
  switch (code) {
  case builtin_code::IntegerType:
    if (failed(cursor.readVarInt(width)) || width >> 2 > 64)
      return {};
    return {Element::Integer, unsigned(width >> 2)};
  case builtin_code::Index:
    return {Element::Integer, 64};
  case builtin_code::BF16:
  case builtin_code::F16:
    return {Element::Float, 16};
  case builtin_code::F32:
    return {Element::Float, 32};
  case builtin_code::F64:
    return {Element::Float, 64};
  default:
    return {};
  }
}

/// Returns a scalar type, or a complex type of one.
Element EntryChecker::elementOf(uint64_t type, StringRef dialect) {
  const Entry &entry = file.types[type];
  Cursor cursor(entry.bytes, result, "element type");
  uint64_t code, part;
  if (!entry.isEncoded || entry.dialect != dialect ||
      failed(cursor.readVarInt(code)) ||
      code !=
          (dialect == "builtin" ? builtin_code::Complex : vhlo_code::ComplexV1))
    return numberOf(type, dialect);
  if (failed(cursor.readIndex(part, file.types.size(), "type")))
    return {};
  Element element = numberOf(part, dialect);
  return element.kind == Element::Integer || element.kind == Element::Float
             ? Element{Element::Complex, element.bits}
             : Element{};
}

LogicalResult EntryChecker::checkDenseArray(Cursor &cursor,
                                            const Fields &fields) {
  Element element = numberOf(fields.types[0], "builtin");
  if (element.kind == Element::None || element.kind == Element::Complex ||
      (element.bits != 1 && element.bits % 8))
    return cursor.reject("an array of an invalid element type");
  uint64_t bytes = (element.bits + 7) / 8, count = fields.numbers[0];
  if (fields.blob.size() % bytes || fields.blob.size() / bytes != count)
    return cursor.reject("an array of " + Twine(count) + " elements in " +
                         Twine(fields.blob.size()) + " bytes");
  if (element.bits == 1)
    for (uint8_t byte : fields.blob)
      if (byte > 1)
        return cursor.reject("a bool that is neither true nor false");
  return success();
}

LogicalResult EntryChecker::checkDenseElements(Cursor &cursor,
                                               const Fields &fields) {
  const Entry &entry = file.types[fields.types[0]];
  Cursor typeCursor(entry.bytes, result, "type of a constant");
  Fields type;
  if (!entry.isEncoded || entry.dialect != fields.dialect ||
      failed(decode(typeCursor, entry, typeLayouts(entry.dialect), type)) ||
      type.code != (entry.dialect == "builtin" ? builtin_code::RankedTensor
                                               : vhlo_code::RankedTensorV1))
    return cursor.reject("a constant that is not a tensor");
  Element element = elementOf(type.types[0], type.dialect);
  if (element.kind == Element::None ||
      llvm::is_contained(type.list, ShapedType::kDynamic) ||
      failed(checkShape(cursor, type)))
    return cursor.reject("a constant without a size");
  uint64_t count = 1, bits = element.storageBits();
  for (int64_t size : type.list)
    count *= size;
  ArrayRef<uint8_t> blob = fields.blob;
  bool isSplat = bits == 1 ? blob.size() == 1 &&
                                 (blob[0] == kNoBits || blob[0] == kAllBits)
                           : blob.size() * 8 == bits;
  // kMaxElements keeps the product below 2^64.
  if (!isSplat && blob.size() != (count * bits + 7) / 8)
    return cursor.reject("a constant of " + Twine(count) + " elements in " +
                         Twine(blob.size()) + " bytes");
  if (element.bits < 8 && bits != 1)
    for (uint8_t byte : blob)
      if (byte >> element.bits)
        return cursor.reject("an element has more than " + Twine(element.bits) +
                             " bits");
  return success();
}

/// Checks that entries are not cyclic, not nested too deeply, and do not exceed
/// limits when unfolded.
LogicalResult EntryChecker::checkGraph() {
  for (size_t i = 0; i < file.attributes.size(); ++i)
    nodes[i].isFused =
        isBuiltinAttribute(i, builtin_code::FusedLoc) ||
        isBuiltinAttribute(i, builtin_code::FusedLocWithMetadata);
  for (size_t node = 0; node < nodes.size(); ++node)
    if (!nodes[node].isDone && failed(visit(node)))
      return failure();
  return success();
}

LogicalResult EntryChecker::visit(size_t root) {
  SmallVector<std::pair<size_t, size_t>> open = {
      {root, nodes[root].firstChild}};
  nodes[root].isOpen = true;
  while (!open.empty()) {
    auto &[node, next] = open.back();
    if (next == nodes[node].endChild) {
      if (failed(finish(node)))
        return failure();
      open.pop_back();
      continue;
    }
    size_t child = children[next++];
    if (nodes[child].isOpen)
      return cursorOf(child).reject("holds itself");
    if (nodes[child].isDone)
      continue;
    nodes[child].isOpen = true;
    open.push_back({child, nodes[child].firstChild});
  }
  return success();
}

LogicalResult EntryChecker::finish(size_t index) {
  Node &node = nodes[index];
  node.isOpen = false;
  node.isDone = true;
  uint64_t flattened = 0;
  for (size_t i = node.firstChild; i < node.endChild; ++i) {
    const Node &child = nodes[children[i]];
    node.depth = std::max(node.depth, child.depth + 1);
    node.unfolded += child.unfolded;
    flattened += child.flattened;
    if (node.unfolded > kMaxUnfolded + kUnfoldedFactor * result.inputSize())
      return cursorOf(index).reject("unfolds beyond bounds");
  }
  if (node.depth > unsigned(kMaxNesting))
    return cursorOf(index).reject("nests deeper than " + Twine(kMaxNesting));
  // Attributes of sdy are stored as text.
  bool isAttribute = index < file.attributes.size();
  if (isAttribute && entryOf(index).dialect == "sdy" &&
      failed(result.charge(node.unfolded * kSdyTextCost)))
    return failure();
  // A fused location copies the parts of the locations that it fuses.
  if (!node.isFused)
    return success();
  node.flattened = flattened;
  return result.charge(flattened * sizeof(void *));
}

LogicalResult checkEntries(const File &file, MLIRContext &context,
                           ValidationResult &result) {
  return EntryChecker(file, context, result).check();
}

} // namespace xlac::bytecode
