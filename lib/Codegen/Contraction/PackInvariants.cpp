// The passes that pack operands of contractions in kernels of their own. One
// packs invariant operands once: for each such operand, the prologue calls a
// kernel that only packs it, and the entry calls a kernel that reads the packed
// form. The other packs large operands that nothing else reads, whose memory is
// then free when the products are computed.
#include "ContractionKernel.h"
#include "Kernels/KernelCost.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/support/machine_memory.h"
#include "xlac/support/program_names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace llvm;

namespace xlac::codegen {

/// With more rows, packing takes less than about a percent of the time.
static constexpr int64_t kMostRows = 4096;

namespace {
/// A kernel whose packed side is an argument, and the kernels that replace it.
struct Packing {
  unsigned operand = 0;  ///< of the kernel: the argument that is packed
  bool isShared = false; ///< one phase of the kernel packs all of it
  mlir::RankedTensorType bytes;
  ir::KernelOp packs, multiplies; ///< null before the first call
  SmallVector<ir::CallOp> calls;  ///< of `multiplies`
};

class OperandPacker {
public:
  OperandPacker(mlir::ModuleOp module, mlir::func::FuncOp entry,
                mlir::func::FuncOp prologue, const TargetProfile &profile,
                int64_t mostBytes)
      : module(module), symbols(module), entry(entry), prologue(prologue),
        profile(profile), bytesLeft(mostBytes) {}

  /// Packs invariant operands in the prologue.
  void packInvariants();
  /// Packs large operands that only one call reads before that call.
  void packLastReads();

private:
  Packing *packingOf(ir::CallOp call);
  void makeKernels(ir::CallOp call, Packing &packing);
  void replaceOperand(ir::CallOp call, Packing &packing, mlir::Value packed);
  bool isPacked(mlir::Value value, const Packing &packing) const;
  mlir::BlockArgument packedValue(mlir::Value value, Packing &packing);
  mlir::Value inPrologue(mlir::Value value);
  void dropUnusedValues();
  void dropUnusedKernels();
  mlir::BlockArgument addArgument(mlir::Type type, mlir::Location loc);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::func::FuncOp entry, prologue; ///< the prologue may be null
  const TargetProfile &profile;
  int64_t bytesLeft;
  DenseMap<mlir::StringAttr, std::optional<Packing>> packings; ///< by kernel
  StringMap<ir::KernelOp> packKernels; ///< kernels that pack, by their text
  /// Packed values by the argument of the entry, its type in the kernel, and
  /// the kernel that packs it.
  using PackedKey = std::tuple<void *, const void *, void *>;
  static PackedKey keyOf(mlir::Value value, const Packing &packing);
  std::map<PackedKey, mlir::BlockArgument> packed;
};
} // namespace

/// Returns the argument of the entry that a value is, through reshapes.
static mlir::BlockArgument argumentOf(mlir::Value value) {
  while (auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>())
    value = reshape.getOperand();
  return dyn_cast<mlir::BlockArgument>(value);
}

/// Returns the argument of the kernel whose view `value` is, unless anything
/// else reads it.
static mlir::BlockArgument onlyViewedArgument(mlir::Value value) {
  while (value.hasOneUse()) {
    if (auto argument = dyn_cast<mlir::BlockArgument>(value))
      return argument;
    mlir::Operation *op = value.getDefiningOp();
    if (op->getNumOperands() != 1)
      return {};
    value = op->getOperand(0);
  }
  return {};
}

/// Finds out what the kernel of the call packs. Returns null if it packs no
/// argument, if packing takes little of its time, if tasks divide K, or if it
/// is for any size.
static std::optional<Packing> findPacking(ir::KernelOp kernel,
                                          const TargetProfile &profile) {
  if (kernel.getSchedule().getKind() != ir::ScheduleKind::Contraction ||
      kernel.getAnySize())
    return std::nullopt;
  std::optional<ContractionKernel> what = analyzeContraction(kernel, profile);
  if (!what || what->onlyPacks || what->plan.gemm.prepacked ||
      !what->plan.packB || what->plan.dividesK() || what->sideB().isCopied())
    return std::nullopt;
  int64_t rows = what->plan.gemm.mSize();
  if (what->plan.oneB)
    rows *= what->plan.gemm.batchCount();
  mlir::BlockArgument argument = onlyViewedArgument(what->sideB().value);
  if (!argument || rows > kMostRows)
    return std::nullopt;
  ArrayRef<int64_t> inPlace = kernel.getInPlace();
  for (size_t i = 1; i < inPlace.size(); i += 2)
    if (inPlace[i] == argument.getArgNumber())
      return std::nullopt;
  Packing packing;
  packing.operand = argument.getArgNumber();
  packing.isShared = what->plan.shareB;
  packing.bytes = mlir::RankedTensorType::get(
      {what->plan.packedBytes()},
      mlir::IntegerType::get(kernel.getContext(), 8));
  return packing;
}

Packing *OperandPacker::packingOf(ir::CallOp call) {
  mlir::StringAttr name = call.getKernelAttr().getAttr();
  auto [it, isNew] = packings.try_emplace(name);
  if (isNew)
    it->second = findPacking(cast<ir::KernelOp>(symbols.lookup(name)), profile);
  return it->second ? &*it->second : nullptr;
}

/// Returns a kernel with the same arguments except that the packed one has
/// other bytes.
static ir::KernelOp makeMultiply(ir::KernelOp kernel, const Packing &packing) {
  ir::KernelOp result = kernel.clone();
  mlir::Block &body = result.getBody().front();
  mlir::BlockArgument argument = body.getArgument(packing.operand);
  mlir::OpBuilder builder(&body, body.begin());
  auto operand = ir::PackedOp::create(builder, argument.getLoc(),
                                      argument.getType(), argument);
  argument.replaceAllUsesExcept(operand.getOperand(), operand);
  argument.setType(packing.bytes);
  return result;
}

/// Returns a kernel of the packed argument alone. The other side of the
/// contraction is a view of an absent operand, so that both kernels have the
/// same plan.
static ir::KernelOp makePack(ir::KernelOp kernel, const Packing &packing,
                             const ContractionKernel &what) {
  mlir::OpBuilder builder(kernel.getContext());
  auto result = ir::KernelOp::create(
      builder, kernel.getLoc(),
      isa<stablehlo::DotGeneralOp>(what.form.op) ? "pack_dot" : "pack_conv",
      kernel.getSchedule(), builder.getDenseI64ArrayAttr({}));
  mlir::Block &body = result.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  mlir::IRMapping mapping;
  mlir::BlockArgument weight = kernel.getBody().getArgument(packing.operand);
  mapping.map(weight, body.addArgument(weight.getType(), weight.getLoc()));
  auto absent = [&](mlir::Value value) {
    mapping.map(value,
                ir::AbsentOp::create(builder, value.getLoc(), value.getType()));
  };
  mlir::Operation *heart = what.form.op;
  const ContractionOperand &other = what.sideA();
  if (other.isCopied())
    absent(other.value);
  else
    absent(other.argument);
  SmallVector<mlir::Operation *> needed{heart};
  for (size_t i = 0; i < needed.size(); ++i)
    for (mlir::Value operand : needed[i]->getOperands())
      if (!mapping.contains(operand))
        needed.push_back(operand.getDefiningOp());
  for (mlir::Operation &op : kernel.getBody().front())
    if (is_contained(needed, &op))
      builder.clone(op, mapping);
  auto bytes = ir::PackOp::create(builder, heart->getLoc(), packing.bytes,
                                  mapping.lookup(heart->getResult(0)));
  ir::YieldOp::create(builder, heart->getLoc(),
                      mlir::ValueRange{bytes.getBytes()});
  return result;
}

/// Makes the kernels that replace the call's, unless they exist.
void OperandPacker::makeKernels(ir::CallOp call, Packing &packing) {
  if (packing.packs)
    return;
  auto kernel = cast<ir::KernelOp>(symbols.lookup(call.getKernel()));
  std::optional<ContractionKernel> what = analyzeContraction(kernel, profile);
  assert(what && "the packing was found before");
  packing.multiplies = makeMultiply(kernel, packing);
  symbols.insert(packing.multiplies, mlir::Block::iterator(kernel));
  // Kernels that differ only in what they do with the products share it.
  ir::KernelOp packs = makePack(kernel, packing, *what);
  std::string text;
  raw_string_ostream stream(text);
  packs->print(stream, mlir::OpPrintingFlags().useLocalScope());
  ir::KernelOp &known = packKernels[text];
  if (known)
    packs.erase();
  else
    symbols.insert(known = packs, mlir::Block::iterator(kernel));
  packing.packs = known;
}

mlir::BlockArgument OperandPacker::addArgument(mlir::Type type,
                                               mlir::Location loc) {
  unsigned number = entry.getNumArguments();
  mlir::OpBuilder builder(entry.getContext());
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr(names::kInvariant, builder.getUnitAttr()));
  mlir::LogicalResult added =
      entry.insertArgument(number, type, attributes, loc);
  assert(mlir::succeeded(added) && "a function of values takes another one");
  (void)added;
  return entry.getArgument(number);
}

/// Returns what is in the prologue the argument of the entry, or the value that
/// the prologue computes for it.
mlir::Value OperandPacker::inPrologue(mlir::Value value) {
  if (auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>()) {
    mlir::IRMapping mapping;
    mapping.map(reshape.getOperand(), inPrologue(reshape.getOperand()));
    mlir::OpBuilder builder(prologue.getBody().front().getTerminator());
    return builder.clone(*reshape, mapping)->getResult(0);
  }
  auto argument = cast<mlir::BlockArgument>(value);
  mlir::Operation *end = prologue.getBody().front().getTerminator();
  // The results of the prologue are the entry's last arguments.
  unsigned own = entry.getNumArguments() - end->getNumOperands();
  if (argument.getArgNumber() >= own)
    return end->getOperand(argument.getArgNumber() - own);
  auto reads = prologue->getAttrOfType<mlir::DenseI64ArrayAttr>(
      names::kPrologueAttribute);
  SmallVector<int64_t> numbers(reads.asArrayRef());
  auto *known = find(numbers, argument.getArgNumber());
  if (known != numbers.end())
    return prologue.getArgument(known - numbers.begin());
  unsigned number = numbers.size();
  mlir::LogicalResult added = prologue.insertArgument(
      number, argument.getType(), {}, argument.getLoc());
  assert(mlir::succeeded(added) && "a function of values takes another one");
  (void)added;
  numbers.push_back(argument.getArgNumber());
  prologue->setAttr(names::kPrologueAttribute,
                    mlir::DenseI64ArrayAttr::get(entry.getContext(), numbers));
  return prologue.getArgument(number);
}

OperandPacker::PackedKey OperandPacker::keyOf(mlir::Value value,
                                              const Packing &packing) {
  ir::KernelOp packs = packing.packs;
  return {argumentOf(value).getAsOpaquePointer(),
          value.getType().getAsOpaquePointer(), packs.getOperation()};
}

/// Returns whether the entry has the packed form of `value` as an argument.
bool OperandPacker::isPacked(mlir::Value value, const Packing &packing) const {
  return packed.count(keyOf(value, packing)) > 0;
}

/// Returns the argument of the entry that has the packed form of `value`.
mlir::BlockArgument OperandPacker::packedValue(mlir::Value value,
                                               Packing &packing) {
  mlir::BlockArgument &known = packed[keyOf(value, packing)];
  if (known)
    return known;
  mlir::OpBuilder builder(entry.getContext());
  if (!prologue) {
    prologue = mlir::func::FuncOp::create(entry.getLoc(), "prologue",
                                          builder.getFunctionType({}, {}));
    prologue.setPrivate();
    prologue->setAttr(names::kPrologueAttribute,
                      builder.getDenseI64ArrayAttr({}));
    symbols.insert(prologue);
    builder.setInsertionPointToStart(prologue.addEntryBlock());
    mlir::func::ReturnOp::create(builder, entry.getLoc());
  }
  mlir::Value source = inPrologue(value);
  mlir::Operation *end = prologue.getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  auto call = ir::CallOp::create(
      builder, value.getLoc(), packing.bytes,
      mlir::FlatSymbolRefAttr::get(packing.packs.getSymNameAttr()), source);
  end->insertOperands(end->getNumOperands(), call->getResult(0));
  known = addArgument(packing.bytes, value.getLoc());
  return known;
}

/// Makes the call read the packed form of its operand.
void OperandPacker::replaceOperand(ir::CallOp call, Packing &packing,
                                   mlir::Value packed) {
  call->setOperand(packing.operand, packed);
  call.setKernelAttr(
      mlir::FlatSymbolRefAttr::get(packing.multiplies.getSymNameAttr()));
  packing.calls.push_back(call);
}

/// Erases values of the prologue that the entry no longer reads.
void OperandPacker::dropUnusedValues() {
  mlir::Operation *end = prologue.getBody().front().getTerminator();
  unsigned own = entry.getNumArguments() - end->getNumOperands();
  for (unsigned number = entry.getNumArguments(); number-- > own;) {
    if (!entry.getArgument(number).use_empty())
      continue;
    mlir::LogicalResult erased = entry.eraseArgument(number);
    assert(mlir::succeeded(erased) && "a function of values has fewer of them");
    (void)erased;
    end->eraseOperand(number - own);
  }
  auto inputs = prologue.getFunctionType().getInputs();
  prologue.setFunctionType(mlir::FunctionType::get(entry.getContext(), inputs,
                                                   end->getOperandTypes()));
}

/// Erases kernels that no program calls: those that others replaced, and new
/// ones whose packed operand exceeds the limit of bytes.
void OperandPacker::dropUnusedKernels() {
  llvm::DenseSet<mlir::StringAttr> called;
  module.walk(
      [&](ir::CallOp call) { called.insert(call.getKernelAttr().getAttr()); });
  for (auto &[text, packs] : packKernels)
    if (!called.contains(packs.getSymNameAttr()))
      symbols.erase(packs);
  for (auto &[name, packing] : packings) {
    if (!packing || !packing->packs)
      continue;
    if (packing->calls.empty())
      symbols.erase(packing->multiplies);
    if (packing->calls.empty() || called.contains(name))
      continue;
    // The kernel that replaces it gets its name.
    symbols.erase(symbols.lookup(name));
    symbols.remove(packing->multiplies);
    packing->multiplies.setSymName(name);
    symbols.insert(packing->multiplies);
    for (ir::CallOp call : packing->calls)
      call.setKernelAttr(mlir::FlatSymbolRefAttr::get(name));
  }
}

void OperandPacker::packInvariants() {
  bool hasPacked = false;
  entry.walk([&](ir::CallOp call) {
    Packing *packing = packingOf(call);
    if (!packing)
      return;
    mlir::Value value = call->getOperand(packing->operand);
    mlir::BlockArgument argument = argumentOf(value);
    if (!argument || argument.getOwner() != &entry.getBody().front() ||
        !entry.getArgAttr(argument.getArgNumber(), names::kInvariant))
      return;
    makeKernels(call, *packing);
    int64_t bytes =
        isPacked(value, *packing) ? 0 : packing->bytes.getNumElements();
    if (bytes > bytesLeft)
      return;
    bytesLeft -= bytes;
    replaceOperand(call, *packing, packedValue(value, *packing));
    hasPacked = true;
  });
  if (hasPacked)
    dropUnusedValues();
  dropUnusedKernels();
}

/// Smaller operands are not worth a further kernel.
static constexpr int64_t kLeastPackedBytes = int64_t(1) << 20;

/// Returns whether `value`, without reshapes, is what an op of the same block
/// computes for `call` alone.
static bool isReadOnce(mlir::Value value, ir::CallOp call) {
  while (auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>()) {
    if (!value.hasOneUse())
      return false;
    value = reshape.getOperand();
  }
  mlir::Operation *op = value.getDefiningOp();
  return value.hasOneUse() && op && op->getBlock() == call->getBlock() &&
         isa<ir::CallOp, ir::TensorCollectiveOp>(op);
}

void OperandPacker::packLastReads() {
  entry.walk([&](ir::CallOp call) {
    Packing *packing = packingOf(call);
    if (!packing || !packing->isShared ||
        packing->bytes.getNumElements() < kLeastPackedBytes)
      return;
    mlir::Value value = call->getOperand(packing->operand);
    if (!isReadOnce(value, call))
      return;
    makeKernels(call, *packing);
    mlir::OpBuilder builder(call);
    auto packs = ir::CallOp::create(
        builder, value.getLoc(), packing->bytes,
        mlir::FlatSymbolRefAttr::get(packing->packs.getSymNameAttr()), value);
    replaceOperand(call, *packing, packs->getResult(0));
  });
  dropUnusedKernels();
}

/// Returns the bytes of the arguments that are invariant, without values of the
/// prologue.
static int64_t bytesOfInvariants(mlir::func::FuncOp entry,
                                 mlir::func::FuncOp prologue) {
  unsigned own = entry.getNumArguments();
  if (prologue)
    own -= prologue.getBody().front().getTerminator()->getNumOperands();
  int64_t bytes = 0;
  for (mlir::BlockArgument argument : entry.getArguments().take_front(own)) {
    auto type = dyn_cast<mlir::RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() ||
        !entry.getArgAttr(argument.getArgNumber(), names::kInvariant))
      continue;
    bytes = SaturatingAdd<uint64_t>(
        bytes,
        SaturatingMultiply<uint64_t>(elementCount(type.getShape()),
                                     elementBytes(type.getElementType())));
  }
  return bytes;
}

namespace {
class PackInvariants
    : public mlir::PassWrapper<PackInvariants,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PackInvariants)

  PackInvariants(const TargetProfile &profile, std::optional<int64_t> limit)
      : profile(profile), limit(limit) {}

  StringRef getArgument() const override { return "xlac-pack-invariants"; }
  StringRef getDescription() const override {
    return "packs invariant operands of contractions in the prologue";
  }

  void runOnOperation() override {
    mlir::func::FuncOp entry, prologue;
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      (function->hasAttr(names::kPrologueAttribute) ? prologue : entry) =
          function;
    if (!entry)
      return;
    // Packed panels are padded, so that they take a little more.
    int64_t own = bytesOfInvariants(entry, prologue);
    // The devices of a partitioned program share the machine's memory.
    auto count = getOperation()->getAttrOfType<mlir::IntegerAttr>(
        names::kPartitionCount);
    int64_t devices = count ? std::max<int64_t>(1, count.getInt()) : 1;
    int64_t bytes = limit.value_or(
        std::min(SaturatingAdd<uint64_t>(own, own / 4),
                 static_cast<uint64_t>(memory_of_machine() / 4 / devices)));
    OperandPacker(getOperation(), entry, prologue, profile, bytes)
        .packInvariants();
  }

private:
  TargetProfile profile;
  std::optional<int64_t> limit;
};
} // namespace

namespace {
class PackLastReads
    : public mlir::PassWrapper<PackLastReads,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PackLastReads)

  PackLastReads(const TargetProfile &profile) : profile(profile) {}

  StringRef getArgument() const override { return "xlac-pack-last-reads"; }
  StringRef getDescription() const override {
    return "packs large operands of contractions that nothing else reads in "
           "kernels of their own";
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      if (!function->hasAttr(names::kPrologueAttribute))
        OperandPacker(getOperation(), function, {}, profile, 0).packLastReads();
  }

private:
  TargetProfile profile;
};
} // namespace

std::unique_ptr<mlir::Pass>
createPackLastReadsPass(const TargetProfile &profile) {
  return std::make_unique<PackLastReads>(profile);
}

std::unique_ptr<mlir::Pass>
createPackInvariantsPass(const TargetProfile &profile,
                         std::optional<int64_t> limit) {
  return std::make_unique<PackInvariants>(profile, limit);
}

} // namespace xlac::codegen
