// One part of the generated op definitions, split to compile in parallel.
#include "xlac/Dialect/Stablehlo/Assembly.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_DEFS_2
#include "xlac/Dialect/Stablehlo/StablehloOps.cpp.inc"
