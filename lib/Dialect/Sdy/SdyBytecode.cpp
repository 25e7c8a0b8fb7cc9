// Converts attributes in Shardy's encoding to text. The parts that an attribute
// refers to are read first, and their texts are concatenated.
#include "xlac/Dialect/Sdy/SdyDialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using Reader = mlir::DialectBytecodeReader;

namespace xlac::sdy {
namespace {

enum Code : uint64_t {
  ManualAxes,
  MeshAxis,
  Mesh,
  SubAxis,
  AxisRef,
  DimensionSharding,
  Sharding,
  ShardingPerValue,
  DimensionMapping,
  TensorMapping,
  ShardingRule,
  AxisRefList,
  ListOfAxisRefLists,
  AllToAllParam,
  AllToAllParamList,
  UnreducedSharding,
  UnreducedShardingPerValue,
  ReducingSharding,
};

/// Prefixes of the attributes' texts.
constexpr StringLiteral kSubAxis("sub_axis_info"), kAxisRef("axis_ref"),
    kMeshAxis("mesh_axis"), kDimension("dimension_sharding"),
    kSharding("sharding"), kPerValue("sharding_per_value"),
    kDimMapping("dim_mapping"), kTensorMapping("tensor_mapping"),
    kRule("op_sharding_rule"), kAxes("axis_ref_list"),
    kAxesList("list_of_axis_ref_lists"), kParam("all_to_all_param"),
    kParams("all_to_all_param_list"), kMesh("mesh"), kManual("manual_axes");

/// Converts one attribute from bytes to text.
class TextReader {
public:
  explicit TextReader(Reader &reader) : reader(reader), os(text) {}

  /// Returns null and reports an error if the bytes are invalid.
  Attribute read();

private:
  LogicalResult readBody(uint64_t code);
  LogicalResult readManualAxes();
  LogicalResult readMesh();
  LogicalResult readAxisRef();
  LogicalResult readDimension();
  LogicalResult readSharding(uint64_t code);
  LogicalResult readReduction(size_t unreducedBegin);
  LogicalResult readFactors(StringRef open, StringRef separator,
                            StringRef close);
  LogicalResult readTensorMapping();
  LogicalResult readRule();
  LogicalResult readRuleFactors(StringRef name);
  LogicalResult readParam();

  LogicalResult readName() {
    StringRef name;
    if (failed(reader.readString(name)))
      return mlir::failure();
    writeName(name);
    return mlir::success();
  }
  void writeName(StringRef name) {
    os << '"';
    llvm::printEscapedString(name, os);
    os << '"';
  }
  LogicalResult readNumber(int64_t &number) {
    return reader.readSignedVarInt(number);
  }
  LogicalResult readFlag(bool &flag) { return reader.readBool(flag); }
  /// Reads an attribute whose text begins with `name`, and appends the rest of
  /// its text.
  LogicalResult readPart(StringRef name);
  /// Reads a list of them, separated by commas.
  LogicalResult readParts(StringRef name);
  /// Writes one factor of a dimension.
  LogicalResult writeFactor(int64_t factor);

  Reader &reader;
  std::string text;
  llvm::raw_string_ostream os;
};

/// Reads encoded attributes. MLIR writes the attributes as text.
class SdyBytecode : public BytecodeDialectInterface {
public:
  explicit SdyBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(Reader &reader) const override {
    return TextReader(reader).read();
  }
};

} // namespace

LogicalResult TextReader::readPart(StringRef name) {
  Attribute part;
  if (failed(reader.readAttribute(part)))
    return mlir::failure();
  StringRef whole = SdyDialect::textOf(part);
  if (!whole.consume_front(name) || whole.empty() ||
      llvm::isAlnum(whole.front()) || whole.front() == '_')
    return reader.emitError("expected sdy's ") << name << ", got " << part;
  os << whole;
  return mlir::success();
}

LogicalResult TextReader::readParts(StringRef name) {
  uint64_t count = 0;
  if (failed(reader.readVarInt(count)))
    return mlir::failure();
  for (uint64_t i = 0; i < count; ++i) {
    os << (i ? ", " : "");
    if (failed(readPart(name)))
      return mlir::failure();
  }
  return mlir::success();
}

LogicalResult TextReader::readManualAxes() {
  uint64_t count = 0;
  if (failed(reader.readVarInt(count)))
    return mlir::failure();
  os << kManual << '{';
  for (uint64_t i = 0; i < count; ++i) {
    StringAttr axis;
    if (failed(reader.readAttribute(axis)))
      return mlir::failure();
    os << (i ? ", " : "");
    writeName(axis.getValue());
  }
  os << '}';
  return mlir::success();
}

LogicalResult TextReader::readMesh() {
  SmallVector<int64_t> devices;
  os << kMesh << "<[";
  if (failed(readParts(kMeshAxis)) || failed(reader.readSignedVarInts(devices)))
    return mlir::failure();
  os << ']';
  if (!devices.empty()) {
    os << ", device_ids=[";
    llvm::interleaveComma(devices, os);
    os << ']';
  }
  os << '>';
  return mlir::success();
}

LogicalResult TextReader::readAxisRef() {
  Attribute part;
  os << kAxisRef;
  if (failed(readName()) || failed(reader.readOptionalAttribute(part)))
    return mlir::failure();
  StringRef whole = SdyDialect::textOf(part);
  if (!part)
    return mlir::success();
  if (!whole.consume_front(kSubAxis))
    return reader.emitError("expected a part of an axis, got ") << part;
  os << ':' << whole;
  return mlir::success();
}

LogicalResult TextReader::readDimension() {
  bool isClosed = false, hasPriority = false;
  uint64_t priority = 0;
  os << kDimension << '{';
  size_t before = os.tell();
  if (failed(readParts(kAxisRef)) || failed(readFlag(isClosed)) ||
      failed(reader.readVarIntWithFlag(priority, hasPriority)))
    return mlir::failure();
  if (!isClosed)
    os << (os.tell() > before ? ", ?" : "?");
  os << '}';
  if (hasPriority)
    os << 'p' << priority;
  return mlir::success();
}

/// Reads the reduction of unreduced axes, whose text begins at
/// `unreducedBegin`. A sum has no name.
LogicalResult TextReader::readReduction(size_t unreducedBegin) {
  constexpr StringLiteral kNames[] = {"", "max", "min"};
  int64_t kind = 0;
  if (failed(readNumber(kind)))
    return mlir::failure();
  if (kind < 0 || kind >= int64_t(std::size(kNames)))
    return reader.emitError("unknown reduction of a sharding: ") << kind;
  if (size_t brace = text.find('{', unreducedBegin); brace != std::string::npos)
    text.insert(brace, kNames[kind]);
  return mlir::success();
}

LogicalResult TextReader::readSharding(uint64_t code) {
  Attribute mesh;
  if (failed(reader.readAttribute(mesh)))
    return mlir::failure();
  os << kSharding << '<';
  if (StringRef whole = SdyDialect::textOf(mesh); whole.starts_with("mesh<"))
    os << whole;
  else if (isa<FlatSymbolRefAttr>(mesh))
    mesh.print(os);
  else
    return reader.emitError("expected a mesh or its name, got ") << mesh;
  os << ", [";
  if (failed(readParts(kDimension)))
    return mlir::failure();
  os << ']';
  size_t begin = 0;
  for (StringRef list : {"replicated", "unreduced"}) {
    if (list == "unreduced" && code == Sharding)
      break;
    begin = os.tell();
    os << ", " << list << "={";
    size_t empty = os.tell();
    if (failed(readParts(kAxisRef)))
      return mlir::failure();
    if (os.tell() > empty)
      os << '}';
    else
      text.resize(begin);
  }
  if (code == ReducingSharding && failed(readReduction(begin)))
    return mlir::failure();
  os << '>';
  return mlir::success();
}

//===- Sharding rules -----------------------------------------------------===//

/// Factors are named i, j, … z, z_1, z_2, …
LogicalResult TextReader::writeFactor(int64_t factor) {
  constexpr int64_t kLetters = 'z' - 'i' + 1;
  if (factor < 0)
    return reader.emitError("a factor below 0");
  if (factor < kLetters)
    os << char('i' + factor);
  else
    os << "z_" << factor - kLetters + 1;
  return mlir::success();
}

LogicalResult TextReader::readFactors(StringRef open, StringRef separator,
                                      StringRef close) {
  SmallVector<int64_t> factors;
  if (failed(reader.readSignedVarInts(factors)))
    return mlir::failure();
  os << open;
  for (auto [i, factor] : llvm::enumerate(factors)) {
    os << (i ? separator : "");
    if (failed(writeFactor(factor)))
      return mlir::failure();
  }
  os << close;
  return mlir::success();
}

/// The factors of a dimension are in parentheses only outside of a tensor
/// mapping.
LogicalResult TextReader::readTensorMapping() {
  uint64_t count = 0;
  if (failed(reader.readVarInt(count)))
    return mlir::failure();
  os << kTensorMapping << '[';
  for (uint64_t i = 0; i < count; ++i) {
    Attribute part;
    if (failed(reader.readAttribute(part)))
      return mlir::failure();
    StringRef whole = SdyDialect::textOf(part);
    if (!whole.consume_front(kDimMapping) || !whole.consume_front("(") ||
        !whole.consume_back(")"))
      return reader.emitError("expected factors of a dimension, got ") << part;
    os << (i ? ", " : "") << whole;
  }
  os << ']';
  return mlir::success();
}

LogicalResult TextReader::readRuleFactors(StringRef name) {
  size_t begin = os.tell();
  os << ' ' << name << "={";
  size_t empty = os.tell();
  if (failed(readFactors("", ", ", "")))
    return mlir::failure();
  if (os.tell() == empty)
    text.resize(begin);
  else
    os << '}';
  return mlir::success();
}

LogicalResult TextReader::readRule() {
  SmallVector<int64_t> sizes;
  if (failed(reader.readSignedVarInts(sizes)))
    return mlir::failure();
  os << kRule << "<(";
  if (failed(readParts(kTensorMapping)))
    return mlir::failure();
  os << ")->(";
  if (failed(readParts(kTensorMapping)))
    return mlir::failure();
  os << ')';
  if (!sizes.empty()) {
    os << " {";
    for (auto [i, size] : llvm::enumerate(sizes)) {
      os << (i ? ", " : "");
      if (failed(writeFactor(i)))
        return mlir::failure();
      os << '=' << size;
    }
    os << '}';
  }
  for (StringRef name :
       {"reduction", "need_replication", "permutation", "blocked_propagation"})
    if (failed(readRuleFactors(name)))
      return mlir::failure();
  bool isCustom = false;
  if (failed(readFlag(isCustom)))
    return mlir::failure();
  os << (isCustom ? ", custom>" : ">");
  return mlir::success();
}

LogicalResult TextReader::readParam() {
  int64_t source = 0, target = 0;
  os << kParam << '{';
  if (failed(readParts(kAxisRef)) || failed(readNumber(source)) ||
      failed(readNumber(target)))
    return mlir::failure();
  os << "}: " << source << "->" << target;
  return mlir::success();
}

LogicalResult TextReader::readBody(uint64_t code) {
  auto list = [&](StringRef name, StringRef part, StringRef open,
                  StringRef close) {
    os << name << open;
    if (failed(readParts(part)))
      return mlir::failure();
    os << close;
    return mlir::success();
  };
  int64_t number = 0;
  switch (code) {
  case ManualAxes:
    return readManualAxes();
  case MeshAxis:
    os << kMeshAxis;
    if (failed(readName()) || failed(readNumber(number)))
      return mlir::failure();
    os << '=' << number;
    return mlir::success();
  case Mesh:
    return readMesh();
  case SubAxis:
    if (failed(readNumber(number)))
      return mlir::failure();
    os << kSubAxis << '(' << number << ')';
    if (failed(readNumber(number)))
      return mlir::failure();
    os << number;
    return mlir::success();
  case AxisRef:
    return readAxisRef();
  case DimensionSharding:
    return readDimension();
  case Sharding:
  case UnreducedSharding:
  case ReducingSharding:
    return readSharding(code);
  case ShardingPerValue:
  case UnreducedShardingPerValue:
    return list(kPerValue, kSharding, "<[", "]>");
  case DimensionMapping:
    os << kDimMapping;
    return readFactors("(", "", ")");
  case TensorMapping:
    return readTensorMapping();
  case ShardingRule:
    return readRule();
  case AxisRefList:
    return list(kAxes, kAxisRef, "{", "}");
  case ListOfAxisRefLists:
    return list(kAxesList, kAxes, "[", "]");
  case AllToAllParam:
    return readParam();
  case AllToAllParamList:
    return list(kParams, kParam, "[", "]");
  default:
    return reader.emitError("unknown code of an attribute of sdy: ") << code;
  }
}

Attribute TextReader::read() {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)) || failed(readBody(code)))
    return {};
  return SdyDialect::attributeOf(reader.getContext(), text);
}

void SdyDialect::registerBytecode() { addInterfaces<SdyBytecode>(); }

} // namespace xlac::sdy
