// The chlo dialect in C++, generated from lib/ops/ChloOps.td: ops that
// producers write above StableHLO; Transforms expands them.
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
