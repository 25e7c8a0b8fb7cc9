// All dialects that a program may hold when it is read or compiled.
#ifndef XLAC_DIALECT_ALLDIALECTS_H
#define XLAC_DIALECT_ALLDIALECTS_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace xlac {

/// Adds func, quant, shape, stablehlo, chlo, check, interpreter and xlac.
/// Attributes of other dialects (`mhlo.num_partitions`, `jax.result_info`)
/// need a context that allows unregistered ones.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Loads the dialects that the compiler makes ops and types of. Reading a
/// program loads those that it names besides.
void loadCompilerDialects(mlir::MLIRContext &context);

} // namespace xlac

#endif
