// The check and interpreter dialects, in which conformance cases say what they
// expect. Only tools and tests see them; no program needs them.
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
