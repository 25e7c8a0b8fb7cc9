// Converts attribute structs of lib/ops to and from MLIR. The attributes of
// each op are generated from the table; this file converts each type of value.
#include "xlac/Dialect/Stablehlo/AttributeConversion.h"

#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Stablehlo/TypeConversion.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace xlac {

static std::string printed(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

namespace {

//===- Reading ------------------------------------------------------------===//

/// Reads members from an op's inherent attributes. `failed` is the name of the
/// first that fails.
struct AttributeReader {
  AttributeLookup attributes;
  bool borrowElements = false;
  StringRef failed;

  template <class T> bool value(StringRef name, T &to, bool mayMiss) {
    return with(name, mayMiss,
                [&](Attribute attribute) { return convert(attribute, to); });
  }
  bool unit(StringRef name, bool &to, bool) {
    Attribute attribute = attributes(name);
    auto boolean = dyn_cast_or_null<BoolAttr>(attribute);
    to = boolean ? boolean.getValue() : static_cast<bool>(attribute);
    return true;
  }
  template <class AttrClass, class T>
  bool enumeration(StringRef name, T &to, bool mayMiss) {
    return with(name, mayMiss, [&](Attribute attribute) {
      return convertEnum<AttrClass>(attribute, to);
    });
  }
  template <class T> bool integerEnum(StringRef name, T &to, bool mayMiss) {
    return with(name, mayMiss, [&](Attribute attribute) {
      auto integer = dyn_cast<IntegerAttr>(attribute);
      if (!integer)
        return false;
      to = static_cast<T>(integer.getInt());
      return ops::enum_name(to) != "?";
    });
  }
  template <class AttrClass, class T>
  bool enumArray(StringRef name, T &to, bool mayMiss) {
    return with(name, mayMiss, [&](Attribute attribute) {
      auto array = dyn_cast<ArrayAttr>(attribute);
      if (!array)
        return false;
      auto &values = to.emplace();
      for (Attribute element : array)
        if (!convertEnum<AttrClass>(element, values.emplace_back()))
          return false;
      return true;
    });
  }

private:
  template <class Function>
  bool with(StringRef name, bool mayMiss, Function &&function) {
    Attribute attribute = attributes(name);
    if (attribute ? function(attribute) : mayMiss)
      return true;
    failed = name;
    return false;
  }

  template <class AttrClass, class T>
  static bool convertEnum(Attribute attribute, T &to) {
    auto typed = dyn_cast<AttrClass>(attribute);
    return typed && ops::parse_enum(stringifyEnum(typed.getValue()).str(), to);
  }
  template <class AttrClass, class T>
  static bool convertEnum(Attribute attribute, std::optional<T> &to) {
    return convertEnum<AttrClass>(attribute, to.emplace());
  }

  template <class T> bool convert(Attribute attribute, std::optional<T> &to) {
    return convert(attribute, to.emplace());
  }
  bool convert(Attribute attribute, bool &to) {
    auto boolean = dyn_cast<BoolAttr>(attribute);
    return boolean && (to = boolean.getValue(), true);
  }
  bool convert(Attribute attribute, int64_t &to) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer && (to = integer.getInt(), true);
  }
  bool convert(Attribute attribute, int32_t &to) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer && (to = static_cast<int32_t>(integer.getInt()), true);
  }
  bool convert(Attribute attribute, float &to) {
    auto number = dyn_cast<FloatAttr>(attribute);
    if (!number || !number.getType().isF32())
      return false;
    to = number.getValue().convertToFloat();
    return true;
  }
  bool convert(Attribute attribute, std::string &to) {
    auto string = dyn_cast<StringAttr>(attribute);
    return string && (to = string.getValue().str(), true);
  }
  bool convert(Attribute attribute, ops::SymbolName &to) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute);
    return symbol && (to.name = symbol.getValue().str(), true);
  }
  bool convert(Attribute attribute, std::vector<int64_t> &to) {
    auto array = dyn_cast<DenseI64ArrayAttr>(attribute);
    return array && (to = array.asArrayRef().vec(), true);
  }
  bool convert(Attribute attribute, std::vector<int32_t> &to) {
    auto array = dyn_cast<DenseI32ArrayAttr>(attribute);
    return array && (to = array.asArrayRef().vec(), true);
  }
  bool convert(Attribute attribute, std::vector<bool> &to) {
    auto array = dyn_cast<DenseBoolArrayAttr>(attribute);
    if (!array)
      return false;
    to.assign(array.asArrayRef().begin(), array.asArrayRef().end());
    return true;
  }
  template <class T> bool convert(Attribute attribute, std::vector<T> &to) {
    auto array = dyn_cast<ArrayAttr>(attribute);
    if (!array)
      return false;
    for (Attribute element : array)
      if (!convert(element, to.emplace_back()))
        return false;
    return true;
  }
  bool convert(Attribute attribute, ops::IntElements &to) {
    auto dense = dyn_cast<DenseIntElementsAttr>(attribute);
    if (!dense || !mayExpand(dense))
      return false;
    to.shape = dense.getType().getShape().vec();
    for (const APInt &value : dense.getValues<APInt>())
      to.values.push_back(value.getSExtValue());
    return true;
  }
  bool convert(Attribute attribute, ops::ReplicaGroups &to) {
    if (convert(attribute, to.groups))
      return true;
    to.mesh_axes = printed(attribute);
    return isa<stablehlo::ReplicaGroupMeshAxesAttr>(attribute);
  }
  bool convert(Attribute attribute, ops::OpaqueAttribute &to) {
    to.text = printed(attribute);
    return true;
  }
  bool convert(Attribute attribute, ops::DenseElements &to) {
    if (borrowElements) {
      auto typed = dyn_cast<TypedAttr>(attribute);
      if (!typed)
        return false;
      mlir::Type type = typed.getType();
      if (!isa<ShapedType>(type))
        type = RankedTensorType::get({}, type);
      std::optional<Type> plain = convertType(type);
      return plain && plain->is_tensor() && (to.type = plain->tensor(), true);
    }
    auto elements = readElements(attribute);
    return elements && (to = std::move(*elements), true);
  }
  bool convert(Attribute attribute, ops::ChannelHandle &to) {
    auto a = dyn_cast<stablehlo::ChannelHandleAttr>(attribute);
    return a && (to = {a.getHandle(), a.getType()}, true);
  }
  bool convert(Attribute attribute, ops::ResultAccuracy &to) {
    auto a = dyn_cast<stablehlo::ResultAccuracyAttr>(attribute);
    if (!a)
      return false;
    to.atol = a.getAtol().convertToDouble();
    to.rtol = a.getRtol().convertToDouble();
    to.ulps = a.getUlps();
    return ops::parse_enum(stringifyEnum(a.getMode().getValue()).str(),
                           to.mode);
  }
  bool convert(Attribute attribute, ops::DotAlgorithm &to) {
    auto a = dyn_cast<stablehlo::DotAlgorithmAttr>(attribute);
    if (!a)
      return false;
    auto name = [](mlir::Type type) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return text;
    };
    to = {name(a.getLhsPrecisionType()),    name(a.getRhsPrecisionType()),
          name(a.getAccumulationType()),    a.getLhsComponentCount(),
          a.getRhsComponentCount(),         a.getNumPrimitiveOperations(),
          a.getAllowImpreciseAccumulation()};
    return true;
  }
  bool convert(Attribute attribute, ops::DotDimensionNumbers &to) {
    auto a = dyn_cast<stablehlo::DotDimensionNumbersAttr>(attribute);
    if (!a)
      return false;
    to = {a.getLhsBatchingDimensions().vec(),
          a.getRhsBatchingDimensions().vec(),
          a.getLhsContractingDimensions().vec(),
          a.getRhsContractingDimensions().vec()};
    return true;
  }
  bool convert(Attribute attribute, ops::RaggedDotDimensionNumbers &to) {
    auto a = dyn_cast<chlo::RaggedDotDimensionNumbersAttr>(attribute);
    if (!a)
      return false;
    to = {{a.getLhsBatchingDimensions().vec(),
           a.getRhsBatchingDimensions().vec(),
           a.getLhsContractingDimensions().vec(),
           a.getRhsContractingDimensions().vec()},
          a.getLhsRaggedDimensions().vec(),
          a.getRhsGroupDimensions().vec()};
    return true;
  }
  bool convert(Attribute attribute, ops::GatherDimensionNumbers &to) {
    auto a = dyn_cast<stablehlo::GatherDimensionNumbersAttr>(attribute);
    if (!a)
      return false;
    to = {
        a.getOffsetDims().vec(),          a.getCollapsedSliceDims().vec(),
        a.getOperandBatchingDims().vec(), a.getStartIndicesBatchingDims().vec(),
        a.getStartIndexMap().vec(),       a.getIndexVectorDim()};
    return true;
  }
  bool convert(Attribute attribute, ops::ScatterDimensionNumbers &to) {
    auto a = dyn_cast<stablehlo::ScatterDimensionNumbersAttr>(attribute);
    if (!a)
      return false;
    to = {a.getUpdateWindowDims().vec(),
          a.getInsertedWindowDims().vec(),
          a.getInputBatchingDims().vec(),
          a.getScatterIndicesBatchingDims().vec(),
          a.getScatterDimsToOperandDims().vec(),
          a.getIndexVectorDim()};
    return true;
  }
  bool convert(Attribute attribute, ops::ConvDimensionNumbers &to) {
    auto a = dyn_cast<stablehlo::ConvDimensionNumbersAttr>(attribute);
    if (!a)
      return false;
    to = {a.getInputBatchDimension(),
          a.getInputFeatureDimension(),
          a.getInputSpatialDimensions().vec(),
          a.getKernelInputFeatureDimension(),
          a.getKernelOutputFeatureDimension(),
          a.getKernelSpatialDimensions().vec(),
          a.getOutputBatchDimension(),
          a.getOutputFeatureDimension(),
          a.getOutputSpatialDimensions().vec()};
    return true;
  }
  bool convert(Attribute attribute, ops::OutputOperandAlias &to) {
    auto a = dyn_cast<stablehlo::OutputOperandAliasAttr>(attribute);
    if (!a)
      return false;
    to = {a.getOutputTupleIndices().vec(), a.getOperandIndex(),
          a.getOperandTupleIndices().vec()};
    return true;
  }
};

//===- Writing ------------------------------------------------------------===//

struct AttributeWriter {
  MLIRContext *context;
  NamedAttrList &list;

  template <class T> void value(StringRef name, const T &from) {
    add(name, convert(from));
  }
  template <class T> void value(StringRef name, const std::optional<T> &from) {
    if (from)
      add(name, convert(*from));
  }
  void unit(StringRef name, bool from) {
    if (from)
      add(name, UnitAttr::get(context));
  }
  template <class AttrClass, class T>
  void enumeration(StringRef name, const T &from) {
    add(name, convertEnum<AttrClass>(from));
  }
  template <class AttrClass, class T>
  void enumeration(StringRef name, const std::optional<T> &from) {
    if (from)
      add(name, convertEnum<AttrClass>(*from));
  }
  template <class T> void integerEnum(StringRef name, const T &from) {
    add(name, Builder(context).getI32IntegerAttr(static_cast<int32_t>(from)));
  }
  template <class AttrClass, class T>
  void enumArray(StringRef name, const std::optional<std::vector<T>> &from) {
    if (!from)
      return;
    SmallVector<Attribute> elements;
    for (T element : *from)
      elements.push_back(convertEnum<AttrClass>(element));
    add(name, ArrayAttr::get(context, elements));
  }

private:
  void add(StringRef name, Attribute attribute) {
    if (attribute)
      list.append(name, attribute);
  }
  Attribute parsed(const std::string &text) {
    return parseAttribute(text, context);
  }
  template <class AttrClass, class T> Attribute convertEnum(T value) {
    // Both enums are generated from one table, so their values are equal.
    using Enum = decltype(std::declval<AttrClass>().getValue());
    return AttrClass::get(context, static_cast<Enum>(value));
  }
  Builder build() { return Builder(context); }

  Attribute convert(bool from) { return build().getBoolAttr(from); }
  Attribute convert(int64_t from) { return build().getI64IntegerAttr(from); }
  Attribute convert(int32_t from) { return build().getI32IntegerAttr(from); }
  Attribute convert(float from) { return build().getF32FloatAttr(from); }
  Attribute convert(const std::string &from) {
    return build().getStringAttr(from);
  }
  Attribute convert(const ops::SymbolName &from) {
    return FlatSymbolRefAttr::get(context, from.name);
  }
  Attribute convert(const std::vector<int64_t> &from) {
    return build().getDenseI64ArrayAttr(from);
  }
  Attribute convert(const std::vector<int32_t> &from) {
    return build().getDenseI32ArrayAttr(from);
  }
  Attribute convert(const std::vector<bool> &from) {
    SmallVector<bool> values(from.begin(), from.end());
    return build().getDenseBoolArrayAttr(values);
  }
  template <class T> Attribute convert(const std::vector<T> &from) {
    SmallVector<Attribute> elements;
    for (const T &element : from)
      elements.push_back(convert(element));
    return ArrayAttr::get(context, elements);
  }
  Attribute convert(const ops::IntElements &from) {
    auto type = RankedTensorType::get(from.shape, build().getI64Type());
    if (type.getNumElements() != static_cast<int64_t>(from.values.size()))
      return {};
    return DenseIntElementsAttr::get(type, from.values);
  }
  Attribute convert(const ops::ReplicaGroups &from) {
    return from.mesh_axes.empty() ? convert(from.groups)
                                  : parsed(from.mesh_axes);
  }
  Attribute convert(const ops::OpaqueAttribute &from) {
    return parsed(from.text.empty() ? "{}" : from.text);
  }
  Attribute convert(const ops::DenseElements &from) {
    return writeElements(from, context);
  }
  Attribute convert(const ops::ChannelHandle &from) {
    return stablehlo::ChannelHandleAttr::get(context, from.handle, from.type);
  }
  Attribute convert(const ops::ResultAccuracy &from) {
    auto mode = stablehlo::symbolizeResultAccuracyMode(
        StringRef(ops::enum_name(from.mode)));
    return stablehlo::ResultAccuracyAttr::get(
        context, APFloat(from.atol), APFloat(from.rtol), from.ulps,
        stablehlo::ResultAccuracyModeAttr::get(context, *mode));
  }
  Attribute convert(const ops::DotAlgorithm &from) {
    mlir::Type lhs = parseType(from.lhs_precision_type, context);
    mlir::Type rhs = parseType(from.rhs_precision_type, context);
    mlir::Type sum = parseType(from.accumulation_type, context);
    if (!lhs || !rhs || !sum)
      return {};
    return stablehlo::DotAlgorithmAttr::get(
        context, lhs, rhs, sum, from.lhs_component_count,
        from.rhs_component_count, from.num_primitive_operations,
        from.allow_imprecise_accumulation);
  }
  Attribute convert(const ops::DotDimensionNumbers &from) {
    return stablehlo::DotDimensionNumbersAttr::get(
        context, from.lhs_batching_dimensions, from.rhs_batching_dimensions,
        from.lhs_contracting_dimensions, from.rhs_contracting_dimensions);
  }
  Attribute convert(const ops::RaggedDotDimensionNumbers &from) {
    return chlo::RaggedDotDimensionNumbersAttr::get(
        context, from.dot.lhs_batching_dimensions,
        from.dot.rhs_batching_dimensions, from.dot.lhs_contracting_dimensions,
        from.dot.rhs_contracting_dimensions, from.lhs_ragged_dimensions,
        from.rhs_group_dimensions);
  }
  Attribute convert(const ops::GatherDimensionNumbers &from) {
    return stablehlo::GatherDimensionNumbersAttr::get(
        context, from.offset_dims, from.collapsed_slice_dims,
        from.operand_batching_dims, from.start_indices_batching_dims,
        from.start_index_map, from.index_vector_dim);
  }
  Attribute convert(const ops::ScatterDimensionNumbers &from) {
    return stablehlo::ScatterDimensionNumbersAttr::get(
        context, from.update_window_dims, from.inserted_window_dims,
        from.input_batching_dims, from.scatter_indices_batching_dims,
        from.scatter_dims_to_operand_dims, from.index_vector_dim);
  }
  Attribute convert(const ops::ConvDimensionNumbers &from) {
    return stablehlo::ConvDimensionNumbersAttr::get(
        context, from.input_batch_dimension, from.input_feature_dimension,
        from.input_spatial_dimensions, from.kernel_input_feature_dimension,
        from.kernel_output_feature_dimension, from.kernel_spatial_dimensions,
        from.output_batch_dimension, from.output_feature_dimension,
        from.output_spatial_dimensions);
  }
  Attribute convert(const ops::OutputOperandAlias &from) {
    return stablehlo::OutputOperandAliasAttr::get(
        context, from.output_tuple_indices, from.operand_index,
        from.operand_tuple_indices);
  }
};

} // namespace

#include "xlac/ops/attribute_conversion.inc"

namespace ops {
#include "xlac/ops/op_dispatch.inc"
} // namespace ops

bool mayExpand(DenseIntElementsAttr numbers) {
  static constexpr int64_t kMaxSplat = 1 << 16;
  return !numbers.isSplat() || numbers.getNumElements() <= kMaxSplat;
}

FailureOr<ops::OpAttributes>
readAttributes(ops::OpKind kind, AttributeLookup attributes, bool typesOnly,
               function_ref<InFlightDiagnostic()> emitError) {
  ops::OpAttributes result;
  AttributeReader reader{attributes, typesOnly, {}};
  ops::dispatch(kind, [&](auto type) {
    typename decltype(type)::type plain;
    if (read(reader, plain))
      result = std::move(plain);
  });
  if (reader.failed.empty())
    return result;
  Attribute given = attributes(reader.failed);
  if (emitError) {
    if (given)
      emitError() << "attribute '" << reader.failed << "' has the form "
                  << given << ", which is not supported";
    else
      emitError() << "requires attribute '" << reader.failed << "'";
  }
  return mlir::failure();
}

void writeAttributes(ops::OpKind kind, const ops::OpAttributes &attributes,
                     MLIRContext *context, NamedAttrList &list) {
  AttributeWriter writer{context, list};
  ops::dispatch(kind, [&](auto type) {
    write(writer, attributes.get<typename decltype(type)::type>());
  });
}

} // namespace xlac
