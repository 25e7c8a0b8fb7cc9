// The encodings of the dialect's attributes and types: a code, then the fields
// in order. What a field is on the wire follows from its C++ type.
#include "xlac/Dialect/Vhlo/Conversion.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace xlac::vhlo {
namespace {

using Reader = DialectBytecodeReader;
using Writer = DialectBytecodeWriter;

//===- Fields -------------------------------------------------------------===//

/// How a field of type T travels: `Stored` holds what was read. Enums travel as
/// their numbers.
template <class T> struct Field {
  static_assert(std::is_enum_v<T>);
  using Stored = T;
  static LogicalResult read(Reader &reader, T &value);
  static void write(Writer &writer, T value) {
    writer.writeVarInt(static_cast<uint64_t>(value));
  }
};

template <> struct Field<bool> {
  using Stored = bool;
  static LogicalResult read(Reader &reader, bool &value) {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return failure();
    value = number != 0;
    return number <= 1 ? success() : reader.emitError("expected 0 or 1");
  }
  static void write(Writer &writer, bool value) { writer.writeVarInt(value); }
};

template <> struct Field<uint64_t> {
  using Stored = uint64_t;
  static LogicalResult read(Reader &reader, uint64_t &value) {
    return reader.readVarInt(value);
  }
  static void write(Writer &writer, uint64_t value) {
    writer.writeVarInt(value);
  }
};

template <> struct Field<int64_t> {
  using Stored = int64_t;
  static LogicalResult read(Reader &reader, int64_t &value) {
    return reader.readSignedVarInt(value);
  }
  static void write(Writer &writer, int64_t value) {
    writer.writeSignedVarInt(value);
  }
};

template <> struct Field<ArrayRef<int64_t>> {
  using Stored = SmallVector<int64_t>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readSignedVarInts(values);
  }
  static void write(Writer &writer, ArrayRef<int64_t> values) {
    writer.writeSignedVarInts(values);
  }
};

template <> struct Field<StringRef> {
  using Stored = StringRef;
  static LogicalResult read(Reader &reader, StringRef &value) {
    return reader.readString(value);
  }
  static void write(Writer &writer, StringRef value) {
    writer.writeOwnedString(value);
  }
};

template <> struct Field<Attribute> {
  using Stored = Attribute;
  static LogicalResult read(Reader &reader, Attribute &value) {
    return reader.readAttribute(value);
  }
  static void write(Writer &writer, Attribute value) {
    writer.writeAttribute(value);
  }
};

template <> struct Field<Type> {
  using Stored = Type;
  static LogicalResult read(Reader &reader, Type &value) {
    return reader.readType(value);
  }
  static void write(Writer &writer, Type value) { writer.writeType(value); }
};

template <> struct Field<ArrayRef<Attribute>> {
  using Stored = SmallVector<Attribute>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readAttributes(values);
  }
  static void write(Writer &writer, ArrayRef<Attribute> values) {
    writer.writeAttributes(values);
  }
};

template <> struct Field<ArrayRef<Type>> {
  using Stored = SmallVector<Type>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readTypes(values);
  }
  static void write(Writer &writer, ArrayRef<Type> values) {
    writer.writeTypes(values);
  }
};

using Pair = std::pair<Attribute, Attribute>;
template <> struct Field<ArrayRef<Pair>> {
  using Stored = SmallVector<Pair>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readList(values, [&](Pair &one) {
      return failure(failed(reader.readAttribute(one.first)) ||
                     failed(reader.readAttribute(one.second)));
    });
  }
  static void write(Writer &writer, ArrayRef<Pair> values) {
    writer.writeList(values, [&](const Pair &one) {
      writer.writeAttribute(one.first);
      writer.writeAttribute(one.second);
    });
  }
};

/// A double wherever its type is not said.
struct StoredFloat {
  APFloat value{0.0};
  operator const APFloat &() const { return value; }
};

static LogicalResult readFloat(Reader &reader, const llvm::fltSemantics &kind,
                               APFloat &value) {
  FailureOr<APFloat> read = reader.readAPFloatWithKnownSemantics(kind);
  if (failed(read))
    return failure();
  value = *read;
  return success();
}

template <> struct Field<APFloat> {
  using Stored = StoredFloat;
  static LogicalResult read(Reader &reader, StoredFloat &value) {
    return readFloat(reader, APFloat::IEEEdouble(), value.value);
  }
  static void write(Writer &writer, const APFloat &value) {
    writer.writeAPFloatWithKnownSemantics(value);
  }
};

template <> struct Field<ArrayRef<APFloat>> {
  using Stored = SmallVector<APFloat>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readList(values, [&]() {
      return reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    });
  }
  static void write(Writer &writer, ArrayRef<APFloat> values) {
    writer.writeList(values, [&](const APFloat &value) {
      writer.writeAPFloatWithKnownSemantics(value);
    });
  }
};

template <class T> static std::optional<T> enumOf(uint32_t number);
#define ONE(NAME)                                                              \
  template <>                                                                  \
  std::optional<stablehlo::NAME> enumOf<stablehlo::NAME>(uint32_t number) {    \
    return stablehlo::symbolize##NAME(number);                                 \
  }
ONE(ComparisonDirection)
ONE(ComparisonType)
ONE(CustomCallApiVersion)
ONE(FftType)
ONE(Precision)
ONE(ResultAccuracyMode)
ONE(RngAlgorithm)
ONE(RngDistribution)
ONE(Transpose)
#undef ONE

template <class T> LogicalResult Field<T>::read(Reader &reader, T &value) {
  uint64_t number = 0;
  if (failed(reader.readVarInt(number)))
    return failure();
  std::optional<T> known = number <= UINT32_MAX
                               ? enumOf<T>(static_cast<uint32_t>(number))
                               : std::nullopt;
  if (!known)
    return reader.emitError("unknown value of an enum: ") << number;
  value = *known;
  return success();
}

//===- Attributes and types -----------------------------------------------===//

/// An attribute or type whose fields are what `getters` give, in order.
template <class T, auto... getters> struct Record {
  using Class = T;
  template <auto getter>
  using FieldOf =
      Field<std::decay_t<std::invoke_result_t<decltype(getter), T>>>;

  using Fields = std::tuple<FieldOf<getters>...>;

  static T read(Reader &reader) {
    return readFields(reader, std::index_sequence_for<FieldOf<getters>...>());
  }
  static void write(T value, Writer &writer) {
    (FieldOf<getters>::write(writer, (value.*getters)()), ...);
  }

private:
  template <size_t... places>
  static T readFields(Reader &reader, std::index_sequence<places...>) {
    std::tuple<typename FieldOf<getters>::Stored...> values;
    if ((failed(std::tuple_element_t<places, Fields>::read(
             reader, std::get<places>(values))) ||
         ...))
      return {};
    return T::get(reader.getContext(), std::get<places>(values)...);
  }
};

/// A type that is nothing but its code.
template <class T> struct Plain {
  using Class = T;
  static T read(Reader &reader) { return T::get(reader.getContext()); }
  static void write(T, Writer &) {}
};

struct FloatRecord {
  using Class = FloatV1Attr;
  static FloatV1Attr read(Reader &reader) {
    Type type;
    if (failed(reader.readType(type)))
      return {};
    auto real = dyn_cast_or_null<FloatType>(toStablehlo(type));
    if (!real)
      return reader.emitError("expected a float type, got ") << type,
             FloatV1Attr();
    APFloat value(0.0);
    if (failed(readFloat(reader, real.getFloatSemantics(), value)))
      return {};
    return FloatV1Attr::get(reader.getContext(), type, value);
  }
  static void write(FloatV1Attr value, Writer &writer) {
    writer.writeType(value.getType());
    writer.writeAPFloatWithKnownSemantics(value.getValue());
  }
};

struct IntegerRecord {
  using Class = IntegerV1Attr;
  static IntegerV1Attr read(Reader &reader) {
    Type type;
    if (failed(reader.readType(type)))
      return {};
    Type plain = toStablehlo(type);
    if (!plain || !plain.isIntOrIndex())
      return reader.emitError("expected an integer type, got ") << type,
             IntegerV1Attr();
    FailureOr<APInt> value = reader.readAPIntWithKnownWidth(
        plain.isIndex() ? 64 : plain.getIntOrFloatBitWidth());
    return succeeded(value)
               ? IntegerV1Attr::get(reader.getContext(), type, *value)
               : nullptr;
  }
  static void write(IntegerV1Attr value, Writer &writer) {
    writer.writeType(value.getType());
    writer.writeAPIntWithKnownWidth(value.getValue());
  }
};

struct TensorRecord {
  using Class = TensorV1Attr;
  static TensorV1Attr read(Reader &reader) {
    Type type;
    ArrayRef<char> data;
    if (failed(reader.readType(type)) || failed(reader.readBlob(data)))
      return {};
    return TensorV1Attr::get(reader.getContext(), type, data);
  }
  static void write(TensorV1Attr value, Writer &writer) {
    writer.writeType(value.getType());
    writer.writeOwnedBlob(value.getData());
  }
};

/// An attribute that may be missing: a number before it says whether it is
/// there.
static LogicalResult readIfThere(Reader &reader, Attribute &value) {
  bool there = false;
  if (failed(Field<bool>::read(reader, there)))
    return failure();
  return there ? reader.readAttribute(value) : success();
}

static void writeIfThere(Writer &writer, Attribute value) {
  Field<bool>::write(writer, static_cast<bool>(value));
  if (value)
    writer.writeAttribute(value);
}

struct AxisRecord {
  using Class = AxisRefV1Attr;
  static AxisRefV1Attr read(Reader &reader) {
    Attribute name, part;
    if (failed(reader.readAttribute(name)) || failed(readIfThere(reader, part)))
      return {};
    return AxisRefV1Attr::get(reader.getContext(), name, part);
  }
  static void write(AxisRefV1Attr value, Writer &writer) {
    writer.writeAttribute(value.getName());
    writeIfThere(writer, value.getSubAxisInfo());
  }
};

struct MeshRecord {
  using Class = MeshV1Attr;
  static MeshV1Attr read(Reader &reader) {
    Attribute axes, ids;
    if (failed(reader.readAttribute(axes)) || failed(readIfThere(reader, ids)))
      return {};
    return MeshV1Attr::get(reader.getContext(), axes, ids);
  }
  static void write(MeshV1Attr value, Writer &writer) {
    writer.writeAttribute(value.getAxes());
    writeIfThere(writer, value.getDeviceIds());
  }
};

/// Shape and element type; the encoding, where there is one, is in front.
template <class T> struct ShapedRecord {
  using Class = T;
  static T readRest(Reader &reader, Attribute encoding) {
    SmallVector<int64_t> shape;
    Type element;
    if (failed(reader.readSignedVarInts(shape)) ||
        failed(reader.readType(element)))
      return {};
    return T::get(reader.getContext(), shape, element, encoding);
  }
  static T read(Reader &reader) { return readRest(reader, {}); }
  static void write(T value, Writer &writer) {
    if (value.getEncoding())
      writer.writeAttribute(value.getEncoding());
    writer.writeSignedVarInts(value.getShape());
    writer.writeType(value.getElementType());
  }
};

template <class T> using EnumRecord = Record<T, &T::getValue>;

/// Several records as one: the code says which.
template <class... Records> struct Family {
  /// Null, with an error reported, where the code is unknown.
  template <class Base> static Base read(Reader &reader, uint64_t code) {
    Base result;
    bool known = ((code == Records::Class::kCode &&
                   (static_cast<void>(result = Records::read(reader)), true)) ||
                  ...);
    if (!known)
      reader.emitError("unknown code of a vhlo attribute or type: ") << code;
    return result;
  }
  /// False where `value` is none of them.
  template <class Base> static bool write(Base value, Writer &writer) {
    return (writeOne<Records>(value, writer) || ...);
  }

private:
  template <class One, class Base>
  static bool writeOne(Base value, Writer &writer) {
    auto own = dyn_cast<typename One::Class>(value);
    if (!own)
      return false;
    writer.writeVarInt(One::Class::kCode);
    One::write(own, writer);
    return true;
  }
};

using Attributes = Family<
    Record<ArrayV1Attr, &ArrayV1Attr::getValue>,
    Record<BooleanV1Attr, &BooleanV1Attr::getValue>,
    EnumRecord<ComparisonDirectionV1Attr>, EnumRecord<ComparisonTypeV1Attr>,
    EnumRecord<CustomCallApiVersionV1Attr>,
    Record<DictionaryV1Attr, &DictionaryV1Attr::getValue>,
    EnumRecord<FftTypeV1Attr>, FloatRecord, IntegerRecord,
    Record<OutputOperandAliasV1Attr,
           &OutputOperandAliasV1Attr::getOutputTupleIndices,
           &OutputOperandAliasV1Attr::getOperandIndex,
           &OutputOperandAliasV1Attr::getOperandTupleIndices>,
    EnumRecord<PrecisionV1Attr>, EnumRecord<RngAlgorithmV1Attr>,
    EnumRecord<RngDistributionV1Attr>,
    Record<StringV1Attr, &StringV1Attr::getValue>, TensorRecord,
    EnumRecord<TransposeV1Attr>, Record<TypeV1Attr, &TypeV1Attr::getValue>,
    Record<TypeExtensionsV1Attr, &TypeExtensionsV1Attr::getBounds>,
    EnumRecord<ResultAccuracyModeV1Attr>,
    Record<ResultAccuracyV1Attr, &ResultAccuracyV1Attr::getAtol,
           &ResultAccuracyV1Attr::getRtol, &ResultAccuracyV1Attr::getUlps,
           &ResultAccuracyV1Attr::getMode>,
    Record<SubAxisInfoV1Attr, &SubAxisInfoV1Attr::getPreSize,
           &SubAxisInfoV1Attr::getSize>,
    AxisRecord,
    Record<ReplicaGroupMeshAxesV1Attr, &ReplicaGroupMeshAxesV1Attr::getMesh,
           &ReplicaGroupMeshAxesV1Attr::getAxes>,
    Record<MeshAxisV1Attr, &MeshAxisV1Attr::getName, &MeshAxisV1Attr::getSize>,
    MeshRecord>;

using Types = Family<
    Plain<BooleanV1Type>, Record<ComplexV1Type, &ComplexV1Type::getElementType>,
    Plain<FloatBF16V1Type>, Plain<FloatF16V1Type>, Plain<FloatF32V1Type>,
    Plain<FloatF64V1Type>, Plain<FloatF8E4M3FNV1Type>, Plain<FloatF8E5M2V1Type>,
    Record<FunctionV1Type, &FunctionV1Type::getInputs,
           &FunctionV1Type::getOutputs>,
    Plain<IndexV1Type>, Plain<IntegerSI4V1Type>, Plain<IntegerSI8V1Type>,
    Plain<IntegerSI16V1Type>, Plain<IntegerSI32V1Type>,
    Plain<IntegerSI64V1Type>, Plain<IntegerUI4V1Type>, Plain<IntegerUI8V1Type>,
    Plain<IntegerUI16V1Type>, Plain<IntegerUI32V1Type>,
    Plain<IntegerUI64V1Type>, ShapedRecord<RankedTensorV1Type>,
    Plain<TokenV1Type>, Record<TupleV1Type, &TupleV1Type::getElementTypes>,
    Record<UniformQuantizedV1Type, &UniformQuantizedV1Type::getFlags,
           &UniformQuantizedV1Type::getStorageType,
           &UniformQuantizedV1Type::getExpressedType,
           &UniformQuantizedV1Type::getScale,
           &UniformQuantizedV1Type::getZeroPoint,
           &UniformQuantizedV1Type::getStorageTypeMin,
           &UniformQuantizedV1Type::getStorageTypeMax>,
    Record<UnrankedTensorV1Type, &UnrankedTensorV1Type::getElementType>,
    Plain<WitnessV1Type>, Plain<FloatF8E4M3FNUZV1Type>,
    Plain<FloatF8E5M2FNUZV1Type>, Plain<FloatF8E4M3B11FNUZV1Type>,
    Record<UniformQuantizedPerAxisV1Type,
           &UniformQuantizedPerAxisV1Type::getFlags,
           &UniformQuantizedPerAxisV1Type::getStorageType,
           &UniformQuantizedPerAxisV1Type::getExpressedType,
           &UniformQuantizedPerAxisV1Type::getQuantizedDimension,
           &UniformQuantizedPerAxisV1Type::getStorageTypeMin,
           &UniformQuantizedPerAxisV1Type::getStorageTypeMax,
           &UniformQuantizedPerAxisV1Type::getScales,
           &UniformQuantizedPerAxisV1Type::getZeroPoints>,
    Plain<IntegerSI2V1Type>, Plain<IntegerUI2V1Type>, Plain<NoneV1Type>,
    Plain<FloatTF32V1Type>, Plain<FloatF8E4M3V1Type>, Plain<FloatF8E3M4V1Type>,
    Plain<FloatF4E2M1FNV1Type>, Plain<FloatF6E2M3FNV1Type>,
    Plain<FloatF6E3M2FNV1Type>, Plain<FloatF8E8M0FNUV1Type>,
    ShapedRecord<RankedBufferV1Type>,
    Record<FutureV1Type, &FutureV1Type::getTypes>>;

/// A tensor with an encoding has a code of its own.
constexpr uint64_t kEncodedTensor = RankedTensorV1Type::kCode + 1;

class VhloBytecode final : public BytecodeDialectInterface {
public:
  explicit VhloBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(Reader &reader) const override {
    uint64_t code = 0;
    if (failed(reader.readVarInt(code)))
      return {};
    return Attributes::read<Attribute>(reader, code);
  }

  Type readType(Reader &reader) const override {
    uint64_t code = 0;
    if (failed(reader.readVarInt(code)))
      return {};
    if (code != kEncodedTensor)
      return Types::read<Type>(reader, code);
    Attribute encoding;
    if (failed(reader.readAttribute(encoding)))
      return {};
    return ShapedRecord<RankedTensorV1Type>::readRest(reader, encoding);
  }

  LogicalResult writeAttribute(Attribute attribute,
                               Writer &writer) const override {
    return success(Attributes::write(attribute, writer));
  }

  LogicalResult writeType(Type type, Writer &writer) const override {
    auto tensor = dyn_cast<RankedTensorV1Type>(type);
    if (!tensor || !tensor.getEncoding())
      return success(Types::write(type, writer));
    writer.writeVarInt(kEncodedTensor);
    ShapedRecord<RankedTensorV1Type>::write(tensor, writer);
    return success();
  }
};

} // namespace

void VhloDialect::registerBytecode() { addInterfaces<VhloBytecode>(); }

} // namespace xlac::vhlo
