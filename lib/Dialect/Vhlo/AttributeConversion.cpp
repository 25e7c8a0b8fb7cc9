#include "xlac/Dialect/Vhlo/Conversion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace xlac::vhlo {

// Enums that are attributes in both dialects.
#define XLAC_ENUMS(ONE)                                                        \
  ONE(ComparisonDirection)                                                     \
  ONE(ComparisonType)                                                          \
  ONE(FftType)                                                                 \
  ONE(Precision)                                                               \
  ONE(ResultAccuracyMode)                                                      \
  ONE(RngAlgorithm)                                                            \
  ONE(RngDistribution)                                                         \
  ONE(Transpose)

//===- Elements -----------------------------------------------------------===//

/// Returns true if `data` contains the elements of `type`: numbers of a static
/// shape.
static bool holdsElements(ShapedType type, ArrayRef<char> data) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (!element.isIntOrIndexOrFloat() || !type.hasStaticShape())
    return false;
  int64_t count = 16; // bytes of the largest element type
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(count, size, count))
      return false;
  bool splat = false;
  return DenseElementsAttr::isValidRawBuffer(type, data, splat);
}

static Attribute convertTensor(TensorV1Attr attribute) {
  auto type =
      dyn_cast_or_null<RankedTensorType>(toStablehlo(attribute.getType()));
  if (!type || !holdsElements(type, attribute.getData()))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, attribute.getData());
}

static Attribute makeTensor(ShapedType type, ArrayRef<char> data) {
  Type own = toVhlo(Type(type));
  return own ? TensorV1Attr::get(type.getContext(), own, data) : nullptr;
}

static Attribute makeTensor(DenseElementsAttr elements) {
  if (!isa<DenseIntOrFPElementsAttr>(elements))
    return {};
  return makeTensor(elements.getType(), elements.getRawData());
}

static Attribute convertResource(DenseResourceElementsAttr attribute) {
  AsmResourceBlob *blob = attribute.getRawHandle().getBlob();
  auto type = dyn_cast<RankedTensorType>(attribute.getType());
  if (!blob || !type || !holdsElements(type, blob->getData()))
    return {};
  return makeTensor(type, blob->getData());
}

//===- To StableHLO -------------------------------------------------------===//

static Attribute convertArray(ArrayV1Attr attribute) {
  SmallVector<Attribute> values;
  for (Attribute one : attribute.getValue()) {
    values.push_back(toStablehlo(one));
    if (!values.back())
      return {};
  }
  return ArrayAttr::get(attribute.getContext(), values);
}

static Attribute convertDictionary(DictionaryV1Attr attribute) {
  SmallVector<NamedAttribute> entries;
  for (auto [name, value] : attribute.getValue()) {
    auto key = dyn_cast_or_null<StringAttr>(toStablehlo(name));
    Attribute converted = toStablehlo(value);
    if (!key || key.empty() || !converted)
      return {};
    entries.push_back({key, converted});
  }
  if (DictionaryAttr::findDuplicate(entries, /*isSorted=*/false))
    return {};
  return DictionaryAttr::get(attribute.getContext(), entries);
}

static Attribute convertNumber(FloatV1Attr attribute) {
  auto type = dyn_cast_or_null<FloatType>(toStablehlo(attribute.getType()));
  if (!type ||
      &type.getFloatSemantics() != &attribute.getValue().getSemantics())
    return {};
  return FloatAttr::get(type, attribute.getValue());
}

static Attribute convertNumber(IntegerV1Attr attribute) {
  Type type = toStablehlo(attribute.getType());
  if (!type || !type.isIntOrIndex() ||
      attribute.getValue().getBitWidth() !=
          (type.isIndex() ? 64 : type.getIntOrFloatBitWidth()))
    return {};
  return IntegerAttr::get(type, attribute.getValue());
}

static Attribute convertAccuracy(ResultAccuracyV1Attr attribute) {
  auto mode = dyn_cast_or_null<stablehlo::ResultAccuracyModeAttr>(
      toStablehlo(attribute.getMode()));
  if (!mode)
    return {};
  return stablehlo::ResultAccuracyAttr::get(
      attribute.getContext(), attribute.getAtol(), attribute.getRtol(),
      attribute.getUlps(), mode);
}

static Attribute convertAxis(AxisRefV1Attr attribute) {
  auto name = dyn_cast_or_null<StringAttr>(toStablehlo(attribute.getName()));
  stablehlo::SubAxisInfoAttr part;
  if (Attribute own = attribute.getSubAxisInfo())
    if (!(part =
              dyn_cast_or_null<stablehlo::SubAxisInfoAttr>(toStablehlo(own))))
      return {};
  return name ? stablehlo::AxisRefAttr::get(attribute.getContext(), name, part)
              : nullptr;
}

static Attribute convertGroups(ReplicaGroupMeshAxesV1Attr attribute) {
  Attribute mesh = toStablehlo(attribute.getMesh());
  if (auto name = dyn_cast_or_null<StringAttr>(mesh))
    mesh = FlatSymbolRefAttr::get(name);
  auto axes = dyn_cast_or_null<ArrayAttr>(toStablehlo(attribute.getAxes()));
  if (!mesh || !axes)
    return {};
  return stablehlo::ReplicaGroupMeshAxesAttr::get(attribute.getContext(), mesh,
                                                  axes);
}

static Attribute convertMesh(MeshV1Attr attribute) {
  auto axes = dyn_cast_or_null<ArrayAttr>(toStablehlo(attribute.getAxes()));
  DenseIntElementsAttr ids;
  if (Attribute own = attribute.getDeviceIds())
    if (!(ids = dyn_cast_or_null<DenseIntElementsAttr>(toStablehlo(own))))
      return {};
  return axes ? stablehlo::MeshAttr::get(attribute.getContext(), axes, ids)
              : nullptr;
}

Attribute toStablehlo(Attribute attribute) {
  MLIRContext *context = attribute.getContext();
  Builder builder(context);
  if (!isa<VhloDialect>(attribute.getDialect()))
    return attribute;
#define ONE(NAME)                                                              \
  .Case([&](NAME##V1Attr one) {                                                \
    return stablehlo::NAME##Attr::get(context, one.getValue());                \
  })
  return TypeSwitch<Attribute, Attribute>(attribute) XLAC_ENUMS(ONE)
      .Case([&](CustomCallApiVersionV1Attr one) {
        return builder.getI32IntegerAttr(static_cast<int32_t>(one.getValue()));
      })
      .Case([](ArrayV1Attr one) { return convertArray(one); })
      .Case([](DictionaryV1Attr one) { return convertDictionary(one); })
      .Case([](TensorV1Attr one) { return convertTensor(one); })
      .Case<FloatV1Attr, IntegerV1Attr>(
          [](auto one) { return convertNumber(one); })
      .Case([&](BooleanV1Attr one) {
        return builder.getBoolAttr(one.getValue());
      })
      .Case([&](StringV1Attr one) {
        return builder.getStringAttr(one.getValue());
      })
      .Case([](TypeV1Attr one) -> Attribute {
        Type type = toStablehlo(one.getValue());
        return type ? TypeAttr::get(type) : nullptr;
      })
      .Case([&](OutputOperandAliasV1Attr one) {
        return stablehlo::OutputOperandAliasAttr::get(
            context, one.getOutputTupleIndices(), one.getOperandIndex(),
            one.getOperandTupleIndices());
      })
      .Case([&](TypeExtensionsV1Attr one) {
        return stablehlo::TypeExtensionsAttr::get(context, one.getBounds());
      })
      .Case([](ResultAccuracyV1Attr one) { return convertAccuracy(one); })
      .Case([&](SubAxisInfoV1Attr one) {
        return stablehlo::SubAxisInfoAttr::get(context, one.getPreSize(),
                                               one.getSize());
      })
      .Case([](AxisRefV1Attr one) { return convertAxis(one); })
      .Case([](ReplicaGroupMeshAxesV1Attr one) { return convertGroups(one); })
      .Case([&](MeshAxisV1Attr one) -> Attribute {
        auto name = dyn_cast_or_null<StringAttr>(toStablehlo(one.getName()));
        return name ? stablehlo::MeshAxisAttr::get(context, name, one.getSize())
                    : nullptr;
      })
      .Case([](MeshV1Attr one) { return convertMesh(one); })
      .Default([](Attribute) { return nullptr; });
#undef ONE
}

//===- To VHLO ------------------------------------------------------------===//

/// Returns the vhlo form of `attribute`, or the attribute itself if it has
/// none. The program only passes on such data of other dialects.
static Attribute carried(Attribute attribute) {
  Attribute own = toVhlo(attribute);
  return own ? own : attribute;
}

static Attribute convertArray(ArrayAttr attribute) {
  SmallVector<Attribute> values = llvm::map_to_vector(
      attribute, [](Attribute one) { return carried(one); });
  return ArrayV1Attr::get(attribute.getContext(), values);
}

static Attribute convertDictionary(DictionaryAttr attribute) {
  SmallVector<std::pair<Attribute, Attribute>> entries;
  for (NamedAttribute one : attribute)
    entries.push_back(
        {toVhlo(Attribute(one.getName())), carried(one.getValue())});
  return DictionaryV1Attr::get(attribute.getContext(), entries);
}

static Attribute convertNumber(IntegerAttr attribute) {
  Type type = toVhlo(attribute.getType());
  if (attribute.getType().isInteger(1))
    return BooleanV1Attr::get(attribute.getContext(),
                              attribute.getValue().getBoolValue());
  return type ? IntegerV1Attr::get(attribute.getContext(), type,
                                   attribute.getValue())
              : nullptr;
}

static Attribute convertAxis(stablehlo::AxisRefAttr attribute) {
  Attribute part = attribute.getSubAxisInfo();
  return AxisRefV1Attr::get(attribute.getContext(),
                            toVhlo(Attribute(attribute.getName())),
                            part ? toVhlo(part) : nullptr);
}

static Attribute convertMesh(stablehlo::MeshAttr attribute) {
  Attribute ids = attribute.getDeviceIds();
  Attribute own = ids ? toVhlo(ids) : nullptr;
  if (ids && !own)
    return {};
  return MeshV1Attr::get(attribute.getContext(),
                         toVhlo(Attribute(attribute.getAxes())), own);
}

static Attribute convertGroups(stablehlo::ReplicaGroupMeshAxesAttr attribute) {
  Attribute mesh = toVhlo(attribute.getMesh());
  return mesh ? ReplicaGroupMeshAxesV1Attr::get(
                    attribute.getContext(), mesh,
                    toVhlo(Attribute(attribute.getAxes())))
              : nullptr;
}

Attribute toVhlo(Attribute attribute) {
  MLIRContext *context = attribute.getContext();
  if (isa<VhloDialect>(attribute.getDialect()))
    return attribute;
#define ONE(NAME)                                                              \
  .Case([&](stablehlo::NAME##Attr one) {                                       \
    return NAME##V1Attr::get(context, one.getValue());                         \
  })
  return TypeSwitch<Attribute, Attribute>(attribute) XLAC_ENUMS(ONE)
      .Case([](ArrayAttr one) { return convertArray(one); })
      .Case([](DictionaryAttr one) { return convertDictionary(one); })
      .Case([](IntegerAttr one) { return convertNumber(one); })
      .Case([&](FloatAttr one) -> Attribute {
        Type type = toVhlo(one.getType());
        return type ? FloatV1Attr::get(context, type, one.getValue()) : nullptr;
      })
      .Case([&](StringAttr one) -> Attribute {
        return isa<NoneType>(one.getType())
                   ? StringV1Attr::get(context, one.getValue())
                   : nullptr;
      })
      .Case([&](FlatSymbolRefAttr one) {
        return StringV1Attr::get(context, one.getValue());
      })
      .Case([&](TypeAttr one) -> Attribute {
        Type type = toVhlo(one.getValue());
        return type ? TypeV1Attr::get(context, type) : nullptr;
      })
      .Case([](DenseElementsAttr one) { return makeTensor(one); })
      .Case([](DenseResourceElementsAttr one) { return convertResource(one); })
      .Case([](DenseI64ArrayAttr one) {
        Builder builder(one.getContext());
        return makeTensor(builder.getI64TensorAttr(one.asArrayRef()));
      })
      .Case([](DenseBoolArrayAttr one) {
        auto type = RankedTensorType::get(
            one.size(), IntegerType::get(one.getContext(), 1));
        return makeTensor(DenseElementsAttr::get(type, one.asArrayRef()));
      })
      .Case([&](stablehlo::OutputOperandAliasAttr one) {
        return OutputOperandAliasV1Attr::get(
            context, one.getOutputTupleIndices(), one.getOperandIndex(),
            one.getOperandTupleIndices());
      })
      .Case([&](stablehlo::TypeExtensionsAttr one) {
        return TypeExtensionsV1Attr::get(context, one.getBounds());
      })
      .Case([&](stablehlo::ResultAccuracyAttr one) {
        return ResultAccuracyV1Attr::get(context, one.getAtol(), one.getRtol(),
                                         one.getUlps(),
                                         toVhlo(Attribute(one.getMode())));
      })
      .Case([&](stablehlo::SubAxisInfoAttr one) {
        return SubAxisInfoV1Attr::get(context, one.getPreSize(), one.getSize());
      })
      .Case([](stablehlo::AxisRefAttr one) { return convertAxis(one); })
      .Case([](stablehlo::ReplicaGroupMeshAxesAttr one) {
        return convertGroups(one);
      })
      .Case([&](stablehlo::MeshAxisAttr one) {
        return MeshAxisV1Attr::get(context, toVhlo(Attribute(one.getName())),
                                   one.getSize());
      })
      .Case([](stablehlo::MeshAttr one) { return convertMesh(one); })
      .Default([](Attribute) { return nullptr; });
#undef ONE
}

} // namespace xlac::vhlo
