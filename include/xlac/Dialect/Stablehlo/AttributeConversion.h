// Attributes of ops from MLIR to the plain C++ of lib/ops, and back.
#ifndef XLAC_DIALECT_STABLEHLO_ATTRIBUTECONVERSION_H
#define XLAC_DIALECT_STABLEHLO_ATTRIBUTECONVERSION_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "xlac/ops/attributes.h"

namespace xlac {

/// Finds an inherent attribute of an op by its name; null where it is absent.
using AttributeLookup = llvm::function_ref<mlir::Attribute(llvm::StringRef)>;

/// The inherent attributes of an op as plain data. With `typesOnly` constants
/// have their type and no elements, which is all that shape rules ask for.
/// Reports by `emitError` where it is not null.
mlir::FailureOr<ops::OpAttributes>
readAttributes(ops::OpKind kind, AttributeLookup attributes, bool typesOnly,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Appends the MLIR form of `attributes` to `list`; members that hold their
/// default are left out where the op lets them be.
void writeAttributes(ops::OpKind kind, const ops::OpAttributes &attributes,
                     mlir::MLIRContext *context, mlir::NamedAttrList &list);

/// False for a splat that stands for more numbers than sizes, paddings and
/// groups have: written out it would fill the memory.
bool mayExpand(mlir::DenseIntElementsAttr numbers);

} // namespace xlac

#endif
