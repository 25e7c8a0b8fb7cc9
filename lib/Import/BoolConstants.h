// Bool constants in the hex text of older and newer versions of MLIR.
#ifndef XLAC_LIB_IMPORT_BOOLCONSTANTS_H
#define XLAC_LIB_IMPORT_BOOLCONSTANTS_H

#include "llvm/ADT/ArrayRef.h"

namespace xlac {

/// Packs the hex text of constants of bools in place. Older versions of MLIR
/// write one byte, 0 or 1, for each element; the parser expects eight elements
/// in a byte. Blanks after the string replace the removed digits, and line
/// numbers do not change. Constants of another size and other text are
/// unchanged.
void packBoolConstants(llvm::MutableArrayRef<char> text);

} // namespace xlac

#endif
