// Limits of text, checked by one scan before MLIR's parser, which recurses with
// brackets and allocates as many results as any number that it reads.
#ifndef XLAC_LIB_IMPORT_TEXTLIMITS_H
#define XLAC_LIB_IMPORT_TEXTLIMITS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace xlac {

/// Aliases and attributes may share what they stand for; printed or walked they
/// grow to the first of these and the second for each byte of the program.
inline constexpr uint64_t kMaxUnfolded = uint64_t(1) << 18, kUnfoldedFactor = 8;

/// Where a limit is passed and which: "brackets nest deeper than 1000".
struct TextError {
  unsigned line;
  unsigned column;
  std::string reason;
};

/// The first place where `text`, a module or a single attribute or type, asks
/// more of the parser than a program may.
std::optional<TextError> findTextError(llvm::StringRef text);

} // namespace xlac

#endif
