// One class represents every op of the dialect. The op's facts describe it, and
// its attributes are an array in their order. A new form of an op is therefore
// one line of the table, without a new class.
#include "xlac/Dialect/Vhlo/VhloOps.h"
#include "xlac/Dialect/Vhlo/VhloDialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace xlac::vhlo {

#include "xlac/Dialect/Vhlo/VhloOps.inc"

// A function is not in the op table, because MLIR's func dialect defines it.
constexpr AttributeFacts kFuncAttributes[] = {
    {"sym_name", "", AttributeForm::Value, FlattenedAttribute::None, 0, false},
    {"function_type", "", AttributeForm::Value, FlattenedAttribute::None, 0,
     false},
    {"sym_visibility", "", AttributeForm::Value, FlattenedAttribute::None, 0,
     true},
    {"arg_attrs", "", AttributeForm::Value, FlattenedAttribute::None, 0, true},
    {"res_attrs", "", AttributeForm::Value, FlattenedAttribute::None, 0, true}};
constexpr OpFacts kFunc = {"func_v1",  "func.func",     kOldestVersion,
                           kNoVersion, kFuncAttributes, 1,
                           false,      false,           false};

static const std::vector<OpFacts> &table() {
  static const std::vector<OpFacts> ops = [] {
    std::vector<OpFacts> all(std::begin(kOps), std::end(kOps));
    all.push_back(kFunc);
    return all;
  }();
  return ops;
}

ArrayRef<OpFacts> allOps() { return table(); }

const OpFacts *findOp(StringRef name) {
  static const llvm::StringMap<const OpFacts *> byName = [] {
    llvm::StringMap<const OpFacts *> map;
    for (const OpFacts &facts : table())
      if (!map.try_emplace("vhlo." + std::string(facts.name), &facts).second)
        llvm_unreachable("every form has a name of its own");
    return map;
  }();
  return byName.lookup(name);
}

const OpFacts *findForm(StringRef source, Version version) {
  static const llvm::StringMap<SmallVector<const OpFacts *>> bySource = [] {
    llvm::StringMap<SmallVector<const OpFacts *>> map;
    for (const OpFacts &facts : table())
      map[facts.source].push_back(&facts);
    return map;
  }();
  auto found = bySource.find(source);
  if (found != bySource.end())
    for (const OpFacts *facts : found->second)
      if (version >= facts->since && version < facts->until)
        return facts;
  return nullptr;
}

MutableArrayRef<Attribute> attributesOf(Operation *op, const OpFacts &facts) {
  if (facts.attributes.empty())
    return {};
  assert(facts.attributes.size() <= std::tuple_size_v<AttributeValues> &&
         "an op has no more attributes than its properties hold");
  auto *values = op->getPropertiesStorage().as<AttributeValues *>();
  return MutableArrayRef<Attribute>(*values).take_front(
      facts.attributes.size());
}

/// Returns the indices of the op's attributes sorted by name, the order of
/// their encoding.
static ArrayRef<uint8_t> wireOrder(const OpFacts &facts) {
  static const std::vector<SmallVector<uint8_t>> orders = [] {
    std::vector<SmallVector<uint8_t>> all;
    for (const OpFacts &one : table()) {
      auto &order = all.emplace_back(
          llvm::to_vector(llvm::seq<uint8_t>(0, one.attributes.size())));
      llvm::sort(order, [&](uint8_t a, uint8_t b) {
        return StringRef(one.attributes[a].name) < one.attributes[b].name;
      });
    }
    return all;
  }();
  size_t place = &facts - table().data();
  assert(place < orders.size() && "facts are an entry of the table");
  return orders[place];
}

namespace {

/// Reads and writes an op's attributes in the order of their names.
struct PropertyEncoding
    : public mlir::detail::BytecodeOpInterfaceInterfaceTraits::Concept {
  using Interface = BytecodeOpInterface;
  PropertyEncoding() : Concept{read, write} {}

  static LogicalResult read(DialectBytecodeReader &reader,
                            OperationState &state) {
    const OpFacts *facts = findOp(state.name.getStringRef());
    if (!facts)
      return failure();
    AttributeValues &values = state.getOrAddProperties<AttributeValues>();
    for (uint8_t place : wireOrder(*facts))
      if (failed(reader.readAttribute(values[place])))
        return failure();
    return success();
  }

  static void write(const Concept *, Operation *op,
                    DialectBytecodeWriter &writer) {
    assert(findOp(op->getName().getStringRef()) && "only ops of the table");
    const OpFacts &facts = *findOp(op->getName().getStringRef());
    for (uint8_t place : wireOrder(facts))
      writer.writeAttribute(attributesOf(op, facts)[place]);
  }
};

class VhloOp final : public OperationName::Impl {
public:
  VhloOp(const OpFacts &facts, Dialect *dialect, TypeID id)
      : Impl(("vhlo." + Twine(facts.name)).str(), dialect, id, interfaces()),
        facts(facts) {}

  LogicalResult foldHook(Operation *, ArrayRef<Attribute>,
                         SmallVectorImpl<OpFoldResult> &) override {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &,
                                   MLIRContext *) override {}
  bool hasTrait(TypeID trait) override {
    return facts.terminator && trait == TypeID::get<OpTrait::IsTerminator>();
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override {
    return [](OpAsmParser &parser, OperationState &) -> ParseResult {
      return parser.emitError(parser.getNameLoc(),
                              "vhlo ops have the generic form only");
    };
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) override {}
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) override {
    printer.printGenericOp(op);
  }
  LogicalResult verifyInvariants(Operation *op) override;
  LogicalResult verifyRegionInvariants(Operation *) override {
    return success();
  }

  std::optional<Attribute> getInherentAttr(Operation *op,
                                           StringRef name) override;
  void setInherentAttr(Operation *op, StringAttr name,
                       Attribute value) override;
  void populateInherentAttrs(Operation *op, NamedAttrList &attrs) override;
  LogicalResult
  verifyInherentAttrs(OperationName, NamedAttrList &,
                      function_ref<InFlightDiagnostic()>) override {
    return success();
  }
  int getOpPropertyByteSize() override {
    return facts.attributes.empty() ? 0 : sizeof(AttributeValues);
  }
  void initProperties(OperationName, OpaqueProperties storage,
                      OpaqueProperties init) override;
  void deleteProperties(OpaqueProperties) override {}
  void populateDefaultProperties(OperationName, OpaqueProperties) override {}
  LogicalResult
      setPropertiesFromAttr(OperationName, OpaqueProperties, Attribute,
                            function_ref<InFlightDiagnostic()>) override;
  Attribute getPropertiesAsAttr(Operation *op) override;
  void copyProperties(OpaqueProperties to, OpaqueProperties from) override;
  bool compareProperties(OpaqueProperties, OpaqueProperties) override;
  llvm::hash_code hashProperties(OpaqueProperties) override;

private:
  static mlir::detail::InterfaceMap interfaces() {
    mlir::detail::InterfaceMap map;
    map.insertModels<PropertyEncoding>();
    return map;
  }
  /// Returns the index of the attribute `name`, if the op has it.
  std::optional<size_t> indexOf(StringRef name) const {
    for (auto [index, attribute] : llvm::enumerate(facts.attributes))
      if (name == attribute.name)
        return index;
    return std::nullopt;
  }

  const OpFacts &facts;
};

} // namespace

LogicalResult VhloOp::verifyInvariants(Operation *op) {
  for (auto [attribute, value] :
       llvm::zip(facts.attributes, attributesOf(op, facts)))
    if (!value)
      return op->emitOpError("requires attribute '") << attribute.name << "'";
  if (!facts.variadicRegions && op->getNumRegions() != facts.regions)
    return op->emitOpError("has ")
           << op->getNumRegions() << " regions, expected "
           << unsigned(facts.regions);
  if (facts.oneValue && (op->getNumOperands() != 1 || op->getNumResults() != 1))
    return op->emitOpError("takes one operand and gives one result, has ")
           << op->getNumOperands() << " and " << op->getNumResults();
  return success();
}

std::optional<Attribute> VhloOp::getInherentAttr(Operation *op,
                                                 StringRef name) {
  std::optional<size_t> index = indexOf(name);
  if (!index)
    return std::nullopt;
  return attributesOf(op, facts)[*index];
}

void VhloOp::setInherentAttr(Operation *op, StringAttr name, Attribute value) {
  if (std::optional<size_t> index = indexOf(name))
    attributesOf(op, facts)[*index] = value;
}

void VhloOp::populateInherentAttrs(Operation *op, NamedAttrList &attrs) {
  for (auto [attribute, value] :
       llvm::zip(facts.attributes, attributesOf(op, facts)))
    if (value)
      attrs.append(attribute.name, value);
}

void VhloOp::initProperties(OperationName, OpaqueProperties storage,
                            OpaqueProperties init) {
  if (facts.attributes.empty())
    return;
  auto *values = new (storage.as<AttributeValues *>()) AttributeValues();
  if (init)
    *values = *init.as<AttributeValues *>();
}

LogicalResult
VhloOp::setPropertiesFromAttr(OperationName name, OpaqueProperties storage,
                              Attribute attribute,
                              function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!dictionary)
    return emitError() << "expected the attributes of " << name;
  for (NamedAttribute one : dictionary) {
    std::optional<size_t> index = indexOf(one.getName());
    if (!index)
      return emitError() << name << " has no attribute '" << one.getName()
                         << "'";
    (*storage.as<AttributeValues *>())[*index] = one.getValue();
  }
  return success();
}

Attribute VhloOp::getPropertiesAsAttr(Operation *op) {
  NamedAttrList attributes;
  populateInherentAttrs(op, attributes);
  return attributes.empty() ? DictionaryAttr()
                            : attributes.getDictionary(op->getContext());
}

void VhloOp::copyProperties(OpaqueProperties to, OpaqueProperties from) {
  *to.as<AttributeValues *>() = *from.as<AttributeValues *>();
}

bool VhloOp::compareProperties(OpaqueProperties a, OpaqueProperties b) {
  return *a.as<AttributeValues *>() == *b.as<AttributeValues *>();
}

llvm::hash_code VhloOp::hashProperties(OpaqueProperties properties) {
  return llvm::hash_combine_range(*properties.as<AttributeValues *>());
}

void VhloDialect::registerOperations() {
  for (const OpFacts &facts : allOps()) {
    SmallVector<StringRef> names;
    for (const AttributeFacts &attribute : facts.attributes)
      names.push_back(attribute.name);
    RegisteredOperationName::insert(
        std::make_unique<VhloOp>(facts, this, operationIds.allocate()), names);
  }
}

} // namespace xlac::vhlo
