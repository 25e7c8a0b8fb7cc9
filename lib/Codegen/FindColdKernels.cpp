// Finds kernels in which programs spend so little time that LLVM need not
// optimize their machine code, which takes more than half of its time.
#include "Kernels/KernelCost.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/support/program_names.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace xlac::codegen {
namespace {

/// How often a program repeats the body of a loop whose number of iterations is
/// not known.
constexpr double kIterations = 64;
/// How often the prologue runs in a run of the program.
constexpr double kPrologues = 0.01;

/// Estimates in nanoseconds, on one core.
struct ColdEstimate {
  double time = 0; ///< of the kernel, optimized
  double loss = 0; ///< by which it takes longer if it is not
};

/// Properties of the operands of a kernel's products.
struct ProductOperands {
  bool areIntegers = false;
  bool areNarrow = false; ///< neither f32 nor f64
};

class FindColdKernels
    : public mlir::PassWrapper<FindColdKernels,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FindColdKernels)

  FindColdKernels(const TargetProfile &profile, int64_t percent)
      : profile(profile), percent(percent) {}

  StringRef getArgument() const override { return "xlac-find-cold-kernels"; }
  StringRef getDescription() const override {
    return "marks kernels whose machine code need not be optimized";
  }

  void runOnOperation() override;

private:
  TargetProfile profile;
  int64_t percent;
};

} // namespace

/// Returns the multiply-adds of one call of a contraction's tile function.
static double productsOfTile(ir::ScheduleAttr schedule) {
  double products = 1;
  for (int64_t size : schedule.getTile())
    products *= double(std::max<int64_t>(1, size));
  return products;
}

/// Returns the bytes that the kernel reads of an operand. Slices and gathers
/// read only what they return.
static int64_t bytesRead(mlir::Value operand) {
  int64_t all = bytesOf(operand.getType()), parts = 0;
  for (mlir::OpOperand &use : operand.getUses()) {
    mlir::Operation *user = use.getOwner();
    if (use.getOperandNumber() != 0 ||
        !mlir::isa<stablehlo::SliceOp, stablehlo::DynamicSliceOp,
                   stablehlo::GatherOp>(user))
      return all;
    parts += std::min(all, bytesOf(user->getResult(0).getType()));
  }
  return std::min(all, parts);
}

/// Returns the bytes that the kernel reads and writes. Of an array that it
/// updates in place, it accesses little.
static double bytesAccessed(ir::KernelOp kernel) {
  mlir::Block &body = kernel.getBody().front();
  SmallDenseSet<unsigned> updated;
  double bytes = 0;
  for (mlir::OpOperand &result : kernel.getYield()->getOpOperands())
    if (auto operand = kernel.getInPlaceOperand(result.getOperandNumber()))
      updated.insert(*operand);
    else
      bytes += double(bytesOf(result.get().getType()));
  for (mlir::BlockArgument operand : body.getArguments())
    if (!updated.contains(operand.getArgNumber()))
      bytes += double(bytesRead(operand));
  return bytes;
}

static ProductOperands productOperandsOf(ir::KernelOp kernel) {
  ProductOperands found;
  for (mlir::Operation &op : kernel.getBody().front().without_terminator())
    if (mlir::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op))
      for (mlir::Type type : op.getOperandTypes()) {
        mlir::Type element = mlir::getElementTypeOrSelf(type);
        found.areIntegers |= !mlir::isa<mlir::FloatType>(element);
        found.areNarrow |= !element.isF32() && !element.isF64();
      }
  return found;
}

/// The rates are those of AVX2 on Zen 3. Unoptimized loops that read windows of
/// their operands lose most; those that wait for memory, or compute functions,
/// lose less.
static ColdEstimate estimateLoop(double flops, double bytes, double memoryRate,
                                 double lanes) {
  return {std::max(bytes / memoryRate, flops / (5 * lanes)),
          std::max(bytes / 10, flops / (2 * lanes))};
}

static ColdEstimate estimate(ir::KernelOp kernel, bool isRepeated,
                             const TargetProfile &profile) {
  constexpr double leastUncached = 1 << 20;
  constexpr uint64_t narrowProducts = kFeatureAvxVnni | kFeatureAvx512Vnni |
                                      kFeatureAvx512Bf16 | kFeatureAmxInt8 |
                                      kFeatureAmxBf16;
  ir::ScheduleAttr schedule = kernel.getSchedule();
  double lanes = std::max(1, profile.vector_bits / 32);
  double flops = double(schedule.getFlops()), bytes = bytesAccessed(kernel);
  // A loop finds in the cache what the last iteration has left there.
  double memoryRate = isRepeated && bytes < leastUncached ? 60 : 12;
  ColdEstimate loop = estimateLoop(flops, bytes, memoryRate, lanes);
  if (schedule.getKind() != ir::ScheduleKind::Contraction)
    return loop;
  ProductOperands operands = productOperandsOf(kernel);
  bool isFast = operands.areNarrow && (profile.features & narrowProducts);
  double time =
      std::max(bytes / memoryRate, flops / ((isFast ? 60 : 12) * lanes));
  // Packing of integers may take longer than their products. The tile functions
  // of instructions for narrow elements are in the kernel's own module.
  if (operands.areIntegers || isFast)
    return {time, loop.loss};
  // Tile functions, which are optimized, have nearly all of the work. Packing,
  // calls of tile functions, and what is fused with the product lose. Packing
  // of narrow floats converts them.
  double products = double(costOf(kernel).products);
  double calls = products / 2 / productsOfTile(schedule);
  return {time, bytes / (operands.areNarrow ? 4 : 30) + 15 * calls +
                    (flops - products) / (2 * lanes)};
}

/// Returns how often the launch runs in a run of the program.
static double repetitionsOf(ir::LaunchOp launch) {
  double count = 1;
  for (mlir::Operation *parent = launch->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (mlir::isa<ir::WhileOp>(parent))
      count *= kIterations;
    else if (auto program = mlir::dyn_cast<ir::ProgramOp>(parent);
             program && program.getSymName() == names::kPrologueSymbol)
      count *= kPrologues;
  }
  return count;
}

void FindColdKernels::runOnOperation() {
  mlir::SymbolTable symbols(getOperation());
  MapVector<mlir::Operation *, ColdEstimate> estimates;
  double total = 0;
  getOperation().walk([&](ir::LaunchOp launch) {
    auto kernel = symbols.lookup<ir::KernelOp>(launch.getKernel());
    if (!kernel)
      return;
    double count = repetitionsOf(launch);
    ColdEstimate once = estimate(kernel, count > 1, profile);
    ColdEstimate &sum = estimates[kernel];
    sum.time += count * once.time;
    sum.loss += count * once.loss;
    total += count * once.time;
  });
  auto order = estimates.takeVector();
  llvm::stable_sort(order, [](const auto &a, const auto &b) {
    return a.second.loss < b.second.loss;
  });
  double rest = total * double(percent) / 100;
  for (const auto &[kernel, estimated] : order) {
    rest -= estimated.loss;
    if (rest < 0)
      return;
    mlir::cast<ir::KernelOp>(kernel).setCold(true);
  }
}

std::unique_ptr<mlir::Pass>
createFindColdKernelsPass(const TargetProfile &profile, int64_t percent) {
  return std::make_unique<FindColdKernels>(profile, percent);
}

} // namespace xlac::codegen
