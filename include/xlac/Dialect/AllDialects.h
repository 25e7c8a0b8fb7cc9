// Registers the dialects that a program may use when it is read or compiled.
#ifndef XLAC_DIALECT_ALLDIALECTS_H
#define XLAC_DIALECT_ALLDIALECTS_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace xlac {

/// Registers func, quant, shape, stablehlo, chlo, check, interpreter, sdy, xlac
/// and vhlo. Attributes of other dialects (`mhlo.num_partitions`,
/// `jax.result_info`) need a context that allows unregistered dialects.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Loads the dialects whose ops and types the compiler creates. Reading a
/// program loads the other dialects that the program uses.
void loadCompilerDialects(mlir::MLIRContext &context);

} // namespace xlac

#endif
