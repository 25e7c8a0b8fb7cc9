// The pass that converts the outlined entry function, and the prologue if there
// is one, to programs.
#include "xlac/Transforms/Passes.h"

#include "BufferPlanner.h"

#include "xlac/Dialect/Xlac/SlicedLaunches.h"
#include "xlac/support/program_names.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PLANBUFFERS
#include "xlac/Transforms/Passes.h.inc"

/// Returns whether a launch reads all of a buffer that one of `launches`
/// writes.
static bool readsWholeResult(ir::LaunchOp launch,
                             ArrayRef<ir::LaunchOp> launches) {
  return llvm::any_of(launch.getWhole().value_or(ArrayRef<int64_t>()),
                      [&](int64_t number) {
                        Value buffer = launch.getInputs()[number];
                        return llvm::any_of(launches, [&](ir::LaunchOp other) {
                          return llvm::is_contained(other.getOutputs(), buffer);
                        });
                      });
}

/// Separates launches that were to run slice by slice, but one of which writes
/// a buffer of which another one, or the launch itself, reads all in each
/// slice: a result may be in the memory of a value that died before.
static void separateOverlapping(ir::ProgramOp program) {
  program.walk([](ir::LaunchOp first) {
    if (!first.getSlices() || first.getJoined())
      return;
    SmallVector<ir::LaunchOp> launches = ir::slicedFrom(first);
    if (llvm::any_of(launches, [&](ir::LaunchOp launch) {
          return readsWholeResult(launch, launches);
        }))
      for (ir::LaunchOp launch : launches) {
        launch.removeSlicesAttr();
        launch.removeWholeAttr();
        launch.removeJoinedAttr();
      }
  });
}

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
      separateOverlapping(*program);
      if (reads)
        program->setProgramArgumentsAttr(reads);
      constants += planner.constantCount();
      function.erase();
    }
  }
};
} // namespace

} // namespace xlac::transforms
