// Which arguments of a program have one sharding.
#include "SpmdArguments.h"

#include "xlac/support/program_names.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/Hashing.h"

#include <map>

using namespace mlir;

namespace xlac::transforms {

/// How many ops behind an argument distinguish its uses.
static constexpr unsigned kDepth = 2;

/// Returns a number that values with equal types and uses have in common.
static size_t contextOf(Value value, unsigned depth) {
  SmallVector<size_t> uses;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    SmallVector<size_t, 4> codes = {size_t(hash_value(user->getName())),
                                    use.getOperandNumber(),
                                    size_t(user->getNumOperands())};
    if (user->hasTrait<OpTrait::IsTerminator>())
      codes[1] = 0; // the number of a result says nothing
    for (Value result : user->getResults())
      codes.push_back(depth > 1 ? contextOf(result, depth - 1)
                                : size_t(hash_value(result.getType())));
    uses.push_back(llvm::hash_combine_range(codes));
  }
  llvm::sort(uses);
  return llvm::hash_combine(hash_value(value.getType()),
                            llvm::hash_combine_range(uses));
}

/// Joins the values that ops combine element by element.
static llvm::EquivalenceClasses<unsigned>
tiedValues(const SpmdPropagation &shardings) {
  llvm::EquivalenceClasses<unsigned> tied;
  for (const SpmdUses &uses : shardings.uses()) {
    if (!uses.rule || !uses.rule->simple || uses.rule->gathers)
      continue;
    for (size_t i = 0; i < uses.operandCount; ++i)
      for (size_t j = uses.operandCount; j < uses.tensors.size(); ++j) {
        const SpmdUse &from = uses.tensors[i], &to = uses.tensors[j];
        if (!from.isFree && *from.dims == *to.dims &&
            shardings.state()[from.slot].type.getShape() ==
                shardings.state()[to.slot].type.getShape())
          tied.unionSets(from.slot, to.slot);
      }
  }
  return tied;
}

static double weightOf(BlockArgument argument) {
  double most = 0;
  for (Operation *user : argument.getUsers())
    for (Value result : user->getResults())
      if (RankedTensorType type = shardableType(result))
        most = std::max(most, double(type.getNumElements()));
  return most + double(shardableType(argument).getNumElements());
}

std::vector<ArgumentRole> argumentRoles(func::FuncOp function,
                                        const SpmdPropagation &shardings) {
  llvm::EquivalenceClasses<unsigned> tied = tiedValues(shardings);
  // Arguments by the value that represents all that are tied to it. Ordered
  // maps, and numbers in order of appearance, make the result reproducible.
  std::map<unsigned, SmallVector<BlockArgument>> groups;
  for (BlockArgument argument : function.getArguments()) {
    std::optional<unsigned> slot = shardings.numberOf(argument);
    if (!slot || shardableType(argument).getRank() == 0 ||
        shardings.state()[*slot].decidedBy == SpmdSlot::kAnnotation)
      continue;
    auto leader = tied.findLeader(*slot);
    groups[leader == tied.member_end() ? *slot : *leader].push_back(argument);
  }
  std::map<unsigned, SmallVector<BlockArgument>> inOrder;
  for (auto &[leader, arguments] : groups)
    inOrder[arguments.front().getArgNumber()] = std::move(arguments);
  std::vector<ArgumentRole> roles;
  llvm::DenseMap<size_t, size_t> roleOf;
  for (auto &[first, arguments] : inOrder) {
    SmallVector<size_t> contexts;
    for (BlockArgument argument : arguments)
      contexts.push_back(contextOf(argument, kDepth));
    llvm::sort(contexts);
    auto [known, isNew] = roleOf.try_emplace(
        size_t(llvm::hash_combine_range(contexts)), roles.size());
    if (isNew)
      roles.emplace_back();
    ArgumentRole &role = roles[known->second];
    for (BlockArgument argument : arguments) {
      role.slots.push_back(*shardings.numberOf(argument));
      role.weight += weightOf(argument);
      auto alias = function.getArgAttrOfType<IntegerAttr>(
          argument.getArgNumber(), names::kAliasingOutput);
      if (alias && alias.getInt() >= 0 &&
          alias.getInt() < function.getNumResults() &&
          function.getResultTypes()[alias.getInt()] == argument.getType())
        role.slots.push_back(
            shardings.numberOfResult(unsigned(alias.getInt())));
    }
  }
  llvm::stable_sort(roles, [](const ArgumentRole &a, const ArgumentRole &b) {
    return a.weight > b.weight;
  });
  return roles;
}

} // namespace xlac::transforms
