// Constants as buffer contents. Private to the component.
#ifndef XLAC_LIB_COMPILER_CONSTANTS_H
#define XLAC_LIB_COMPILER_CONSTANTS_H

#include "xlac/Dialect/Stablehlo/ShapeRules.h"

namespace xlac::compiler {

/// Returns all elements in the buffer layout of support/element_type.h, with
/// splats expanded. Nothing for attributes that are not StableHLO constants.
inline std::optional<std::vector<std::byte>>
constantBytes(mlir::Attribute attribute) {
  std::optional<ops::DenseElements> elements = readElements(attribute);
  if (!elements)
    return std::nullopt;
  std::vector<std::byte> bytes(elements->bytes.begin(), elements->bytes.end());
  if (!elements->splat)
    return bytes;
  std::vector<std::byte> all;
  int64_t count = elements->type.element_count().value_or(0);
  all.reserve(count * bytes.size());
  for (int64_t i = 0; i < count; ++i)
    all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

} // namespace xlac::compiler

#endif
