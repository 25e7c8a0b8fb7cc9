#include "SpmdSlices.h"

#include "SpmdHalos.h"
#include "StablehloBuilder.h"

using namespace mlir;

namespace xlac::transforms {

/// Dimensions along which `slice` reads fewer rows than there are devices.
static SmallVector<int64_t> fewRowsDims(stablehlo::SliceOp slice,
                                        int64_t devices) {
  SmallVector<int64_t> dims;
  RankedTensorType whole = shardableType(slice->getOperand(0));
  RankedTensorType part = shardableType(slice->getResult(0));
  if (!whole || !part || !canCombineRows(part))
    return dims;
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    int64_t size = whole.getDimSize(d), rows = part.getDimSize(d);
    if (rows == 1 ? size > 1
                  : rows > 1 && rows < devices && slice.getStrides()[d] == 1 &&
                        rows <= size / devices)
      dims.push_back(d);
  }
  return dims;
}

/// Returns whether the rows of `slice` move directly to their places in another
/// value.
static bool isRotated(stablehlo::SliceOp slice) {
  return llvm::any_of(slice->getUsers(), [](Operation *user) {
    auto concatenate = dyn_cast<stablehlo::ConcatenateOp>(user);
    return concatenate && rotatedValue(concatenate);
  });
}

static void select(stablehlo::SliceOp slice, ArrayRef<int64_t> dims) {
  OpBuilder builder(slice);
  StablehloBuilder b(builder, slice.getLoc());
  Value whole = slice->getOperand(0);
  RankedTensorType type = shardableType(whole);
  SmallVector<int64_t> starts(type.getRank(), 0), sizes(type.getShape());
  // The other dimensions, from which the slice then selects.
  SmallVector<int64_t> firsts(slice.getStartIndices()),
      limits(slice.getLimitIndices()), strides(slice.getStrides());
  for (int64_t d : dims) {
    starts[d] = firsts[d];
    sizes[d] = shardableType(slice->getResult(0)).getDimSize(d);
    firsts[d] = 0;
    limits[d] = sizes[d];
    strides[d] = 1;
  }
  SmallVector<Value> operands{whole};
  auto word = RankedTensorType::get({}, builder.getI64Type());
  for (int64_t start : starts)
    operands.push_back(b.splat(word, double(start)));
  slice.setOperand(
      b.value("stablehlo.dynamic_slice", type.clone(sizes), operands,
              {builder.getNamedAttr("slice_sizes",
                                    builder.getDenseI64ArrayAttr(sizes))}));
  slice.setStartIndices(firsts);
  slice.setLimitIndices(limits);
  slice.setStrides(strides);
}

void selectFewRows(func::FuncOp function, int64_t devices) {
  SmallVector<stablehlo::SliceOp> slices;
  function.walk([&](stablehlo::SliceOp slice) { slices.push_back(slice); });
  for (stablehlo::SliceOp slice : slices)
    if (SmallVector<int64_t> dims = fewRowsDims(slice, devices);
        !dims.empty() && !isRotated(slice))
      select(slice, dims);
}

} // namespace xlac::transforms
