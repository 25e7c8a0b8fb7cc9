// What both directions between stablehlo and vhlo do with operands and regions.
#ifndef XLAC_LIB_IMPORT_CONVERTREGION_H
#define XLAC_LIB_IMPORT_CONVERTREGION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace xlac {

/// Where a conversion stands: its builder, what it made of values, and how many
/// regions it is in.
struct ConversionState {
  explicit ConversionState(mlir::OpBuilder builder) : builder(builder) {}

  mlir::OpBuilder builder;
  mlir::IRMapping mapping;
  int depth = 0;
};

/// Fails, with an error on `op`, where an operand has not been converted: a
/// module's own ops may stand in any order.
mlir::LogicalResult checkOperands(mlir::Operation *op,
                                  const ConversionState &state);

/// Fills the empty region `to` with the block of `from`: arguments of the types
/// that `convertType` gives, ops that `convertOp` makes at the insertion point.
/// Either gives null after an error of its own. Fails, with an error on the
/// parent, for several blocks and for nesting past kMaxNesting.
mlir::LogicalResult convertRegion(
    mlir::Region &from, mlir::Region &to, ConversionState &state,
    llvm::function_ref<mlir::Type(mlir::Type)> convertType,
    llvm::function_ref<mlir::Operation *(mlir::Operation *)> convertOp);

} // namespace xlac

#endif
