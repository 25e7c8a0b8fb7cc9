// The pass that turns the outlined entry function into a program.
#include "xlac/Transforms/Passes.h"

#include "BufferPlanner.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PLANBUFFERS
#include "xlac/Transforms/Passes.h.inc"

namespace {
class PlanBuffers : public impl::PlanBuffersBase<PlanBuffers> {
  void runOnOperation() override {
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      StringRef name = function->hasAttr("xlac.prologue") ? "xlac_prologue"
                                                          : "xlac_entry";
      if (failed(BufferPlanner(function).run(name)))
        return signalPassFailure();
      function.erase();
    }
  }
};
} // namespace

} // namespace xlac::transforms
