// The pass that decides how each kernel's work is cut, kind by kind.
#include "xlac/Codegen/Codegen.h"

#include "KernelEmitters.h"

namespace xlac::codegen {

void setSchedule(ir::KernelOp kernel, llvm::ArrayRef<int64_t> tasks,
                 llvm::ArrayRef<int64_t> grain, llvm::ArrayRef<int64_t> tile,
                 int64_t workspace, int64_t flops, int64_t bytes) {
  kernel.setScheduleAttr(
      ir::ScheduleAttr::get(kernel.getContext(), kernel.getSchedule().getKind(),
                            tasks, grain, tile, workspace, flops, bytes));
}

static mlir::LogicalResult schedule(ir::KernelOp kernel,
                                    const TargetProfile &profile) {
  switch (kernel.getSchedule().getKind()) {
  case ir::ScheduleKind::Loop:
    return scheduleLoop(kernel, profile);
  case ir::ScheduleKind::Scan:
    return scheduleScan(kernel, profile);
  case ir::ScheduleKind::Reduction:
    return scheduleReduction(kernel, profile);
  case ir::ScheduleKind::Contraction:
    return scheduleContraction(kernel, profile);
  case ir::ScheduleKind::Transpose:
    return scheduleTranspose(kernel, profile);
  case ir::ScheduleKind::Scatter:
    return scheduleScatter(kernel, profile);
  case ir::ScheduleKind::Sort:
    return scheduleSort(kernel, profile);
  case ir::ScheduleKind::Library:
    return scheduleLibrary(kernel, profile);
  default:
    return kernel.emitOpError("has schedule kind '")
           << ir::stringifyScheduleKind(kernel.getSchedule().getKind())
           << "', which is not supported";
  }
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
    bool failed = false;
    getOperation().walk([&](ir::KernelOp kernel) {
      failed |= mlir::failed(schedule(kernel, profile));
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
