// Reads, verifies, transforms and prints programs: mlir-opt with the project's
// dialects and passes.
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "xlac/Dialect/AllDialects.h"
#include "xlac/Pipelines/Pipelines.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  xlac::registerAllDialects(registry);
  // Programs may contain its tensor encodings; they are not compiled.
  registry.insert<mlir::sparse_tensor::SparseTensorDialect>();
  mlir::registerInlinerPass();
  xlac::pipelines::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Reads, transforms and prints StableHLO programs\n",
      registry));
}
