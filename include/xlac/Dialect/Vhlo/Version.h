// Versions of StableHLO. Each portable artifact has one.
#ifndef XLAC_DIALECT_VHLO_VERSION_H
#define XLAC_DIALECT_VHLO_VERSION_H

#include "llvm/Support/Error.h"

#include <compare>
#include <cstdint>
#include <string>

namespace xlac::vhlo {

/// A version major.minor.patch. Major and minor determine which ops, types and
/// attributes an artifact may contain.
struct Version {
  uint32_t major = 0, minor = 0, patch = 0;

  auto operator<=>(const Version &) const = default;
  /// Returns the version as text, such as "1.9.0".
  std::string text() const;
};

/// The first version with stability guarantees, and the newest supported
/// version.
inline constexpr Version kOldestVersion = {0, 9, 0};
inline constexpr Version kCurrentVersion = {1, 20, 0};
/// Greater than every version.
inline constexpr Version kNoVersion = {UINT32_MAX, 0, 0};

/// Parses a version to write: "1.9.0", "current" or "minimum". The patch is set
/// to 0. Fails on other text and on versions older than kOldestVersion or newer
/// than kCurrentVersion.
llvm::Expected<Version> parseTargetVersion(llvm::StringRef text);

/// Returns MLIR's bytecode version for artifacts of `version`.
int64_t bytecodeVersion(Version version);

} // namespace xlac::vhlo

#endif
