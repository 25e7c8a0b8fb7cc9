#include "SpmdRules.h"

#include "SpmdSorts.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/ops/op.h"
#include "xlac/support/call_config.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace xlac::transforms {

RankedTensorType shardableType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

/// Returns false for f8E8M0FNU, which has no zero.
static bool hasZero(RankedTensorType type) {
  return !isa<Float8E8M0FNUType>(type.getElementType());
}

bool canSum(RankedTensorType type) {
  mlir::Type element = type.getElementType();
  return hasZero(type) &&
         (isa<FloatType, ComplexType>(element) ||
          (isa<IntegerType>(element) && !element.isInteger(1)));
}

bool canCombineRows(RankedTensorType type) {
  return canSum(type) || type.getElementType().isInteger(1);
}

Operation *onlyOp(Block &body) {
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2)
    return nullptr;
  Operation *op = &body.front(), *end = body.getTerminator();
  auto isArgument = [&](Value value, unsigned number) {
    return value == body.getArgument(number);
  };
  bool whole =
      op->getNumOperands() == 2 && op->getNumResults() == 1 &&
      end->getNumOperands() == 1 && end->getOperand(0) == op->getResult(0) &&
      ((isArgument(op->getOperand(0), 0) && isArgument(op->getOperand(1), 1)) ||
       (isArgument(op->getOperand(0), 1) && isArgument(op->getOperand(1), 0)));
  return whole ? op : nullptr;
}

SpmdReducer reducerOf(stablehlo::ReduceOp op) {
  Block &body = op->getRegion(0).front();
  if (isPlainSum(op->getRegion(0)) &&
      !hasZero(shardableType(op->getOperand(0))))
    return SpmdReducer::None;
  if (isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MaxOp,
                      stablehlo::MinOp, stablehlo::AndOp, stablehlo::OrOp,
                      stablehlo::XorOp>(onlyOp(body)))
    return SpmdReducer::OneOp;
  for (Operation &inner : body.without_terminator())
    if (!isa<stablehlo::CompareOp, stablehlo::SelectOp, stablehlo::AndOp,
             stablehlo::OrOp, stablehlo::NotOp, stablehlo::MaxOp,
             stablehlo::MinOp>(inner))
      return SpmdReducer::None;
  return SpmdReducer::Picks;
}

std::optional<double> identityOf(stablehlo::ReduceOp op) {
  Operation *only = onlyOp(op->getRegion(0).front());
  if (isa_and_nonnull<stablehlo::MulOp>(only))
    return 1;
  if (isa_and_nonnull<stablehlo::AddOp, stablehlo::XorOp>(only))
    return -0.0;
  return std::nullopt;
}

bool isPlainSum(Region &computation) {
  return isa_and_nonnull<stablehlo::AddOp>(onlyOp(computation.front()));
}

bool isZero(Value value) {
  if (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    return isZero(broadcast->getOperand(0));
  SplatElementsAttr splat;
  if (!value.getDefiningOp() ||
      !matchPattern(value.getDefiningOp(), m_Constant(&splat)))
    return false;
  mlir::Type element = splat.getElementType();
  if (isa<FloatType>(element))
    return splat.getSplatValue<APFloat>().isZero();
  return isa<IntegerType>(element) && splat.getSplatValue<APInt>().isZero();
}

/// A sum of one tensor from zero.
static bool isSumFromZero(Operation *op) {
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  return reduce && op->getNumResults() == 1 && isPlainSum(op->getRegion(0)) &&
         isZero(op->getOperand(1));
}

bool givesSummands(Operation *op) {
  RankedTensorType type =
      op->getNumResults() == 1 ? shardableType(op->getResult(0)) : nullptr;
  return type && canSum(type) &&
         (isa<stablehlo::DotGeneralOp>(op) || isSumFromZero(op) ||
          (isa<stablehlo::ScatterOp>(op) && isPlainSum(op->getRegion(0))));
}

SmallVector<unsigned> linearOperands(Operation *op,
                                     function_ref<bool(Value)> isUnreduced) {
  RankedTensorType type =
      op->getNumResults() == 1 ? shardableType(op->getResult(0)) : nullptr;
  if (!type || !canSum(type))
    return {};
  auto isInexact = [](Value value) {
    return isa<FloatType, ComplexType>(getElementTypeOrSelf(value.getType()));
  };
  if (isa<stablehlo::AddOp, stablehlo::SubtractOp, stablehlo::ConcatenateOp,
          stablehlo::PadOp, stablehlo::ComplexOp>(op))
    return llvm::to_vector(llvm::seq<unsigned>(0, op->getNumOperands()));
  if (isa<stablehlo::DynamicUpdateSliceOp>(op))
    return {0, 1};
  if (isa<stablehlo::SelectOp>(op))
    return {1, 2};
  if (isa<stablehlo::NegOp, stablehlo::ReshapeOp, stablehlo::TransposeOp,
          stablehlo::BroadcastInDimOp, stablehlo::SliceOp, stablehlo::ReverseOp,
          stablehlo::DynamicSliceOp, stablehlo::RealOp, stablehlo::ImagOp>(
          op) ||
      isSumFromZero(op) ||
      (isa<stablehlo::ConvertOp>(op) && isInexact(op->getOperand(0)) &&
       isInexact(op->getResult(0))) ||
      (isa<stablehlo::DivOp>(op) && isInexact(op->getResult(0)) &&
       !isUnreduced(op->getOperand(1))))
    return {0};
  if (isa<stablehlo::MulOp, stablehlo::DotGeneralOp>(op) &&
      isUnreduced(op->getOperand(0)) != isUnreduced(op->getOperand(1)))
    return {isUnreduced(op->getOperand(0)) ? 0u : 1u};
  return {};
}

bool isFreeToMake(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !shardableType(value))
    return false;
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    SplatElementsAttr splat;
    return matchPattern(op, m_Constant(&splat));
  }
  if (isa<stablehlo::IotaOp>(op))
    return true;
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return cast<RankedTensorType>(broadcast->getOperand(0).getType())
                   .getNumElements() == 1 ||
           isFreeToMake(broadcast->getOperand(0));
  return false;
}

//===- Factors of a sharding ----------------------------------------------===//

FactorAxes factorAxes(const SpmdRule &rule, const DimFactors &dims,
                      const AxisSharding &sharding, const DeviceMesh &mesh) {
  FactorAxes axes(rule.factors.size());
  for (auto [factors, cut] : llvm::zip_equal(dims, sharding.dims)) {
    if (factors.size() == 1) {
      axes[factors.front()] = cut;
      continue;
    }
    size_t next = 0;
    for (unsigned factor : factors) {
      int64_t rest = rule.factors[factor].size;
      for (; next < cut.size() && rest % mesh.count(cut[next]) == 0 && rest > 1;
           ++next) {
        axes[factor].push_back(cut[next]);
        rest /= mesh.count(cut[next]);
      }
      if (rest > 1)
        break;
    }
  }
  return axes;
}

void mergeAxes(MutableArrayRef<AxisList> axes, ArrayRef<AxisList> said) {
  static_assert(AxisList::kCapacity <= 32, "a word has a bit for each axis");
  uint32_t taken = 0;
  for (const AxisList &list : axes)
    for (unsigned axis : list)
      taken |= 1u << axis;
  for (auto [list, more] : llvm::zip_equal(axes, said))
    if (list.size() < more.size() &&
        std::equal(list.begin(), list.end(), more.begin()))
      for (unsigned axis : AxisRef(more).drop_front(list.size())) {
        if (taken >> axis & 1)
          break;
        list.push_back(axis);
        taken |= 1u << axis;
      }
}

AxisSharding shardingOf(const DimFactors &dims, ArrayRef<AxisList> axes) {
  AxisSharding sharding(dims.size());
  for (auto [cut, factors] : llvm::zip_equal(sharding.dims, dims))
    for (unsigned factor : factors)
      cut.append(axes[factor]);
  return sharding;
}

void dropImpossible(const SpmdRule &rule, const DeviceMesh &mesh,
                    MutableArrayRef<AxisList> axes) {
  for (auto [factor, cut] : llvm::zip_equal(rule.factors, axes))
    while (!cut.empty() && !factor.pads && factor.size % mesh.count(cut) != 0)
      cut.truncate(cut.size() - 1);
  bool changed = true;
  auto dropJoined = [&](ArrayRef<DimFactors> tensors) {
    for (const DimFactors &dims : tensors)
      for (ArrayRef<unsigned> factors : dims) {
        if (factors.size() < 2)
          continue;
        bool whole = false;
        for (unsigned factor : factors) {
          int64_t pieces = mesh.count(axes[factor]);
          if (!axes[factor].empty() &&
              (whole || rule.factors[factor].size % pieces != 0)) {
            axes[factor].clear();
            changed = true;
          }
          whole = whole || mesh.count(axes[factor]) < rule.factors[factor].size;
        }
      }
  };
  // Removing a factor from one tensor may make that of another impossible.
  while (changed) {
    changed = false;
    dropJoined(rule.operands);
    dropJoined(rule.results);
  }
}

//===- Rules --------------------------------------------------------------===//

/// Adds a factor for each dimension that `keep` selects. All tensors must have
/// the same rank, and these dimensions must be independent.
static void addParallel(Operation *op, SpmdRule &rule,
                        llvm::function_ref<bool(int64_t)> keep) {
  RankedTensorType type = shardableType(op->getResult(0));
  SmallVector<std::pair<DimFactors *, Value>> tensors;
  for (auto [dims, value] : llvm::zip_equal(rule.operands, op->getOperands()))
    tensors.push_back({&dims, value});
  for (auto [dims, value] : llvm::zip_equal(rule.results, op->getResults()))
    tensors.push_back({&dims, value});
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!keep(d) || type.getDimSize(d) <= 1)
      continue;
    unsigned factor = rule.addFactor(type.getDimSize(d));
    for (auto [dims, value] : tensors)
      if (RankedTensorType one = shardableType(value);
          one && one.getRank() == type.getRank() &&
          one.getDimSize(d) == type.getDimSize(d))
        (*dims)[d] = {factor};
  }
}

/// Adds factors for dimensions that have the same size in operand 0 and the
/// result.
static void addWhereKept(Operation *op, SpmdRule &rule) {
  RankedTensorType from = shardableType(op->getOperand(0));
  RankedTensorType to = shardableType(op->getResult(0));
  if (from && to)
    addParallel(op, rule, [&](int64_t d) {
      return from.getDimSize(d) == to.getDimSize(d);
    });
}

static void addBroadcast(stablehlo::BroadcastInDimOp op, SpmdRule &rule) {
  RankedTensorType from = shardableType(op->getOperand(0));
  RankedTensorType to = shardableType(op->getResult(0));
  for (int64_t d = 0; d < to.getRank(); ++d)
    if (to.getDimSize(d) > 1)
      rule.results[0][d] = {rule.addFactor(to.getDimSize(d))};
  for (auto [d, target] : llvm::enumerate(op.getBroadcastDimensions()))
    if (from.getDimSize(d) == to.getDimSize(target))
      rule.operands[0][d] = rule.results[0][target];
}

static void addTranspose(stablehlo::TransposeOp op, SpmdRule &rule) {
  RankedTensorType to = shardableType(op->getResult(0));
  for (auto [d, from] : llvm::enumerate(op.getPermutation()))
    if (to.getDimSize(d) > 1) {
      rule.results[0][d] = {rule.addFactor(to.getDimSize(d))};
      rule.operands[0][from] = rule.results[0][d];
    }
}

/// Matches the dimensions of both shapes in order. If neither of two sizes
/// divides the other, the dimensions up to the next common boundary cannot be
/// sharded.
static void addReshape(Operation *op, SpmdRule &rule) {
  ArrayRef<int64_t> from = shardableType(op->getOperand(0)).getShape();
  ArrayRef<int64_t> to = shardableType(op->getResult(0)).getShape();
  if (llvm::is_contained(from, 0))
    return;
  size_t i = 0, j = 0;
  int64_t left = 1, right = 1;
  auto advance = [](ArrayRef<int64_t> shape, size_t &at, int64_t &rest) {
    while (rest == 1 && at < shape.size())
      rest = shape[at++];
  };
  while (true) {
    advance(from, i, left);
    advance(to, j, right);
    if (left == 1 || right == 1)
      return;
    if (left % right != 0 && right % left != 0) {
      // No common factor preserves the order: skip to the next common boundary.
      int64_t a = left, b = right;
      while (a != b) {
        if (a < b)
          a *= from[i++];
        else
          b *= to[j++];
      }
      left = right = 1;
      continue;
    }
    int64_t size = std::min(left, right);
    bool alone = left == right && from[i - 1] == left && to[j - 1] == right;
    unsigned factor = rule.addFactor(size, SpmdFactor::Parallel, alone);
    rule.operands[0][i - 1].push_back(factor);
    rule.results[0][j - 1].push_back(factor);
    left /= size;
    right /= size;
  }
}

static void addDotGeneral(stablehlo::DotGeneralOp op, SpmdRule &rule) {
  RankedTensorType lhs = shardableType(op->getOperand(0));
  RankedTensorType rhs = shardableType(op->getOperand(1));
  auto numbers = op.getDotDimensionNumbers();
  // The padding of a shard counts as zeros.
  bool sums =
      hasZero(lhs) && hasZero(rhs) && canSum(shardableType(op->getResult(0)));
  int64_t out = 0;
  auto add = [&](int64_t size, SpmdFactor::Kind kind) {
    return rule.addFactor(size, kind);
  };
  for (auto [l, r] : llvm::zip_equal(numbers.getLhsBatchingDimensions(),
                                     numbers.getRhsBatchingDimensions())) {
    unsigned factor = add(lhs.getDimSize(l), SpmdFactor::Parallel);
    rule.operands[0][l] = rule.operands[1][r] = {factor};
    rule.results[0][out++] = {factor};
  }
  for (auto [l, r] : llvm::zip_equal(numbers.getLhsContractingDimensions(),
                                     numbers.getRhsContractingDimensions()))
    if (sums)
      rule.operands[0][l] =
          rule.operands[1][r] = {add(lhs.getDimSize(l), SpmdFactor::Reduced)};
  auto addFree = [&](unsigned side, RankedTensorType type,
                     ArrayRef<int64_t> batch, ArrayRef<int64_t> contracting) {
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d))
        rule.operands[side][d] = rule.results[0][out++] = {
            add(type.getDimSize(d), SpmdFactor::Parallel)};
  };
  addFree(0, lhs, numbers.getLhsBatchingDimensions(),
          numbers.getLhsContractingDimensions());
  addFree(1, rhs, numbers.getRhsBatchingDimensions(),
          numbers.getRhsContractingDimensions());
}

static void addReduce(stablehlo::ReduceOp op, SpmdRule &rule) {
  size_t count = op->getNumResults();
  RankedTensorType from = shardableType(op->getOperand(0));
  bool apart = reducerOf(op) != SpmdReducer::None;
  int64_t out = 0;
  for (int64_t d = 0; d < from.getRank(); ++d) {
    bool reduced = llvm::is_contained(op.getDimensions(), d);
    if (reduced && !apart)
      continue;
    unsigned factor =
        rule.addFactor(from.getDimSize(d),
                       reduced ? SpmdFactor::Reduced : SpmdFactor::Parallel);
    for (size_t i = 0; i < count; ++i) {
      rule.operands[i][d] = {factor};
      if (!reduced)
        rule.results[i][out] = {factor};
    }
    out += !reduced;
  }
}

/// Returns true if the window covers only one element of dimension `d`.
template <class WindowOp> static bool isTrivialWindow(WindowOp op, int64_t d) {
  auto isOne = [&](std::optional<ArrayRef<int64_t>> numbers) {
    return !numbers || numbers->empty() || (*numbers)[d] == 1;
  };
  if (DenseIntElementsAttr padding = op.getPaddingAttr())
    for (int64_t side = 0; side < 2; ++side)
      if (padding.getValues<int64_t>()[2 * d + side] != 0)
        return false;
  return isOne(op.getWindowDimensions()) && isOne(op.getWindowStrides());
}

/// Adds factors of dimensions in which a dynamic start selects rows: every
/// device has the rows of the window that are in its shard.
static void addMovedWindows(Operation *op, SpmdRule &rule,
                            RankedTensorType whole, RankedTensorType part) {
  bool reads = isa<stablehlo::DynamicSliceOp>(op);
  if (reads && !canCombineRows(part))
    return;
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    if (part.getDimSize(d) == whole.getDimSize(d))
      continue;
    unsigned factor =
        rule.addFactor(whole.getDimSize(d),
                       reads ? SpmdFactor::Indexed : SpmdFactor::Parallel);
    rule.operands[0][d] = {factor};
    if (!reads)
      rule.results[0][d] = {factor};
  }
}

static bool isWholeSlice(stablehlo::SliceOp op, int64_t d) {
  return op.getStartIndices()[d] == 0 && op.getStrides()[d] == 1 &&
         op.getLimitIndices()[d] ==
             cast<RankedTensorType>(op->getOperand(0).getType()).getDimSize(d);
}

static void addSort(stablehlo::SortOp sort, SpmdRule &rule) {
  int64_t along = sortedDim(sort);
  addParallel(sort, rule, [&](int64_t d) { return d != along; });
  if (!givesFirstRows(sort))
    return;
  unsigned rows =
      rule.addFactor(shardableType(sort->getOperand(0)).getDimSize(along),
                     SpmdFactor::Reduced);
  for (DimFactors &dims : rule.operands)
    dims[along] = {rows};
}

static void addTriangularSolve(stablehlo::TriangularSolveOp solve,
                               SpmdRule &rule) {
  RankedTensorType type = shardableType(solve->getResult(0));
  int64_t rank = type.getRank();
  addParallel(solve, rule, [&](int64_t d) { return d < rank - 2; });
  // Each right-hand side is solved independently of the others.
  int64_t sides = solve.getLeftSide() ? rank - 1 : rank - 2;
  rule.operands[1][sides] =
      rule.results[0][sides] = {rule.addFactor(type.getDimSize(sides))};
}

/// Adds factors of movement ops and reductions for the dimensions that they do
/// not change.
static bool addPartial(Operation *op, SpmdRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](stablehlo::SliceOp slice) {
        addParallel(op, rule,
                    [&](int64_t d) { return isWholeSlice(slice, d); });
        return true;
      })
      .Case([&](stablehlo::PadOp pad) {
        addParallel(op, rule, [&](int64_t d) {
          return pad.getEdgePaddingLow()[d] == 0 &&
                 pad.getEdgePaddingHigh()[d] == 0 &&
                 pad.getInteriorPadding()[d] == 0;
        });
        return true;
      })
      .Case([&](stablehlo::ConcatenateOp concatenate) {
        addParallel(op, rule, [&](int64_t d) {
          return d != int64_t(concatenate.getDimension());
        });
        return true;
      })
      .Case([&](stablehlo::ReverseOp reverse) {
        addParallel(op, rule, [&](int64_t d) {
          return !llvm::is_contained(reverse.getDimensions(), d);
        });
        return true;
      })
      .Case([&](stablehlo::SortOp sort) {
        addSort(sort, rule);
        return true;
      })
      .Case([&](stablehlo::FftOp fft) {
        int64_t rank = shardableType(op->getResult(0)).getRank();
        int64_t last = rank - int64_t(fft.getFftLength().size());
        addParallel(op, rule, [&](int64_t d) { return d < last; });
        return true;
      })
      .Case([&](stablehlo::CholeskyOp) {
        int64_t rank = shardableType(op->getResult(0)).getRank();
        addParallel(op, rule, [&](int64_t d) { return d < rank - 2; });
        return true;
      })
      .Case([&](stablehlo::TriangularSolveOp solve) {
        addTriangularSolve(solve, rule);
        return true;
      })
      .Case([&](stablehlo::ReduceWindowOp window) {
        addParallel(op, rule, [&](int64_t d) {
          auto isOne = [&](std::optional<ArrayRef<int64_t>> numbers) {
            return !numbers || numbers->empty() || (*numbers)[d] == 1;
          };
          return isTrivialWindow(window, d) &&
                 isOne(window.getBaseDilations()) &&
                 isOne(window.getWindowDilations());
        });
        return true;
      })
      .Case([&](stablehlo::SelectAndScatterOp window) {
        addParallel(op, rule,
                    [&](int64_t d) { return isTrivialWindow(window, d); });
        return true;
      })
      .Case<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(
          [&](auto) {
            RankedTensorType part = shardableType(
                isa<stablehlo::DynamicSliceOp>(op) ? op->getResult(0)
                                                   : op->getOperand(1));
            RankedTensorType whole = shardableType(op->getOperand(0));
            addParallel(op, rule, [&](int64_t d) {
              return part.getDimSize(d) == whole.getDimSize(d);
            });
            addMovedWindows(op, rule, whole, part);
            return true;
          })
      .Default(false);
}

static bool isElementwise(Operation *op) {
  std::optional<ops::OpKind> kind = opKind(op->getName());
  return kind && ops::facts(*kind).op_class == ops::OpClass::Elementwise &&
         !isa<stablehlo::MapOp>(op);
}

/// Adds factors for ops whose result i has the dimensions of operand i.
static void addBarrier(Operation *op, SpmdRule &rule) {
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (RankedTensorType type = shardableType(value))
      for (int64_t d = 0; d < type.getRank(); ++d)
        rule.operands[i][d] =
            rule.results[i][d] = {rule.addFactor(type.getDimSize(d))};
}

static bool isAllowed(Value value) {
  auto type = shardableType(value);
  return type && !isa<quant::QuantizedType>(type.getElementType());
}

/// Each device makes the call for its own shards, whatever they are.
static void addPartitionedCall(Operation *op, SpmdRule &rule) {
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (RankedTensorType type = shardableType(value))
      for (int64_t d = 0; d < type.getRank(); ++d)
        rule.operands[i][d] = {rule.addFactor(type.getDimSize(d))};
}

static void addFactors(Operation *op, SpmdRule &rule) {
  bool isCall = isa<stablehlo::CustomCallOp>(op);
  if (auto text = op->getAttrOfType<StringAttr>(kRuleName); isCall && text) {
    // The partition pass has rejected rules that cannot be read.
    std::string problem;
    addSdyRule(text.getValue(), op, rule, problem);
    return;
  }
  if (auto count = op->getAttrOfType<IntegerAttr>(kBatchName); isCall && count)
    return addBatchDims(op, count.getInt(), rule);
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op);
      call && call->getNumResults() == 0 &&
      call.getCallTargetName() == names::kPartitionedCallback)
    return addPartitionedCall(op, rule);
  if (isa<stablehlo::OptimizationBarrierOp>(op) ||
      (isa<stablehlo::CustomCallOp>(op) && op->hasAttr("xlac.sharding")))
    return addBarrier(op, rule);
  rule.gathers = true;
  if (op->getNumResults() == 0 || !llvm::all_of(op->getOperands(), isAllowed) ||
      !llvm::all_of(op->getResults(), isAllowed))
    return;
  rule.gathers = false;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](stablehlo::BroadcastInDimOp broadcast) {
        addBroadcast(broadcast, rule);
      })
      .Case([&](stablehlo::TransposeOp transpose) {
        addTranspose(transpose, rule);
      })
      .Case([&](stablehlo::ReshapeOp) { addReshape(op, rule); })
      .Case([&](stablehlo::DotGeneralOp dot) { addDotGeneral(dot, rule); })
      .Case([&](stablehlo::ReduceOp reduce) { addReduce(reduce, rule); })
      .Case([&](stablehlo::GatherOp gather) { addGatherFactors(gather, rule); })
      .Case([&](stablehlo::ScatterOp scatter) {
        addScatterFactors(scatter, rule);
      })
      .Case([&](stablehlo::ConvolutionOp convolution) {
        addConvolutionFactors(convolution, rule);
      })
      .Case([&](stablehlo::RngBitGeneratorOp random) {
        RankedTensorType type = shardableType(op->getResult(1));
        for (int64_t d = 0; canDrawParts(random) && d < type.getRank(); ++d)
          if (type.getDimSize(d) > 1)
            rule.results[1][d] = {rule.addFactor(type.getDimSize(d))};
      })
      .Case([&](stablehlo::BitcastConvertOp) {
        if (op->getOperand(0).getType() == op->getResult(0).getType() ||
            shardableType(op->getOperand(0)).getRank() ==
                shardableType(op->getResult(0)).getRank())
          addWhereKept(op, rule);
      })
      .Case([](stablehlo::ConstantOp) {})
      .Default([&](Operation *) {
        if (isElementwise(op))
          addParallel(op, rule, [](int64_t) { return true; });
        else if (addPartial(op, rule))
          addHaloFactors(op, rule);
        else
          rule.gathers = true;
      });
}

SpmdRule spmdRule(Operation *op) {
  SpmdRule rule;
  auto dimsOf = [](Value value) {
    RankedTensorType type = shardableType(value);
    return DimFactors(type ? type.getRank() : 0);
  };
  for (Value operand : op->getOperands())
    rule.operands.push_back(dimsOf(operand));
  for (Value result : op->getResults())
    rule.results.push_back(dimsOf(result));
  addFactors(op, rule);
  rule.simple = isElementwise(op) ||
                isa<stablehlo::BroadcastInDimOp, stablehlo::TransposeOp,
                    stablehlo::ReshapeOp, stablehlo::OptimizationBarrierOp,
                    stablehlo::CustomCallOp>(op);
  return rule;
}

} // namespace xlac::transforms
