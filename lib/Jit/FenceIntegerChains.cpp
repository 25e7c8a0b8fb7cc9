#include "FenceIntegerChains.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace xlac::jit {

/// Shorter chains, such as those of exp and log, are cheap, and selection may
/// find better instructions for them.
static constexpr unsigned kLongChain = 16;

/// Operations between two fences.
static constexpr unsigned kMostFused = 2;

static bool isIntegerOperation(const Instruction &instruction) {
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!type || !type->getElementType()->isIntegerTy() ||
      type->getElementType()->isIntegerTy(1))
    return false;
  // The fence needs a vector of floats that fills whole registers.
  unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();
  if (bits % 128 != 0)
    return false;
  Intrinsic::ID intrinsic = Intrinsic::not_intrinsic;
  if (auto *call = dyn_cast<CallBase>(&instruction))
    intrinsic = call->getIntrinsicID();
  return isa<BinaryOperator>(instruction) || intrinsic == Intrinsic::fshl ||
         intrinsic == Intrinsic::fshr;
}

/// Whether selection gains nothing by seeing the operation through its users.
/// It matches masks and shifts with what surrounds them, and products of
/// extended operands with shifts. Products, conversions and comparisons may
/// become cheaper if bits are known.
static bool mayBeFenced(const Instruction &instruction) {
  auto isExtended = [](const Value *operand) {
    return isa<ZExtInst, SExtInst>(operand);
  };
  switch (instruction.getOpcode()) {
  case Instruction::Mul:
    if (any_of(instruction.operand_values(), isExtended))
      return false;
    break;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Xor:
    break;
  default:
    return false;
  }
  return all_of(instruction.users(), [](const User *user) {
    auto *reader = cast<Instruction>(user);
    return isIntegerOperation(*reader) &&
           reader->getOpcode() != Instruction::Mul;
  });
}

/// Makes all users of `instruction` use a fence with its value.
static void fence(Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();
  IRBuilder<> ir(instruction.getNextNode());
  auto *floats = FixedVectorType::get(ir.getFloatTy(), bits / 32);
  Value *in = ir.CreateBitCast(&instruction, floats);
  Value *out = ir.CreateBitCast(
      ir.CreateUnaryIntrinsic(Intrinsic::arithmetic_fence, in), type);
  instruction.replaceUsesWithIf(
      out, [&](llvm::Use &use) { return use.getUser() != in; });
}

/// Calls `visit` for each integer operation of `block`, with the number of
/// operations in the longest chain that ends with it. A chain starts again
/// behind an operation for which `visit` returns true.
static void visitChains(BasicBlock &block,
                        function_ref<bool(Instruction &, unsigned)> visit) {
  DenseMap<const Value *, unsigned> lengths;
  for (Instruction &instruction : make_early_inc_range(block)) {
    if (!isIntegerOperation(instruction))
      continue;
    unsigned length = 0;
    for (const Value *operand : instruction.operand_values())
      length = std::max(length, lengths.lookup(operand));
    if (!visit(instruction, ++length))
      lengths[&instruction] = length;
  }
}

PreservedAnalyses FenceIntegerChainsPass::run(Function &function,
                                              FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function) {
    unsigned longest = 0;
    visitChains(block, [&](Instruction &, unsigned length) {
      longest = std::max(longest, length);
      return false;
    });
    if (longest < kLongChain)
      continue;
    changed = true;
    visitChains(block, [](Instruction &instruction, unsigned length) {
      if (length < kMostFused || !mayBeFenced(instruction))
        return false;
      fence(instruction);
      return true;
    });
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xlac::jit
