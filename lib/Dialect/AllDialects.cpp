#include "xlac/Dialect/AllDialects.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/IR/DialectRegistry.h"
#include "xlac/Dialect/Check/CheckDialect.h"
#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

void xlac::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, mlir::quant::QuantDialect,
                  mlir::shape::ShapeDialect, mlir::stablehlo::StablehloDialect,
                  mlir::chlo::ChloDialect, mlir::check::CheckDialect,
                  mlir::interpreter::InterpreterDialect, ir::XlacDialect>();
  mlir::func::registerInlinerExtension(registry);
}
