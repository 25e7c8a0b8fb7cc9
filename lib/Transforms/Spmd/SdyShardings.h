// What the texts of sdy's attributes say.
#ifndef XLAC_LIB_TRANSFORMS_SDYSHARDINGS_H
#define XLAC_LIB_TRANSFORMS_SDYSHARDINGS_H

#include "SpmdAnnotation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace xlac::transforms {

/// The sharding that `attribute` (#sdy.sharding<@mesh, [{"x"}, {?}]>) gives;
/// meshes are looked up in `symbols`. Nothing, and `problem` said, where it
/// gives none.
std::optional<SpmdAnnotation> readSdySharding(mlir::Attribute attribute,
                                              const mlir::SymbolTable &symbols,
                                              std::string &problem);

/// Takes all ops of sdy out of `function` but constraints and manual
/// computations: what moves or joins values, and gives them whole and
/// unchanged, is a constraint or nothing; named computations are inlined.
void simplifySdyOps(mlir::func::FuncOp function);

/// Those of #sdy.sharding_per_value<[…]>.
std::optional<llvm::SmallVector<SpmdAnnotation>>
readSdyShardings(mlir::Attribute attribute, const mlir::SymbolTable &symbols,
                 std::string &problem);

} // namespace xlac::transforms

#endif
