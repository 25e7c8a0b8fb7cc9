// The dialect's encodings in MLIR bytecode.
#ifndef XLAC_LIB_DIALECT_STABLEHLO_STABLEHLOBYTECODE_H
#define XLAC_LIB_DIALECT_STABLEHLO_STABLEHLOBYTECODE_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::stablehlo {

/// Has attributes and types read and written in their encodings.
void addBytecodeEncoding(StablehloDialect &dialect);

} // namespace xlac::stablehlo

#endif
