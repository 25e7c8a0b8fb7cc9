// Meshes and shardings of programs that were partitioned by Shardy.
#ifndef XLAC_DIALECT_SDY_SDYDIALECT_H
#define XLAC_DIALECT_SDY_SDYDIALECT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"

#include "xlac/Dialect/Sdy/SdyDialect.h.inc"
#include "xlac/Dialect/Sdy/SdyEnums.h.inc"
#define GET_OP_CLASSES
#include "xlac/Dialect/Sdy/SdyOps.h.inc"

namespace xlac::sdy {

/// Takes a quoted name off the beginning of an attribute's text, without the
/// quotes and with its escapes resolved; false if there is none, or no end of
/// it.
bool takeName(llvm::StringRef &text, std::string &name);

} // namespace xlac::sdy

#endif
