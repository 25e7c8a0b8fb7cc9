// Creates StableHLO expressions on tensors of static shape for the expanding
// passes. Result types follow from the operands. Dynamic shapes are not
// supported.
#ifndef XLAC_LIB_TRANSFORMS_STABLEHLOBUILDER_H
#define XLAC_LIB_TRANSFORMS_STABLEHLOBUILDER_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"

namespace xlac::transforms {

/// Returns whether `type` is a ranked tensor of static shape.
bool isStaticTensor(mlir::Type type);

/// Returns whether all operands and results of `op` are such tensors.
bool isStaticOp(mlir::Operation *op);

class StablehloBuilder {
public:
  StablehloBuilder(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  static mlir::RankedTensorType typeOf(mlir::Value value);

  /// Creates the op `name`, such as "stablehlo.add", with the given results.
  mlir::Operation *op(llvm::StringRef name, mlir::TypeRange results,
                      mlir::ValueRange operands,
                      llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::Value value(llvm::StringRef name, mlir::Type result,
                    mlir::ValueRange operands,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  /// Creates elementwise ops whose result has the type of the first operand.
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

  /// Creates a tensor with `number` in every element. The imaginary part of
  /// complex elements is 0, or -0.0 if `number` is -0.0.
  mlir::Value splat(mlir::RankedTensorType type, double number);
  /// Creates an i64 vector.
  mlir::Value vector(llvm::ArrayRef<int64_t> numbers);
  mlir::Value iota(mlir::RankedTensorType type, int64_t dimension);

  mlir::Value broadcastInDim(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<int64_t> dimensions);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  /// Takes every element of the range, or those that are `strides` apart.
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> starts,
                    llvm::ArrayRef<int64_t> limits,
                    llvm::ArrayRef<int64_t> strides = {});
  /// Surrounds `value` with the scalar `fill`, or with zeros, and puts
  /// `interior` of them between elements. Negative amounts remove elements.
  /// Returns `value` if there is nothing to do.
  mlir::Value pad(mlir::Value value, llvm::ArrayRef<int64_t> low,
                  llvm::ArrayRef<int64_t> high,
                  llvm::ArrayRef<int64_t> interior = {},
                  mlir::Value fill = nullptr);
  mlir::Value concatenate(mlir::ValueRange values, int64_t dimension);
  /// Returns element `index` of a vector, as a scalar.
  mlir::Value element(mlir::Value vector, int64_t index);

  /// Returns the sum over `dimensions`.
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> dimensions);

  /// Creates a batched dot product. The result has the batch dimensions, then
  /// the free dimensions of each side.
  mlir::Value dotGeneral(mlir::Value lhs, mlir::Value rhs,
                         llvm::ArrayRef<int64_t> lhsBatch,
                         llvm::ArrayRef<int64_t> rhsBatch,
                         llvm::ArrayRef<int64_t> lhsContracting,
                         llvm::ArrayRef<int64_t> rhsContracting,
                         mlir::Type resultElement,
                         mlir::Attribute precision = nullptr);

  /// Returns the elements of `operand` at the integer tensors `indices`, one
  /// for each dimension. The indices have the result's shape.
  mlir::Value gatherElements(mlir::Value operand, mlir::ValueRange indices);

  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace xlac::transforms

#endif
