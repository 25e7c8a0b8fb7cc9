// Reads the attributes of a comparison.
#include "ScalarOps.h"
#include "ScalarOpsInternal.h"

#include "llvm/ADT/StringSwitch.h"

namespace xlac::codegen {

/// Returns the last word of an attribute's text, such as "LT" for
/// #stablehlo<comparison_direction LT>.
static std::string lastWord(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  llvm::StringRef word = llvm::StringRef(text).rtrim(">\" ");
  size_t start = word.find_last_of(" \"<");
  return (start == llvm::StringRef::npos ? word : word.substr(start + 1)).str();
}

std::optional<CompareAttributes> compareAttributes(mlir::Operation *op) {
  mlir::Attribute direction = op->getAttr("comparison_direction");
  if (!direction)
    return std::nullopt;
  std::optional<Comparison> found =
      llvm::StringSwitch<std::optional<Comparison>>(lastWord(direction))
          .Case("EQ", Comparison::EQ)
          .Case("NE", Comparison::NE)
          .Case("GE", Comparison::GE)
          .Case("GT", Comparison::GT)
          .Case("LE", Comparison::LE)
          .Case("LT", Comparison::LT)
          .Default(std::nullopt);
  if (!found)
    return std::nullopt;
  mlir::Attribute type = op->getAttr("compare_type");
  return CompareAttributes{*found, type && lastWord(type) == "TOTALORDER"};
}

} // namespace xlac::codegen
