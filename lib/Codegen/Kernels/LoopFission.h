// Fission of loops whose elements need long chains of ops.
#ifndef XLAC_LIB_CODEGEN_LOOPFISSION_H
#define XLAC_LIB_CODEGEN_LOOPFISSION_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallVector.h"

namespace xlac::codegen {

/// Returns values in the middle of the chains of elementwise ops that lead to
/// `results`. A loop can be divided there: for some elements at a time, a first
/// loop computes and stores these values, and a second one computes the results
/// from them. The processor then overlaps more elements, because each needs
/// fewer instructions. Returns nothing if the chains are too short, or if too
/// many values would be stored.
llvm::SmallVector<mlir::Value> findFission(mlir::ValueRange results);

} // namespace xlac::codegen

#endif
