// Passes from StableHLO to StableHLO, then to kernels and a program of
// launches. Every pass runs on a module. Outside of tests, a pass requires the
// passes that precede it in lib/Pipelines.
#ifndef XLAC_TRANSFORMS_PASSES_H
#define XLAC_TRANSFORMS_PASSES_H

#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace xlac::transforms {

#define GEN_PASS_DECL
#include "xlac/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "xlac/Transforms/Passes.h.inc"

} // namespace xlac::transforms

#endif
