// Converts attributes of ops between MLIR and the plain C++ of lib/ops.
#ifndef XLAC_DIALECT_STABLEHLO_ATTRIBUTECONVERSION_H
#define XLAC_DIALECT_STABLEHLO_ATTRIBUTECONVERSION_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "xlac/ops/attributes.h"

namespace xlac {

/// Returns the inherent attribute of an op with the given name, or null.
using AttributeLookup = llvm::function_ref<mlir::Attribute(llvm::StringRef)>;

/// Returns the inherent attributes of an op as plain data. With `typesOnly`,
/// constants have a type but no elements; shape rules need no more. Reports
/// errors through `emitError` unless it is null.
mlir::FailureOr<ops::OpAttributes>
readAttributes(ops::OpKind kind, AttributeLookup attributes, bool typesOnly,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Appends the MLIR form of `attributes` to `list`. Members that equal their
/// default are omitted if the op allows it.
void writeAttributes(ops::OpKind kind, const ops::OpAttributes &attributes,
                     mlir::MLIRContext *context, mlir::NamedAttrList &list);

/// Returns false for a splat with too many elements to be sizes, padding or
/// groups. Expanding such a splat would exhaust memory.
bool mayExpand(mlir::DenseIntElementsAttr numbers);

} // namespace xlac

#endif
