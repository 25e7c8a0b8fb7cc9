#include "ReductionPlan.h"

#include "KernelCost.h"
#include "KernelEmitters.h"
#include "PairwiseSum.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Xlac/Reducer.h"

#include <utility>

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

/// Tasks that keep a few cores busy.
static constexpr int64_t kEnoughTasks = 16;

bool takeLong(ArrayRef<ReduceOp> reduces) {
  return llvm::any_of(reduces, [](ReduceOp reduce) {
    return llvm::any_of(reduce.getInputs(), takesLong);
  });
}

/// Returns whether the computation of `value` reads a result of a reduction for
/// which `matches` is true.
static bool readsReduce(mlir::Value value,
                        function_ref<bool(ReduceOp)> matches) {
  SmallVector<mlir::Value> pending{value};
  llvm::DenseSet<mlir::Value> seen;
  while (!pending.empty()) {
    mlir::Value next = pending.pop_back_val();
    mlir::Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(next).second)
      continue;
    if (auto reduce = dyn_cast<ReduceOp>(op); reduce && matches(reduce))
      return true;
    llvm::append_range(pending, op->getOperands());
  }
  return false;
}

bool dependsOnSums(const ReductionPlan &plan, mlir::Value value) {
  return plan.sums && readsReduce(value, [&](ReduceOp reduce) {
           return llvm::is_contained(plan.sums->reduces, reduce);
         });
}

/// Collects the reductions of rows, if there are any, or else all reductions.
/// What combines rows becomes the reductions of `sums`.
static bool collectReduces(ir::KernelOp kernel, ReductionPlan &plan) {
  SmallVector<ReduceOp> all;
  for (mlir::Operation &op : kernel.getBody().front())
    if (auto reduce = dyn_cast<ReduceOp>(op))
      all.push_back(reduce);
  if (all.empty())
    return false;
  auto found = llvm::find_if(all, ir::reducesInnermost);
  ReduceOp first = found == all.end() ? all.front() : *found;
  plan.sizes = SmallVector<int64_t>(sizesOf(first.getInputs()[0]));
  for (ReduceOp reduce : all) {
    if (sizesOf(reduce.getInputs()[0]) != ArrayRef<int64_t>(plan.sizes) ||
        !ir::isSimpleReducer(reduce.getBody()))
      return false;
    if (reduce.getDimensions() == first.getDimensions()) {
      plan.reduces.push_back(reduce);
      continue;
    }
    if (!plan.sums)
      plan.sums = std::make_shared<ReductionPlan>();
    plan.sums->reduces.push_back(reduce);
  }
  return elementCount(plan.sizes) != 0;
}

/// Splits the dimensions into kept and reduced ones. The last reduced
/// dimensions that can be collapsed are the inner ones. The other ones are
/// collapsed too where they are neighbours, so that chunks divide them evenly.
static void splitDimensions(ElementEmitter &emitter, ir::KernelOp kernel,
                            ReductionPlan &plan) {
  uint64_t freedom = ~uint64_t(0);
  auto limit = [&](mlir::Value value) {
    if (sizesOf(value) == ArrayRef<int64_t>(plan.sizes))
      freedom &= emitter.collapsibleDims(value);
  };
  for (ReduceOp reduce : plan.reduces)
    for (mlir::Value input : reduce.getInputs())
      limit(input);
  if (plan.sums)
    for (ReduceOp reduce : plan.sums->reduces)
      for (mlir::Value input : reduce.getInputs())
        limit(input);
  for (mlir::Value result : kernel.getYield()->getOperands())
    limit(result);
  // Both are larger than 1.
  auto mayCollapse = [&](int64_t dim, int64_t into) {
    int64_t next = dim + 1;
    while (plan.sizes[next] == 1)
      ++next;
    return next == into && dim <= 63 && (freedom >> dim & 1);
  };

  SmallVector<int64_t> reduced;
  for (auto [dim, size] : llvm::enumerate(plan.sizes)) {
    if (!llvm::is_contained(plan.reduces[0].getDimensions(), int64_t(dim))) {
      plan.keptDims.push_back(dim);
      plan.keptSizes.push_back(size);
      plan.rows *= size;
    } else if (size != 1) {
      reduced.push_back(dim);
    }
  }
  plan.rowSizes = plan.keptSizes;
  for (size_t i = 0, next = 1; next < plan.keptDims.size(); ++next) {
    if (plan.keptSizes[next] == 1)
      continue;
    if (plan.keptSizes[i] != 1 &&
        mayCollapse(plan.keptDims[i], plan.keptDims[next]))
      plan.rowSizes[next] *= std::exchange(plan.rowSizes[i], 1);
    i = next;
  }
  int64_t last = int64_t(plan.sizes.size()) - 1;
  while (last >= 0 && plan.sizes[last] == 1)
    --last;
  plan.innerReduced = !reduced.empty() && reduced.back() == last;
  if (plan.innerReduced) {
    plan.innerDims.insert(plan.innerDims.begin(), reduced.pop_back_val());
    while (!reduced.empty() &&
           mayCollapse(reduced.back(), plan.innerDims.front()))
      plan.innerDims.insert(plan.innerDims.begin(), reduced.pop_back_val());
    for (int64_t dim : plan.innerDims)
      plan.inner *= plan.sizes[dim];
  }
  for (int64_t dim : reduced) {
    if (plan.outerDims.empty() || !mayCollapse(plan.outerDims.back(), dim)) {
      plan.outerDims.push_back(dim);
      plan.outerSizes.push_back(plan.sizes[dim]);
      continue;
    }
    plan.outerDims.back() = dim;
    plan.outerSizes.back() *= plan.sizes[dim];
  }
}

bool isRowShaped(const ReductionPlan &plan, mlir::Value value) {
  return elementCount(sizesOf(value)) == plan.rows;
}

/// Returns the bytes of the widest element that is reduced.
static int64_t widestInput(const ReductionPlan &plan) {
  int64_t size = 1;
  for (ReduceOp reduce : plan.reduces)
    for (mlir::Value input : reduce.getInputs())
      size = std::max(
          size, elementBytes(mlir::getElementTypeOrSelf(input.getType())));
  return size;
}

/// Returns true if the input should be swept: results are adjacent in it, and
/// it fits in no cache. There are so many results that reading columns of a few
/// vectors defeats the hardware prefetcher, and few enough for a row of partial
/// values to stay cached.
static bool isSwept(const ReductionPlan &plan) {
  constexpr int64_t leastBytes = 1 << 20, mostRow = 256 << 10;
  if (plan.innerReduced || plan.outerDims.empty() ||
      plan.rows < 2 * int64_t(plan.width))
    return false;
  for (auto [dim, size] : zip_equal(plan.keptDims, plan.keptSizes))
    if (size != 1 && dim < plan.outerDims.back())
      return false;
  int64_t size = widestInput(plan);
  return plan.rows * size <= mostRow &&
         elementCount(plan.sizes) * size >= leastBytes;
}

/// Returns the number of levels of partial values in a chunk, which grows with
/// the number of groups.
static int64_t countSweepLevels(const ReductionPlan &plan) {
  assert(!plan.outerDims.empty() && plan.chunk >= 1 &&
         "a sweep goes over chunks of an outer dimension");
  ArrayRef<int64_t> outer = plan.outerSizes;
  int64_t last = outer.size() == 1 ? plan.chunk : outer.back();
  int64_t groups = divideCeil(last, kSweepGroup);
  if (outer.size() > 1)
    groups *= plan.chunk;
  if (outer.size() > 2)
    groups *= elementCount(outer.drop_front().drop_back());
  int64_t levels = 1;
  for (; groups > kSweepFan; groups = divideCeil(groups, kSweepFan))
    ++levels;
  return levels;
}

/// Divides the results of a sweep into parts if there are more cores than
/// chunks, or if rows are so long that the next group of slices would leave the
/// second-level cache before it is read.
static void divideSweep(ReductionPlan &plan, int64_t cores) {
  constexpr int64_t leastBytes = 1024, mostBytes = 32 << 10;
  int64_t bytes = plan.rows * widestInput(plan), whole = plan.rows / plan.width;
  int64_t parts = divideCeilSigned(bytes, mostBytes);
  if (cores > TargetProfile::kLeastCores)
    parts = std::max(parts, std::min(bytes / leastBytes,
                                     divideCeilSigned(2 * cores, plan.chunks)));
  plan.sweepColumns = divideCeilSigned(whole, parts);
  plan.sweepParts = divideCeilSigned(whole, plan.sweepColumns);
}

static void layOutPartials(ReductionPlan &plan) {
  for (ReduceOp reduce : plan.reduces)
    for (mlir::Type type :
         reduce.getBody().front().getTerminator()->getOperandTypes()) {
      plan.partialOffsets.push_back(plan.workspace);
      int64_t bytes = plan.sweepLevels * plan.chunks * plan.rows *
                      elementBytes(mlir::getElementTypeOrSelf(type));
      plan.workspace += (bytes + 63) / 64 * 64;
    }
}

/// Decides whether the reduction is split, along the inner extent or else the
/// outermost reduced dimension, and lays out the workspace.
static void planPartial(ir::KernelOp kernel, ReductionPlan &plan,
                        const TargetProfile &profile) {
  constexpr int64_t mostChunks = 64, leastWork = 1 << 15;
  int64_t work = elementCount(plan.sizes);
  if (!plan.innerReduced)
    plan.columns = (plan.rows + plan.width - 1) / plan.width;
  int64_t tasks = plan.innerReduced ? plan.rows : plan.columns;
  bool sweeps = isSwept(plan);
  if ((tasks >= kEnoughTasks && !sweeps) || work < 2 * leastWork)
    return;
  for (mlir::Value result : kernel.getYield()->getOperands())
    if (!isRowShaped(plan, result))
      return;
  for (ReduceOp reduce : plan.reduces)
    for (mlir::Value operand : reduce->getOperands())
      if (readsReduce(operand, [&](ReduceOp other) { return other != reduce; }))
        return;
  bool splitsInner = plan.innerReduced && plan.outerDims.empty();
  if (!splitsInner && plan.outerDims.empty())
    return;
  int64_t extent = splitsInner ? plan.inner : plan.outerSizes.front();
  int64_t unit = splitsInner ? 4 * plan.width : 1;
  int64_t chunks = std::min({mostChunks, work / leastWork, extent / unit});
  // Partial values are a small part of the memory that a sweep moves.
  if (sweeps)
    chunks = std::min(chunks, std::max(kEnoughTasks, extent / 128));
  if (sweeps && chunks < kEnoughTasks) {
    sweeps = false;
    if (tasks >= kEnoughTasks)
      return;
  }
  if (chunks < 2)
    return;
  plan.chunk = ((extent + chunks - 1) / chunks + unit - 1) / unit * unit;
  plan.chunks = (extent + plan.chunk - 1) / plan.chunk;
  plan.form = ReductionForm::Partial;
  plan.sweeps = sweeps;
  if (sweeps) {
    plan.sweepLevels = countSweepLevels(plan);
    divideSweep(plan, profile.cores);
  }
  layOutPartials(plan);
}

/// Plans the reductions that combine rows. Returns false if the rows' kernel
/// cannot compute them.
static bool planSums(ReductionPlan &plan) {
  ReductionPlan &sums = *plan.sums;
  if (plan.form != ReductionForm::Rows || !plan.outerDims.empty())
    return false;
  sums.sizes = plan.sizes;
  sums.form = ReductionForm::Partial;
  sums.width = plan.width;
  // A task adds rows one after the other.
  int64_t mostRows = 64;
  for (ReduceOp reduce : sums.reduces) {
    if (reduce.getDimensions() != sums.reduces[0].getDimensions())
      return false;
    if (auto block = pairwiseBlock(reduce.getBody()))
      mostRows = std::min(mostRows, 2 * *block);
  }
  for (auto [dim, size] : llvm::enumerate(plan.sizes)) {
    bool isReduced = llvm::is_contained(sums.reduces[0].getDimensions(), dim);
    bool isKept = llvm::is_contained(plan.keptDims, int64_t(dim));
    if (size != 1 && isReduced != isKept)
      return false;
    if (isReduced) {
      sums.outerDims.push_back(dim);
      sums.outerSizes.push_back(size);
      continue;
    }
    sums.keptDims.push_back(dim);
    sums.keptSizes.push_back(size);
    sums.rows *= size;
  }
  sums.rowSizes = sums.keptSizes;
  sums.columns = divideCeil(sums.rows, sums.width);
  sums.chunk = std::clamp<int64_t>(plan.rows / kEnoughTasks, 1, mostRows);
  sums.chunks = divideCeil(plan.rows, sums.chunk);
  layOutPartials(sums);
  plan.workspace = sums.workspace;
  return true;
}

/// Distributes the reductions of rows over as few passes as their dependences
/// allow.
static void findPasses(ReductionPlan &plan) {
  // More accumulators do not fit in registers.
  constexpr size_t mostTogether = 4;
  for (ReduceOp reduce : plan.reduces) {
    size_t pass = 0;
    for (auto [number, others] : llvm::enumerate(plan.passes))
      for (mlir::Value operand : reduce->getOperands())
        if (readsReduce(operand, [&, &others = others](ReduceOp other) {
              return llvm::is_contained(others, other);
            }))
          pass = number + 1;
    while (pass < plan.passes.size() &&
           plan.passes[pass].size() >= mostTogether)
      ++pass;
    if (pass == plan.passes.size())
      plan.passes.emplace_back();
    plan.passes[pass].push_back(reduce);
  }
}

//===- Kept values of a row -----------------------------------------------===//

/// Returns true if `result` is computed from `value` element by element, and
/// uses it otherwise only through reductions.
static bool isMadeFrom(mlir::Value result, mlir::Value value) {
  bool found = false;
  SmallVector<std::pair<mlir::Value, unsigned>> pending{{result, 1}};
  llvm::DenseSet<std::pair<mlir::Value, unsigned>> seen;
  while (!pending.empty()) {
    auto [next, elementwise] = pending.pop_back_val();
    if (!seen.insert({next, elementwise}).second)
      continue;
    if (next == value) {
      if (!elementwise)
        return false;
      found = true;
      continue;
    }
    mlir::Operation *op = next.getDefiningOp();
    if (!op || isa<ReduceOp>(op))
      continue;
    for (mlir::Value operand : op->getOperands())
      pending.push_back({operand, elementwise && isScalarOp(op) &&
                                      sizesOf(operand) == sizesOf(next)});
  }
  return found;
}

/// Returns the one result with the whole shape.
static std::optional<unsigned> findFullResult(ir::KernelOp kernel,
                                              const ReductionPlan &plan) {
  std::optional<unsigned> full;
  for (auto [number, result] :
       llvm::enumerate(kernel.getYield()->getOperands())) {
    if (isRowShaped(plan, result) || dependsOnSums(plan, result))
      continue;
    if (full)
      return std::nullopt;
    full = number;
  }
  return full;
}

/// Keeps the input of `reduce`, or what it is converted from, if result `full`
/// is computed from it. The result's buffer holds values of its own type.
static KeptValue planKept(KernelFunction &function, const ReductionPlan &plan,
                          unsigned full, ReduceOp reduce) {
  // Beyond the second-level cache, recomputing is cheaper than loading.
  constexpr int64_t mostBytes = 256 * 1024;
  mlir::Value result = function.kernel.getYield()->getOperand(full);
  mlir::Value value = reduce.getInputs()[0];
  while (!isMadeFrom(result, value)) {
    auto convert = value.getDefiningOp<ConvertOp>();
    if (!convert)
      return {};
    value = convert.getOperand();
  }
  auto floating = dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(value));
  if (!floating || floating.getWidth() < 16 || reduce.getInputs().size() != 1 ||
      !value.getDefiningOp() ||
      elementCount(plan.sizes) / plan.rows * elementBytes(floating) > mostBytes)
    return {};
  bool inScratch = result.getType() != value.getType();
  if ((inScratch && (!plan.outerDims.empty() || function.anySize())) ||
      !takesLong(value))
    return {};
  return {value, full, reduce, inScratch};
}

/// Looks for a value to keep, from the last reduction on.
static KeptValue planKept(KernelFunction &function, const ReductionPlan &plan) {
  ir::KernelOp kernel = function.kernel;
  if (std::optional<unsigned> full = findFullResult(kernel, plan);
      full && !kernel.getInPlaceOperand(*full))
    for (ReduceOp reduce : llvm::reverse(plan.reduces))
      if (KeptValue kept = planKept(function, plan, *full, reduce); kept.value)
        return kept;
  return {};
}

//===- Operands that a result may overwrite -------------------------------===//

/// Returns whether every element of `argument` is read for the last time before
/// the pass over the row that stores the kept value, or else the last pass,
/// writes the result's element at the same place.
static bool isReadBefore(mlir::BlockArgument argument,
                         const ReductionPlan &plan) {
  auto passOf = [&](ReduceOp reduce) {
    return llvm::find_if(plan.passes, [&](ArrayRef<ReduceOp> pass) {
      return llvm::is_contained(pass, reduce);
    });
  };
  SmallVector<mlir::Value> pending{argument};
  llvm::DenseSet<mlir::Value> seen;
  while (!pending.empty()) {
    mlir::Value value = pending.pop_back_val();
    // Later passes load this value instead of computing it.
    if (value == plan.kept.value || !seen.insert(value).second)
      continue;
    for (mlir::OpOperand &use : value.getUses()) {
      mlir::Operation *user = use.getOwner();
      if (user->getBlock() != argument.getOwner())
        return false;
      if (auto reduce = dyn_cast<ReduceOp>(user)) {
        if (use.getOperandNumber() >= reduce.getInputs().size() ||
            (plan.kept.value &&
             passOf(reduce) > passOf(ReduceOp(plan.kept.reduce))))
          return false;
      } else if (isa<ir::YieldOp>(user)) {
        if (plan.kept.value)
          return false;
      } else if (user->getNumRegions() == 0 && user->getNumResults() == 1 &&
                 (user->hasTrait<Elementwise>() ||
                  isa<SelectOp, ClampOp>(user)) &&
                 sizesOf(user->getResult(0)) == sizesOf(argument)) {
        pending.push_back(user->getResult(0));
      } else {
        return false;
      }
    }
  }
  return true;
}

SmallVector<int64_t> findOverwritten(ir::KernelOp kernel,
                                     const ReductionPlan &plan) {
  if (plan.form != ReductionForm::Rows || plan.sums)
    return {};
  SmallVector<int64_t> pairs;
  if (std::optional<unsigned> full = findFullResult(kernel, plan))
    for (mlir::BlockArgument argument : kernel.getBody().getArguments())
      if (argument.getType() ==
              kernel.getYield()->getOperand(*full).getType() &&
          isReadBefore(argument, plan))
        pairs.append({*full, argument.getArgNumber()});
  return pairs;
}

#ifndef NDEBUG
/// Asserts that a plan is consistent: kept, outer and inner dimensions are all
/// that have an extent, and chunks cover the split dimension.
static void verifyPlan(const ReductionPlan &plan) {
  assert(plan.outerDims.size() == plan.outerSizes.size() &&
         plan.rows * plan.inner * elementCount(plan.outerSizes) ==
             elementCount(plan.sizes) &&
         "every element is in one row, at one inner or outer place");
  assert(plan.keptDims.size() == plan.keptSizes.size() &&
         elementCount(plan.keptSizes) == plan.rows &&
         elementCount(plan.rowSizes) == plan.rows &&
         "rows are the elements of a result");
  assert(plan.width >= 1 && plan.innerReduced == !plan.innerDims.empty() &&
         "lanes run along a reduced or a kept dimension");
  assert((plan.form == ReductionForm::Partial) == (plan.chunks > 1) &&
         (plan.form == ReductionForm::Partial || plan.sums ||
          plan.workspace == 0) &&
         "only partial values take workspace");
  assert((!plan.kept.value || plan.form == ReductionForm::Rows) &&
         "only rows keep a value");
  assert((plan.streams == 1 || (plan.innerReduced && plan.outerDims.empty() &&
                                (plan.form == ReductionForm::Partial ||
                                 plan.rows % plan.streams == 0))) &&
         "streams divide the rows or a chunk");
  if (plan.form != ReductionForm::Partial)
    return;
  assert(plan.chunk >= 1 && "a chunk has a size");
  bool splitsInner = plan.innerReduced && plan.outerDims.empty();
  assert((splitsInner || !plan.outerDims.empty()) && "some dimension is split");
  [[maybe_unused]] int64_t extent =
      splitsInner ? plan.inner : plan.outerSizes.front();
  assert(1 <= plan.sweepParts &&
         (!plan.sweeps ||
          plan.sweepParts * plan.sweepColumns >= plan.rows / plan.width) &&
         "parts cover the results");
  assert(plan.chunks * plan.chunk >= extent &&
         (plan.chunks - 1) * plan.chunk < extent &&
         "chunks cover the divided dimension");
  assert(llvm::is_sorted(plan.partialOffsets) &&
         llvm::all_of(plan.partialOffsets,
                      [&](int64_t offset) {
                        return offset % 64 == 0 && offset < plan.workspace;
                      }) &&
         "partial values are aligned in the workspace");
}
#endif

/// Returns the values that loops along rows compute.
static SmallVector<mlir::Value> valuesOfRows(ir::KernelOp kernel,
                                             const ReductionPlan &plan) {
  SmallVector<mlir::Value> values;
  for (ReduceOp reduce : plan.reduces)
    llvm::append_range(values, reduce.getInputs());
  llvm::copy_if(kernel.getYield()->getOperands(), std::back_inserter(values),
                [&](mlir::Value result) { return !isRowShaped(plan, result); });
  return values;
}

/// Returns the number of streams: more than one for sums of cheap elements that
/// are in no cache.
static int64_t countStreams(KernelFunction &function,
                            const ReductionPlan &plan) {
  constexpr int64_t streams = 4, leastBytes = 4 << 20, leastPart = 1024;
  if (function.anySize() || !plan.innerReduced || !plan.outerDims.empty() ||
      plan.sums || plan.kept.value || plan.vectors > 1 ||
      elementCount(plan.sizes) * widestInput(plan) < leastBytes ||
      takeLong(plan.reduces))
    return 1;
  if (plan.form == ReductionForm::Partial)
    return plan.chunk >= streams * leastPart ? streams : 1;
  bool reducesAll = llvm::all_of(
      function.kernel.getYield()->getOperands(),
      [&](mlir::Value result) { return isRowShaped(plan, result); });
  int64_t leastTasks =
      std::max<int64_t>(kEnoughTasks, 2 * int64_t(function.profile.cores));
  if (plan.form != ReductionForm::Rows || plan.passes.size() != 1 ||
      !reducesAll || plan.rows % streams != 0 ||
      plan.rows < streams * leastTasks ||
      plan.inner * widestInput(plan) < leastPart)
    return 1;
  return streams;
}

ReductionPlan planReduction(KernelFunction &function, IRBuilder<> &ir) {
  ReductionPlan plan;
  if (!collectReduces(function.kernel, plan))
    return plan;
  ElementEmitter emitter(function, ir, 1);
  splitDimensions(emitter, function.kernel, plan);
  plan.width = laneCountOf(function.kernel, function.profile);
  if (plan.innerReduced) {
    while (plan.width > plan.inner)
      plan.width /= 2;
    plan.form = ReductionForm::Rows;
    for (mlir::Value result : function.kernel.getYield()->getOperands())
      if (!isRowShaped(plan, result) && !dependsOnSums(plan, result) &&
          sizesOf(result) != ArrayRef<int64_t>(plan.sizes))
        plan.form = ReductionForm::Loop;
    if (plan.form == ReductionForm::Rows)
      plan.vectors = vectorsAtOnce(valuesOfRows(function.kernel, plan),
                                   plan.inner, plan.width, function.profile);
    plan.width *= plan.vectors;
  } else {
    // Several vectors at a time, so that each row of the input gives whole
    // cache lines.
    unsigned wide =
        function.kernel.getBody().front().getOperations().size() > 8 ? 2 : 8;
    int64_t inner = 1;
    for (int64_t size : llvm::reverse(plan.rowSizes))
      if (inner == 1)
        inner = size;
    // Code for any size computes a partial vector with a mask.
    bool anySize = function.anySize();
    while (wide > 1 && (anySize ? inner < int64_t(plan.width) * wide
                                : inner % (plan.width * wide) != 0))
      wide /= 2;
    plan.width *= wide;
  }
  if (!plan.sums)
    planPartial(function.kernel, plan, function.profile);
  else if (!planSums(plan))
    plan.form = ReductionForm::Loop;
  if (plan.form == ReductionForm::Rows) {
    plan.kept = planKept(function, plan);
    findPasses(plan);
  }
  plan.streams = countStreams(function, plan);
#ifndef NDEBUG
  verifyPlan(plan);
#endif
  return plan;
}

} // namespace xlac::codegen
