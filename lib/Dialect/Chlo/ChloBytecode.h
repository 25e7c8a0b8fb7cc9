// The dialect's encodings in MLIR bytecode.
#ifndef XLAC_LIB_DIALECT_CHLO_CHLOBYTECODE_H
#define XLAC_LIB_DIALECT_CHLO_CHLOBYTECODE_H

#include "xlac/Dialect/Chlo/ChloDialect.h"

namespace xlac::chlo {

/// Has attributes read and written in their encodings.
void addBytecodeEncoding(ChloDialect &dialect);

} // namespace xlac::chlo

#endif
