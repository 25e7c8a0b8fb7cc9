// The vhlo dialect: StableHLO as portable artifacts store it. It only transfers
// programs between bytes and StableHLO.
#ifndef XLAC_DIALECT_VHLO_DIALECT_H
#define XLAC_DIALECT_VHLO_DIALECT_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Vhlo/Version.h"

#include "mlir/Dialect/Quant/IR/Quant.h"

#include "xlac/Dialect/Vhlo/VhloDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Vhlo/VhloAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "xlac/Dialect/Vhlo/VhloTypes.h.inc"

#endif
