// Reads the text of sdy's attributes.
#ifndef XLAC_LIB_TRANSFORMS_SDYSHARDINGS_H
#define XLAC_LIB_TRANSFORMS_SDYSHARDINGS_H

#include "SpmdAnnotation.h"

#include "xlac/Dialect/Sdy/SdyDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace xlac::transforms {

/// Reads the sharding `attribute`, such as #sdy.sharding<@mesh, [{"x"}, {?}]>.
/// Meshes are looked up in `symbols`. On failure returns nothing and sets
/// `problem`.
std::optional<SpmdAnnotation> readSdySharding(mlir::Attribute attribute,
                                              const mlir::SymbolTable &symbols,
                                              std::string &problem);

/// Returns the manual axes of `computation` as the sharding of a row with one
/// element for each part. If they cannot be read, returns nothing and sets
/// `problem`.
std::optional<Sharding> readManualAxes(sdy::ManualComputationOp computation,
                                       const mlir::SymbolTable &symbols,
                                       std::string &problem);

/// Removes all sdy ops from `function` except constraints and manual
/// computations. Ops that move or combine shards, but not global values, become
/// constraints or disappear. Named computations are inlined.
void simplifySdyOps(mlir::func::FuncOp function);

/// Reads the shardings of #sdy.sharding_per_value<[…]>.
std::optional<llvm::SmallVector<SpmdAnnotation>>
readSdyShardings(mlir::Attribute attribute, const mlir::SymbolTable &symbols,
                 std::string &problem);

/// The device of a mesh without axes that the first of
/// #sdy.sharding_per_value<[…]> names: it holds the value alone.
std::optional<int64_t> readMaximalDevice(mlir::Attribute attribute,
                                         const mlir::SymbolTable &symbols);

} // namespace xlac::transforms

#endif
