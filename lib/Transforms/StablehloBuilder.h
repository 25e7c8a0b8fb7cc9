// Writes StableHLO expressions on statically shaped tensors: what the expanding
// passes are made of. Result types follow from the operands; nothing here can
// be used on dynamic shapes.
#ifndef XLAC_LIB_TRANSFORMS_STABLEHLOBUILDER_H
#define XLAC_LIB_TRANSFORMS_STABLEHLOBUILDER_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"

namespace xlac::transforms {

/// True if `type` is a ranked tensor whose sizes are all known.
bool isStaticTensor(mlir::Type type);

/// True if operands and results of `op` are all of that kind.
bool isStaticOp(mlir::Operation *op);

class StablehloBuilder {
public:
  StablehloBuilder(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  static mlir::RankedTensorType typeOf(mlir::Value value);

  /// Op `name` ("stablehlo.add") with the given results.
  mlir::Operation *op(llvm::StringRef name, mlir::TypeRange results,
                      mlir::ValueRange operands,
                      llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::Value value(llvm::StringRef name, mlir::Type result,
                    mlir::ValueRange operands,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  /// Elementwise ops whose result has the type of the first operand.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value divide(mlir::Value a, mlir::Value b);
  mlir::Value remainder(mlir::Value a, mlir::Value b);
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value mask, mlir::Value a, mlir::Value b);
  mlir::Value convert(mlir::Value value, mlir::Type elementType);

  mlir::Value compare(xlac::stablehlo::ComparisonDirection direction,
                      mlir::Value a, mlir::Value b);

  /// `number` in every element.
  mlir::Value splat(mlir::RankedTensorType type, double number);
  /// An i64 vector.
  mlir::Value vector(llvm::ArrayRef<int64_t> numbers);
  mlir::Value iota(mlir::RankedTensorType type, int64_t dimension);

  mlir::Value broadcastInDim(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<int64_t> dimensions);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> starts,
                    llvm::ArrayRef<int64_t> limits);
  mlir::Value concatenate(mlir::ValueRange values, int64_t dimension);
  /// Element `index` of a vector, as a scalar.
  mlir::Value element(mlir::Value vector, int64_t index);

  /// Sum over `dimensions`.
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> dimensions);

  /// Batched product; results are batch, then free dimensions of each side.
  mlir::Value dotGeneral(mlir::Value lhs, mlir::Value rhs,
                         llvm::ArrayRef<int64_t> lhsBatch,
                         llvm::ArrayRef<int64_t> rhsBatch,
                         llvm::ArrayRef<int64_t> lhsContracting,
                         llvm::ArrayRef<int64_t> rhsContracting,
                         mlir::Type resultElement,
                         mlir::Attribute precision = nullptr);

  /// Elements of `operand` at the integer tensors `indices`, one a dimension,
  /// all of the result's shape.
  mlir::Value gatherElements(mlir::Value operand, mlir::ValueRange indices);

  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace xlac::transforms

#endif
