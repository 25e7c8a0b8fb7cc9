#include "SpmdPads.h"

#include "SpmdRules.h"

using namespace mlir;

namespace xlac::transforms {

namespace {
/// The amounts of a pad, for each dimension.
struct PadAmounts {
  SmallVector<int64_t> low, high, interior;
};
} // namespace

static bool isContiguous(stablehlo::SliceOp slice) {
  return llvm::all_of(slice.getStrides(),
                      [](int64_t stride) { return stride == 1; });
}

static bool isPlain(Value value) {
  RankedTensorType type = shardableType(value);
  return type && !llvm::is_contained(type.getShape(), 0);
}

static void replace(Operation *op, Value source, Value fill,
                    const PadAmounts &amounts) {
  OpBuilder builder(op);
  auto made = stablehlo::PadOp::create(
      builder, op->getLoc(), op->getResult(0).getType(), source, fill,
      builder.getDenseI64ArrayAttr(amounts.low),
      builder.getDenseI64ArrayAttr(amounts.high),
      builder.getDenseI64ArrayAttr(amounts.interior));
  op->getResult(0).replaceAllUsesWith(made);
  op->erase();
}

/// Pads and then removes rows from both ends, where all users are slices.
static void joinSlices(stablehlo::PadOp pad) {
  Value source = pad->getOperand(0);
  RankedTensorType padded = shardableType(pad->getResult(0));
  auto isJoined = [&](Operation *user) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    return slice && slice->getBlock() == pad->getBlock() &&
           isContiguous(slice) && isPlain(slice->getResult(0));
  };
  if (!isPlain(source) || !padded || pad->use_empty() ||
      !llvm::all_of(pad->getUsers(), isJoined))
    return;
  for (Operation *user : llvm::make_early_inc_range(pad->getUsers())) {
    auto slice = cast<stablehlo::SliceOp>(user);
    PadAmounts amounts;
    for (int64_t d = 0; d < padded.getRank(); ++d) {
      amounts.low.push_back(pad.getEdgePaddingLow()[d] -
                            slice.getStartIndices()[d]);
      amounts.high.push_back(
          pad.getEdgePaddingHigh()[d] -
          (padded.getDimSize(d) - slice.getLimitIndices()[d]));
      amounts.interior.push_back(pad.getInteriorPadding()[d]);
    }
    replace(slice, source, pad->getOperand(1), amounts);
  }
  pad->erase();
}

/// Removes rows and then pads. Rows that are removed from an end at which
/// others are added would come back.
static void joinSlice(stablehlo::PadOp pad) {
  auto slice = pad->getOperand(0).getDefiningOp<stablehlo::SliceOp>();
  if (!slice || slice->getBlock() != pad->getBlock() || !slice->hasOneUse() ||
      !isContiguous(slice) || !isPlain(slice->getOperand(0)) ||
      !isPlain(slice->getResult(0)) || !isPlain(pad->getResult(0)))
    return;
  RankedTensorType whole = shardableType(slice->getOperand(0));
  PadAmounts amounts;
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    int64_t before = slice.getStartIndices()[d];
    int64_t after = whole.getDimSize(d) - slice.getLimitIndices()[d];
    int64_t low = pad.getEdgePaddingLow()[d],
            high = pad.getEdgePaddingHigh()[d];
    if ((before > 0 && low > 0) || (after > 0 && high > 0) ||
        ((before > 0 || after > 0) && pad.getInteriorPadding()[d] > 0))
      return;
    amounts.low.push_back(low - before);
    amounts.high.push_back(high - after);
    amounts.interior.push_back(pad.getInteriorPadding()[d]);
  }
  replace(pad, slice->getOperand(0), pad->getOperand(1), amounts);
  slice->erase();
}

void joinPads(func::FuncOp function) {
  SmallVector<stablehlo::PadOp> pads;
  function.walk([&](stablehlo::PadOp pad) { pads.push_back(pad); });
  for (stablehlo::PadOp pad : pads)
    joinSlices(pad);
  pads.clear();
  function.walk([&](stablehlo::PadOp pad) { pads.push_back(pad); });
  for (stablehlo::PadOp pad : pads)
    joinSlice(pad);
}

} // namespace xlac::transforms
