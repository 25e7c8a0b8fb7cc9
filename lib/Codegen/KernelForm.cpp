#include "xlac/Codegen/KernelForm.h"

#include "xlac/Codegen/FastNumbers.h"
#include "xlac/support/hash.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <bit>
#include <optional>

using namespace llvm;

namespace xlac::codegen {
namespace {

/// How the numbers of a constant determine it.
enum class NumberKind : uint8_t {
  Scalar, ///< an integer, or the bits of a float
  Splat,  ///< a vector of equal floats
  Series, ///< a vector of evenly spaced integers: first element and distance
  Prefix, ///< a vector of bits of which the first ones are set: their number
};

struct Numbers {
  NumberKind kind;
  SmallVector<uint64_t, 2> values;
};

/// Kinds of words that begin the description of an operand.
enum Tag : uint64_t {
  kLocal = 1,
  kNumber,
  kExact,
  kNull,
  kPoison,
  kGlobal,
  kCallee,
  kElements,
  kExpression,
};

/// Properties that claims consist of, besides the logarithm of the alignment.
enum Claim : uint32_t {
  kAlignment = 0xff,
  kNoUnsignedWrap = 1 << 8,
  kNoSignedWrap = 1 << 9,
  kExactDivision = 1 << 10,
  kGepFlags = 7 << 11,
  kDisjoint = 1 << 14,
  kNonNegative = 1 << 15,
  kSameSign = 1 << 16,
};

/// Reads the form of a kernel's functions.
class FormReader {
public:
  void read(Function &function);
  std::string key() const;

  KernelNumbers numbers;
  std::vector<uint32_t> decisions;
  /// The operands whose constants are numbers, and the instructions that have
  /// claims, in the order of `numbers`.
  SmallVector<std::pair<Use *, NumberKind>> uses;
  SmallVector<Instruction *> claimants;

private:
  void push(uint64_t word) { words.push_back(word); }
  void push(StringRef text);
  uint64_t typeNumber(Type *type);
  void readInstruction(Instruction &instruction);
  void readDetails(Instruction &instruction);
  void readCall(CallBase &call);
  void readMetadata(Instruction &instruction);
  void readOperand(Use &use);
  void readExact(Constant *constant);

  std::vector<uint64_t> words;
  DenseMap<Value *, uint64_t> locals; ///< arguments, blocks and instructions
  DenseMap<Type *, uint64_t> types;
};

} // namespace

//===- Numbers ------------------------------------------------------------===//

static uint64_t bitsOf(Constant *scalar) {
  if (auto *integer = dyn_cast<ConstantInt>(scalar))
    return integer->getSExtValue();
  return cast<ConstantFP>(scalar)
      ->getValueAPF()
      .bitcastToAPInt()
      .getZExtValue();
}

/// Narrow integers are data rather than sizes.
static bool isSizeType(Type *type) {
  return type->isIntegerTy(32) || type->isIntegerTy(64);
}

static bool isNumberFloat(Type *type) {
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() ||
         type->isDoubleTy();
}

static std::optional<Numbers> seriesOf(ArrayRef<Constant *> elements) {
  auto *integer = cast<IntegerType>(elements.front()->getType());
  uint64_t first = bitsOf(elements[0]);
  uint64_t step = elements.size() > 1 ? bitsOf(elements[1]) - first : 0;
  for (auto [lane, element] : enumerate(elements))
    if (((bitsOf(element) - (first + lane * step)) & integer->getBitMask()) !=
        0)
      return std::nullopt;
  return Numbers{NumberKind::Series, {first, step}};
}

static std::optional<Numbers> prefixOf(ArrayRef<Constant *> elements) {
  uint64_t count = 0;
  for (auto [lane, element] : enumerate(elements))
    if (!element->isNullValue()) {
      if (lane != count)
        return std::nullopt;
      ++count;
    }
  return Numbers{NumberKind::Prefix, {count}};
}

/// Returns the numbers of a constant that may differ between sizes.
static std::optional<Numbers> numbersOf(Constant *constant) {
  Type *type = constant->getType();
  if (isa<ConstantInt>(constant) && isSizeType(type))
    return Numbers{NumberKind::Scalar, {bitsOf(constant)}};
  if (isa<ConstantFP>(constant) && isNumberFloat(type))
    return Numbers{NumberKind::Scalar, {bitsOf(constant)}};
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return std::nullopt;
  Type *scalar = vector->getElementType();
  SmallVector<Constant *> elements;
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    Constant *element = constant->getAggregateElement(lane);
    if (!element || !isa<ConstantInt, ConstantFP>(element))
      return std::nullopt;
    elements.push_back(element);
  }
  if (isSizeType(scalar))
    return seriesOf(elements);
  if (scalar->isIntegerTy(1))
    return prefixOf(elements);
  if (isNumberFloat(scalar) && all_equal(elements))
    return Numbers{NumberKind::Splat, {bitsOf(elements.front())}};
  return std::nullopt;
}

/// Returns true if the operand may be a value that is not a constant, and code
/// for such a value is as good as for a constant.
static bool mayVary(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  unsigned number = use.getOperandNo();
  switch (user->getOpcode()) {
  case Instruction::Alloca:
  case Instruction::Switch:
    return false;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ExtractElement:
    return number == 0;
  case Instruction::InsertElement:
    return number < 2;
  case Instruction::GetElementPtr: {
    if (number == 0)
      return true;
    auto index = gep_type_begin(user);
    std::advance(index, number - 1);
    return !index.isStruct();
  }
  case Instruction::Call: {
    auto *call = cast<CallBase>(user);
    return number >= call->arg_size() ||
           !call->paramHasAttr(number, Attribute::ImmArg);
  }
  default:
    return true;
  }
}

//===- Claims -------------------------------------------------------------===//

static uint32_t claimsOf(Instruction &instruction) {
  uint32_t claims = 0;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    claims |= Log2(load->getAlign());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    claims |= Log2(store->getAlign());
  if (auto *wraps = dyn_cast<OverflowingBinaryOperator>(&instruction))
    claims |= (wraps->hasNoUnsignedWrap() ? kNoUnsignedWrap : 0) |
              (wraps->hasNoSignedWrap() ? kNoSignedWrap : 0);
  if (auto *exact = dyn_cast<PossiblyExactOperator>(&instruction))
    claims |= exact->isExact() ? kExactDivision : 0;
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
    claims |= gep->getNoWrapFlags().getRaw() << 11;
  if (auto *disjoint = dyn_cast<PossiblyDisjointInst>(&instruction))
    claims |= disjoint->isDisjoint() ? kDisjoint : 0;
  if (auto *extension = dyn_cast<PossiblyNonNegInst>(&instruction))
    claims |= extension->hasNonNeg() ? kNonNegative : 0;
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    claims |= compare->hasSameSign() ? kSameSign : 0;
  return claims;
}

static void weaken(Instruction &instruction, uint32_t claims) {
  Align align(uint64_t(1) << (claims & kAlignment));
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    load->setAlignment(align);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    store->setAlignment(align);
  if (isa<OverflowingBinaryOperator>(&instruction)) {
    instruction.setHasNoUnsignedWrap(claims & kNoUnsignedWrap);
    instruction.setHasNoSignedWrap(claims & kNoSignedWrap);
  }
  if (isa<PossiblyExactOperator>(&instruction))
    instruction.setIsExact(claims & kExactDivision);
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
    gep->setNoWrapFlags(GEPNoWrapFlags::fromRaw((claims & kGepFlags) >> 11));
  if (auto *disjoint = dyn_cast<PossiblyDisjointInst>(&instruction))
    disjoint->setIsDisjoint(claims & kDisjoint);
  if (auto *extension = dyn_cast<PossiblyNonNegInst>(&instruction))
    extension->setNonNeg(claims & kNonNegative);
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    compare->setSameSign(claims & kSameSign);
}

uint32_t commonClaims(uint32_t left, uint32_t right) {
  return (left & right & ~uint32_t(kAlignment)) |
         std::min(left & kAlignment, right & kAlignment);
}

//===- Reading ------------------------------------------------------------===//

void FormReader::push(StringRef text) {
  push(text.size());
  for (; !text.empty();
       text = text.drop_front(std::min<size_t>(8, text.size()))) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<size_t>(8, text.size()));
    push(word);
  }
}

std::string FormReader::key() const {
  Hasher hasher;
  hasher.update(std::as_bytes(std::span(words)));
  return to_hex(hasher.finish());
}

/// A number that depends only on the structure of the type.
uint64_t FormReader::typeNumber(Type *type) {
  auto [found, isNew] = types.try_emplace(type, 0);
  if (!isNew)
    return found->second;
  uint64_t number = type->getTypeID();
  auto add = [&](uint64_t value) {
    number = std::rotl(number * 0x9e3779b97f4a7c15 ^ value, 23);
  };
  if (auto *integer = dyn_cast<IntegerType>(type))
    add(integer->getBitWidth());
  if (auto *array = dyn_cast<ArrayType>(type))
    add(array->getNumElements());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    add(vector->getNumElements());
  if (auto *pointer = dyn_cast<PointerType>(type))
    add(pointer->getAddressSpace());
  for (Type *part : type->subtypes())
    add(typeNumber(part));
  types[type] = number;
  return number;
}

void FormReader::readExact(Constant *constant) {
  push(typeNumber(constant->getType()));
  if (auto *integer = dyn_cast<ConstantInt>(constant)) {
    push(kExact);
    for (unsigned i = 0; i < integer->getValue().getNumWords(); ++i)
      push(integer->getValue().getRawData()[i]);
  } else if (isa<ConstantFP>(constant)) {
    push(kExact);
    APInt bits = cast<ConstantFP>(constant)->getValueAPF().bitcastToAPInt();
    for (unsigned i = 0; i < bits.getNumWords(); ++i)
      push(bits.getRawData()[i]);
  } else if (isa<UndefValue>(constant)) {
    push(kPoison);
    push(isa<PoisonValue>(constant));
  } else if (constant->isNullValue()) {
    push(kNull);
  } else if (auto *function = dyn_cast<Function>(constant)) {
    push(kCallee);
    push(function->getName());
  } else if (auto *global = dyn_cast<GlobalVariable>(constant)) {
    assert(global->hasInitializer() && "kernels have their own data");
    push(kGlobal);
    push(Log2(global->getAlign().valueOrOne()));
    readExact(global->getInitializer());
  } else if (auto *data = dyn_cast<ConstantDataSequential>(constant)) {
    push(kElements);
    push(data->getRawDataValues());
  } else {
    bool isExpression = isa<ConstantExpr>(constant);
    push(isExpression ? kExpression : kElements);
    push(isExpression ? cast<ConstantExpr>(constant)->getOpcode() : 0);
    push(constant->getNumOperands());
    for (Use &operand : constant->operands())
      readExact(cast<Constant>(operand));
  }
}

void FormReader::readOperand(Use &use) {
  if (auto found = locals.find(use.get()); found != locals.end()) {
    push(kLocal);
    push(found->second);
    return;
  }
  if (auto *metadata = dyn_cast<MetadataAsValue>(use.get())) {
    std::string text;
    raw_string_ostream(text) << *metadata->getMetadata();
    push(StringRef(text));
    return;
  }
  auto *constant = cast<Constant>(use.get());
  std::optional<Numbers> found;
  if (mayVary(use))
    found = numbersOf(constant);
  if (!found)
    return readExact(constant);
  push(kNumber);
  push(static_cast<uint64_t>(found->kind));
  push(typeNumber(constant->getType()));
  uses.emplace_back(&use, found->kind);
  if (isa<FreezeInst>(use.getUser()))
    decisions.push_back(numbers.constants.size());
  append_range(numbers.constants, found->values);
}

void FormReader::readCall(CallBase &call) {
  push(call.getCallingConv());
  push(typeNumber(call.getFunctionType()));
  AttributeList attributes = call.getAttributes();
  for (unsigned index : attributes.indexes())
    if (AttributeSet set = attributes.getAttributes(index);
        set.hasAttributes()) {
      push(index);
      push(StringRef(set.getAsString()));
    }
}

void FormReader::readDetails(Instruction &instruction) {
  if (isa<FPMathOperator>(instruction)) {
    std::string flags;
    raw_string_ostream stream(flags);
    instruction.getFastMathFlags().print(stream);
    push(StringRef(flags));
  }
  if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    push(compare->getPredicate());
  } else if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
    push(typeNumber(gep->getSourceElementType()));
  } else if (auto *memory = dyn_cast<AllocaInst>(&instruction)) {
    push(typeNumber(memory->getAllocatedType()));
    push(Log2(memory->getAlign()));
  } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    for (int lane : shuffle->getShuffleMask())
      push(static_cast<uint64_t>(lane));
  } else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
    for (unsigned index : extract->indices())
      push(index);
  } else if (auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
    for (unsigned index : insert->indices())
      push(index);
  } else if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    for (BasicBlock *block : phi->blocks())
      push(locals.lookup(block));
  } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
    readCall(*call);
  }
}

void FormReader::readMetadata(Instruction &instruction) {
  SmallVector<std::pair<unsigned, MDNode *>> all;
  instruction.getAllMetadataOtherThanDebugLoc(all);
  for (auto [kind, node] : all) {
    push(kind);
    for (const MDOperand &operand : node->operands())
      if (auto *value = mdconst::dyn_extract_or_null<Constant>(operand))
        readExact(value);
  }
}

void FormReader::readInstruction(Instruction &instruction) {
  push(instruction.getOpcode());
  push(typeNumber(instruction.getType()));
  push(instruction.getNumOperands());
  push(instruction.isVolatile());
  readDetails(instruction);
  readMetadata(instruction);
  claimants.push_back(&instruction);
  numbers.claims.push_back(claimsOf(instruction));
  for (Use &operand : instruction.operands())
    readOperand(operand);
}

void FormReader::read(Function &function) {
  locals.clear();
  uint64_t next = 0;
  for (Argument &argument : function.args())
    locals[&argument] = next++;
  for (BasicBlock &block : function) {
    locals[&block] = next++;
    for (Instruction &instruction : block)
      locals[&instruction] = next++;
  }
  push(typeNumber(function.getFunctionType()));
  push(StringRef(function.getAttributes().getFnAttrs().getAsString()));
  for (BasicBlock &block : function) {
    push(block.size());
    for (Instruction &instruction : block)
      readInstruction(instruction);
  }
}

KernelForm formOf(ArrayRef<Function *> phases) {
  FormReader reader;
  for (Function *phase : phases)
    reader.read(*phase);
  return {reader.key(), std::move(reader.numbers), std::move(reader.decisions)};
}

//===- Fast numbers -------------------------------------------------------===//

namespace {
/// Finds the instructions that run in each iteration of an innermost loop and
/// whose constants the code generator makes use of.
class InnerLoops {
public:
  explicit InnerLoops(Function &function)
      : dominators(function), loops(dominators) {}

  /// Returns the loop in whose iterations the instruction makes use of its
  /// constants, or null.
  Loop *loopOf(Instruction &user) {
    switch (user.getOpcode()) {
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::Select:
    case Instruction::PHI:
    case Instruction::Store:
    case Instruction::Call:
    case Instruction::Freeze:
      return nullptr;
    default:
      break;
    }
    if (user.getType()->isFPOrFPVectorTy())
      return nullptr;
    Loop *loop = loops.getLoopFor(user.getParent());
    bool isInner =
        loop && loop->isInnermost() && !calls(*loop) && varies(user, *loop);
    return isInner ? loop : nullptr;
  }

private:
  /// True if the loop calls a function of another module, such as one that
  /// computes a tile. What such a loop computes itself takes little of its
  /// time.
  bool calls(Loop &loop) {
    auto [found, isNew] = calling.try_emplace(&loop, false);
    if (isNew)
      found->second = any_of(loop.blocks(), [](BasicBlock *block) {
        return any_of(*block, [](Instruction &instruction) {
          auto *call = dyn_cast<CallBase>(&instruction);
          return call && !isa<IntrinsicInst>(call) &&
                 (call->isIndirectCall() ||
                  call->getCalledFunction()->isDeclaration());
        });
      });
    return found->second;
  }

  /// False if the instruction can move out of the loop.
  bool varies(Instruction &instruction, Loop &loop) {
    if (!loop.contains(&instruction))
      return false;
    auto [found, isNew] = known.try_emplace(&instruction, true);
    if (!isNew)
      return found->second;
    bool result = isa<PHINode>(instruction) ||
                  instruction.mayReadOrWriteMemory() ||
                  any_of(instruction.operands(), [&](Use &operand) {
                    auto *definition = dyn_cast<Instruction>(operand.get());
                    return definition && varies(*definition, loop);
                  });
    return known[&instruction] = result;
  }

  DominatorTree dominators;
  LoopInfo loops;
  DenseMap<Instruction *, bool> known;
  DenseMap<Loop *, bool> calling;
};
} // namespace

std::vector<uint32_t> loopsOfFastNumbers(ArrayRef<Function *> phases) {
  FormReader reader;
  for (Function *phase : phases)
    reader.read(*phase);
  std::vector<uint32_t> numbers;
  DenseMap<Function *, std::unique_ptr<InnerLoops>> functions;
  DenseMap<Loop *, uint32_t> loops;
  for (auto [use, kind] : reader.uses) {
    auto *user = cast<Instruction>(use->getUser());
    std::unique_ptr<InnerLoops> &inner = functions[user->getFunction()];
    if (!inner)
      inner = std::make_unique<InnerLoops>(*user->getFunction());
    Loop *loop = inner->loopOf(*user);
    uint32_t number =
        loop ? loops.try_emplace(loop, loops.size() + 1).first->second : 0;
    numbers.insert(numbers.end(), kind == NumberKind::Series ? 2 : 1, number);
  }
  return numbers;
}

// The builder folds neither of these.

Value *emitSize(IRBuilder<> &ir, int64_t number) {
  return ir.Insert(
      BinaryOperator::CreateOr(ir.getInt64(number), ir.getInt64(0)));
}

/// Nothing else freezes a constant.
Value *emitDecision(IRBuilder<> &ir, int64_t number) {
  return ir.CreateFreeze(ir.getInt64(number));
}

//===- Parameters ---------------------------------------------------------===//

namespace {
/// Loads the parameters of one function where it begins.
class ParameterLoader {
public:
  explicit ParameterLoader(Function &function)
      : extents(function.getArg(2)),
        ir(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  Value *scalar(Type *type, int32_t parameter) {
    Value *&value = scalars[{type, parameter}];
    if (!value) {
      Value *slot =
          ir.CreateConstInBoundsGEP1_64(ir.getInt64Ty(), extents, parameter);
      LoadInst *load = ir.CreateAlignedLoad(type, slot, Align(8), "parameter");
      load->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(ir.getContext(), {}));
      value = load;
    }
    return value;
  }

  /// Returns the constant that `kind` builds from its first number, and, for a
  /// series, its second one. Numbers without a parameter are those of `old`.
  Value *build(Constant *old, NumberKind kind, ArrayRef<int32_t> parameters);

private:
  Value *number(Type *type, Constant *old, int32_t parameter) {
    return parameter == KernelParameters::kFixed ? old
                                                 : scalar(type, parameter);
  }

  Value *extents;
  IRBuilder<> ir;
  DenseMap<std::pair<Type *, int32_t>, Value *> scalars;
};
} // namespace

Value *ParameterLoader::build(Constant *old, NumberKind kind,
                              ArrayRef<int32_t> parameters) {
  Type *type = old->getType();
  if (kind == NumberKind::Scalar)
    return scalar(type, parameters[0]);
  auto *vector = cast<FixedVectorType>(type);
  Type *element = vector->getElementType();
  unsigned lanes = vector->getNumElements();
  if (kind == NumberKind::Splat)
    return ir.CreateVectorSplat(lanes, scalar(element, parameters[0]));
  if (kind == NumberKind::Prefix) {
    SmallVector<Constant *> numbers;
    for (unsigned lane = 0; lane < lanes; ++lane)
      numbers.push_back(ir.getInt32(lane));
    return ir.CreateICmpULT(
        ConstantVector::get(numbers),
        ir.CreateVectorSplat(lanes, scalar(ir.getInt32Ty(), parameters[0])));
  }
  Constant *first = old->getAggregateElement(0u);
  Value *sum =
      ir.CreateVectorSplat(lanes, number(element, first, parameters[0]));
  SmallVector<Constant *> distances;
  for (unsigned lane = 0; lane < lanes; ++lane)
    distances.push_back(
        parameters[1] == KernelParameters::kFixed
            ? ConstantInt::getSigned(
                  element, int64_t(bitsOf(old->getAggregateElement(lane)) -
                                   bitsOf(first)))
            : ConstantInt::get(element, lane));
  Value *offsets = ConstantVector::get(distances);
  if (parameters[1] != KernelParameters::kFixed)
    offsets = ir.CreateMul(
        offsets, ir.CreateVectorSplat(lanes, scalar(element, parameters[1])));
  return ir.CreateAdd(sum, offsets);
}

void parameterize(ArrayRef<Function *> phases,
                  const KernelParameters &parameters,
                  ArrayRef<uint32_t> claims) {
  FormReader reader;
  for (Function *phase : phases)
    reader.read(*phase);
  assert(reader.numbers.constants.size() == parameters.parameter.size() &&
         reader.claimants.size() == claims.size() &&
         "the phases have the form of the parameters");
  for (auto [instruction, claim] : zip_equal(reader.claimants, claims))
    if (claim != claimsOf(*instruction))
      weaken(*instruction, claim);
  DenseMap<Function *, std::unique_ptr<ParameterLoader>> loaders;
  ArrayRef<int32_t> rest = parameters.parameter;
  for (auto [use, kind] : reader.uses) {
    size_t count = kind == NumberKind::Series ? 2 : 1;
    ArrayRef<int32_t> mine = rest.take_front(count);
    rest = rest.drop_front(count);
    if (all_of(mine, [](int32_t parameter) {
          return parameter == KernelParameters::kFixed;
        }))
      continue;
    Function *function = cast<Instruction>(use->getUser())->getFunction();
    std::unique_ptr<ParameterLoader> &loader = loaders[function];
    if (!loader)
      loader = std::make_unique<ParameterLoader>(*function);
    use->set(loader->build(cast<Constant>(use->get()), kind, mine));
  }
}

} // namespace xlac::codegen
