// Versions of StableHLO, by which portable artifacts are dated.
#ifndef XLAC_DIALECT_VHLO_VERSION_H
#define XLAC_DIALECT_VHLO_VERSION_H

#include "llvm/Support/Error.h"

#include <compare>
#include <cstdint>
#include <string>

namespace xlac::vhlo {

/// major.minor.patch. What an artifact may hold depends on major and minor.
struct Version {
  uint32_t major = 0, minor = 0, patch = 0;

  auto operator<=>(const Version &) const = default;
  /// "1.9.0".
  std::string text() const;
};

/// The first version with stability guarantees, and the newest known.
inline constexpr Version kOldestVersion = {0, 9, 0};
inline constexpr Version kCurrentVersion = {1, 20, 0};
/// Later than every version.
inline constexpr Version kNoVersion = {UINT32_MAX, 0, 0};

/// A version to write: "1.9.0", "current" or "minimum". The patch does not
/// count and becomes 0. Fails on other text and outside of oldest to current.
llvm::Expected<Version> parseTargetVersion(llvm::StringRef text);

/// MLIR's bytecode version that artifacts of `version` are written in.
int64_t bytecodeVersion(Version version);

} // namespace xlac::vhlo

#endif
