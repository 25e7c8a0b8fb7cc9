#include "DescribeHostFunction.h"

#include "xlac/Dialect/Stablehlo/TypeConversion.h"
#include "xlac/Import/Import.h"
#include "xlac/support/call_config.h"
#include "xlac/support/element_type.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using llvm::StringRef;

namespace xlac::compiler {

/// The list of numbers that `attribute` is, or nothing.
static std::optional<CustomCallValue> convertList(Attribute attribute) {
  std::vector<int64_t> integers;
  std::vector<double> floats;
  auto add = [&](Attribute element) {
    if (auto integer = dyn_cast<IntegerAttr>(element);
        integer && integer.getValue().getSignificantBits() <= 64)
      integers.push_back(integer.getValue().getSExtValue());
    else if (auto number = dyn_cast<FloatAttr>(element))
      floats.push_back(number.getValueAsDouble());
    else
      return false;
    return integers.empty() || floats.empty();
  };
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    if (!llvm::all_of(array, add))
      return std::nullopt;
  } else if (auto dense = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    integers.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
  } else if (auto dense = dyn_cast<DenseI32ArrayAttr>(attribute)) {
    integers.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
  } else if (auto dense = dyn_cast<DenseIntElementsAttr>(attribute);
             dense && dense.getElementType().getIntOrFloatBitWidth() <= 64) {
    for (const llvm::APInt &element : dense.getValues<llvm::APInt>())
      integers.push_back(dense.getElementType().isUnsignedInteger()
                             ? element.getZExtValue()
                             : element.getSExtValue());
  } else {
    return std::nullopt;
  }
  if (!floats.empty())
    return CustomCallValue(std::move(floats));
  return CustomCallValue(std::move(integers));
}

static CustomCallValue convertValue(Attribute attribute) {
  if (auto flag = dyn_cast<BoolAttr>(attribute))
    return flag.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(attribute);
      integer && integer.getValue().getBitWidth() <= 64)
    return integer.getType().isUnsignedInteger()
               ? static_cast<int64_t>(integer.getValue().getZExtValue())
               : integer.getValue().getSExtValue();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.getValue().str();
  if (std::optional<CustomCallValue> list = convertList(attribute))
    return std::move(*list);
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

/// Appends the element as it lies in memory.
static bool appendElement(Attribute element, ElementType type,
                          std::string &bytes) {
  auto append = [&](const APInt &bits) {
    uint64_t word = 0;
    // Narrow signed integers are extended to a byte.
    if (bits.getBitWidth() <= 64)
      word = is_signed_integer(type) ? uint64_t(bits.getSExtValue())
                                     : bits.getZExtValue();
    else
      return false;
    size_t size = is_complex(type) ? byte_size(type) / 2 : byte_size(type);
    bytes.append(reinterpret_cast<const char *>(&word), size);
    return true;
  };
  if (auto integer = dyn_cast<IntegerAttr>(element))
    return append(integer.getValue());
  if (auto number = dyn_cast<FloatAttr>(element))
    return append(number.getValue().bitcastToAPInt());
  if (auto pair = dyn_cast<ArrayAttr>(element); pair && is_complex(type))
    return llvm::all_of(pair, [&](Attribute part) {
      return append(cast<FloatAttr>(part).getValue().bitcastToAPInt());
    });
  return false;
}

static std::optional<ElementType> elementTypeOf(mlir::Type type) {
  std::optional<xlac::Type> plain =
      convertType(RankedTensorType::get({}, type));
  if (!plain || !plain->is_tensor())
    return std::nullopt;
  return plain->tensor().element;
}

/// An array of the elements; nothing if they are not numbers of one type.
static std::optional<CustomCallAttribute>
exactArray(mlir::Type type, ArrayRef<Attribute> elements) {
  if (!type.isIntOrFloat() && !isa<ComplexType>(type))
    return std::nullopt;
  std::optional<ElementType> element = elementTypeOf(type);
  if (!element)
    return std::nullopt;
  CustomCallAttribute array;
  array.kind = CustomCallAttribute::Kind::Array;
  array.element_type = std::string(element_type_name(*element));
  array.count = elements.size();
  for (Attribute one : elements) {
    auto typed = dyn_cast<TypedAttr>(one);
    if ((typed && typed.getType() != type) ||
        !appendElement(one, *element, array.bytes))
      return std::nullopt;
  }
  return array;
}

/// The elements of a dense attribute, one by one.
static std::optional<CustomCallAttribute> exactDense(Attribute attribute) {
  SmallVector<Attribute> elements;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    if (!dense.getElementType().isIntOrFloat())
      return std::nullopt;
    llvm::append_range(elements, dense.getValues<Attribute>());
    return exactArray(dense.getElementType(), elements);
  }
  auto dense = dyn_cast<DenseArrayAttr>(attribute);
  if (!dense)
    return std::nullopt;
  mlir::Type type = dense.getElementType();
  std::optional<ElementType> element = elementTypeOf(type);
  if (!element)
    return std::nullopt;
  CustomCallAttribute array;
  array.kind = CustomCallAttribute::Kind::Array;
  array.element_type = std::string(element_type_name(*element));
  array.count = dense.getSize();
  array.bytes.assign(dense.getRawData().data(), dense.getRawData().size());
  return array;
}

static CustomCallDictionary exactEntries(DictionaryAttr dictionary);

static CustomCallAttribute exactValue(Attribute attribute) {
  CustomCallAttribute value;
  if (auto text = dyn_cast<StringAttr>(attribute)) {
    value.bytes = text.getValue().str();
    return value;
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    value.kind = CustomCallAttribute::Kind::Dictionary;
    value.entries = exactEntries(dictionary);
    return value;
  }
  if (isa<IntegerAttr, FloatAttr>(attribute))
    if (auto scalar =
            exactArray(cast<TypedAttr>(attribute).getType(), attribute)) {
      scalar->kind = CustomCallAttribute::Kind::Scalar;
      return std::move(*scalar);
    }
  if (std::optional<CustomCallAttribute> dense = exactDense(attribute))
    return std::move(*dense);
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    auto first = array.empty() ? TypedAttr() : dyn_cast<TypedAttr>(array[0]);
    if (first)
      if (auto numbers = exactArray(first.getType(), array.getValue()))
        return std::move(*numbers);
    value.kind = CustomCallAttribute::Kind::Dictionary;
    for (auto [position, element] : llvm::enumerate(array))
      value.entries.emplace_back(std::to_string(position), exactValue(element));
    llvm::sort(value.entries, [](auto &a, auto &b) { return a.name < b.name; });
    return value;
  }
  llvm::raw_string_ostream(value.bytes) << attribute;
  return value;
}

/// Whether the compiler added the entry.
static bool isOwnEntry(StringRef name) {
  return name == names::kOperandTokens || name == names::kResultTokens ||
         name == names::kResultAliases || name == names::kOnlyPartition ||
         name == names::kApiVersion;
}

/// Dictionaries of MLIR are sorted by name already. A configuration that is a
/// text alone has no entries.
static CustomCallDictionary exactEntries(DictionaryAttr dictionary) {
  CustomCallDictionary entries;
  if (dictionary)
    for (NamedAttribute entry : dictionary)
      if (!entry.getName().empty() && !isOwnEntry(entry.getName()))
        entries.emplace_back(entry.getName().str(),
                             exactValue(entry.getValue()));
  return entries;
}

static std::vector<int64_t> positionsOf(Attribute attribute) {
  auto positions = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
  return {positions.begin(), positions.end()};
}

runtime::HostFunction describeHostFunction(ir::CollectiveAttr attribute,
                                           Location location) {
  runtime::HostFunction function;
  if (!attribute.getTarget())
    return function;
  function.target = attribute.getTarget().str();
  function.source = placeOf(location);
  if (DictionaryAttr config = attribute.getConfig())
    for (NamedAttribute entry : config) {
      if (entry.getName() == names::kOperandTokens)
        function.operand_tokens = positionsOf(entry.getValue());
      else if (entry.getName() == names::kResultTokens)
        function.result_tokens = positionsOf(entry.getValue());
      else if (entry.getName() == names::kResultAliases)
        function.result_aliases = positionsOf(entry.getValue());
      else if (entry.getName() == names::kOnlyPartition)
        function.only_partition = cast<IntegerAttr>(entry.getValue()).getInt();
      else
        function.attributes.emplace_back(entry.getName().str(),
                                         convertValue(entry.getValue()));
    }
  function.exact = exactEntries(attribute.getConfig());
  if (ArrayAttr layouts = attribute.getLayouts())
    for (auto layout : layouts.getAsRange<DenseI64ArrayAttr>())
      function.layouts.emplace_back(layout.asArrayRef().begin(),
                                    layout.asArrayRef().end());
  return function;
}

} // namespace xlac::compiler
