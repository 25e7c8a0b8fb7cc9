// How Shardy's attributes lie in MLIR bytecode.
#ifndef XLAC_LIB_DIALECT_SDY_SDYBYTECODE_H
#define XLAC_LIB_DIALECT_SDY_SDYBYTECODE_H

namespace xlac::sdy {

class SdyDialect;

/// Lets `dialect` read attributes in Shardy's encoding. It writes them as text,
/// which every reader takes.
void addBytecodeEncoding(SdyDialect &dialect);

} // namespace xlac::sdy

#endif
