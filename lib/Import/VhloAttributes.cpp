#include "VhloAttributes.h"

#include "xlac/Dialect/Vhlo/Conversion.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace xlac::vhlo;

namespace xlac {

Attribute RememberedConversion::operator()(Attribute attribute) {
  auto [place, isNew] = known.try_emplace(attribute);
  if (isNew)
    place->second = convert(attribute);
  return place->second;
}

//===- Fields -------------------------------------------------------------===//

using Fields = SmallVector<Attribute>;

static Attribute toField(Builder &builder, ArrayRef<int64_t> values) {
  return builder.getDenseI64ArrayAttr(values);
}
static Attribute toField(Builder &builder, int64_t value) {
  return builder.getI64IntegerAttr(value);
}
static Attribute toField(Builder &builder, bool value) {
  return builder.getBoolAttr(value);
}
static Attribute toField(Builder &, Type type) { return TypeAttr::get(type); }

static bool fromField(Attribute field, SmallVector<int64_t> &values) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(field);
  if (!elements || elements.getType().getRank() != 1 ||
      !elements.getElementType().isInteger(64))
    return false;
  llvm::append_range(values, elements.getValues<int64_t>());
  return true;
}
static bool fromField(Attribute field, int64_t &value) {
  auto number = dyn_cast_or_null<IntegerAttr>(field);
  if (!number || number.getValue().getSignificantBits() > 64)
    return false;
  value = number.getValue().getSExtValue();
  return true;
}
static bool fromField(Attribute field, bool &value) {
  auto boolean = dyn_cast_or_null<BoolAttr>(field);
  if (boolean)
    value = boolean.getValue();
  return static_cast<bool>(boolean);
}
static bool fromField(Attribute field, Type &type) {
  auto held = dyn_cast_or_null<TypeAttr>(field);
  if (held)
    type = held.getValue();
  return static_cast<bool>(held);
}

#include "xlac/Dialect/Vhlo/VhloFields.inc"

//===- Defaults -----------------------------------------------------------===//

/// Returns the number of window dimensions of an op on operands of `rank`.
static int64_t windowRank(StringRef source, int64_t rank) {
  bool convolves =
      source == "stablehlo.convolution" || source == "stablehlo.dynamic_conv";
  return convolves ? std::max<int64_t>(rank - 2, 0) : rank;
}

static constexpr auto kTypedFfi =
    stablehlo::CustomCallApiVersion::API_VERSION_TYPED_FFI;

DefaultsOf::DefaultsOf(MLIRContext *context, StringRef source,
                       Type firstOperand, Attribute apiVersion)
    : context(context) {
  if (auto type = dyn_cast_or_null<RankedTensorType>(firstOperand))
    windowRank = xlac::windowRank(source, type.getRank());
  if (auto version = dyn_cast_or_null<CustomCallApiVersionV1Attr>(apiVersion))
    typedFfi = version.getValue() == kTypedFfi;
}

DefaultsOf::DefaultsOf(Operation *op)
    : DefaultsOf(op->getContext(), op->getName().getStringRef(),
                 op->getNumOperands() > 0 ? op->getOperand(0).getType()
                                          : nullptr,
                 Attribute()) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    typedFfi = call.getApiVersion() == kTypedFfi;
}

namespace {
/// Kinds of default values.
enum class Default {
  None,
  False,
  Ones,
  NotReversed,
  NoPadding,
  NoIntegers,
  NoAttributes,
  NoEntries,
  NoText,
  MinusOne,
  Zero,
  Precision,
  Comparison,
  Accuracy,
  ApiVersion,
  BackendConfig,
};
} // namespace

static Default defaultKind(StringRef name) {
  return llvm::StringSwitch<Default>(name)
      .Cases({"window_strides", "lhs_dilation", "rhs_dilation",
              "base_dilations", "window_dilations", "window_dimensions"},
             Default::Ones)
      .Case("window_reversal", Default::NotReversed)
      .Case("padding", Default::NoPadding)
      .Cases({"known_expanding_dimensions", "known_nonexpanding_dimensions",
              "source_target_pairs"},
             Default::NoIntegers)
      .Cases({"called_computations", "operand_layouts", "result_layouts",
              "output_operand_aliases", "result_tilings", "layout", "arg_attrs",
              "res_attrs"},
             Default::NoAttributes)
      .Case("composite_attributes", Default::NoEntries)
      .Cases({"infeed_config", "outfeed_config", "sym_visibility"},
             Default::NoText)
      .Case("dimension", Default::MinusOne)
      .Case("version", Default::Zero)
      .Case("precision_config", Default::Precision)
      .Case("compare_type", Default::Comparison)
      .Case("result_accuracy", Default::Accuracy)
      .Case("api_version", Default::ApiVersion)
      .Case("backend_config", Default::BackendConfig)
      .Cases({"lower", "has_side_effect", "indices_are_sorted",
              "unique_indices", "is_host_transfer", "is_stable"},
             Default::False)
      .Default(Default::None);
}

/// Returns the default of a field whose attribute is absent, or that an older
/// form lacks.
static Attribute defaultField(const AttributeFacts &facts, Builder &builder) {
  switch (facts.spread) {
  case FlattenedAttribute::ChannelHandle:
    return builder.getI64IntegerAttr(0);
  case FlattenedAttribute::DotAlgorithm:
    return TypeAttr::get(builder.getNoneType());
  default:
    return builder.getDenseI64ArrayAttr({});
  }
}

/// Returns the default as StableHLO would write it.
static Attribute plainDefault(const AttributeFacts &facts,
                              const DefaultsOf &defaults) {
  MLIRContext *context = defaults.context;
  Builder builder(context);
  if (facts.form == AttributeForm::Field)
    return defaultField(facts, builder);
  if (facts.form == AttributeForm::Unit)
    return builder.getBoolAttr(false);
  SmallVector<int64_t> ones(defaults.windowRank, 1);
  auto precision =
      stablehlo::PrecisionAttr::get(context, stablehlo::Precision::DEFAULT);
  switch (defaultKind(facts.name)) {
  case Default::None:
    return {};
  case Default::False:
    return builder.getBoolAttr(false);
  case Default::Ones:
    return builder.getDenseI64ArrayAttr(ones);
  case Default::NotReversed:
    return builder.getDenseBoolArrayAttr(
        SmallVector<bool>(defaults.windowRank, false));
  case Default::NoPadding:
    return DenseIntElementsAttr::get(
        RankedTensorType::get({defaults.windowRank, 2}, builder.getI64Type()),
        SmallVector<int64_t>(defaults.windowRank * 2, 0));
  case Default::NoIntegers:
    return builder.getDenseI64ArrayAttr({});
  case Default::NoAttributes:
    return builder.getArrayAttr({});
  case Default::NoEntries:
    return builder.getDictionaryAttr({});
  case Default::NoText:
    return builder.getStringAttr("");
  case Default::MinusOne:
    return builder.getI64IntegerAttr(-1);
  case Default::Zero:
    return builder.getI64IntegerAttr(0);
  case Default::Precision:
    return builder.getArrayAttr({precision, precision});
  case Default::Comparison:
    return stablehlo::ComparisonTypeAttr::get(
        context, stablehlo::ComparisonType::NOTYPE);
  case Default::Accuracy:
    return stablehlo::ResultAccuracyAttr::get(
        context, stablehlo::ResultAccuracyMode::DEFAULT);
  case Default::ApiVersion:
    return CustomCallApiVersionV1Attr::get(
        context, stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL);
  case Default::BackendConfig:
    if (defaults.typedFfi)
      return builder.getDictionaryAttr({});
    return builder.getStringAttr("");
  }
  return {};
}

Attribute defaultValue(const AttributeFacts &facts,
                       const DefaultsOf &defaults) {
  Attribute plain = plainDefault(facts, defaults);
  return plain ? toVhlo(plain) : nullptr;
}

//===- To VHLO ------------------------------------------------------------===//

static Attribute convertApiVersion(Attribute attribute) {
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number)
    return {};
  auto known = stablehlo::symbolizeCustomCallApiVersion(
      static_cast<uint32_t>(number.getInt()));
  return known ? CustomCallApiVersionV1Attr::get(attribute.getContext(), *known)
               : nullptr;
}

static Attribute attributeToVhlo(Operation *op, const AttributeFacts &facts,
                                 const DefaultsOf &defaults,
                                 RememberedConversion &toVhlo) {
  Attribute source = op->getAttr(facts.source);
  if (facts.form == AttributeForm::Unit)
    return BooleanV1Attr::get(op->getContext(), static_cast<bool>(source));
  if (!source)
    return defaultValue(facts, defaults);
  if (facts.form == AttributeForm::ApiVersion)
    return convertApiVersion(source);
  if (facts.form != AttributeForm::Field)
    return toVhlo(source);
  Fields fields = spread(source);
  return facts.field < fields.size() ? toVhlo(fields[facts.field]) : nullptr;
}

FailureOr<SmallVector<Attribute>>
attributesToVhlo(Operation *op, const OpFacts &newest,
                 RememberedConversion &toVhlo) {
  SmallVector<Attribute> values;
  DefaultsOf defaults(op);
  for (const AttributeFacts &facts : newest.attributes) {
    values.push_back(attributeToVhlo(op, facts, defaults, toVhlo));
    if (!values.back())
      return op->emitError("attribute '")
             << facts.source << "' of " << op->getName()
             << " has no form in portable artifacts";
  }
  return values;
}

//===- To StableHLO -------------------------------------------------------===//

/// Converts a one-dimensional tensor to array<i64> or array<i1>.
static Attribute convertToArray(Attribute value, AttributeForm form) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(value);
  if (!elements || elements.getType().getRank() != 1 ||
      !elements.getElementType().isInteger(form == AttributeForm::Integers ? 64
                                                                           : 1))
    return {};
  Builder builder(value.getContext());
  if (form == AttributeForm::Integers)
    return builder.getDenseI64ArrayAttr(
        llvm::to_vector(elements.getValues<int64_t>()));
  return builder.getDenseBoolArrayAttr(
      llvm::to_vector(elements.getValues<bool>()));
}

static Attribute convertToSymbol(Attribute value) {
  auto name = dyn_cast_or_null<StringAttr>(value);
  return name ? FlatSymbolRefAttr::get(name) : nullptr;
}

static Attribute convertToSymbols(Attribute value) {
  auto names = dyn_cast_or_null<ArrayAttr>(value);
  if (!names)
    return {};
  SmallVector<Attribute> symbols;
  for (Attribute name : names) {
    symbols.push_back(convertToSymbol(name));
    if (!symbols.back())
      return {};
  }
  return ArrayAttr::get(value.getContext(), symbols);
}

static Attribute attributeToStablehlo(const AttributeFacts &facts,
                                      Attribute value,
                                      RememberedConversion &toStablehlo) {
  Attribute plain = toStablehlo(value);
  switch (facts.form) {
  case AttributeForm::Integers:
  case AttributeForm::Booleans:
    return convertToArray(plain, facts.form);
  case AttributeForm::Symbol:
    return convertToSymbol(plain);
  case AttributeForm::Symbols:
    return convertToSymbols(plain);
  case AttributeForm::Value:
  case AttributeForm::Unit:
  case AttributeForm::ApiVersion:
  case AttributeForm::Field:
  case AttributeForm::Retired:
    return plain;
  }
  llvm_unreachable("a form of an attribute");
}

/// Returns true for default layouts of a custom call if the other layouts are
/// not default. Both are omitted or both are kept.
static bool staysThoughDefault(const AttributeFacts &facts,
                               const OpFacts &newest,
                               ArrayRef<Attribute> values,
                               const DefaultsOf &defaults) {
  StringRef name = facts.name;
  if (name != "operand_layouts" && name != "result_layouts")
    return false;
  for (auto [other, value] : llvm::zip(newest.attributes, values))
    if (StringRef(other.name).ends_with("_layouts") &&
        value != defaultValue(other, defaults))
      return true;
  return false;
}

/// Returns the attribute that consists of the fields from `index` on; null if
/// it is absent, nothing if the fields are invalid.
static std::optional<Attribute> gatherAttribute(const OpFacts &newest,
                                                ArrayRef<Attribute> values,
                                                size_t index,
                                                const DefaultsOf &defaults) {
  const AttributeFacts &first = newest.attributes[index];
  Fields fields;
  bool isDefault = first.optional;
  for (auto [facts, value] : llvm::zip(newest.attributes, values)) {
    if (StringRef(facts.source) != first.source)
      continue;
    fields.push_back(toStablehlo(value));
    isDefault &= value == defaultValue(facts, defaults);
  }
  if (isDefault)
    return Attribute();
  // Collectives omit the kind of the channel.
  if (first.spread == FlattenedAttribute::ChannelHandle && fields.size() == 1)
    fields.push_back(Builder(defaults.context).getI64IntegerAttr(0));
  Attribute whole = gather(first.spread, defaults.context, fields);
  return whole ? std::optional(whole) : std::nullopt;
}

LogicalResult attributesToStablehlo(Location location, const OpFacts &newest,
                                    ArrayRef<Attribute> values,
                                    const DefaultsOf &defaults,
                                    RememberedConversion &toStablehlo,
                                    NamedAttrList &attributes) {
  auto reject = [&](const AttributeFacts &facts) {
    return mlir::emitError(location, "attribute '")
           << facts.name << "' of vhlo." << newest.name << " makes no sense";
  };
  for (auto [index, facts, value] :
       llvm::enumerate(newest.attributes, values)) {
    std::optional<Attribute> result;
    if (facts.form == AttributeForm::Field) {
      if (attributes.get(facts.source) ||
          (index > 0 &&
           StringRef(newest.attributes[index - 1].source) == facts.source))
        continue;
      result = gatherAttribute(newest, values, index, defaults);
    } else if (facts.form == AttributeForm::Unit) {
      auto boolean = dyn_cast<BooleanV1Attr>(value);
      if (boolean)
        result =
            boolean.getValue() ? UnitAttr::get(defaults.context) : Attribute();
    } else if (facts.optional && value == defaultValue(facts, defaults) &&
               !staysThoughDefault(facts, newest, values, defaults)) {
      continue;
    } else if (Attribute plain =
                   attributeToStablehlo(facts, value, toStablehlo)) {
      result = plain;
    }
    if (!result)
      return reject(facts);
    if (*result)
      attributes.append(facts.source, *result);
  }
  return success();
}

} // namespace xlac
