#include "SpmdSorts.h"

#include "StablehloBuilder.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace xlac::transforms {

bool givesFirstRows(Operation *op) {
  return isa<stablehlo::SortOp>(op) && op->hasAttr(kFirstRows);
}

int64_t sortedDim(stablehlo::SortOp op) {
  int64_t dim = op.getDimension();
  return dim < 0 ? dim + StablehloBuilder::typeOf(op->getOperand(0)).getRank()
                 : dim;
}

/// Returns how many of the first rows along `dim` the slices of `op`'s results
/// read. Nothing if something else reads the results.
static std::optional<int64_t> rowsRead(stablehlo::SortOp op, int64_t dim) {
  int64_t rows = 0;
  for (Value result : op->getResults())
    for (Operation *user : result.getUsers()) {
      auto slice = dyn_cast<stablehlo::SliceOp>(user);
      if (!slice)
        return std::nullopt;
      ArrayRef<int64_t> sizes = StablehloBuilder::typeOf(result).getShape();
      for (auto [d, size] : llvm::enumerate(sizes))
        if (slice.getStartIndices()[d] != 0 || slice.getStrides()[d] != 1 ||
            (int64_t(d) != dim && slice.getLimitIndices()[d] != size))
          return std::nullopt;
      rows = std::max(rows, slice.getLimitIndices()[dim]);
    }
  return rows;
}

/// Creates a copy of the sort whose results have `rows` rows along `dim`.
static Operation *remake(stablehlo::SortOp op, OpBuilder &builder, int64_t dim,
                         int64_t rows) {
  SmallVector<Type> types;
  for (Value operand : op->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes[dim] = rows;
    types.push_back(type.clone(sizes));
  }
  OperationState state(op.getLoc(), op->getName().getStringRef(),
                       op->getOperands(), types, op->getAttrs());
  IRMapping mapping;
  op->getRegion(0).cloneInto(state.addRegion(), mapping);
  return builder.create(state);
}

void shortenSorts(func::FuncOp main) {
  SmallVector<stablehlo::SortOp> all;
  main.walk([&](stablehlo::SortOp op) { all.push_back(op); });
  for (stablehlo::SortOp op : all) {
    if (!isStaticOp(op))
      continue;
    int64_t dim = sortedDim(op);
    std::optional<int64_t> rows = rowsRead(op, dim);
    int64_t size = StablehloBuilder::typeOf(op->getOperand(0)).getDimSize(dim);
    if (!rows || *rows == 0 || 2 * *rows > size)
      continue;
    OpBuilder builder(op);
    Operation *made = remake(op, builder, dim, *rows);
    made->setAttr(kFirstRows, builder.getUnitAttr());
    for (auto [old, now] :
         llvm::zip_equal(op->getResults(), made->getResults()))
      for (Operation *user : llvm::make_early_inc_range(old.getUsers())) {
        if (user->getResult(0).getType() == now.getType()) {
          user->getResult(0).replaceAllUsesWith(now);
          user->erase();
        } else {
          user->setOperand(0, now);
        }
      }
    op->erase();
  }
}

void completeSorts(func::FuncOp main) {
  SmallVector<stablehlo::SortOp> all;
  main.walk([&](stablehlo::SortOp op) {
    if (givesFirstRows(op))
      all.push_back(op);
  });
  for (stablehlo::SortOp op : all) {
    OpBuilder builder(op);
    StablehloBuilder b(builder, op.getLoc());
    int64_t dim = sortedDim(op);
    Operation *made =
        remake(op, builder, dim,
               StablehloBuilder::typeOf(op->getOperand(0)).getDimSize(dim));
    made->removeAttr(kFirstRows);
    for (auto [old, now] :
         llvm::zip_equal(op->getResults(), made->getResults())) {
      if (old.use_empty())
        continue;
      auto type = cast<RankedTensorType>(old.getType());
      bool isWhole = now.getType() == type;
      old.replaceAllUsesWith(
          isWhole ? now
                  : b.slice(now, SmallVector<int64_t>(type.getRank(), 0),
                            type.getShape()));
    }
    op->erase();
  }
}

} // namespace xlac::transforms
