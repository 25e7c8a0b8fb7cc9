// The chlo dialect in C++, generated from lib/ops/ChloOps.td. Producers emit
// these higher-level ops, and the Transforms component expands them to
// StableHLO.
#ifndef XLAC_DIALECT_CHLO_CHLODIALECT_H
#define XLAC_DIALECT_CHLO_CHLODIALECT_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "xlac/Dialect/Chlo/ChloDialect.h.inc"
#include "xlac/Dialect/Chlo/ChloEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Chlo/ChloAttributes.h.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Chlo/ChloOps.h.inc"

#endif
