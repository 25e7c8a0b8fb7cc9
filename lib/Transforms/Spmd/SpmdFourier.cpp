// Fourier transforms of several dimensions of which one is sharded. Each
// dimension is transformed alone, while another one is sharded.
#include "SpmdPartitioner.h"

using namespace mlir;

namespace xlac::transforms {

namespace {

/// A value between two one-dimensional transforms.
struct FourierStep {
  Value shard;
  RankedTensorType whole;
  AxisSharding sharding;
};

} // namespace

/// Returns the transformed dimensions in an order that the type allows, those
/// that are not sharded first. The last dimension of a real transform is the
/// first one, and that of an inverse real transform the last one.
static SmallVector<int64_t> transformOrder(stablehlo::FftOp op,
                                           const AxisSharding &own) {
  int64_t rank = shardableType(op->getOperand(0)).getRank();
  int64_t first = rank - int64_t(op.getFftLength().size());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(first, rank));
  auto type = op.getFftType();
  auto rankOf = [&](int64_t d) {
    bool isReal = d == rank - 1 && type == stablehlo::FftType::RFFT;
    bool isInverse = d == rank - 1 && type == stablehlo::FftType::IRFFT;
    return isReal ? 0 : isInverse ? 3 : own.dims[d].empty() ? 1 : 2;
  };
  llvm::stable_sort(
      dims, [&](int64_t a, int64_t b) { return rankOf(a) < rankOf(b); });
  return dims;
}

/// Returns the sharding in which dimension `d` is complete, because its axes
/// shard another dimension. Nothing if there is no such dimension.
static std::optional<AxisSharding>
moveAxes(const DeviceMesh &mesh, const FourierStep &step, int64_t d) {
  AxisSharding moved = step.sharding;
  AxisList axes = std::exchange(moved.dims[d], {});
  if (mesh.count(axes) == 1)
    return moved;
  int64_t best = -1;
  for (int64_t other = 0; other < step.whole.getRank(); ++other) {
    int64_t size = step.whole.getDimSize(other);
    int64_t held = mesh.count(moved.dims[other]);
    int64_t pieces = held * mesh.count(axes);
    bool fits = size % pieces == 0 || (held == 1 && size >= pieces);
    if (other != d && fits && (best < 0 || size > step.whole.getDimSize(best)))
      best = other;
  }
  if (best < 0)
    return std::nullopt;
  moved.dims[best].append(axes);
  return moved;
}

/// Returns the one-dimensional transform along `d`, as a part of `op`, whose
/// complete result has the type `to`.
static Value transformAlone(StablehloBuilder &b, stablehlo::FftOp op,
                            Value shard, int64_t d, RankedTensorType to) {
  RankedTensorType type = StablehloBuilder::typeOf(shard);
  int64_t last = type.getRank() - 1;
  ArrayRef<int64_t> lengths = op.getFftLength();
  int64_t length = lengths[d - (last + 1 - int64_t(lengths.size()))];
  auto kind = op.getFftType();
  bool isForward =
      kind == stablehlo::FftType::RFFT || kind == stablehlo::FftType::FFT;
  if (d != last)
    kind = isForward ? stablehlo::FftType::FFT : stablehlo::FftType::IFFT;
  SmallVector<int64_t> swapped =
      llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  std::swap(swapped[d], swapped[last]);
  if (d != last)
    shard = b.transpose(shard, swapped);
  SmallVector<int64_t> sizes(StablehloBuilder::typeOf(shard).getShape());
  sizes[last] = to.getDimSize(d);
  shard = b.value(
      "stablehlo.fft", RankedTensorType::get(sizes, to.getElementType()),
      {shard},
      {b.builder.getNamedAttr("fft_type", stablehlo::FftTypeAttr::get(
                                              b.builder.getContext(), kind)),
       b.builder.getNamedAttr("fft_length",
                              b.builder.getDenseI64ArrayAttr({length}))});
  return d == last ? shard : b.transpose(shard, swapped);
}

bool SpmdPartitioner::transformByDims(stablehlo::FftOp op,
                                      ArrayRef<AxisList> axes,
                                      const SpmdRule &rule) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  const AxisSharding &own = shardings.of(operand);
  AxisSharding needed = costs.neededSharding(op, 0, rule, axes);
  bool gathers = llvm::any_of(own.dims, [&](const AxisList &list) {
    return llvm::any_of(list,
                        [&](unsigned axis) { return !needed.uses(axis); });
  });
  if (!gathers || op.getFftLength().size() < 2)
    return false;
  FourierStep step = {Value(), shardableType(operand), own.reduced()};
  RankedTensorType to = shardableType(result);
  Type complex = isa<ComplexType>(step.whole.getElementType())
                     ? step.whole.getElementType()
                     : to.getElementType();
  int64_t rank = to.getRank();
  // Plan all moves before anything is emitted.
  SmallVector<std::tuple<int64_t, AxisSharding, RankedTensorType>> moves;
  for (int64_t d : transformOrder(op, own)) {
    std::optional<AxisSharding> moved = moveAxes(mesh, step, d);
    if (!moved)
      return false;
    SmallVector<int64_t> sizes(step.whole.getShape());
    sizes[d] = to.getDimSize(d);
    bool isLast = d == rank - 1;
    Type element = isLast && op.getFftType() == stablehlo::FftType::IRFFT
                       ? to.getElementType()
                       : complex;
    auto whole = RankedTensorType::get(sizes, element);
    moves.push_back({d, *moved, whole});
    step.sharding = *moved;
    step.whole = whole;
  }
  step = {get(operand, own.reduced()), shardableType(operand), own.reduced()};
  StablehloBuilder b(builder, op->getLoc());
  for (auto &[d, sharding, whole] : moves) {
    step.shard =
        emitter.reshard(step.shard, step.whole, step.sharding, sharding);
    step.shard = transformAlone(b, op, step.shard, d, whole);
    step.sharding = sharding;
    step.whole = whole;
  }
  set(result,
      emitter.reshard(step.shard, to, step.sharding, shardings.of(result)));
  return true;
}

} // namespace xlac::transforms
