// Groups the ops of one block into kernels. From the last op to the first, each
// op joins the kernels that read it if this saves more memory traffic than it
// repeats work. Otherwise it starts a new kernel.
#ifndef XLAC_LIB_TRANSFORMS_FUSIONGROUPS_H
#define XLAC_LIB_TRANSFORMS_FUSIONGROUPS_H

#include "FusionCost.h"

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace xlac::transforms {

struct FusionGroup {
  ir::ScheduleKind kind = ir::ScheduleKind::Loop;
  /// The op that determines the kernel's kind; null for loops.
  mlir::Operation *anchor = nullptr;
  /// Members, and how many elements of each a launch computes.
  llvm::MapVector<mlir::Operation *, double> members;
  /// Members whose results the anchor depends on.
  llvm::DenseSet<mlir::Operation *> upstream;
  /// Members whose results are read outside of the group.
  llvm::SetVector<mlir::Operation *> roots;
  /// No root has a position before the first one, and no member one after the
  /// last one.
  unsigned firstRoot = ~0u, lastMember = 0;
  bool contains(mlir::Operation *op) const { return members.contains(op); }
  /// Adds the members and roots of another group.
  void add(const FusionGroup &other);
};

/// Returns true for collectives and for ops that contain one. They keep program
/// order.
bool isOrdered(mlir::Operation *op);

class FusionGroups {
public:
  /// Groups the ops of `block`, without those of nested blocks.
  explicit FusionGroups(mlir::Block &block);

  llvm::ArrayRef<std::unique_ptr<FusionGroup>> all() const { return groups; }
  /// Returns the group that computes `op` for all its readers. Null if `op`
  /// stays outside or its readers recompute it.
  FusionGroup *home(mlir::Operation *op) const { return homes.lookup(op); }
  unsigned position(mlir::Operation *op) const { return order.lookup(op); }

private:
  struct Readers {
    llvm::SetVector<FusionGroup *> groups;
    bool outside = false;
  };

  void findLater();
  void visit(mlir::Operation *op);
  void visitAlias(mlir::Operation *op);
  Readers readersOf(mlir::Operation *op) const;
  FusionGroup *open(mlir::Operation *op, FusionRole role);
  void join(mlir::Operation *op, FusionGroup &group);
  void addMember(mlir::Operation *op, double count, FusionGroup &group) const;
  void addRoot(mlir::Operation *op, FusionGroup &group) const;
  void anchorAt(mlir::Operation *op, FusionRole role, FusionGroup &group);
  /// Returns the number of elements of `op` that members read in each launch.
  double demandOf(mlir::Operation *op, const FusionGroup &group) const;
  bool fits(mlir::Operation *op, const FusionGroup &group) const;
  bool feedsAnchor(mlir::Operation *op, const FusionGroup &group) const;
  bool mayProduce(mlir::Operation *op, const FusionGroup &group) const;
  bool isWorthJoining(mlir::Operation *op, const FusionGroup &group) const;
  bool mayBeEpilogue(mlir::Operation *anchor, const FusionGroup &group) const;
  bool mayFollowTranspose(mlir::Operation *transpose,
                          const FusionGroup &group) const;
  /// Returns true if the group can be computed row by row with `reduce`.
  bool mayShareRows(xlac::stablehlo::ReduceOp reduce,
                    const FusionGroup &group) const;
  void mergeReductions();
  bool isReadOnlyBy(mlir::Operation *op, const FusionGroup &one,
                    const FusionGroup &other) const;
  FusionGroup joined(const FusionGroup &one, const FusionGroup &other) const;
  bool mayMerge(const FusionGroup &one, const FusionGroup &other,
                const FusionGroup &whole) const;
  bool isInCircle(const FusionGroup &whole, const FusionGroup &one,
                  const FusionGroup &other) const;
  llvm::SetVector<FusionGroup *> neighboursOf(const FusionGroup &group) const;
  void mergeInto(FusionGroup *kept, FusionGroup *other, FusionGroup whole);
  bool addRepetition(mlir::Operation *op, double &work,
                     llvm::SetVector<mlir::Value> &leaves) const;
  bool mayRepeat(mlir::Operation *op) const;
  FusionGroup *siblingFor(mlir::Operation *op, const Readers &readers) const;
  bool mergeReaders(mlir::Operation *op, const Readers &readers);
  bool mayShareIndices(mlir::Operation *op, const FusionGroup &group) const;
  /// Returns a position after which no op can reach an op at `position` or
  /// before it.
  unsigned lastThatReaches(unsigned position) const;
  bool reaches(const FusionGroup &from, const FusionGroup &to) const;
  void dropEdgeReshapes();
#ifndef NDEBUG
  void verify() const;
#endif
  bool mergeSlices(mlir::Operation *sort);
  bool mergeParts(mlir::Operation *fft);
  void openAround(mlir::Operation *op, FusionRole role,
                  llvm::ArrayRef<mlir::Operation *> readers);

  mlir::Block &block;
  std::vector<std::unique_ptr<FusionGroup>> groups;
  llvm::DenseMap<mlir::Operation *, FusionGroup *> homes;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<FusionGroup *, 2>>
      memberships;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  /// The ops of the block by position.
  std::vector<mlir::Operation *> ops;
  /// For each op of the block, the positions of those that must come after it:
  /// the ops that read its results, also in their regions, and the next
  /// ordered op after an ordered op.
  std::vector<llvm::SmallVector<unsigned, 2>> later;
};

} // namespace xlac::transforms

#endif
