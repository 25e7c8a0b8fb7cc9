// Converts types and attributes between portable artifacts and StableHLO as far
// as this is possible without their op. The Import component converts ops.
#ifndef XLAC_DIALECT_VHLO_CONVERSION_H
#define XLAC_DIALECT_VHLO_CONVERSION_H

#include "xlac/Dialect/Vhlo/VhloDialect.h"

namespace xlac::vhlo {

/// Returns the StableHLO type of a vhlo type. Types of other dialects are
/// returned unchanged. Null if the vhlo type is invalid, such as a tensor of
/// tensors.
mlir::Type toStablehlo(mlir::Type type);
/// Returns the vhlo type of a StableHLO type, or null if there is none.
mlir::Type toVhlo(mlir::Type type);

/// Returns the StableHLO attribute of a vhlo attribute. Attributes of other
/// dialects are returned unchanged. Null if the vhlo attribute is invalid, such
/// as a tensor with too little data.
mlir::Attribute toStablehlo(mlir::Attribute attribute);
/// Returns the vhlo attribute of a StableHLO attribute, or null if there is
/// none.
mlir::Attribute toVhlo(mlir::Attribute attribute);

/// Returns the first version with this vhlo type or attribute. Nested types and
/// attributes are ignored. The oldest version for other dialects.
Version sinceOf(mlir::Type type);
Version sinceOf(mlir::Attribute attribute);

} // namespace xlac::vhlo

#endif
