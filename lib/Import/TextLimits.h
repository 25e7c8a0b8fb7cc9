// Limits of text. One scan checks them before MLIR's parser, which recurses
// with brackets and allocates as many results as a number in the text states.
#ifndef XLAC_LIB_IMPORT_TEXTLIMITS_H
#define XLAC_LIB_IMPORT_TEXTLIMITS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace xlac {

/// Limits on unfolding. Aliases and attributes are shared, but printing or
/// walking them expands them. Each may expand to kMaxUnfolded parts plus
/// kUnfoldedFactor for each byte of the program.
inline constexpr uint64_t kMaxUnfolded = uint64_t(1) << 18, kUnfoldedFactor = 8;

/// Position and description of an exceeded limit, such as "brackets nest deeper
/// than 1000".
struct TextError {
  unsigned line;
  unsigned column;
  std::string reason;
};

/// Returns the first position at which `text`, a module or a single attribute
/// or type, exceeds a limit.
std::optional<TextError> findTextError(llvm::StringRef text);

} // namespace xlac

#endif
