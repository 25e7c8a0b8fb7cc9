#include "xlac/Dialect/AllDialects.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/InliningUtils.h"
#include "xlac/Dialect/Check/CheckDialect.h"
#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Sdy/SdyDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Vhlo/VhloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

namespace {
/// Allows inlining of any op into any function: ops have no semantics beyond
/// their values and order.
struct AlwaysInlines : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool,
                       mlir::IRMapping &) const override {
    return true;
  }
};
} // namespace

template <class Dialect>
static void allowInlining(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *, Dialect *dialect) {
    dialect->template addInterfaces<AlwaysInlines>();
  });
}

void xlac::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, mlir::quant::QuantDialect,
                  mlir::shape::ShapeDialect, xlac::stablehlo::StablehloDialect,
                  xlac::chlo::ChloDialect, xlac::check::CheckDialect,
                  xlac::interpreter::InterpreterDialect, xlac::sdy::SdyDialect,
                  ir::XlacDialect, vhlo::VhloDialect>();
  mlir::func::registerInlinerExtension(registry);
  allowInlining<xlac::stablehlo::StablehloDialect>(registry);
  allowInlining<xlac::chlo::ChloDialect>(registry);
  allowInlining<xlac::check::CheckDialect>(registry);
  allowInlining<xlac::interpreter::InterpreterDialect>(registry);
  allowInlining<xlac::sdy::SdyDialect>(registry);
}

void xlac::loadCompilerDialects(mlir::MLIRContext &context) {
  // Each of the other dialects takes as long to load as parsing a small
  // program. `quant` is loaded because graphs and bytecode create its types
  // without naming the dialect.
  context.loadDialect<
      mlir::func::FuncDialect, xlac::stablehlo::StablehloDialect,
      xlac::chlo::ChloDialect, mlir::quant::QuantDialect, ir::XlacDialect>();
}
