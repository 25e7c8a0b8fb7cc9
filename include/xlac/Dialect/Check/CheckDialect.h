// The check and interpreter dialects: conformance cases state their expected
// results with them. Only tools and tests use them.
#ifndef XLAC_DIALECT_CHECK_CHECKDIALECT_H
#define XLAC_DIALECT_CHECK_CHECKDIALECT_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "xlac/Dialect/Check/CheckDialect.h.inc"
#include "xlac/Dialect/Check/InterpreterDialect.h.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Check/CheckOps.h.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Check/InterpreterOps.h.inc"

#endif
