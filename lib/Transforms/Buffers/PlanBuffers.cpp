// The pass that converts the outlined entry function, and the prologue if there
// is one, to programs.
#include "xlac/Transforms/Passes.h"

#include "BufferPlanner.h"

#include "xlac/support/program_names.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PLANBUFFERS
#include "xlac/Transforms/Passes.h.inc"

namespace {
class PlanBuffers : public impl::PlanBuffersBase<PlanBuffers> {
  void runOnOperation() override {
    // All programs of an image share one list of constants.
    int64_t constants = 0;
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      auto reads =
          function->getAttrOfType<DenseI64ArrayAttr>(names::kPrologueAttribute);
      BufferPlanner planner(function, constants);
      FailureOr<ir::ProgramOp> program =
          planner.run(reads ? names::kPrologueSymbol : names::kEntrySymbol);
      if (failed(program))
        return signalPassFailure();
      if (reads)
        program->setProgramArgumentsAttr(reads);
      constants += planner.constantCount();
      function.erase();
    }
  }
};
} // namespace

} // namespace xlac::transforms
