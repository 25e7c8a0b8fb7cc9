// Types and attributes between portable artifacts and StableHLO, as far as they
// mean something by themselves; ops convert in the Import component.
#ifndef XLAC_DIALECT_VHLO_CONVERSION_H
#define XLAC_DIALECT_VHLO_CONVERSION_H

#include "xlac/Dialect/Vhlo/VhloDialect.h"

namespace xlac::vhlo {

/// The type in StableHLO; types of other dialects are left alone. Null where an
/// artifact's type makes no sense, such as a tensor of tensors.
mlir::Type toStablehlo(mlir::Type type);
/// The type in an artifact, or null where it has none.
mlir::Type toVhlo(mlir::Type type);

/// The attribute in StableHLO; attributes of other dialects are left alone.
/// Null where an artifact's attribute makes no sense, such as a tensor whose
/// data is too short.
mlir::Attribute toStablehlo(mlir::Attribute attribute);
/// The attribute in an artifact, or null where it has none.
mlir::Attribute toVhlo(mlir::Attribute attribute);

/// The first version that has the type or attribute of this dialect itself,
/// not what it holds; the oldest for other dialects.
Version sinceOf(mlir::Type type);
Version sinceOf(mlir::Attribute attribute);

} // namespace xlac::vhlo

#endif
