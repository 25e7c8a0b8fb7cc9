// The reading side of the attribute conversion as the shape rules use it.
#ifndef XLAC_LIB_DIALECT_STABLEHLO_ATTRIBUTECONVERSION_H
#define XLAC_LIB_DIALECT_STABLEHLO_ATTRIBUTECONVERSION_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/ops/attributes.h"

namespace xlac {

/// The inherent attributes of an op as plain data. With `typesOnly` constants
/// have their type and no elements, which is all that shape rules ask for.
/// Reports by `emitError` where it is not null.
mlir::FailureOr<ops::OpAttributes>
readAttributes(ops::OpKind kind, AttributeLookup attributes, bool typesOnly,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// False for a splat that stands for more numbers than sizes, paddings and
/// groups have: written out it would fill the memory.
bool mayExpand(mlir::DenseIntElementsAttr numbers);

} // namespace xlac

#endif
