// The sdy dialect in C++: meshes and shardings of programs that Shardy
// partitions.
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

/// Removes a quoted name from the beginning of an attribute's text and stores
/// it in `name`, without quotes and with its escapes resolved. Returns false if
/// the text does not begin with a quoted name, or the name is malformed.
bool takeName(llvm::StringRef &text, std::string &name);

} // namespace xlac::sdy

#endif
