#include "FusionGroups.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace xlac::transforms {

/// Limits of a kernel. More ops or buffers cost compile time and registers.
/// Cheap ops count as a quarter.
static constexpr unsigned kMostOps = 40;
static constexpr unsigned kMostBuffers = 16;
static constexpr unsigned kMostRoots = 8;
/// Fixed cost of a launch and of passing a value through memory.
static constexpr double kLaunchCost = 8192;
/// Cost for each element up to which recomputing it is cheaper than storing and
/// loading it.
static constexpr double kRepeatedWork = 4;
/// Fraction of a value's bytes that recomputing it may read in addition to
/// another value of its size, such as a mean for each channel or a scale.
static constexpr double kSideReads = 1.0 / 16;
/// Values with at most this many elements are cheaper to recompute than to pass
/// on, if an element costs at most kTinyCost.
static constexpr int64_t kTiny = 16;
static constexpr double kTinyCost = 50;

bool isOrdered(Operation *op) {
  return op
      ->walk([](ir::TensorCollectiveOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void FusionGroup::add(const FusionGroup &other) {
  for (auto &[member, count] : other.members)
    members[member] = std::max(members[member], count);
  roots.insert_range(other.roots);
  firstRoot = std::min(firstRoot, other.firstRoot);
  lastMember = std::max(lastMember, other.lastMember);
}

FusionGroups::FusionGroups(Block &block) : block(block) {
  for (Operation &op : block) {
    order[&op] = ops.size();
    ops.push_back(&op);
  }
  findLater();
  for (Operation &op : llvm::reverse(block.without_terminator()))
    visit(&op);
  mergeReductions();
  dropEdgeReshapes();
#ifndef NDEBUG
  verify();
#endif
}

void FusionGroups::findLater() {
  later.resize(ops.size());
  std::optional<size_t> previous;
  for (auto [number, op] : llvm::enumerate(ops)) {
    for (Operation *user : op->getUsers())
      if (Operation *ancestor = block.findAncestorOpInBlock(*user))
        later[number].push_back(position(ancestor));
    if (!isOrdered(op))
      continue;
    if (previous)
      later[*previous].push_back(number);
    previous = number;
  }
}

#ifndef NDEBUG
/// Asserts that groups and the maps from ops to groups are consistent: roots
/// and anchors are members, a group is the home of its roots, and only loops
/// have no anchor.
void FusionGroups::verify() const {
  for (const auto &group : groups) {
    assert(!group->roots.empty() && "a group computes something");
    assert((group->kind == ir::ScheduleKind::Loop) == !group->anchor &&
           "all kinds but loops have an anchor");
    assert((!group->anchor || group->contains(group->anchor)) &&
           "an anchor is a member");
    for (Operation *root : group->roots)
      assert(group->contains(root) && home(root) == group.get() &&
             group->firstRoot <= position(root) &&
             "a root is a member of its home");
    for (auto &[member, count] : group->members) {
      assert(member->getBlock() == &block && order.contains(member) &&
             position(member) <= group->lastMember &&
             "members are ops of the block");
      assert(llvm::is_contained(memberships.lookup(member), group.get()) &&
             "members map to their group");
    }
  }
}
#endif

FusionGroups::Readers FusionGroups::readersOf(Operation *op) const {
  Readers readers;
  for (Operation *user : op->getUsers()) {
    auto it = memberships.find(user);
    if (it == memberships.end() || it->second.empty())
      readers.outside = true;
    else
      readers.groups.insert(it->second.begin(), it->second.end());
  }
  return readers;
}

static ir::ScheduleKind kindOf(Operation *op, FusionRole role) {
  switch (role) {
  case FusionRole::Reduction:
    return ir::ScheduleKind::Reduction;
  case FusionRole::Contraction:
    return ir::ScheduleKind::Contraction;
  case FusionRole::Scatter:
    return ir::ScheduleKind::Scatter;
  case FusionRole::Scan:
    return ir::ScheduleKind::Scan;
  case FusionRole::Sort:
    return ir::ScheduleKind::Sort;
  case FusionRole::Library:
    return ir::ScheduleKind::Library;
  case FusionRole::Loop:
  case FusionRole::Alias:
    return isHeavyTranspose(op) ? ir::ScheduleKind::Transpose
                                : ir::ScheduleKind::Loop;
  case FusionRole::Constant:
  case FusionRole::Control:
    break;
  }
  llvm_unreachable("constants and control flow stand outside of groups");
}

void FusionGroups::addMember(Operation *op, double count,
                             FusionGroup &group) const {
  group.members[op] = count;
  group.lastMember = std::max(group.lastMember, position(op));
}

void FusionGroups::addRoot(Operation *op, FusionGroup &group) const {
  group.roots.insert(op);
  group.firstRoot = std::min(group.firstRoot, position(op));
}

FusionGroup *FusionGroups::open(Operation *op, FusionRole role) {
  groups.push_back(std::make_unique<FusionGroup>());
  FusionGroup *group = groups.back().get();
  assert(!homes.contains(op) && "an op has one home");
  group->kind = kindOf(op, role);
  if (group->kind != ir::ScheduleKind::Loop)
    group->anchor = op;
  addMember(op, elementsOf(op), *group);
  addRoot(op, *group);
  memberships[op].push_back(group);
  homes[op] = group;
  return group;
}

double FusionGroups::demandOf(Operation *op, const FusionGroup &group) const {
  // Elementwise readers use the same indices, at which the op is computed once.
  double total = 0, inPlace = 0;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    auto it = group.members.find(user);
    if (it == group.members.end())
      continue;
    // Operands of a GEMM are packed once.
    if (group.kind == ir::ScheduleKind::Contraction && user == group.anchor)
      total += elementsOf(op);
    else if (isElementwise(user) && elementsOf(user) == elementsOf(op))
      inPlace = std::max(inPlace, it->second);
    else
      total += it->second * demand(user, use.getOperandNumber());
  }
  return total + inPlace;
}

void FusionGroups::join(Operation *op, FusionGroup &group) {
  assert(!group.contains(op) && "an op joins a group once");
  bool upstream = feedsAnchor(op, group);
  double demanded = demandOf(op, group);
  bool isRoot = group.roots.contains(op);
  addMember(op, std::max(demanded, isRoot ? double(elementsOf(op)) : 0), group);
  if (upstream)
    group.upstream.insert(op);
  memberships[op].push_back(&group);
}

/// Joins the group, which becomes a kernel of the op's kind.
void FusionGroups::anchorAt(Operation *op, FusionRole role,
                            FusionGroup &group) {
  join(op, group);
  group.kind = kindOf(op, role);
  group.anchor = op;
  homes[op] = &group;
}

bool FusionGroups::feedsAnchor(Operation *op, const FusionGroup &group) const {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return group.contains(user) &&
           (user == group.anchor || group.upstream.contains(user));
  });
}

/// Returns true if the group stays within its limits when `op` joins, or as it
/// is if `op` is null.
bool FusionGroups::fits(Operation *op, const FusionGroup &group) const {
  double size = 0;
  for (auto &[member, count] : group.members)
    size += elementCost(member) <= 1 ? 0.25 : 1;
  if (size >= kMostOps)
    return false;
  DenseSet<Value> inputs;
  auto note = [&](Operation *member) {
    for (Value operand : member->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (source &&
          (source == op || group.contains(source) || isKernelConstant(source)))
        continue;
      inputs.insert(operand);
    }
  };
  if (op)
    note(op);
  for (auto &[member, count] : group.members)
    note(member);
  return inputs.size() + group.roots.size() <= kMostBuffers;
}

/// Returns true if `op` creates complex numbers from two values in buffers,
/// rather than from values that its readers would recompute.
static bool joinsBuffers(Operation *op) {
  return isa<stablehlo::ComplexOp>(op) &&
         llvm::none_of(op->getOperands(), [](Value part) {
           Operation *source = part.getDefiningOp();
           return source &&
                  (isKernelConstant(source) || isFreeToRepeat(source));
         });
}

/// Returns true if the transpose kernel can compute `op` for its tiles, which
/// have one transposition and real elements.
static bool fitsTransposedTile(Operation *op) {
  return (isElementwise(op) ||
          isa<stablehlo::BroadcastInDimOp, stablehlo::IotaOp,
              stablehlo::SliceOp>(op)) &&
         llvm::none_of(op->getResultTypes(), [](Type type) {
           return isa<ComplexType>(getElementTypeOrSelf(type));
         });
}

/// Returns true if the kernel's emitter can compute `op` inside the kernel.
bool FusionGroups::mayProduce(Operation *op, const FusionGroup &group) const {
  if (roleOf(op) != FusionRole::Loop && roleOf(op) != FusionRole::Reduction &&
      roleOf(op) != FusionRole::Alias)
    return false;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (!group.contains(user))
      continue;
    unsigned number = use.getOperandNumber();
    // The operand of an in-place update must be in a buffer.
    if (isa<stablehlo::DynamicUpdateSliceOp>(user) && number == 0)
      return false;
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(user))
      if (number < scatter.getInputs().size())
        return false;
  }
  switch (group.kind) {
  case ir::ScheduleKind::Library:
    return isa<stablehlo::FftOp>(group.anchor) && joinsBuffers(op);
  case ir::ScheduleKind::Transpose:
    return !feedsAnchor(op, group) && fitsTransposedTile(op);
  case ir::ScheduleKind::Contraction: {
    if (!feedsAnchor(op, group))
      return true;
    bool epilogueToo = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return group.contains(user) && user != group.anchor &&
             !group.upstream.contains(user);
    });
    return !epilogueToo && isStrideChange(op);
  }
  case ir::ScheduleKind::Sort:
    return isElementwise(op) || isFreeToRepeat(op);
  case ir::ScheduleKind::Loop:
  case ir::ScheduleKind::Reduction:
  case ir::ScheduleKind::Scan:
  case ir::ScheduleKind::Scatter:
    return true;
  }
  llvm_unreachable("a kind of schedule");
}

/// Returns true if the kernel of a convolution or another op that is never
/// repeated can apply `op` to its result. Only elementwise ops of the same
/// shape stand between both, and nothing else reads their values.
static bool mayJoinSource(Operation *op) {
  auto shape = shapeOf(op->getResult(0));
  SmallVector<Operation *> pending = {op};
  for (size_t next = 0; next < pending.size() && next < kMostOps; ++next) {
    if (!isElementwise(pending[next]))
      continue;
    for (Value operand : pending[next]->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != op->getBlock() ||
          !operand.hasOneUse() || shapeOf(operand) != shape)
        continue;
      if (roleOf(source) == FusionRole::Contraction ||
          isa<stablehlo::ConvolutionOp, stablehlo::ReduceWindowOp>(source))
        return true;
      pending.push_back(source);
    }
  }
  return false;
}

/// Compares the saved memory traffic with the repeated work.
bool FusionGroups::isWorthJoining(Operation *op,
                                  const FusionGroup &group) const {
  // The transpose kernel avoids strided reads by consumers.
  if (isHeavyTranspose(op) && group.kind != ir::ScheduleKind::Contraction)
    return false;
  // Nobody stores these just to read them again.
  if (isa<stablehlo::IotaOp, stablehlo::BroadcastInDimOp>(op))
    return true;
  // Vectors of other kinds may run along the rows that it reduces.
  if (isa<stablehlo::ReduceOp>(op) && group.kind != ir::ScheduleKind::Loop)
    return false;
  double cost = elementCost(op);
  // These join the op's kernel, whichever that is.
  for (Value operand : op->getOperands())
    if (isDilatingPad(operand.getDefiningOp()) && operand.hasOneUse())
      cost += elementCost(operand.getDefiningOp());
  double repeated = (demandOf(op, group) - elementsOf(op)) * cost;
  // Another kernel stores a value of this size in any case.
  if (repeated > 0 && group.kind == ir::ScheduleKind::Loop && mayJoinSource(op))
    return false;
  // In a row-by-row kernel, repeated reads hit the cache. This saves a store,
  // two loads and a launch.
  double passes = group.kind == ir::ScheduleKind::Reduction ? 4 : 2;
  return repeated <= passes * resultBytes(op) + kLaunchCost;
}

/// Returns true if the group only applies elementwise ops between `anchor` and
/// the results, so that it can be the anchor's epilogue.
bool FusionGroups::mayBeEpilogue(Operation *anchor,
                                 const FusionGroup &group) const {
  if (group.kind != ir::ScheduleKind::Loop || group.anchor ||
      !fits(anchor, group))
    return false;
  auto shape = cast<ShapedType>(anchor->getResult(0).getType()).getShape();
  SmallVector<Operation *> pending = {anchor};
  DenseSet<Operation *> seen = {anchor};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    for (Operation *user : op->getUsers()) {
      if (!group.contains(user) || !seen.insert(user).second)
        continue;
      if (!isElementwise(user) ||
          cast<ShapedType>(user->getResult(0).getType()).getShape() != shape)
        return false;
      // A scalar operand is read at all indices.
      for (Value operand : user->getOperands())
        if (llvm::is_contained(seen, operand.getDefiningOp()) &&
            cast<ShapedType>(operand.getType()).getShape() != shape)
          return false;
      pending.push_back(user);
    }
  }
  return llvm::all_of(group.roots,
                      [&](Operation *root) { return seen.contains(root); });
}

/// Returns true if the group can be the epilogue of a transposition of real
/// elements that has a kernel of its own kind. The rows of a tile are far apart
/// in memory. With those of a second large value, which conflict in the cache,
/// two kernels are faster.
bool FusionGroups::mayFollowTranspose(Operation *transpose,
                                      const FusionGroup &group) const {
  auto type = cast<ShapedType>(transpose->getResult(0).getType());
  if (isa<ComplexType>(type.getElementType()) || group.roots.size() != 1)
    return false;
  auto isLarge = [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    if (source == transpose ||
        (source && (group.contains(source) || isKernelConstant(source) ||
                    isa<stablehlo::IotaOp>(source))))
      return false;
    if (isa_and_nonnull<stablehlo::BroadcastInDimOp>(source))
      operand = source->getOperand(0);
    return elementsOf(operand) > elementsOf(transpose) / 8;
  };
  for (const auto &[member, count] : group.members)
    if (!fitsTransposedTile(member) ||
        llvm::any_of(member->getOperands(), isLarge))
      return false;
  return mayBeEpilogue(transpose, group);
}

/// Adds the cost of recomputing `op`, and the values that must be read for it,
/// including preceding ops that only `op` reads. Returns false if one of them
/// should not be repeated, such as a contraction's epilogue.
bool FusionGroups::addRepetition(Operation *op, double &work,
                                 llvm::SetVector<Value> &leaves) const {
  work += elementCost(op);
  if (work > kRepeatedWork)
    return false;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    // The cost of a broadcast is that of its operand.
    while (source && isa<stablehlo::BroadcastInDimOp>(source)) {
      operand = source->getOperand(0);
      source = operand.getDefiningOp();
    }
    if (source && isKernelConstant(source))
      continue;
    // Storing a value for each row or column costs little.
    bool isLeaf = !source || source->getBlock() != &block ||
                  !source->hasOneUse() || isFreeToRepeat(source) ||
                  elementsOf(source) <= elementsOf(op) * kSideReads;
    if (isLeaf)
      leaves.insert(operand);
    else if (!isElementwise(source) || elementsOf(source) != elementsOf(op) ||
             !addRepetition(source, work, leaves))
      return false;
  }
  return true;
}

/// Returns true if several kernels may each recompute `op`.
bool FusionGroups::mayRepeat(Operation *op) const {
  if (roleOf(op) != FusionRole::Loop)
    return false;
  if (isFreeToRepeat(op))
    return true;
  if (!isElementwise(op) && !isa<stablehlo::DynamicSliceOp>(op))
    return false;
  if (elementsOf(op) <= kTiny)
    return elementCost(op) <= kTinyCost;
  // Not if recomputing reads more bytes than a store would write.
  double work = 0, read = 0;
  llvm::SetVector<Value> leaves;
  if (!addRepetition(op, work, leaves))
    return false;
  for (Value leaf : leaves)
    read += resultBytes(op) / std::max<int64_t>(elementsOf(op), 1) *
            std::min(elementsOf(leaf), elementsOf(op));
  return read <= resultBytes(op) * (1 + kSideReads);
}

void FusionGroups::visitAlias(Operation *op) {
  // An alias is free outside of kernels. Inside, it lets its operand's op join
  // the group; dropEdgeReshapes removes it otherwise.
  if (!isa<stablehlo::ReshapeOp>(op))
    return;
  Readers readers = readersOf(op);
  if (readers.outside || readers.groups.size() != 1)
    return;
  FusionGroup &group = *readers.groups.front();
  Operation *source = op->getOperand(0).getDefiningOp();
  if (source && source->getBlock() == &block && mayProduce(op, group) &&
      fits(op, group))
    join(op, group);
}

void FusionGroups::visit(Operation *op) {
  FusionRole role = roleOf(op);
  if (role == FusionRole::Control || role == FusionRole::Constant)
    return;
  if (role == FusionRole::Alias)
    return visitAlias(op);
  Readers readers = readersOf(op);
  if (readers.groups.empty() && !readers.outside)
    return;
  if (role == FusionRole::Sort && mergeSlices(op))
    return;
  if (role == FusionRole::Library && mergeParts(op))
    return;
  bool sole = !readers.outside && readers.groups.size() == 1;
  if (role != FusionRole::Loop) {
    FusionGroup *group = sole ? readers.groups.front() : nullptr;
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    bool joins = group &&
                 (role == FusionRole::Contraction || role == FusionRole::Scan ||
                  reduce) &&
                 mayBeEpilogue(op, *group);
    if (!joins && !(group && reduce && mayShareRows(reduce, *group))) {
      open(op, role);
      return;
    }
    assert((!group->anchor || !joins) &&
           "an epilogue's group has no anchor; reductions may share rows");
    anchorAt(op, role, *group);
    return;
  }
  if (sole && isHeavyTranspose(op) &&
      mayFollowTranspose(op, *readers.groups.front())) {
    anchorAt(op, role, *readers.groups.front());
    return;
  }
  if (!sole && !mayRepeat(op) && mergeReaders(op, readers)) {
    readers = readersOf(op);
    sole = !readers.outside;
  }
  bool inPlace = isa<stablehlo::DynamicUpdateSliceOp>(op);
  SmallVector<FusionGroup *> willing;
  if (!inPlace)
    for (FusionGroup *group : readers.groups)
      if (mayProduce(op, *group) && fits(op, *group) &&
          isWorthJoining(op, *group))
        willing.push_back(group);
  bool all = !readers.outside && willing.size() == readers.groups.size();
  if (all && (sole || mayRepeat(op))) {
    for (FusionGroup *group : willing)
      join(op, *group);
    if (sole)
      homes[op] = willing.front();
    return;
  }
  if (isFreeToRepeat(op) || (elementsOf(op) <= kTiny && mayRepeat(op)))
    for (FusionGroup *group : willing)
      join(op, *group);
  else if (FusionGroup *group = inPlace ? nullptr : siblingFor(op, readers)) {
    addRoot(op, *group);
    join(op, *group);
    homes[op] = group;
    return;
  }
  open(op, role);
}

/// Moves a sort, of which slices read only the first elements, into a group
/// with these slices. The kernel then selects and stores only these elements.
/// Returns false if another op reads the sort.
bool FusionGroups::mergeSlices(Operation *op) {
  auto sort = cast<stablehlo::SortOp>(op);
  auto type = cast<ShapedType>(op->getResult(0).getType());
  int64_t dim = sort.getDimension();
  dim += dim < 0 ? type.getRank() : 0;
  SetVector<Operation *> slices;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    if (!slice || user->getBlock() != op->getBlock() ||
        memberships[user].empty())
      return false;
    // A larger part of the sort is stored once for all readers.
    if (slice.getStartIndices()[dim] != 0 ||
        4 * slice.getLimitIndices()[dim] > type.getDimSize(dim))
      return false;
    for (int64_t other = 0; other < type.getRank(); ++other)
      if (other != dim && cast<ShapedType>(slice.getType()).getDimSize(other) !=
                              type.getDimSize(other))
        return false;
    slices.insert(user);
  }
  if (slices.empty() || slices.size() >= kMostBuffers / 2)
    return false;
  openAround(op, FusionRole::Sort, slices.getArrayRef());
  return true;
}

/// Moves an FFT into a group with the ops that take its real and imaginary
/// parts, if only these read it. The kernel then stores the parts directly.
/// Returns false if another op reads the FFT.
bool FusionGroups::mergeParts(Operation *op) {
  if (!isa<stablehlo::FftOp>(op))
    return false;
  Operation *real = nullptr, *imag = nullptr;
  for (Operation *user : op->getUsers()) {
    if (user->getBlock() != op->getBlock() || memberships[user].empty())
      return false;
    Operation **part = isa<stablehlo::RealOp>(user)   ? &real
                       : isa<stablehlo::ImagOp>(user) ? &imag
                                                      : nullptr;
    if (!part || *part)
      return false;
    *part = user;
  }
  if (!real || !imag)
    return false;
  openAround(op, FusionRole::Library, {real, imag});
  return true;
}

/// Opens a group for `op` with the roots `readers`, which leave their groups.
void FusionGroups::openAround(Operation *op, FusionRole role,
                              ArrayRef<Operation *> readers) {
  FusionGroup *group = open(op, role);
  group->roots.remove(op);
  for (Operation *reader : readers) {
    for (FusionGroup *former : memberships[reader]) {
      former->members.erase(reader);
      former->roots.remove(reader);
    }
    llvm::erase_if(groups, [](const std::unique_ptr<FusionGroup> &each) {
      return each->members.empty();
    });
    memberships[reader] = {group};
    addMember(reader, elementsOf(reader), *group);
    addRoot(reader, *group);
    homes[reader] = group;
  }
}

/// Returns true if the group is a loop that reads `op` at the indices of its
/// results.
bool FusionGroups::mayShareIndices(Operation *op,
                                   const FusionGroup &group) const {
  return group.kind == ir::ScheduleKind::Loop &&
         llvm::all_of(group.roots,
                      [&](Operation *root) {
                        return shapeOf(root->getResult(0)) ==
                               shapeOf(op->getResult(0));
                      }) &&
         demandOf(op, group) <= elementsOf(op) &&
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           return !group.contains(user) || isElementwise(user);
         });
}

/// Merges all groups that read `op` if they do so at the same indices. Shared
/// values are then neither stored nor recomputed.
bool FusionGroups::mergeReaders(Operation *op, const Readers &readers) {
  if (readers.groups.size() < 2 || !isElementwise(op) ||
      elementsOf(op) <= kTiny)
    return false;
  FusionGroup whole;
  for (FusionGroup *group : readers.groups) {
    if (!mayShareIndices(op, *group))
      return false;
    whole.add(*group);
  }
  if (whole.roots.size() >= kMostRoots || !fits(op, whole))
    return false;
  for (FusionGroup *from : readers.groups)
    for (FusionGroup *to : readers.groups)
      if (from != to && reaches(*from, *to))
        return false;
  FusionGroup *kept = readers.groups.front();
  for (FusionGroup *group : ArrayRef(readers.groups.getArrayRef()).drop_front())
    mergeInto(kept, group, whole);
  return true;
}

/// Returns a group of elementwise ops that reads `op` at the same indices and
/// can store it for its other readers, too.
FusionGroup *FusionGroups::siblingFor(Operation *op,
                                      const Readers &readers) const {
  if (!isElementwise(op) || elementsOf(op) <= kTiny)
    return nullptr;
  for (FusionGroup *group : readers.groups) {
    if (!mayShareIndices(op, *group) || !fits(op, *group) ||
        group->roots.size() >= kMostRoots)
      continue;
    // The group must not depend on another reader.
    bool cycle = false;
    for (Operation *user : op->getUsers()) {
      auto it = memberships.find(user);
      if (it == memberships.end() || it->second.empty()) {
        FusionGroup lone;
        Operation *ancestor = block.findAncestorOpInBlock(*user);
        if (ancestor && ancestor != block.getTerminator()) {
          lone.roots.insert(ancestor);
          cycle |= reaches(lone, *group);
        }
        continue;
      }
      for (FusionGroup *other : it->second)
        cycle |= other != group && reaches(*other, *group);
    }
    if (!cycle)
      return group;
  }
  return nullptr;
}

unsigned FusionGroups::lastThatReaches(unsigned position) const {
  // Ops reach later ones, and the roots of their groups, which may be earlier.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &group : groups)
      if (group->firstRoot <= position && group->lastMember > position) {
        position = group->lastMember;
        changed = true;
      }
  }
  return position;
}

/// Returns true if a member of `to` depends on a result of `from`, or must come
/// after a collective that does.
bool FusionGroups::reaches(const FusionGroup &from,
                           const FusionGroup &to) const {
  // Ops by position: members of `to`, those that were pending, and those that
  // depend on one of them.
  BitVector targets(ops.size()), seen(ops.size()), reached(ops.size());
  SmallVector<unsigned> pending;
  unsigned last = lastThatReaches(to.lastMember);
  auto push = [&](Operation *op) {
    unsigned number = position(op);
    if (number > last || seen.test(number))
      return;
    seen.set(number);
    pending.push_back(number);
  };
  for (auto &[op, count] : to.members)
    targets.set(position(op));
  for (Operation *op : from.roots)
    push(op);
  while (!pending.empty())
    for (unsigned next : later[pending.pop_back_val()]) {
      if (targets.test(next))
        return true;
      if (next > last || reached.test(next))
        continue;
      reached.set(next);
      push(ops[next]);
      auto it = memberships.find(ops[next]);
      if (it == memberships.end())
        continue;
      for (const FusionGroup *group : it->second)
        for (Operation *root : group->roots)
          push(root);
    }
  return false;
}

/// Removes reshapes whose operand comes from outside the group: such a reshape
/// is a free view of the buffer.
void FusionGroups::dropEdgeReshapes() {
  for (auto &group : groups) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto &[op, count] : group->members) {
        if (!isa<stablehlo::ReshapeOp>(op) || group->roots.contains(op))
          continue;
        Operation *source = op->getOperand(0).getDefiningOp();
        if (source && group->contains(source))
          continue;
        llvm::erase(memberships[op], group.get());
        Operation *dropped = op;
        group->members.erase(dropped);
        changed = true;
        break;
      }
    }
  }
}

} // namespace xlac::transforms
