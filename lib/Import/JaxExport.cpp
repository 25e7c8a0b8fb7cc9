#include "JaxExport.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Stablehlo/TypeConversion.h"
#include "xlac/Import/BytecodeValidator.h"
#include "xlac/Import/Import.h"
#include "xlac/support/size_limit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#include "jax_export_generated.h"

using namespace mlir;

namespace xlac {

using jax_export::DType;

static StringRef textOf(const flatbuffers::String &text) {
  return {text.c_str(), text.size()};
}

/// Returns the verified container, or null.
static const jax_export::Exported *verified(ArrayRef<uint8_t> bytes) {
  // FlatBuffers' offsets have 32 bits.
  if (bytes.size() >= std::numeric_limits<flatbuffers::soffset_t>::max())
    return nullptr;
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (!jax_export::VerifyExportedBuffer(verifier))
    return nullptr;
  return jax_export::GetExported(bytes.data());
}

static ArrayRef<uint8_t> moduleOf(const jax_export::Exported &exported) {
  const auto *module = exported.mlir_module_serialized();
  return module ? ArrayRef<uint8_t>(module->data(), module->size())
                : ArrayRef<uint8_t>();
}

/// The element types by DType. JAX passes booleans for tangents of integers
/// (f0), and the words of random keys.
static constexpr ElementType kElementTypes[] = {
    ElementType::I1,        ElementType::I8,
    ElementType::I16,       ElementType::I32,
    ElementType::I64,       ElementType::UI8,
    ElementType::UI16,      ElementType::UI32,
    ElementType::UI64,      ElementType::F16,
    ElementType::F32,       ElementType::F64,
    ElementType::Complex64, ElementType::Complex128,
    ElementType::BF16,      ElementType::I4,
    ElementType::UI4,       ElementType::F8E4M3B11FNUZ,
    ElementType::F8E4M3FN,  ElementType::F8E4M3FNUZ,
    ElementType::F8E5M2,    ElementType::F8E5M2FNUZ,
    ElementType::I1,        ElementType::F8E4M3,
    ElementType::F8E3M4,    ElementType::F8E8M0FNU,
    ElementType::F4E2M1FN,  ElementType::UI32,
    ElementType::UI32,      ElementType::UI32};
static_assert(std::size(kElementTypes) == size_t(DType::MAX) + 1);

/// Returns the words of a random key, which are its last dimension in the
/// module, or 0 for other types.
static int64_t keyWords(DType dtype) {
  switch (dtype) {
  case DType::key_fry:
    return 2;
  case DType::key_rbg:
  case DType::key_unsafe_rbg:
    return 4;
  default:
    return 0;
  }
}

/// Returns the type of an argument, or null if xlac has no such type. Symbolic
/// dimensions have an unknown size.
static mlir::Type typeOf(const jax_export::AbstractValue &value,
                         flatbuffers::Verifier &verifier,
                         MLIRContext &context) {
  auto dtype = static_cast<size_t>(value.dtype());
  if (dtype >= std::size(kElementTypes) ||
      value.kind() != jax_export::AbstractValueKind::shapedArray)
    return {};
  using Strings = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;
  const auto *shape = reinterpret_cast<const Strings *>(value.shape());
  if (shape &&
      (shape->size() >= kMaxRank || !verifier.VerifyVectorOfStrings(shape)))
    return {};
  std::vector<int64_t> sizes;
  for (unsigned i = 0; shape && i < shape->size(); ++i) {
    int64_t size = kDynamic;
    StringRef dimension = textOf(*shape->Get(i));
    if (all_of(dimension, llvm::isDigit) && dimension.getAsInteger(10, size))
      return {};
    sizes.push_back(size);
  }
  if (int64_t words = keyWords(value.dtype()))
    sizes.push_back(words);
  if (!is_holdable(sizes))
    return {};
  return convertType(TensorType{kElementTypes[dtype], std::move(sizes)},
                     &context);
}

/// Returns the type of argument `number` of the exported function. Version 10
/// and later keep each type once, and indices of them.
static const jax_export::AbstractValue *
argumentType(const jax_export::Exported &exported, unsigned number) {
  const auto *indices = exported.in_avals_idxs();
  if (!indices || indices->size() == 0)
    return exported.in_avals()->Get(number);
  const auto *values = exported.unique_avals();
  unsigned index = indices->Get(number);
  return values && index < values->size() ? values->Get(index) : nullptr;
}

static unsigned argumentCount(const jax_export::Exported &exported) {
  const auto *indices = exported.in_avals_idxs();
  if (indices && indices->size() > 0)
    return indices->size();
  return exported.in_avals() ? exported.in_avals()->size() : 0;
}

/// Fills in the arguments that the module's entry lacks.
static llvm::Error readUnused(const jax_export::Exported &exported,
                              ArrayRef<uint8_t> bytes, MLIRContext &context,
                              JaxExport &container) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  const auto *kept = exported.module_kept_var_idx();
  unsigned next = 0, keptCount = kept ? kept->size() : 0;
  container.argumentCount = argumentCount(exported);
  // The container numbers the kept ones with 16 bits.
  if (container.argumentCount > size_t(UINT16_MAX) + 1)
    return llvm::createStringError("more than 65536 arguments");
  for (unsigned number = 0; number < container.argumentCount; ++number) {
    if (next < keptCount && kept->Get(next) == number) {
      ++next;
      continue;
    }
    const jax_export::AbstractValue *value = argumentType(exported, number);
    mlir::Type type = value ? typeOf(*value, verifier, context) : mlir::Type();
    if (!type)
      return llvm::createStringError("argument " + Twine(number) +
                                     " has an unknown or damaged type");
    container.unused.push_back({number, type});
  }
  if (next != keptCount)
    return llvm::createStringError("the kept arguments are not in order");
  return llvm::Error::success();
}

static bool checksPlatform(const jax_export::Exported &exported) {
  const auto *disabled = exported.disabled_checks();
  return !disabled || llvm::none_of(*disabled, [](const auto *check) {
    return check->kind() == jax_export::DisabledSafetyCheckKind::platform;
  });
}

/// Reads the platforms. The position is 0 if the export has no module for the
/// cpu and disabled this check.
static llvm::Error readPlatforms(const jax_export::Exported &exported,
                                 JaxExport &container) {
  SmallVector<StringRef> platforms;
  if (exported.platforms())
    for (const flatbuffers::String *platform : *exported.platforms())
      platforms.push_back(textOf(*platform));
  container.takesPlatform = platforms.size() > 1;
  const auto *cpu = llvm::find(platforms, "cpu");
  if (cpu != platforms.end())
    container.platform = cpu - platforms.begin();
  else if (checksPlatform(exported))
    return llvm::createStringError("exported for " +
                                   llvm::join(platforms, ", ") +
                                   ", not for cpu; pass platforms=[\"cpu\"] to "
                                   "jax.export.export");
  return llvm::Error::success();
}

llvm::Expected<std::optional<JaxExport>> readJaxExport(ArrayRef<uint8_t> bytes,
                                                       MLIRContext &context) {
  const jax_export::Exported *exported =
      isBytecode(bytes) ? nullptr : verified(bytes);
  if (!exported || !isBytecode(moduleOf(*exported)))
    return std::nullopt;
  JaxExport container;
  container.module = moduleOf(*exported);
  const auto *effects = exported->ordered_effects();
  if (effects && effects->size() > 0)
    return llvm::createStringError(
        "an exported function with ordered side effects is not supported");
  if (llvm::Error error = readPlatforms(*exported, container))
    return error;
  if (llvm::Error error = readUnused(*exported, bytes, context, container))
    return error;
  return container;
}

/// Replaces the first argument, the position of the platform, by its value.
static LogicalResult fixPlatform(func::FuncOp entry, unsigned platform) {
  static constexpr StringLiteral kConstantName = "jax.global_constant";
  auto type = entry.getNumArguments() > 0
                  ? dyn_cast<RankedTensorType>(entry.getArgument(0).getType())
                  : RankedTensorType();
  if (!type || type.getRank() != 0 || !type.getElementType().isInteger(32) ||
      !entry.getArgAttr(0, kConstantName))
    return entry.emitOpError("of an export for several platforms does not "
                             "begin with the position of the platform");
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.front());
  auto value = DenseElementsAttr::get(
      type, builder.getIntegerAttr(type.getElementType(), platform));
  entry.getArgument(0).replaceAllUsesWith(
      stablehlo::ConstantOp::create(builder, entry.getLoc(), value));
  return entry.eraseArgument(0);
}

LogicalResult completeArguments(ModuleOp module, const JaxExport &container) {
  auto entry = module.lookupSymbol<func::FuncOp>("main");
  if (!entry || entry.isExternal())
    return module.emitOpError("of an export has no function 'main'");
  if (container.takesPlatform && failed(fixPlatform(entry, container.platform)))
    return mlir::failure();
  if (entry.getNumArguments() + container.unused.size() !=
      container.argumentCount)
    return entry.emitOpError("has ")
           << entry.getNumArguments() << " arguments, but the export keeps "
           << container.argumentCount - container.unused.size() << " of "
           << container.argumentCount;
  SmallVector<unsigned> positions;
  SmallVector<mlir::Type> types;
  unsigned inserted = 0;
  for (const JaxExport::Unused &argument : container.unused) {
    // Positions count the arguments before any insertion.
    positions.push_back(argument.number - inserted++);
    types.push_back(argument.type);
  }
  SmallVector<DictionaryAttr> attributes(types.size());
  SmallVector<Location> locations(types.size(), entry.getLoc());
  return entry.insertArguments(positions, types, attributes, locations);
}

} // namespace xlac
