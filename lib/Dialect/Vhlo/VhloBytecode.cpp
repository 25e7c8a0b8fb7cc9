// Bytecode encodings of the dialect's attributes and types.
#include "xlac/Dialect/BytecodeRecords.h"
#include "xlac/Dialect/Stablehlo/BytecodeEnums.h"
#include "xlac/Dialect/Vhlo/Conversion.h"

using namespace mlir;
using namespace xlac::encoding;

namespace xlac::vhlo {
namespace {

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

/// An optional attribute: a preceding number states whether it is present.
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

/// Shape and element type. The encoding, if any, precedes them.
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

/// A tensor with an encoding has a separate code.
constexpr uint64_t kEncodedTensor = RankedTensorV1Type::kCode + 1;

class VhloBytecode final : public FamilyInterface<Attributes, Types> {
public:
  explicit VhloBytecode(Dialect *dialect) : FamilyInterface(dialect) {}

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
