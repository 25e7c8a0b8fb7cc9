// Random bits of shards. Each element is a function of its number in the whole
// output, so a device draws its own elements alone.
#include "SpmdPartitioner.h"

#include "xlac/support/random_part.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace xlac::transforms {

bool canDrawParts(stablehlo::RngBitGeneratorOp op) {
  RankedTensorType state = shardableType(op->getOperand(0));
  Type element = shardableType(op->getResult(1)).getElementType();
  return state.getRank() == 1 && state.getDimSize(0) >= 2 &&
         state.getElementType().isUnsignedInteger(64) && element.isIntOrFloat();
}

static bool usesPhilox(stablehlo::RngBitGeneratorOp op) {
  return op.getRngAlgorithm() != stablehlo::RngAlgorithm::THREE_FRY;
}

/// Returns how many blocks of the generator the whole output takes.
static int64_t blocksOf(stablehlo::RngBitGeneratorOp op) {
  RankedTensorType type = shardableType(op->getResult(1));
  int64_t count = type.getNumElements();
  bool wide = type.getElementType().getIntOrFloatBitWidth() > 32;
  return usesPhilox(op) ? int64_t(llvm::divideCeil(count, wide ? 2 : 4))
                        : count;
}

static Value word(StablehloBuilder &b, Value state, int64_t number) {
  return b.slice(state, {number}, {number + 1});
}

/// Returns 1 if the addition that gave `sum` from `before` had a carry.
static Value carryOf(StablehloBuilder &b, Value sum, Value before) {
  return b.convert(b.compare(stablehlo::ComparisonDirection::LT, sum, before),
                   StablehloBuilder::typeOf(sum).getElementType());
}

/// Returns the state after the whole output is drawn.
static Value nextState(StablehloBuilder &b, stablehlo::RngBitGeneratorOp op,
                       Value state) {
  RankedTensorType type = StablehloBuilder::typeOf(state);
  Value counter = word(b, state, 1);
  Value moved = b.add(counter, b.splat(StablehloBuilder::typeOf(counter),
                                       double(blocksOf(op))));
  SmallVector<Value> words = {word(b, state, 0), moved};
  int64_t rest = 2;
  if (usesPhilox(op) && type.getDimSize(0) > 2) {
    words.push_back(b.add(word(b, state, rest), carryOf(b, moved, counter)));
    ++rest;
  }
  if (rest < type.getDimSize(0))
    words.push_back(b.slice(state, {rest}, {type.getDimSize(0)}));
  return b.concatenate(words, 0);
}

/// Returns the state from which a part is drawn whose first element has the
/// number `first`.
static Value stateOfPart(StablehloBuilder &b, stablehlo::RngBitGeneratorOp op,
                         Value state, Value first) {
  Value key = word(b, state, 0), counter = word(b, state, 1);
  first = b.reshape(first, {1});
  if (!usesPhilox(op))
    return b.concatenate({key, b.add(counter, first)}, 0);
  bool hasUpper = StablehloBuilder::typeOf(state).getDimSize(0) > 2;
  Value upper = hasUpper ? word(b, state, 2) : key;
  return b.concatenate({key, counter, upper, first}, 0);
}

void SpmdPartitioner::drawPart(stablehlo::RngBitGeneratorOp op,
                               const SpmdRule &rule, ArrayRef<AxisList> axes) {
  StablehloBuilder b(builder, op->getLoc());
  Value state = getWhole(op->getOperand(0));
  RankedTensorType whole = shardableType(op->getResult(1));
  AxisSharding now = shardingOf(rule.results[1], axes);
  RankedTensorType type = emitter.shardType(whole, now);
  Type element = StablehloBuilder::typeOf(state).getElementType();
  Value first;
  int64_t step = 1;
  for (int64_t d = whole.getRank(); d-- > 0; step *= whole.getDimSize(d)) {
    if (mesh.count(now.dims[d]) == 1)
      continue;
    Value rows =
        emitter.offset(now.dims[d], type.getDimSize(d) * step, element);
    first = first ? b.add(first, rows) : rows;
  }
  Value own = stateOfPart(b, op, state, first);
  // Only this algorithm may have a state of any size.
  auto algorithm = usesPhilox(op) ? stablehlo::RngAlgorithm::DEFAULT
                                  : stablehlo::RngAlgorithm::THREE_FRY;
  Operation *made = b.op(
      "stablehlo.rng_bit_generator", {own.getType(), type}, {own},
      {builder.getNamedAttr(
           "rng_algorithm",
           stablehlo::RngAlgorithmAttr::get(builder.getContext(), algorithm)),
       builder.getNamedAttr(names::kRandomPartOf,
                            builder.getDenseI64ArrayAttr(whole.getShape()))});
  if (!op->getResult(0).use_empty())
    set(op->getResult(0),
        emitter.reshard(nextState(b, op, state),
                        shardableType(op->getResult(0)), AxisSharding(1),
                        shardings.of(op->getResult(0))));
  set(op->getResult(1), emitter.reshard(made->getResult(1), whole, now,
                                        shardings.of(op->getResult(1))));
}

} // namespace xlac::transforms
