// The xlac dialect in C++. Kernels contain StableHLO ops; programs contain
// launches.
#ifndef XLAC_DIALECT_XLAC_XLACDIALECT_H
#define XLAC_DIALECT_XLAC_XLACDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "xlac/Dialect/Xlac/XlacDialect.h.inc"
#include "xlac/Dialect/Xlac/XlacEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Xlac/XlacAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "xlac/Dialect/Xlac/XlacTypes.h.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Xlac/XlacOps.h.inc"

#endif
