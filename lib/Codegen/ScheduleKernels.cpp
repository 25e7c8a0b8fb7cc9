// The pass that divides each kernel's work into tasks, by schedule kind.
#include "xlac/Codegen/Codegen.h"

#include "Kernels/KernelCost.h"
#include "Kernels/KernelEmitters.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace xlac::codegen {

void setSchedule(ir::KernelOp kernel, llvm::ArrayRef<int64_t> tasks,
                 llvm::ArrayRef<int64_t> grain, llvm::ArrayRef<int64_t> tile,
                 int64_t workspace, int64_t flops, int64_t bytes) {
  assert(!tasks.empty() && tasks.size() == grain.size() &&
         "every phase has tasks and a grain");
  assert(llvm::all_of(tasks, [](int64_t count) { return count >= 0; }) &&
         llvm::all_of(grain, [](int64_t count) { return count >= 0; }) &&
         "tasks and their pieces are counted");
  assert(workspace >= 0 && flops >= 0 && bytes >= 0 &&
         "a kernel's time is not negative");
  kernel.setScheduleAttr(
      ir::ScheduleAttr::get(kernel.getContext(), kernel.getSchedule().getKind(),
                            tasks, grain, tile, workspace, flops, bytes));
}

/// Results of at least this size leave the caches before they are read, and
/// evict data that is still needed there. So do smaller ones, from a size for
/// which a fence pays off, if all of a program's are as large as `kManyBytes`
/// together, such as the parameters after a step of an optimizer.
static constexpr int64_t kStreamedBytes = int64_t(16) << 20,
                         kManyBytes = int64_t(32) << 20,
                         kFenceBytes = int64_t(64) << 10;

/// Returns true if `value`, or a reshape of it, is a result of its function and
/// has no other use.
static bool onlyLeaves(mlir::Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](mlir::Operation *user) {
           if (llvm::isa<xlac::stablehlo::ReshapeOp>(user))
             return onlyLeaves(user->getResult(0));
           return user->hasTrait<mlir::OpTrait::IsTerminator>() &&
                  llvm::isa<mlir::FunctionOpInterface>(user->getParentOp());
         });
}

/// Returns true if the kernel is bound by memory rather than by computation.
/// Non-temporal stores that are interleaved with much computation were measured
/// to be slower. Reductions write whole rows at a time.
static bool storesInBursts(ir::KernelOp kernel, const TargetProfile &profile) {
  ir::ScheduleKind kind = kernel.getSchedule().getKind();
  if (kind == ir::ScheduleKind::Reduction)
    return true;
  KernelCost cost = costOf(kernel), work = cost;
  work.bytes = 0;
  work.flops += work.flops / 2;
  return kind == ir::ScheduleKind::Loop &&
         work.nanoseconds(profile) < cost.nanoseconds(profile);
}

/// Returns true if all operands and results of the kernel have one element or
/// this shape, as those that are read and written at the same places. A load
/// that trails a non-temporal store by less than 512 bytes modulo the size of a
/// page waits until that store has left the core: on an AMD Zen 3, which
/// compares only these bits first, the gradient of a layer norm was eight times
/// slower for one in eight addresses of the weights. At the same places of
/// large arrays, which begin at similar places of a page, loads do not trail.
/// Not measured with AVX-512.
static bool isFreeOfAliases(ir::KernelOp kernel, llvm::ArrayRef<int64_t> shape,
                            const TargetProfile &profile) {
  auto moves = [&](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.getShape() != shape &&
           elementCount(tensor.getShape()) != 1;
  };
  return profile.vector_bits > 256 ||
         (llvm::none_of(kernel.getBody().getArgumentTypes(), moves) &&
          llvm::none_of(kernel.getResultTypesOfBody(), moves));
}

/// Selects results of at least `least` bytes for non-temporal stores if no
/// later op reads them after any call of the kernel.
static void chooseStreamed(ir::KernelOp kernel,
                           llvm::ArrayRef<ir::CallOp> calls, int64_t least,
                           const TargetProfile &profile) {
  if (!storesInBursts(kernel, profile))
    return;
  llvm::SmallVector<int64_t> streamed;
  for (auto [number, type] : llvm::enumerate(kernel.getResultTypesOfBody())) {
    if (kernel.getInPlaceOperand(number) || bytesOf(type) < least ||
        !isFreeOfAliases(kernel, llvm::cast<mlir::ShapedType>(type).getShape(),
                         profile))
      continue;
    if (llvm::all_of(calls, [&, number = number](ir::CallOp call) {
          return onlyLeaves(call->getResult(number));
        }))
      streamed.push_back(number);
  }
  kernel.setStreamed(streamed);
}

namespace {
class ScheduleKernels
    : public mlir::PassWrapper<ScheduleKernels,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScheduleKernels)

  explicit ScheduleKernels(const TargetProfile &profile) : profile(profile) {}

  llvm::StringRef getArgument() const override {
    return "xlac-schedule-kernels";
  }
  llvm::StringRef getDescription() const override {
    return "decides tasks, tiles and workspace of every kernel";
  }

  void runOnOperation() override {
    llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<ir::CallOp, 1>> calls;
    int64_t leaving = 0;
    getOperation().walk([&](ir::CallOp call) {
      calls[call.getKernelAttr().getAttr()].push_back(call);
      for (mlir::OpResult result : call->getResults())
        if (onlyLeaves(result))
          leaving =
              llvm::SaturatingAdd<uint64_t>(leaving, bytesOf(result.getType()));
    });
    int64_t least = leaving < kManyBytes ? kStreamedBytes : kFenceBytes;
    getOperation().walk([&](ir::KernelOp kernel) {
      if (auto it = calls.find(kernel.getSymNameAttr()); it != calls.end())
        chooseStreamed(kernel, it->second, least, profile);
    });
    bool failed = false;
    getOperation().walk([&](ir::KernelOp kernel) {
      failed |= mlir::failed(
          kernelKind(kernel.getSchedule().getKind()).schedule(kernel, profile));
    });
    if (failed)
      signalPassFailure();
  }

private:
  TargetProfile profile;
};
} // namespace

std::unique_ptr<mlir::Pass>
createScheduleKernelsPass(const TargetProfile &profile) {
  return std::make_unique<ScheduleKernels>(profile);
}

} // namespace xlac::codegen
