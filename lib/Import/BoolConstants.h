// Bool constants as older and newer versions of MLIR write them in hex.
#ifndef XLAC_LIB_IMPORT_BOOLCONSTANTS_H
#define XLAC_LIB_IMPORT_BOOLCONSTANTS_H

#include "llvm/ADT/ArrayRef.h"

namespace xlac {

/// Packs, in place, the hex text of every constant of bools that has one byte,
/// 0 or 1, an element: the parser wants eight elements a byte. Blanks fill up
/// what becomes free, behind the string; lines stay lines. Constants of another
/// size and other text stay as they are.
void packBoolConstants(llvm::MutableArrayRef<char> text);

} // namespace xlac

#endif
