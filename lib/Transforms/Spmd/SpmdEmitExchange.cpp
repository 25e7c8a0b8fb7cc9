// Emits exchange plans: collective permutes of the rows that devices need, and
// the buffers that these rows form.
#include "SpmdEmitter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace xlac::transforms {

/// Returns whether all bits of a constant are zeros.
static bool isZeroBits(Value value) {
  SplatElementsAttr splat;
  if (!value.getDefiningOp() ||
      !matchPattern(value.getDefiningOp(), m_Constant(&splat)))
    return false;
  if (isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<APFloat>().isPosZero();
  return isa<IntegerType>(splat.getElementType()) &&
         splat.getSplatValue<APInt>().isZero();
}

static RankedTensorType withRows(RankedTensorType type, int64_t dim,
                                 int64_t rows) {
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] = rows;
  return type.clone(sizes);
}

static Value sliceRows(StablehloBuilder &b, Value value, int64_t dim,
                       int64_t start, int64_t size) {
  RankedTensorType type = StablehloBuilder::typeOf(value);
  if (type.getDimSize(dim) == size)
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape());
  starts[dim] = start;
  limits[dim] = start + size;
  return b.slice(value, starts, limits);
}

/// Returns i64 scalars that are 0 but for `start` along `dim`.
static SmallVector<Value> startsAlong(StablehloBuilder &b, int64_t rank,
                                      int64_t dim, Value start) {
  Value zero = b.splat(RankedTensorType::get({}, b.builder.getI64Type()), 0);
  SmallVector<Value> starts(rank, zero);
  starts[dim] = start;
  return starts;
}

Value SpmdEmitter::slicePerPiece(Value value, int64_t dim, AxisRef axes,
                                 ArrayRef<int64_t> starts, int64_t size) {
  StablehloBuilder b(builder, value.getLoc());
  if (llvm::all_equal(starts))
    return sliceRows(b, value, dim, starts.front(), size);
  RankedTensorType type = withRows(StablehloBuilder::typeOf(value), dim, size);
  SmallVector<Value> operands = {value};
  operands.append(startsAlong(b, type.getRank(), dim, perPiece(axes, starts)));
  return b.value(
      "stablehlo.dynamic_slice", type, operands,
      {builder.getNamedAttr("slice_sizes",
                            builder.getDenseI64ArrayAttr(type.getShape()))});
}

/// Returns, for slices of `size` rows of the operands' concatenation, the
/// number of the operand that has each of them. Empty if a slice has rows of
/// several.
static SmallVector<int64_t> operandsOfSlices(stablehlo::ConcatenateOp joined,
                                             ArrayRef<int64_t> starts,
                                             int64_t size) {
  SmallVector<int64_t> numbers;
  for (int64_t start : starts) {
    int64_t number = 0;
    auto rows = [&] {
      return StablehloBuilder::typeOf(joined.getInputs()[number])
          .getDimSize(joined.getDimension());
    };
    for (; start >= rows(); ++number)
      start -= rows();
    if (start + size > rows())
      return {};
    numbers.push_back(number);
  }
  return numbers;
}

/// The same as slicePerPiece for a concatenation. If each slice has rows of one
/// operand alone, it is selected from slices of the operands, so that nothing
/// reads the concatenation.
Value SpmdEmitter::sliceOperands(stablehlo::ConcatenateOp joined, AxisRef axes,
                                 ArrayRef<int64_t> starts, int64_t size) {
  auto dim = int64_t(joined.getDimension());
  SmallVector<int64_t> numbers = operandsOfSlices(joined, starts, size);
  if (numbers.empty())
    return slicePerPiece(joined, dim, axes, starts, size);
  StablehloBuilder b(builder, joined.getLoc());
  Value result;
  int64_t base = 0;
  for (auto [number, operand] : llvm::enumerate(joined.getInputs())) {
    const auto *first = llvm::find(numbers, int64_t(number));
    if (first != numbers.end()) {
      // Devices that need another operand read any rows.
      SmallVector<int64_t> own(starts.size(),
                               starts[first - numbers.begin()] - base);
      for (auto [device, start] : llvm::enumerate(starts))
        if (numbers[device] == int64_t(number))
          own[device] = start - base;
      Value rows = slicePerPiece(operand, dim, axes, own, size);
      if (result) {
        Value has = b.compare(
            stablehlo::ComparisonDirection::EQ, perPiece(axes, numbers),
            b.splat(RankedTensorType::get({}, builder.getI64Type()),
                    int64_t(number)));
        result = b.select(has, rows, result);
      } else {
        result = rows;
      }
    }
    base += StablehloBuilder::typeOf(operand).getDimSize(dim);
  }
  return result;
}

Value SpmdEmitter::insideRows(RankedTensorType type, int64_t dim, AxisRef axes,
                              ArrayRef<int64_t> firsts,
                              ArrayRef<int64_t> limits) {
  StablehloBuilder b(builder, builder.getUnknownLoc());
  auto places = type.clone(builder.getI64Type());
  Value place, inside;
  auto add = [&](stablehlo::ComparisonDirection direction,
                 ArrayRef<int64_t> bounds) {
    if (!place)
      place = b.iota(places, dim);
    Value one = b.compare(
        direction, place,
        b.broadcastInDim(perPiece(axes, bounds), type.getShape(), {}));
    inside = inside ? b.logicalAnd(inside, one) : one;
  };
  if (llvm::any_of(firsts, [](int64_t first) { return first > 0; }))
    add(stablehlo::ComparisonDirection::GE, firsts);
  if (llvm::any_of(limits,
                   [&](int64_t limit) { return limit < type.getDimSize(dim); }))
    add(stablehlo::ComparisonDirection::LT, limits);
  return inside;
}

/// Returns the rows of one round: a device's own, or those that it receives.
/// Devices that receive none get zeros.
Value SpmdEmitter::receive(Value shard, int64_t dim, AxisRef axes,
                           const ExchangePlan &plan,
                           const ExchangeRound &round) {
  int64_t last = StablehloBuilder::typeOf(shard).getDimSize(dim) - round.size;
  SmallVector<int64_t> starts(plan.targets,
                              std::min(last, round.transfers.front().from));
  for (const RowTransfer &transfer : round.transfers)
    starts[transfer.source] = std::min(last, transfer.from);
  auto joined = shard.getDefiningOp<stablehlo::ConcatenateOp>();
  Value rows = joined && int64_t(joined.getDimension()) == dim
                   ? sliceOperands(joined, axes, starts, round.size)
                   : slicePerPiece(shard, dim, axes, starts, round.size);
  if (round.isLocal)
    return rows;
  SmallVector<std::pair<int64_t, int64_t>> moves;
  for (const std::vector<int64_t> &group : mesh.groups(axes))
    for (const RowTransfer &transfer : round.transfers)
      moves.push_back({group[transfer.source], group[transfer.target]});
  return collectivePermute(rows, moves);
}

/// Joins rounds whose rows are at the same places on all devices.
Value SpmdEmitter::joinRounds(ArrayRef<Value> received, int64_t dim,
                              const ExchangePlan &plan) {
  RankedTensorType type = StablehloBuilder::typeOf(received.front());
  StablehloBuilder b(builder, received.front().getLoc());
  SmallVector<std::pair<int64_t, unsigned>> order;
  for (auto [i, round] : llvm::enumerate(plan.rounds))
    order.push_back({round.transfers.front().to, i});
  llvm::sort(order);
  SmallVector<Value> parts;
  int64_t at = 0;
  auto fillTo = [&](int64_t row) {
    if (at < row)
      parts.push_back(b.splat(withRows(type, dim, row - at), 0));
  };
  for (auto [to, i] : order) {
    fillTo(to);
    parts.push_back(received[i]);
    at = to + plan.rounds[i].size;
  }
  fillTo(plan.length);
  return parts.size() == 1 ? parts.front() : b.concatenate(parts, dim);
}

/// Places the rows of each round where tables say, if no device has rows where
/// another round places its own. Rows that a device does not need are placed in
/// a margin, which is cut off.
Value SpmdEmitter::placeRounds(ArrayRef<Value> received, int64_t dim,
                               AxisRef axes, const ExchangePlan &plan) {
  RankedTensorType type = StablehloBuilder::typeOf(received.front());
  StablehloBuilder b(builder, received.front().getLoc());
  int64_t margin = 0;
  for (const ExchangeRound &round : plan.rounds)
    margin = std::max(margin, round.size);
  Value buffer = b.splat(withRows(type, dim, plan.length + 2 * margin), 0);
  for (auto [round, rows] : llvm::zip_equal(plan.rounds, received)) {
    int64_t last = plan.source.shard - round.size;
    SmallVector<int64_t> places(plan.targets, 0);
    for (const RowTransfer &transfer : round.transfers)
      places[transfer.target] =
          margin + transfer.to - std::max<int64_t>(transfer.from - last, 0);
    SmallVector<Value> operands = {buffer, rows};
    operands.append(
        startsAlong(b, type.getRank(), dim, perPiece(axes, places)));
    buffer =
        b.value("stablehlo.dynamic_update_slice", buffer.getType(), operands);
  }
  return sliceRows(b, buffer, dim, margin, plan.length);
}

/// Selects the rows of each round where tables say. Rows of other parts may lie
/// where a round has rows in vain. Pads and slices need no memory of their own:
/// one kernel reads the rows of all rounds.
Value SpmdEmitter::selectRounds(ArrayRef<Value> received, int64_t dim,
                                AxisRef axes, const ExchangePlan &plan) {
  RankedTensorType type = StablehloBuilder::typeOf(received.front());
  StablehloBuilder b(builder, received.front().getLoc());
  RankedTensorType whole = withRows(type, dim, plan.length);
  Value joined = b.splat(whole, 0);
  for (auto [round, rows] : llvm::zip_equal(plan.rounds, received)) {
    int64_t last = plan.source.shard - round.size;
    auto placeOf = [&](const RowTransfer &transfer) {
      return transfer.to - std::max<int64_t>(transfer.from - last, 0);
    };
    SmallVector<int64_t> places(plan.targets, placeOf(round.transfers.front()));
    SmallVector<int64_t> firsts(plan.targets, 0), limits(firsts);
    for (const RowTransfer &transfer : round.transfers) {
      places[transfer.target] = placeOf(transfer);
      firsts[transfer.target] = transfer.to;
      limits[transfer.target] = transfer.to + transfer.size;
    }
    int64_t before = std::max<int64_t>(*llvm::max_element(places), 0);
    int64_t after = std::max<int64_t>(
        plan.length - round.size - *llvm::min_element(places), 0);
    for (int64_t &place : places)
      place = before - place;
    Value placed = slicePerPiece(padRows(rows, dim, before, after, 1, nullptr),
                                 dim, axes, places, plan.length);
    Value inside = insideRows(whole, dim, axes, firsts, limits);
    joined = inside ? b.select(inside, placed, joined) : placed;
  }
  return joined;
}

Value SpmdEmitter::exchange(Value shard, int64_t dim, AxisRef axes,
                            const ExchangePlan &plan) {
  RankedTensorType type = StablehloBuilder::typeOf(shard);
  assert(type.getDimSize(dim) == plan.source.shard &&
         plan.targets == mesh.count(axes) && "the plan is for such shards");
  if (plan.isIdentity())
    return shard;
  StablehloBuilder b(builder, shard.getLoc());
  if (plan.rounds.empty())
    return b.splat(withRows(type, dim, plan.length), 0);
  SmallVector<Value> received;
  for (const ExchangeRound &round : plan.rounds)
    received.push_back(receive(shard, dim, axes, plan, round));
  if (plan.isUniform())
    return joinRounds(received, dim, plan);
  return plan.parts > 1 ? selectRounds(received, dim, axes, plan)
                        : placeRounds(received, dim, axes, plan);
}

Value SpmdEmitter::fillOutside(Value rows, int64_t dim, AxisRef axes,
                               const ExchangePlan &plan, Value fill) {
  if (plan.fillsAll() || (plan.leavesZeros() && isZeroBits(fill)))
    return rows;
  RankedTensorType type = StablehloBuilder::typeOf(rows);
  SmallVector<int64_t> firsts, limits;
  for (int64_t target = 0; target < plan.targets; ++target) {
    firsts.push_back(plan.filled(target).first);
    limits.push_back(plan.filled(target).second);
  }
  Value inside = insideRows(type, dim, axes, firsts, limits);
  StablehloBuilder b(builder, rows.getLoc());
  Value outside = b.broadcastInDim(fill, type.getShape(), {});
  return inside ? b.select(inside, rows, outside) : rows;
}

} // namespace xlac::transforms
