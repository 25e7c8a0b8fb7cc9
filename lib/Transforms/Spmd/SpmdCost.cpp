#include "SpmdCost.h"

using namespace mlir;

namespace xlac::transforms {

/// Cost of a byte in a device's own memory and of an operation of a GEMM,
/// relative to a byte from another device. Ops that compute single elements are
/// mostly fused with others, so few of their bytes are accessed. A round of
/// messages costs less than the 50,000 bytes that a link of the default rates
/// carries during its latency, because rounds of independent collectives
/// overlap.
static constexpr double kOwnByte = 0.25, kFusedByte = 0.03125,
                        kOperation = 0.05, kRound = 2000;
/// Bytes of a sum for which devices send each other their whole parts, in as
/// many rounds as for a gather.
static constexpr double kSmallSum = 64;

double SpmdPrice::total() const {
  return received + kRound * rounds + kOwnByte * accessed + kFusedByte * fused +
         kOperation * operations;
}

/// The part of the bytes of fused ops that memory sees.
static constexpr double kFusedShare = kFusedByte / kOwnByte;

double SpmdPrice::milliseconds(const DeviceRates &rates) const {
  double memory = rates.memory_gbytes * 1e6;
  return received / (rates.link_gbytes * 1e6) +
         rounds * rates.link_microseconds * 1e-3 +
         std::max(operations / (rates.gflops * 1e6), accessed / memory) +
         kFusedShare * fused / memory;
}

double SpmdCost::roundsOf(AxisRef axes) const {
  SmallVector<int64_t, 4> sizes;
  for (unsigned axis : axes) {
    unsigned ring = axis < ringOf.size() ? ringOf[axis] : 0;
    if (sizes.size() <= ring)
      sizes.resize(ring + 1, 1);
    sizes[ring] *= mesh.count(axis);
  }
  double rounds = 0;
  for (int64_t size : sizes)
    rounds += double(size - 1);
  return rounds;
}

/// Axes that leave a dimension need messages, added ones do not.
double SpmdCost::roundsOfReshard(const AxisSharding &from,
                                 const AxisSharding &to) const {
  AxisList left;
  for (auto [own, wanted] : llvm::zip_equal(from.dims, to.dims)) {
    size_t shared = 0;
    while (shared < std::min(own.size(), wanted.size()) &&
           own[shared] == wanted[shared])
      ++shared;
    left.append(AxisRef(own).drop_front(shared));
  }
  return roundsOf(left);
}

AxisList SpmdCost::partialAxes(Operation *op, const SpmdRule &rule,
                               ArrayRef<AxisList> axes) const {
  AxisList partial;
  for (auto [factor, list] : llvm::zip_equal(rule.factors, axes))
    if (factor.kind == SpmdFactor::Reduced ||
        (factor.kind == SpmdFactor::Indexed &&
         isa<stablehlo::GatherOp, stablehlo::DynamicSliceOp>(op)))
      partial.append(list);
  return partial;
}

SmallVector<unsigned> SpmdCost::linearOperandsOf(Operation *op) const {
  return linearOperands(op, [&](Value operand) {
    return !shardingOf_(operand).unreduced.empty();
  });
}

AxisList SpmdCost::summandAxes(Operation *op, ArrayRef<AxisList> axes) const {
  AxisList found;
  if (op->getNumResults() != 1)
    return found;
  SmallVector<unsigned> linear = linearOperandsOf(op);
  for (unsigned axis : shardingOf_(op->getResult(0)).unreduced) {
    bool cuts = llvm::any_of(axes, [&](const AxisList &list) {
      return llvm::is_contained(list, axis);
    });
    bool stays = llvm::all_of(linear, [&](unsigned i) {
      Value operand = op->getOperand(i);
      return isFree(operand) ||
             llvm::is_contained(shardingOf_(operand).unreduced, axis);
    });
    if (!cuts && stays && !linear.empty())
      found.push_back(axis);
  }
  return found;
}

void SpmdCost::keepSummands(Operation *op, const AxisSharding &wanted,
                            AxisList &partial, AxisList &kept) const {
  if (!givesSummands(op))
    return;
  for (unsigned axis : partial)
    if (llvm::is_contained(wanted.unreduced, axis))
      kept.push_back(axis);
  llvm::erase_if(partial,
                 [&](unsigned axis) { return llvm::is_contained(kept, axis); });
}

bool SpmdCost::isFree(Value value) const {
  auto [known, isNew] = freeValues.try_emplace(value, false);
  if (isNew) {
    bool free = isFreeToMake(value);
    return freeValues[value] = free;
  }
  return known->second;
}

//===- Halos --------------------------------------------------------------===//

AxisList SpmdCost::haloAxes(Operation *op, unsigned number, int64_t dim,
                            const SpmdRule &rule,
                            ArrayRef<AxisList> axes) const {
  ArrayRef<unsigned> factors = rule.operands[number][dim];
  if (factors.size() != 1 || !rule.factors[factors.front()].halo ||
      !takesHalo(op, number))
    return {};
  int64_t pieces = mesh.count(axes[factors.front()]);
  // Equal pieces change places as wholes, along all dimensions at once.
  if (pieces == 1 || (isa<stablehlo::ReverseOp>(op) &&
                      rule.factors[factors.front()].size % pieces == 0))
    return {};
  return axes[factors.front()];
}

bool SpmdCost::hasHalo(Operation *op, const SpmdRule &rule,
                       ArrayRef<AxisList> axes) const {
  auto isCut = [&](const auto &pair) {
    auto [factor, list] = pair;
    return factor.halo && mesh.count(list) > 1;
  };
  if (llvm::none_of(llvm::zip_equal(rule.factors, axes), isCut))
    return false;
  for (auto [number, dims] : llvm::enumerate(rule.operands))
    for (size_t d = 0; d < dims.size(); ++d)
      if (!haloAxes(op, number, d, rule, axes).empty())
        return true;
  return false;
}

SourceRows SpmdCost::sourceRows(Value value, int64_t dim, AxisRef axes) const {
  int64_t size = shardableType(value).getDimSize(dim);
  if (isFree(value) || shardingOf_(value).dims[dim].empty())
    return {size, size, 1};
  return {size, shardSize(size, mesh.count(axes)), mesh.count(axes)};
}

/// A device takes the rows that it needs from a complete dimension.
void SpmdCost::keepComplete(Operation *op, unsigned number,
                            const SpmdRule &rule, ArrayRef<AxisList> axes,
                            AxisSharding &needed) const {
  Value value = op->getOperand(number);
  for (auto [d, list] : llvm::enumerate(needed.dims))
    if (!haloAxes(op, number, d, rule, axes).empty() &&
        scanKind(op, d) == ScanKind::None &&
        (isFree(value) || shardingOf_(value).dims[d].empty()))
      list.clear();
}

AxisSharding SpmdCost::neededSharding(Operation *op, unsigned number,
                                      const SpmdRule &rule,
                                      ArrayRef<AxisList> axes) const {
  AxisSharding needed = shardingOf(rule.operands[number], axes);
  keepComplete(op, number, rule, axes, needed);
  if (llvm::is_contained(linearOperandsOf(op), number))
    needed.unreduced = summandAxes(op, axes);
  return needed;
}

int64_t SpmdCost::haloRows(Operation *op, unsigned number, int64_t dim,
                           const SourceRows &source) const {
  if (source.pieces == 1)
    return 0;
  if (scanKind(op, dim) != ScanKind::None)
    return source.pieces;
  auto [known, isNew] =
      receivedRows.try_emplace({op, number, dim, source.pieces});
  if (isNew)
    known->second = planHalo(haloOf(op, number, dim, source.pieces), source)
                        .exchange.rowsReceived();
  return known->second;
}

SourceOperands SpmdCost::shardedOperands(Operation *op, int64_t dim,
                                         const SpmdRule &rule,
                                         ArrayRef<AxisList> axes) const {
  SourceOperands sources;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    AxisList list = haloAxes(op, number, dim, rule, axes);
    SourceRows rows = sourceRows(operand, dim, list);
    if (rows.pieces > 1)
      sources.push_back({number, rows});
  }
  return sources;
}

/// The rows of all operands of a concatenation count for the first sharded one.
int64_t SpmdCost::rowsOfConcatenation(Operation *op, unsigned number,
                                      int64_t dim, const SpmdRule &rule,
                                      ArrayRef<AxisList> axes) const {
  SourceOperands sources = shardedOperands(op, dim, rule, axes);
  if (sources.empty() || sources.front().first != number)
    return 0;
  std::vector<unsigned> numbers;
  for (const auto &[source, rows] : sources)
    numbers.push_back(source);
  int64_t pieces = sources.front().second.pieces;
  auto [known, isNew] =
      joinedRows.try_emplace({op, pieces, std::move(numbers)});
  if (isNew)
    known->second =
        planConcatenation(cast<stablehlo::ConcatenateOp>(op), pieces, sources)
            .rowsReceived();
  return known->second;
}

/// Returns the bytes of other shards that a device receives for an operand with
/// the sharding `needed`.
double SpmdCost::haloBytes(Operation *op, unsigned number, const SpmdRule &rule,
                           ArrayRef<AxisList> axes,
                           const AxisSharding &needed) const {
  Value value = op->getOperand(number);
  RankedTensorType type = shardableType(value);
  double bytes = 0;
  for (int64_t d = 0; type && d < type.getRank(); ++d) {
    AxisList list = haloAxes(op, number, d, rule, axes);
    if (list.empty())
      continue;
    int64_t rows = isa<stablehlo::ConcatenateOp>(op)
                       ? rowsOfConcatenation(op, number, d, rule, axes)
                       : haloRows(op, number, d, sourceRows(value, d, list));
    int64_t held = shardSize(type.getDimSize(d), mesh.count(needed.dims[d]));
    bytes += double(rows) * shardBytes(mesh, type, needed) /
             double(std::max<int64_t>(held, 1));
  }
  return bytes;
}

//===- Prices -------------------------------------------------------------===//

SpmdPrice SpmdCost::priceOfMove(RankedTensorType type, const AxisSharding &own,
                                const AxisSharding &needed) const {
  SpmdPrice price;
  if (own == needed)
    return price;
  price.received = emitter.reshardBytes(type, own, needed);
  price.rounds = roundsOfReshard(own, needed);
  return price;
}

SpmdPrice SpmdCost::priceOfReshard(Value value,
                                   const AxisSharding &needed) const {
  SpmdPrice price;
  RankedTensorType type = shardableType(value);
  if (!type || isFree(value))
    return price;
  price = priceOfMove(type, shardingOf_(value), needed);
  price.accessed = shardBytes(mesh, type, needed);
  return price;
}

/// Returns whether each device gets the partial results of all, and combines
/// them itself.
static bool gathersParts(Operation *op) {
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  return isa<stablehlo::SortOp>(op) ||
         (reduce && reducerOf(reduce) == SpmdReducer::Picks);
}

SpmdPrice SpmdCost::priceOf(Operation *op, const SpmdRule &rule,
                            ArrayRef<AxisList> axes) const {
  SpmdPrice price;
  double products = 2;
  bool exchanges = hasHalo(op, rule, axes);
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    AxisSharding needed = shardingOf(rule.operands[i], axes);
    if (exchanges) {
      keepComplete(op, i, rule, axes, needed);
      double rows = haloBytes(op, i, rule, axes, needed);
      price.received += rows;
      price.rounds += rows > 0 ? 2 : 0; // from both neighbours
    }
    SpmdPrice own = priceOfReshard(value, needed);
    price.received += own.received;
    price.rounds += own.rounds;
    price.accessed += own.accessed;
  }
  AxisList partial = partialAxes(op, rule, axes);
  for (auto [value, dims] : llvm::zip_equal(op->getResults(), rule.results)) {
    RankedTensorType type = shardableType(value);
    if (!type)
      continue;
    AxisSharding now = shardingOf(dims, axes);
    const AxisSharding &wanted = shardingOf_(value);
    double held = shardBytes(mesh, type, now);
    price.accessed += held;
    products *= held;
    if (value.use_empty())
      continue;
    AxisList rest = partial, kept;
    if (gathersParts(op) && mesh.count(rest) > 1) {
      price.received += held * double(mesh.count(rest) - 1);
      price.rounds += roundsOf(rest);
      rest.clear();
    }
    if (!rest.empty())
      keepSummands(op, wanted, rest, kept);
    for (int64_t d = 0; !rest.empty() && d < type.getRank(); ++d) {
      AxisList run = takeScattered(mesh, type, now, wanted, d, rest);
      now.dims[d].append(run);
      int64_t count = mesh.count(run);
      price.received += held * (count - 1) / count;
      price.rounds += roundsOf(run);
      held /= count;
    }
    int64_t count = mesh.count(rest);
    price.received += 2 * held * (count - 1) / count;
    price.rounds += (held <= kSmallSum ? 1 : 2) * roundsOf(rest);
    if (now != wanted) {
      price.received += emitter.reshardBytes(type, now, wanted);
      price.rounds += roundsOfReshard(now, wanted);
    }
  }
  if (rule.simple)
    std::swap(price.fused, price.accessed);
  if (!isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op))
    return price;
  for (auto [factor, list] : llvm::zip_equal(rule.factors, axes))
    if (factor.kind == SpmdFactor::Reduced)
      products *= shardSize(factor.size, mesh.count(list));
  price.operations = products;
  return price;
}

FactorAxes displacedAxes(const SpmdRule &rule, const DimFactors &dims,
                         const AxisSharding &own, const DeviceMesh &mesh,
                         bool moveHalos) {
  auto isMoved = [&](size_t d) {
    if (own.dims[d].empty())
      return false;
    return dims[d].empty() || (moveHalos && dims[d].size() == 1 &&
                               rule.factors[dims[d].front()].halo);
  };
  FactorAxes axes = factorAxes(rule, dims, own, mesh);
  bool hasMoved = false;
  for (size_t d = 0; d < own.dims.size(); ++d)
    if (isMoved(d) && !dims[d].empty())
      axes[dims[d].front()].clear();
  for (auto [d, list] : llvm::enumerate(own.dims)) {
    if (!isMoved(d))
      continue;
    int64_t best = -1;
    for (auto [other, factors] : llvm::enumerate(dims)) {
      if (factors.size() != 1)
        continue;
      const SpmdFactor &factor = rule.factors[factors.front()];
      const AxisList &held = axes[factors.front()];
      int64_t pieces = mesh.count(held) * mesh.count(list);
      // Uneven pieces move only if no others are there.
      bool fits = factor.size % pieces == 0 ||
                  (factor.pads && held.empty() && factor.size >= pieces);
      if (factor.kind == SpmdFactor::Parallel && !factor.halo && fits &&
          (best < 0 || factor.size > rule.factors[dims[best].front()].size))
        best = int64_t(other);
    }
    if (best < 0)
      continue;
    axes[dims[best].front()].append(list);
    hasMoved = true;
  }
  return hasMoved ? axes : FactorAxes();
}

FactorAxes SpmdCost::chooseAxes(Operation *op, const SpmdRule &rule,
                                SpmdPrice *price) const {
  SmallVector<FactorAxes> said;
  auto add = [&](FactorAxes axes) {
    if (!axes.empty() && !llvm::is_contained(said, axes))
      said.push_back(std::move(axes));
  };
  for (auto [value, dims] : llvm::zip_equal(op->getResults(), rule.results))
    if (shardableType(value))
      add(factorAxes(rule, dims, shardingOf_(value), mesh));
  auto addOperands = [&](auto axesFor) {
    for (auto [value, dims] : llvm::zip_equal(op->getOperands(), rule.operands))
      if (shardableType(value) && !isFree(value))
        add(axesFor(dims, shardingOf_(value)));
  };
  addOperands([&](const DimFactors &dims, const AxisSharding &own) {
    return factorAxes(rule, dims, own, mesh);
  });
  for (bool moveHalos : {false, true})
    addOperands([&](const DimFactors &dims, const AxisSharding &own) {
      return displacedAxes(rule, dims, own, mesh, moveHalos);
    });
  SmallVector<FactorAxes> tried;
  for (bool all : {true, false})
    for (const FactorAxes &leader : said) {
      FactorAxes axes(rule.factors.size());
      mergeAxes(axes, leader);
      for (const FactorAxes &other : said)
        if (all)
          mergeAxes(axes, other);
      dropImpossible(rule, mesh, axes);
      if (!llvm::is_contained(tried, axes))
        tried.push_back(std::move(axes));
    }
  if (tried.empty())
    tried.emplace_back(rule.factors.size());
  size_t best = 0;
  if (tried.size() > 1 || price) {
    SpmdPrice least = priceOf(op, rule, tried[0]);
    for (size_t i = 1; i < tried.size(); ++i) {
      SpmdPrice one = priceOf(op, rule, tried[i]);
      if (one.total() < least.total()) {
        least = one;
        best = i;
      }
    }
    if (price)
      *price = least;
  }
  return std::move(tried[best]);
}

} // namespace xlac::transforms
