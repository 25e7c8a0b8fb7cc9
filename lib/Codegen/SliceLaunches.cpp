// The pass that finds calls that can run slice by slice. Each of the kernels of
// an attention passes all heads through the caches; for one head after the
// other, what one kernel writes is still in the core's own cache when the next
// one reads it.
#include "xlac/Codegen/Codegen.h"

#include "Contraction/ContractionKernel.h"
#include "Kernels/KernelCost.h"
#include "Kernels/ReductionPlan.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <numeric>
#include <set>

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {
namespace {

/// What a slice may access: three quarters of the second-level cache of most
/// cores.
constexpr int64_t kMostSliceBytes = 384 << 10;
/// Values of fewer bytes stay in these caches between two launches.
constexpr int64_t kLeastBytes = 512 << 10;
/// Slices of a core from which on it does not matter that some cores run one
/// more than others.
constexpr int64_t kManySlices = 16;

/// A kernel whose tasks are equal parts of its results, in row-major order.
class SlicedKernel {
public:
  SlicedKernel(ir::KernelOp kernel, const TargetProfile &profile)
      : kernel(kernel) {
    ir::ScheduleAttr schedule = kernel.getSchedule();
    if (schedule.getTasks().size() != 1 || schedule.getWorkspace() > 0 ||
        !kernel.getInPlace().empty())
      return;
    if (schedule.getKind() == ir::ScheduleKind::Reduction)
      describeReduction(profile);
    else if (schedule.getKind() == ir::ScheduleKind::Contraction)
      describeContraction(profile);
    if (units > 0 && schedule.getTasks()[0] % units != 0)
      units = 0;
  }

  /// Slices can be any divisor of this number. 0: the kernel has none.
  int64_t unitCount() const { return units; }

  /// Returns the operands of which each of `slices` slices reads everything. It
  /// reads its own part of all others.
  std::set<int64_t> wholeOperands(int64_t slices) {
    Reads reads{slices, heart, {}, {}, {}};
    for (mlir::Value result : kernel.getYield()->getOperands())
      reads.readSlice(result);
    for (unsigned number = 0; number < kernel.getBody().getNumArguments();
         ++number) {
      mlir::BlockArgument argument = kernel.getBody().getArgument(number);
      bool isSliced =
          reads.sliced.contains(argument) || slicedByHeart.contains(argument);
      if (!isSliced || readByHeart.contains(argument) ||
          elementsOf(argument.getType()) % slices != 0)
        reads.whole.insert(number);
    }
    return reads.whole;
  }

  /// Returns whether a slice reads a part of the operand, which may lie in
  /// pieces all over it.
  bool readsPart(unsigned number) {
    return partByHeart.contains(kernel.getBody().getArgument(number));
  }

private:
  /// Follows what results are computed from.
  struct Reads {
    int64_t slices;
    mlir::Operation *heart;
    DenseSet<mlir::Value> sliced, seenWhole;
    std::set<int64_t> whole;

    void readSlice(mlir::Value value);
    void readWhole(mlir::Value value);
    /// Returns whether `count` leading dimensions of the shape are whole
    /// numbers of slices.
    bool divides(ArrayRef<int64_t> shape, int64_t count) const {
      return elementCount(shape.take_front(count)) % slices == 0;
    }
    bool keepsSlices(BroadcastInDimOp op) const;
    bool keepsSlices(ReduceOp op) const;
  };

  void describeReduction(const TargetProfile &profile) {
    LLVMContext context;
    IRBuilder<> ir(context);
    KernelFunction function(kernel, profile);
    ReductionPlan plan = planReduction(function, ir);
    if (plan.form == ReductionForm::Rows && !plan.sums && plan.innerReduced &&
        plan.outerDims.empty() && plan.streams == 1 && !function.anySize())
      units = plan.rows;
  }

  void describeContraction(const TargetProfile &profile) {
    std::optional<ContractionKernel> found =
        analyzeContraction(kernel, profile);
    if (!found || found->onlyPacks || found->plan.anySize ||
        found->plan.hasFewRows ||
        found->phases != SmallVector{ContractionPhase::Multiply})
      return;
    const Gemm &gemm = found->plan.gemm;
    heart = found->form.op;
    if (!areOutermost(gemm.batch, &GemmDim::c,
                      elementsOf(heart->getResult(0).getType())))
      return;
    units = gemm.batchCount();
    addSide(found->sideA(), gemm, &GemmDim::a);
    addSide(found->sideB(), gemm, &GemmDim::b);
  }

  /// Returns whether `dims` are the outermost dimensions of an array with so
  /// many elements, in its order.
  static bool areOutermost(ArrayRef<GemmDim> dims, int64_t GemmDim::*stride,
                           int64_t elements) {
    for (const GemmDim &dim : dims) {
      if (elements % dim.size != 0 || dim.*stride * dim.size != elements)
        return false;
      elements /= dim.size;
    }
    return true;
  }

  /// Notes how the contraction reads an operand.
  void addSide(const ContractionOperand &side, const Gemm &gemm,
               int64_t GemmDim::*stride) {
    int64_t elements = elementsOf(side.argument.getType());
    int64_t first = side.offset, last = side.offset;
    for (ArrayRef<GemmDim> dims :
         {ArrayRef(gemm.m), ArrayRef(gemm.n), ArrayRef(gemm.k)})
      for (const GemmDim &dim : dims) {
        int64_t extent = (dim.size - 1) * (dim.*stride);
        (extent < 0 ? first : last) += extent;
      }
    if (!side.isPacked && areOutermost(gemm.batch, stride, elements) &&
        first >= 0 && last < elements / units)
      slicedByHeart.insert(side.argument);
    else
      readByHeart.insert(side.argument);
    if (llvm::all_of(gemm.batch, [&](const GemmDim &dim) {
          return dim.size == 1 || dim.*stride != 0;
        }))
      partByHeart.insert(side.argument);
  }

  ir::KernelOp kernel;
  int64_t units = 0;
  mlir::Operation *heart = nullptr; ///< the contraction
  /// Operands of the contraction: those of which a slice reads its own part,
  /// those of which it may read everything, and those of which it reads a part,
  /// its own or one that lies in pieces.
  DenseSet<mlir::Value> slicedByHeart, readByHeart, partByHeart;
};

bool SlicedKernel::Reads::keepsSlices(BroadcastInDimOp op) const {
  ArrayRef<int64_t> from =
      cast<mlir::RankedTensorType>(op.getOperand().getType()).getShape();
  ArrayRef<int64_t> to =
      cast<mlir::RankedTensorType>(op.getResult().getType()).getShape();
  int64_t same = 0, rank = from.size();
  while (same < rank && op.getBroadcastDimensions()[same] == same &&
         from[same] == to[same])
    ++same;
  return divides(to, same);
}

bool SlicedKernel::Reads::keepsSlices(ReduceOp op) const {
  ArrayRef<int64_t> shape =
      cast<mlir::RankedTensorType>(op.getInputs()[0].getType()).getShape();
  int64_t first = shape.size();
  for (int64_t dim : op.getDimensions())
    first = std::min(first, dim);
  return divides(shape, first);
}

void SlicedKernel::Reads::readSlice(mlir::Value value) {
  if (!sliced.insert(value).second)
    return;
  mlir::Operation *op = value.getDefiningOp();
  if (!op || op == heart)
    return;
  auto reduce = dyn_cast<ReduceOp>(op);
  auto broadcast = dyn_cast<BroadcastInDimOp>(op);
  bool inPlace =
      op->getNumRegions() == 0 &&
      (op->hasTrait<Elementwise>() || isa<SelectOp, ClampOp, ReshapeOp>(op));
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    mlir::Value read = operand.get();
    bool isInput =
        reduce && operand.getOperandNumber() < reduce.getInputs().size();
    if ((inPlace &&
         elementsOf(read.getType()) == elementsOf(value.getType())) ||
        (isInput && keepsSlices(reduce)) ||
        (broadcast && keepsSlices(broadcast)))
      readSlice(read);
    else
      readWhole(read);
  }
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      for (mlir::Value read : inner->getOperands())
        if (!region.isAncestor(read.getParentRegion()))
          readWhole(read);
    });
}

void SlicedKernel::Reads::readWhole(mlir::Value value) {
  if (!seenWhole.insert(value).second)
    return;
  if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
    whole.insert(argument.getArgNumber());
    return;
  }
  value.getDefiningOp()->walk([&](mlir::Operation *op) {
    for (mlir::Value read : op->getOperands())
      if (!value.getDefiningOp()->isProperAncestor(
              read.getParentBlock()->getParentOp()))
        readWhole(read);
  });
}

/// Finds calls of one block that can run slice by slice.
class BlockSlicer {
public:
  BlockSlicer(mlir::Block &block, const TargetProfile &profile)
      : block(block), profile(profile) {}

  void run() {
    for (mlir::Operation &op : block) {
      if (isa<ReshapeOp, ConstantOp>(op))
        continue;
      auto call = dyn_cast<ir::CallOp>(op);
      if (!call || !append(call)) {
        finish();
        if (call)
          append(call);
      }
    }
    finish();
  }

private:
  struct Member {
    ir::CallOp call;
    SlicedKernel kernel;
  };

  /// The value that others are reshapes of.
  static mlir::Value root(mlir::Value value) {
    while (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    return value;
  }

  /// Adds a call to the members if it reads a result of one and there is a
  /// number of slices for all. The first call needs none.
  bool append(ir::CallOp call) {
    auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<ir::KernelOp>(
        call, call.getKernelAttr());
    if (!kernel)
      return false;
    bool reads = members.empty();
    for (mlir::Value operand : call.getOperands())
      reads |= isMade(root(operand));
    if (!reads)
      return false;
    SlicedKernel sliced(kernel, profile);
    if (sliced.unitCount() == 0)
      return false;
    members.push_back({call, std::move(sliced)});
    if (members.size() == 1 || chooseSlices())
      return true;
    members.pop_back();
    return false;
  }

  bool isMade(mlir::Value value) const {
    return llvm::any_of(members, [&](const Member &member) {
      return value.getDefiningOp() == member.call;
    });
  }

  /// Finds the smallest number of slices for which a slice fits in a cache, and
  /// cores have equal numbers of slices.
  bool chooseSlices() {
    int64_t units = 0;
    for (const Member &member : members)
      units = std::gcd(units, member.kernel.unitCount());
    for (int64_t count = 2; count <= units; ++count)
      if (units % count == 0 &&
          (count % profile.cores == 0 || count >= kManySlices * profile.cores))
        if (fits(count)) {
          slices = count;
          return true;
        }
    return false;
  }

  /// Returns whether no slice reads what another one writes, and a slice
  /// accesses few bytes.
  bool fits(int64_t count) {
    DenseMap<mlir::Value, int64_t> accessed;
    for (Member &member : members) {
      std::set<int64_t> whole = member.kernel.wholeOperands(count);
      for (auto [number, operand] :
           llvm::enumerate(member.call.getOperands())) {
        mlir::Value value = root(operand);
        if (whole.contains(number) && isMade(value))
          return false;
        int64_t &bytes = accessed[value];
        bool readsAll =
            whole.contains(number) && !member.kernel.readsPart(number);
        bytes =
            std::max(bytes, bytesOf(value.getType()) / (readsAll ? 1 : count));
      }
      for (mlir::Value result : member.call.getResults())
        accessed[result] = bytesOf(result.getType()) / count;
    }
    int64_t bytes = 0;
    for (auto [value, some] : accessed)
      bytes += some;
    return bytes <= kMostSliceBytes;
  }

  /// Marks the members, if it pays.
  void finish() {
    DenseSet<mlir::Value> passedOn;
    for (Member &member : members)
      for (mlir::Value operand : member.call.getOperands())
        if (isMade(root(operand)))
          passedOn.insert(root(operand));
    int64_t bytes = 0;
    for (mlir::Value value : passedOn)
      bytes += bytesOf(value.getType());
    if (members.size() > 1 && bytes >= kLeastBytes)
      for (auto [number, member] : llvm::enumerate(members)) {
        std::set<int64_t> whole = member.kernel.wholeOperands(slices);
        ir::CallOp call = member.call;
        call.setSlices(slices);
        call.setWhole(SmallVector<int64_t>(whole.begin(), whole.end()));
        call.setJoined(number > 0);
      }
    members.clear();
  }

  mlir::Block &block;
  const TargetProfile &profile;
  SmallVector<Member> members;
  int64_t slices = 0;
};

class SliceLaunches
    : public mlir::PassWrapper<SliceLaunches,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SliceLaunches)

  explicit SliceLaunches(const TargetProfile &profile) : profile(profile) {}

  StringRef getArgument() const override { return "xlac-slice-launches"; }
  StringRef getDescription() const override {
    return "marks calls of kernels that run slice by slice";
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      function.walk(
          [&](mlir::Block *block) { BlockSlicer(*block, profile).run(); });
  }

private:
  TargetProfile profile;
};

} // namespace

std::unique_ptr<mlir::Pass>
createSliceLaunchesPass(const TargetProfile &profile) {
  return std::make_unique<SliceLaunches>(profile);
}

} // namespace xlac::codegen
