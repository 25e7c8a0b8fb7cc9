// Constants as the bytes of buffers. Private to the component.
#ifndef XLAC_LIB_COMPILER_CONSTANTS_H
#define XLAC_LIB_COMPILER_CONSTANTS_H

#include "xlac/Dialect/Stablehlo/ShapeRules.h"

namespace xlac::compiler {

/// Every element in the buffer layout of support/element_type.h, splats spread
/// out; nothing for attributes that are no constant of StableHLO.
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
