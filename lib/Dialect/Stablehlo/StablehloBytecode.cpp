// Encodings of the dialect's attributes and types in plain MLIR bytecode,
// compatible with other StableHLO tools. Portable artifacts contain vhlo
// instead.
#include "mlir/IR/Diagnostics.h"
#include "xlac/Dialect/Stablehlo/BytecodeEnums.h"

using namespace mlir;
using namespace xlac::stablehlo;
using namespace xlac::encoding;

namespace {

struct DotAlgorithmRecord {
  using Class = DotAlgorithmAttr;
  using Parts = Record<DotAlgorithmAttr, &DotAlgorithmAttr::getLhsPrecisionType,
                       &DotAlgorithmAttr::getRhsPrecisionType,
                       &DotAlgorithmAttr::getAccumulationType,
                       &DotAlgorithmAttr::getLhsComponentCount,
                       &DotAlgorithmAttr::getRhsComponentCount,
                       &DotAlgorithmAttr::getNumPrimitiveOperations>;
  static DotAlgorithmAttr read(Reader &reader) {
    mlir::Type lhs, rhs, accumulation;
    int64_t lhsCount, rhsCount, operations;
    bool imprecise;
    if (failed(reader.readType(lhs)) || failed(reader.readType(rhs)) ||
        failed(reader.readType(accumulation)) ||
        failed(reader.readSignedVarInt(lhsCount)) ||
        failed(reader.readSignedVarInt(rhsCount)) ||
        failed(reader.readSignedVarInt(operations)) ||
        failed(reader.readBool(imprecise)))
      return {};
    return DotAlgorithmAttr::get(reader.getContext(), lhs, rhs, accumulation,
                                 lhsCount, rhsCount, operations, imprecise);
  }
  static void write(DotAlgorithmAttr value, Writer &writer) {
    Parts::write(value, writer);
    writer.writeOwnedBool(value.getAllowImpreciseAccumulation());
  }
};

/// An optional attribute: a preceding byte states whether it is present.
template <class T> static LogicalResult readIfThere(Reader &reader, T &value) {
  bool there;
  if (failed(reader.readBool(there)))
    return mlir::failure();
  return there ? reader.readAttribute(value) : mlir::success();
}

static void writeIfThere(Writer &writer, Attribute value) {
  writer.writeOwnedBool(static_cast<bool>(value));
  if (value)
    writer.writeAttribute(value);
}

struct AxisRecord {
  using Class = AxisRefAttr;
  static AxisRefAttr read(Reader &reader) {
    StringRef name;
    SubAxisInfoAttr part;
    if (failed(reader.readString(name)) || failed(readIfThere(reader, part)))
      return {};
    return AxisRefAttr::get(reader.getContext(),
                            StringAttr::get(reader.getContext(), name), part);
  }
  static void write(AxisRefAttr value, Writer &writer) {
    writer.writeOwnedString(value.getName());
    writeIfThere(writer, value.getSubAxisInfo());
  }
};

struct MeshAxisRecord {
  using Class = MeshAxisAttr;
  static MeshAxisAttr read(Reader &reader) {
    StringRef name;
    int64_t size;
    if (failed(reader.readString(name)) ||
        failed(reader.readSignedVarInt(size)))
      return {};
    return MeshAxisAttr::get(reader.getContext(),
                             StringAttr::get(reader.getContext(), name), size);
  }
  static void write(MeshAxisAttr value, Writer &writer) {
    writer.writeOwnedString(value.getName());
    writer.writeSignedVarInt(value.getSize());
  }
};

struct MeshRecord {
  using Class = MeshAttr;
  static MeshAttr read(Reader &reader) {
    ArrayAttr axes;
    DenseIntElementsAttr ids;
    if (failed(reader.readAttribute(axes)) || failed(readIfThere(reader, ids)))
      return {};
    return MeshAttr::get(reader.getContext(), axes, ids);
  }
  static void write(MeshAttr value, Writer &writer) {
    writer.writeAttribute(value.getAxes());
    writeIfThere(writer, value.getDeviceIds());
  }
};

struct ReplicaGroupsRecord {
  using Class = ReplicaGroupMeshAxesAttr;
  static ReplicaGroupMeshAxesAttr read(Reader &reader) {
    Attribute mesh;
    SmallVector<Attribute> axes;
    if (failed(reader.readAttribute(mesh)) ||
        failed(reader.readAttributes(axes)))
      return {};
    return ReplicaGroupMeshAxesAttr::get(
        reader.getContext(), mesh, ArrayAttr::get(reader.getContext(), axes));
  }
  static void write(ReplicaGroupMeshAxesAttr value, Writer &writer) {
    writer.writeAttribute(value.getMesh());
    writer.writeAttributes(value.getAxes().getValue());
  }
};

template <uint64_t code, class T, auto... getters>
using Fields = Coded<code, Record<T, getters...>>;
template <uint64_t code, class T> using Enum = Coded<code, EnumRecord<T>>;

// Code 0 belongs to an attribute that the dialect no longer has.
using Attributes =
    Family<Fields<1, ChannelHandleAttr, &ChannelHandleAttr::getHandle,
                  &ChannelHandleAttr::getType>,
           Enum<2, ComparisonDirectionAttr>, Enum<3, ComparisonTypeAttr>,
           Fields<4, ConvDimensionNumbersAttr,
                  &ConvDimensionNumbersAttr::getInputBatchDimension,
                  &ConvDimensionNumbersAttr::getInputFeatureDimension,
                  &ConvDimensionNumbersAttr::getInputSpatialDimensions,
                  &ConvDimensionNumbersAttr::getKernelInputFeatureDimension,
                  &ConvDimensionNumbersAttr::getKernelOutputFeatureDimension,
                  &ConvDimensionNumbersAttr::getKernelSpatialDimensions,
                  &ConvDimensionNumbersAttr::getOutputBatchDimension,
                  &ConvDimensionNumbersAttr::getOutputFeatureDimension,
                  &ConvDimensionNumbersAttr::getOutputSpatialDimensions>,
           Fields<5, DotDimensionNumbersAttr,
                  &DotDimensionNumbersAttr::getLhsBatchingDimensions,
                  &DotDimensionNumbersAttr::getRhsBatchingDimensions,
                  &DotDimensionNumbersAttr::getLhsContractingDimensions,
                  &DotDimensionNumbersAttr::getRhsContractingDimensions>,
           Enum<6, FftTypeAttr>,
           Fields<7, GatherDimensionNumbersAttr,
                  &GatherDimensionNumbersAttr::getOffsetDims,
                  &GatherDimensionNumbersAttr::getCollapsedSliceDims,
                  &GatherDimensionNumbersAttr::getOperandBatchingDims,
                  &GatherDimensionNumbersAttr::getStartIndicesBatchingDims,
                  &GatherDimensionNumbersAttr::getStartIndexMap,
                  &GatherDimensionNumbersAttr::getIndexVectorDim>,
           Enum<8, PrecisionAttr>, Enum<9, RngAlgorithmAttr>,
           Enum<10, RngDistributionAttr>,
           Fields<11, ScatterDimensionNumbersAttr,
                  &ScatterDimensionNumbersAttr::getUpdateWindowDims,
                  &ScatterDimensionNumbersAttr::getInsertedWindowDims,
                  &ScatterDimensionNumbersAttr::getInputBatchingDims,
                  &ScatterDimensionNumbersAttr::getScatterIndicesBatchingDims,
                  &ScatterDimensionNumbersAttr::getScatterDimsToOperandDims,
                  &ScatterDimensionNumbersAttr::getIndexVectorDim>,
           Enum<12, TransposeAttr>,
           Fields<13, TypeExtensionsAttr, &TypeExtensionsAttr::getBounds>,
           Fields<14, OutputOperandAliasAttr,
                  &OutputOperandAliasAttr::getOutputTupleIndices,
                  &OutputOperandAliasAttr::getOperandIndex,
                  &OutputOperandAliasAttr::getOperandTupleIndices>,
           Coded<15, DotAlgorithmRecord>, Enum<16, ResultAccuracyModeAttr>,
           Fields<17, ResultAccuracyAttr, &ResultAccuracyAttr::getAtol,
                  &ResultAccuracyAttr::getRtol, &ResultAccuracyAttr::getUlps,
                  &ResultAccuracyAttr::getMode>,
           Coded<18, ReplicaGroupsRecord>,
           Fields<19, SubAxisInfoAttr, &SubAxisInfoAttr::getPreSize,
                  &SubAxisInfoAttr::getSize>,
           Coded<20, AxisRecord>, Coded<21, MeshAxisRecord>,
           Coded<22, MeshRecord>>;

using Types = Family<Coded<0, Plain<TokenType>>,
                     Fields<1, FutureType, &FutureType::getTypes>>;

} // namespace

void StablehloDialect::registerBytecode() {
  addInterfaces<FamilyInterface<Attributes, Types>>();
}

//===- CustomCallOp -------------------------------------------------------===//

/// Reads an attribute that files of older versions lack, where the properties
/// end before it. The reader offers no query for its end, only an error.
static LogicalResult readIfNotAtEnd(Reader &reader, ArrayAttr &value) {
  std::string said;
  {
    ScopedDiagnosticHandler handler(reader.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      said = diagnostic.str();
                                      return mlir::success();
                                    });
    if (succeeded(reader.readOptionalAttribute(value)))
      return mlir::success();
  }
  if (StringRef(said).contains("parse a byte at the end"))
    return mlir::success();
  return reader.emitError(said);
}

LogicalResult CustomCallOp::readProperties(Reader &reader,
                                           OperationState &state) {
  auto &all = state.getOrAddProperties<Properties>();
  return mlir::failure(
      failed(reader.readOptionalAttribute(all.api_version)) ||
      failed(reader.readOptionalAttribute(all.backend_config)) ||
      failed(reader.readAttribute(all.call_target_name)) ||
      failed(reader.readOptionalAttribute(all.called_computations)) ||
      failed(reader.readOptionalAttribute(all.has_side_effect)) ||
      failed(reader.readOptionalAttribute(all.operand_layouts)) ||
      failed(reader.readOptionalAttribute(all.output_operand_aliases)) ||
      failed(reader.readOptionalAttribute(all.result_layouts)) ||
      failed(readIfNotAtEnd(reader, all.result_tilings)));
}

void CustomCallOp::writeProperties(Writer &writer) {
  auto &all = getProperties();
  writer.writeOptionalAttribute(all.api_version);
  writer.writeOptionalAttribute(all.backend_config);
  writer.writeAttribute(all.call_target_name);
  writer.writeOptionalAttribute(all.called_computations);
  writer.writeOptionalAttribute(all.has_side_effect);
  writer.writeOptionalAttribute(all.operand_layouts);
  writer.writeOptionalAttribute(all.output_operand_aliases);
  writer.writeOptionalAttribute(all.result_layouts);
  writer.writeOptionalAttribute(all.result_tilings);
}
