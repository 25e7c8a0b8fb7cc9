// Conversion of operands and regions, shared by both directions between
// stablehlo and vhlo.
#ifndef XLAC_LIB_IMPORT_CONVERTREGION_H
#define XLAC_LIB_IMPORT_CONVERTREGION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace xlac {

/// The state of a conversion: its builder, the converted values, and the
/// nesting depth of regions.
struct ConversionState {
  explicit ConversionState(mlir::OpBuilder builder) : builder(builder) {}

  mlir::OpBuilder builder;
  mlir::IRMapping mapping;
  int depth = 0;
};

/// Fails, with an error on `op`, if an operand is not converted yet. The ops of
/// a module may be in any order.
mlir::LogicalResult checkOperands(mlir::Operation *op,
                                  const ConversionState &state);

/// Converts the block of `from` to the empty region `to`: arguments get the
/// types from `convertType`, and `convertOp` creates the ops at the insertion
/// point. Both return null after emitting an error. Fails, with an error on the
/// parent, for several blocks and for nesting deeper than kMaxNesting.
mlir::LogicalResult convertRegion(
    mlir::Region &from, mlir::Region &to, ConversionState &state,
    llvm::function_ref<mlir::Type(mlir::Type)> convertType,
    llvm::function_ref<mlir::Operation *(mlir::Operation *)> convertOp);

} // namespace xlac

#endif
