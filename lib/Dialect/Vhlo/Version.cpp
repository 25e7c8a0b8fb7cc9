#include "xlac/Dialect/Vhlo/Version.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace xlac::vhlo {

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(patch);
}

llvm::Expected<Version> parseTargetVersion(StringRef text) {
  if (text == "current")
    return kCurrentVersion;
  if (text == "minimum")
    return kOldestVersion;
  Version version;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, '.');
  if (parts.size() != 3 || parts[0].getAsInteger(10, version.major) ||
      parts[1].getAsInteger(10, version.minor) ||
      parts[2].getAsInteger(10, version.patch))
    return llvm::createStringError("version '" + text +
                                   "' is not of the form 1.9.0, nor 'current' "
                                   "or 'minimum'");
  version.patch = 0;
  if (version < kOldestVersion || version > kCurrentVersion)
    return llvm::createStringError(
        "version " + text + " cannot be written; known are " +
        kOldestVersion.text() + " to " + kCurrentVersion.text());
  return version;
}

int64_t bytecodeVersion(Version version) {
  if (version < Version{0, 10, 0})
    return 0;
  if (version < Version{0, 12, 0})
    return 1;
  if (version < Version{0, 14, 0})
    return 3;
  if (version < Version{0, 15, 0})
    return 4;
  return 6;
}

} // namespace xlac::vhlo
