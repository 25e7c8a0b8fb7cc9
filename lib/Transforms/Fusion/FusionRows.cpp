// Kernels that compute several reductions of the same rows, and what is
// computed from them, row by row. Groups that read the same rows are merged, so
// that memory is read once.
#include "FusionGroups.h"

#include "Buffers/BufferPlanner.h"

#include "xlac/Dialect/Xlac/Reducer.h"

using namespace mlir;

namespace xlac::transforms {

/// Fewer rows would not keep all threads busy.
static constexpr int64_t kLeastRows = 16;
/// Shorter rows do not fill vectors. Longer ones do not stay in a second-level
/// cache between passes.
static constexpr int64_t kLeastRow = 16, kMostRow = 128 << 10;
/// Tasks that keep sums over rows of their own need enough rows.
static constexpr int64_t kLeastSummedRows = 256;
/// Bytes of sums over rows that stay in a second-level cache.
static constexpr double kMostSumBytes = 128 << 10;
/// Values that fit in a second-level cache are cheap to read again.
static constexpr double kLeastSharedBytes = 256 << 10;

/// Returns true if the reduction has one operand and its body is one op on it.
static bool hasPlainBody(stablehlo::ReduceOp reduce) {
  if (reduce.getInputs().size() != 1 || reduce.getDimensions().empty())
    return false;
  Block &body = reduce.getBody().front();
  return llvm::hasSingleElement(body.without_terminator()) &&
         ir::isSimpleReducer(reduce.getBody());
}

/// Returns true if the reduction includes the innermost dimension and its body
/// is one op.
static bool reducesRows(stablehlo::ReduceOp reduce) {
  return hasPlainBody(reduce) && ir::reducesInnermost(reduce);
}

namespace {
/// The rows of a reduction. Determines which other shapes equal the row's shape
/// or have one value for each row, ignoring dimensions of size 1.
class RowShapes {
public:
  explicit RowShapes(stablehlo::ReduceOp reduce)
      : full(shapeOf(reduce.getInputs()[0])), dims(reduce.getDimensions()) {
    for (auto [dim, size] : llvm::enumerate(full))
      if (size != 1 && !llvm::is_contained(reduce.getDimensions(), dim))
        kept.push_back(dim);
    reduced = reducedBy(reduce);
  }

  bool isFull(Value value) const { return shapeOf(value) == full; }

  bool hasOneEach(Value value) const {
    SmallVector<int64_t> sizes, wanted;
    llvm::copy_if(shapeOf(value), std::back_inserter(sizes),
                  [](int64_t size) { return size != 1; });
    for (int64_t dim : kept)
      wanted.push_back(full[dim]);
    return sizes == wanted;
  }

  /// Returns true if `op` broadcasts each row's value to the elements of the
  /// row.
  bool widens(stablehlo::BroadcastInDimOp op) const {
    return isFull(op.getResult()) && hasOneEach(op.getOperand()) &&
           targetsOf(op) == kept;
  }

  /// Returns true if `op` keeps one value for each row, in the same order.
  bool reshapes(Operation *op) const {
    if (!hasOneEach(op->getResult(0)) || !hasOneEach(op->getOperand(0)))
      return false;
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
      return llvm::is_sorted(targetsOf(broadcast));
    return isa<stablehlo::ReshapeOp>(op);
  }

  /// Returns true if `second` reduces rows of this shape, too.
  bool isReducedBy(stablehlo::ReduceOp second) const {
    return reducesRows(second) && isFull(second.getInputs()[0]) &&
           second.getDimensions() == dims;
  }

  /// Returns true if `second` combines the rows element by element.
  bool areCombinedBy(stablehlo::ReduceOp second) const {
    return hasPlainBody(second) && isFull(second.getInputs()[0]) &&
           reducedBy(second) == kept && !kept.empty();
  }

  /// Returns true if there are enough rows for all threads, and rows fill
  /// vectors and fit in a second-level cache.
  bool isGoodLoop() const {
    return count(kept) >= kLeastRows && full[reduced.back()] >= kLeastRow &&
           count(reduced) <= kMostRow;
  }

  /// Returns true if sums over rows are small in comparison with the rows: each
  /// task has its own ones.
  bool haveSmallSums() const {
    return reduced.size() == 1 && count(kept) >= kLeastSummedRows;
  }

private:
  /// Returns the number of elements along these dimensions.
  int64_t count(ArrayRef<int64_t> some) const {
    int64_t elements = 1;
    for (int64_t dim : some)
      elements *= full[dim];
    return elements;
  }

  SmallVector<int64_t> reducedBy(stablehlo::ReduceOp reduce) const {
    SmallVector<int64_t> found;
    for (auto [dim, size] : llvm::enumerate(full))
      if (size != 1 && llvm::is_contained(reduce.getDimensions(), dim))
        found.push_back(dim);
    return found;
  }

  /// Returns the result dimensions of the operand's dimensions that are larger
  /// than 1.
  static SmallVector<int64_t> targetsOf(stablehlo::BroadcastInDimOp op) {
    SmallVector<int64_t> targets;
    for (auto [size, dim] :
         llvm::zip_equal(shapeOf(op.getOperand()), op.getBroadcastDimensions()))
      if (size != 1)
        targets.push_back(dim);
    return targets;
  }

  ArrayRef<int64_t> full, dims;
  SmallVector<int64_t> kept, reduced; ///< dimensions larger than 1
};
} // namespace

/// Finds the members that depend on sums over rows. Returns false if one of
/// them has another shape than a row, which has `row` elements, or is reduced
/// again.
static bool findSumReaders(const FusionGroup &group,
                           ArrayRef<stablehlo::ReduceOp> sums,
                           DenseSet<Operation *> &found) {
  SmallVector<Operation *> pending(sums.begin(), sums.end());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    for (Operation *user : op->getUsers()) {
      if (!group.contains(user))
        continue;
      if (elementsOf(user) != elementsOf(op) ||
          !(isElementwise(user) ||
            isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp>(user)))
        return false;
      if (found.insert(user).second)
        pending.push_back(user);
    }
  }
  return true;
}

/// Returns true if a kernel can compute the group row by row: what depends on a
/// reduction of rows are elementwise ops on rows or on values of rows, and
/// other reductions. Sums over rows are read by no member that computes rows.
static bool isComputedByRows(const FusionGroup &group, const RowShapes &rows) {
  SmallVector<stablehlo::ReduceOp> reduces, sums;
  double sumBytes = 0;
  for (auto &[member, times] : group.members)
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(member)) {
      if (rows.isReducedBy(reduce)) {
        reduces.push_back(reduce);
      } else if (rows.areCombinedBy(reduce) && rows.haveSmallSums() &&
                 (sums.empty() ||
                  sums.front().getDimensions() == reduce.getDimensions())) {
        sums.push_back(reduce);
        sumBytes += resultBytes(reduce);
      } else {
        return false;
      }
    }
  DenseSet<Operation *> sumReaders;
  if (sumBytes > kMostSumBytes || !findSumReaders(group, sums, sumReaders))
    return false;
  for (Operation *root : group.roots)
    if (!rows.isFull(root->getResult(0)) &&
        !rows.hasOneEach(root->getResult(0)) && !sumReaders.contains(root) &&
        !llvm::is_contained(sums, root))
      return false;
  SmallVector<Operation *> pending(reduces.begin(), reduces.end());
  DenseSet<Operation *> seen(reduces.begin(), reduces.end());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    for (Operation *user : op->getUsers()) {
      if (!group.contains(user) || llvm::is_contained(sums, user))
        continue;
      auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(user);
      bool same = isElementwise(user) &&
                  shapeOf(user->getResult(0)) == shapeOf(op->getResult(0));
      if (sumReaders.contains(user) ||
          (!same && !(broadcast && rows.widens(broadcast)) &&
           !isa<stablehlo::ReduceOp>(user) && !rows.reshapes(user)))
        return false;
      if (seen.insert(user).second)
        pending.push_back(user);
    }
  }
  return true;
}

bool FusionGroups::mayShareRows(stablehlo::ReduceOp reduce,
                                const FusionGroup &group) const {
  auto other = dyn_cast_or_null<stablehlo::ReduceOp>(group.anchor);
  if ((group.anchor && !other) || !reducesRows(reduce) || !fits(reduce, group))
    return false;
  FusionGroup whole = group;
  whole.members[reduce] = 1;
  RowShapes rows(reduce);
  return llvm::all_of(whole.members,
                      [&](auto &entry) {
                        auto second =
                            dyn_cast<stablehlo::ReduceOp>(entry.first);
                        return !second || rows.isReducedBy(second);
                      }) &&
         isComputedByRows(whole, rows);
}

//===- Merging groups -----------------------------------------------------===//

/// Returns true if the group's kernel runs row by row.
static bool isRowGroup(const FusionGroup &group) {
  auto reduce = dyn_cast_or_null<stablehlo::ReduceOp>(group.anchor);
  return reduce && reducesRows(reduce) && RowShapes(reduce).isGoodLoop();
}

/// Makes members of the views between members: other shapes of the same bytes.
static void addViews(FusionGroup &group) {
  SmallVector<Operation *> members, views;
  for (auto &[member, count] : group.members)
    members.push_back(member);
  for (Operation *member : members)
    for (Value operand : member->getOperands()) {
      views.clear();
      Operation *source = operand.getDefiningOp();
      while (source && roleOf(source) == FusionRole::Alias &&
             !group.contains(source) &&
             source->getBlock() == member->getBlock()) {
        views.push_back(source);
        source = source->getOperand(0).getDefiningOp();
      }
      if (source && group.contains(source))
        for (Operation *view : views)
          group.members[view] = elementsOf(view);
    }
}

/// Returns true if only members of both groups read `op`, perhaps through
/// views.
bool FusionGroups::isReadOnlyBy(Operation *op, const FusionGroup &one,
                                const FusionGroup &other) const {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    // A view that other groups read, too, remains outside of kernels.
    if (roleOf(user) == FusionRole::Alias && user->getBlock() == &block &&
        home(user) != &one && home(user) != &other)
      return !user->use_empty() && isReadOnlyBy(user, one, other);
    auto it = memberships.find(user);
    return it != memberships.end() && !it->second.empty() &&
           llvm::all_of(it->second, [&](const FusionGroup *reader) {
             return reader == &one || reader == &other;
           });
  });
}

/// Returns both groups as one. Its roots are those that other groups or ops
/// outside of groups read.
FusionGroup FusionGroups::joined(const FusionGroup &one,
                                 const FusionGroup &other) const {
  FusionGroup whole = one;
  whole.add(other);
  addViews(whole);
  whole.roots.remove_if(
      [&](Operation *root) { return isReadOnlyBy(root, one, other); });
  return whole;
}

/// Returns true if a member depends on an op outside of the group that depends
/// on a member.
bool FusionGroups::isInCircle(const FusionGroup &whole, const FusionGroup &one,
                              const FusionGroup &other) const {
  SmallVector<Operation *> pending(whole.roots.begin(), whole.roots.end());
  DenseSet<Operation *> seen(whole.roots.begin(), whole.roots.end());
  unsigned last = lastThatReaches(whole.lastMember);
  auto push = [&](Operation *op) {
    if (position(op) <= last && seen.insert(op).second)
      pending.push_back(op);
  };
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    bool inside = whole.contains(op) &&
                  (whole.roots.contains(op) || roleOf(op) == FusionRole::Alias);
    for (unsigned next : later[position(op)]) {
      Operation *reader = ops[next];
      if (reader == block.getTerminator())
        continue;
      if (whole.contains(reader) && !inside)
        return true;
      auto it = memberships.find(reader);
      if (it == memberships.end() || it->second.empty()) {
        push(reader);
        continue;
      }
      for (const FusionGroup *group : it->second)
        if (group != &one && group != &other)
          for (Operation *root : group->roots)
            push(root);
    }
  }
  return false;
}

/// Returns true if the op costs a row kernel no more than a loop.
static bool runsByRows(Operation *op) {
  return isElementwise(op) || isFreeToRepeat(op) ||
         isa<stablehlo::ReduceOp, stablehlo::ReshapeOp,
             stablehlo::BitcastConvertOp>(op);
}

/// Returns true if the reductions of both groups reduce the same dimensions of
/// the same shape, and one loop can compute them.
static bool areSiblings(const FusionGroup &one, const FusionGroup &other) {
  auto first = dyn_cast_or_null<stablehlo::ReduceOp>(one.anchor);
  if (!first)
    return false;
  for (const FusionGroup *group : {&one, &other}) {
    if (group->kind != ir::ScheduleKind::Reduction)
      return false;
    for (auto &[member, times] : group->members)
      if (auto reduce = dyn_cast<stablehlo::ReduceOp>(member))
        if (!hasPlainBody(reduce) ||
            shapeOf(reduce.getInputs()[0]) != shapeOf(first.getInputs()[0]) ||
            reduce.getDimensions() != first.getDimensions())
          return false;
  }
  int64_t count = elementsOf(first);
  return llvm::all_of(
             one.roots,
             [&](Operation *root) { return elementsOf(root) == count; }) &&
         llvm::all_of(other.roots, [&](Operation *root) {
           return elementsOf(root) == count;
         });
}

bool FusionGroups::mayMerge(const FusionGroup &one, const FusionGroup &other,
                            const FusionGroup &whole) const {
  if (whole.roots.empty() || !fits(nullptr, whole))
    return false;
  if (isRowGroup(one) &&
      (!other.anchor || isa<stablehlo::ReduceOp>(other.anchor)) &&
      llvm::all_of(whole.members,
                   [](auto &entry) { return runsByRows(entry.first); }) &&
      isComputedByRows(whole, RowShapes(cast<stablehlo::ReduceOp>(one.anchor))))
    return !isInCircle(whole, one, other);
  return areSiblings(one, other) && !reaches(one, other) &&
         !reaches(other, one);
}

/// Returns the groups that read or compute a large value that `group` reads or
/// computes, too.
llvm::SetVector<FusionGroup *>
FusionGroups::neighboursOf(const FusionGroup &group) const {
  llvm::SetVector<FusionGroup *> found;
  auto visit = [&](Value value) {
    if (double(bufferSize(value.getType()).value_or(0)) < kLeastSharedBytes)
      return;
    if (Operation *source = value.getDefiningOp())
      if (FusionGroup *owner = home(source))
        found.insert(owner);
    for (Operation *user : value.getUsers()) {
      auto it = memberships.find(user);
      if (it != memberships.end())
        found.insert(it->second.begin(), it->second.end());
    }
  };
  for (auto &[member, times] : group.members)
    for (Value operand : member->getOperands())
      if (!group.contains(operand.getDefiningOp()))
        visit(operand);
  for (Operation *root : group.roots)
    for (Value result : root->getResults())
      visit(result);
  return found;
}

/// Moves all members of `other` to `kept`, which becomes `whole`.
void FusionGroups::mergeInto(FusionGroup *kept, FusionGroup *other,
                             FusionGroup whole) {
  for (auto &[member, count] : other->members) {
    SmallVector<FusionGroup *, 2> &owners = memberships[member];
    llvm::erase(owners, other);
    if (!llvm::is_contained(owners, kept))
      owners.push_back(kept);
    if (homes.lookup(member) == other)
      homes[member] = kept;
  }
  for (auto &[member, count] : whole.members)
    if (SmallVector<FusionGroup *, 2> &owners = memberships[member];
        !llvm::is_contained(owners, kept))
      owners.push_back(kept);
  *kept = std::move(whole);
  llvm::erase_if(groups, [&](const std::unique_ptr<FusionGroup> &each) {
    return each.get() == other;
  });
}

/// Merges reductions with the groups that read the same large values: those of
/// the same rows, loops over them, and reductions of the same dimensions. A
/// kernel then reads these values once, and passes on in registers or caches
/// what one group computes for another.
void FusionGroups::mergeReductions() {
  for (size_t i = 0; i < groups.size(); ++i) {
    FusionGroup *group = groups[i].get();
    auto reduce = dyn_cast_or_null<stablehlo::ReduceOp>(group->anchor);
    if (group->kind != ir::ScheduleKind::Reduction || !reduce)
      continue;
    bool changed = true;
    while (changed) {
      changed = false;
      for (FusionGroup *other : neighboursOf(*group)) {
        if (other == group)
          continue;
        FusionGroup whole = joined(*group, *other);
        if (!mayMerge(*group, *other, whole))
          continue;
        mergeInto(group, other, std::move(whole));
        changed = true;
        break;
      }
    }
    // Merging removes other groups, before this one, too.
    while (i > 0 && (i >= groups.size() || groups[i].get() != group))
      --i;
  }
}

} // namespace xlac::transforms
