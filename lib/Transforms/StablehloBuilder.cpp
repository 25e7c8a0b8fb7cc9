#include "StablehloBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

bool isStaticTensor(mlir::Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

bool isStaticOp(mlir::Operation *op) {
  return llvm::all_of(op->getOperandTypes(), isStaticTensor) &&
         llvm::all_of(op->getResultTypes(), isStaticTensor);
}

RankedTensorType StablehloBuilder::typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

mlir::Operation *
StablehloBuilder::op(llvm::StringRef name, mlir::TypeRange results,
                     mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  mlir::OperationState state(location, name, operands, results, attributes);
  return builder.create(state);
}

Value StablehloBuilder::value(llvm::StringRef name, mlir::Type result,
                              mlir::ValueRange operands,
                              llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  return op(name, {result}, operands, attributes)->getResult(0);
}

Value StablehloBuilder::add(Value a, Value b) {
  return value("stablehlo.add", a.getType(), {a, b});
}
Value StablehloBuilder::subtract(Value a, Value b) {
  return value("stablehlo.subtract", a.getType(), {a, b});
}
Value StablehloBuilder::multiply(Value a, Value b) {
  return value("stablehlo.multiply", a.getType(), {a, b});
}
Value StablehloBuilder::divide(Value a, Value b) {
  return value("stablehlo.divide", a.getType(), {a, b});
}
Value StablehloBuilder::remainder(Value a, Value b) {
  return value("stablehlo.remainder", a.getType(), {a, b});
}
Value StablehloBuilder::logicalAnd(Value a, Value b) {
  return value("stablehlo.and", a.getType(), {a, b});
}
Value StablehloBuilder::select(Value mask, Value a, Value b) {
  return value("stablehlo.select", a.getType(), {mask, a, b});
}

Value StablehloBuilder::convert(Value operand, mlir::Type elementType) {
  RankedTensorType type = typeOf(operand);
  if (type.getElementType() == elementType)
    return operand;
  return value("stablehlo.convert", type.clone(elementType), {operand});
}

Value StablehloBuilder::compare(hlo::ComparisonDirection direction, Value a,
                                Value b) {
  mlir::MLIRContext *context = builder.getContext();
  return value("stablehlo.compare", typeOf(a).clone(builder.getI1Type()),
               {a, b},
               {builder.getNamedAttr(
                   "comparison_direction",
                   hlo::ComparisonDirectionAttr::get(context, direction))});
}

Value StablehloBuilder::splat(RankedTensorType type, double number) {
  mlir::Type element = type.getElementType();
  mlir::DenseElementsAttr dense;
  auto real = [&](mlir::FloatType floatType, double part) {
    llvm::APFloat exact(part);
    bool lost;
    exact.convert(floatType.getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    return exact;
  };
  if (auto floatType = llvm::dyn_cast<mlir::FloatType>(element)) {
    dense = mlir::DenseElementsAttr::get(type, real(floatType, number));
  } else if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element)) {
    auto part = llvm::cast<mlir::FloatType>(complex.getElementType());
    // -0.0 is the identity of a sum in both parts.
    llvm::APFloat imaginary = real(part, number == 0 ? number : 0);
    dense = mlir::DenseElementsAttr::get(
        type, std::complex<llvm::APFloat>(real(part, number), imaginary));
  } else {
    unsigned bits = element.getIntOrFloatBitWidth();
    dense = mlir::DenseElementsAttr::get(
        type, llvm::APInt(64, int64_t(number), true).trunc(bits));
  }
  return value("stablehlo.constant", type, {},
               {builder.getNamedAttr("value", dense)});
}

Value StablehloBuilder::vector(llvm::ArrayRef<int64_t> numbers) {
  auto type = RankedTensorType::get(numbers.size(), builder.getI64Type());
  return value("stablehlo.constant", type, {},
               {builder.getNamedAttr(
                   "value", mlir::DenseElementsAttr::get(type, numbers))});
}

Value StablehloBuilder::iota(RankedTensorType type, int64_t dimension) {
  return value("stablehlo.iota", type, {},
               {builder.getNamedAttr("iota_dimension",
                                     builder.getI64IntegerAttr(dimension))});
}

Value StablehloBuilder::broadcastInDim(Value operand,
                                       llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> dimensions) {
  if (typeOf(operand).getShape() == shape)
    return operand;
  assert(int64_t(dimensions.size()) == typeOf(operand).getRank() &&
         "every dimension of the operand has a place");
  return value(
      "stablehlo.broadcast_in_dim", typeOf(operand).clone(shape), {operand},
      {builder.getNamedAttr("broadcast_dimensions",
                            builder.getDenseI64ArrayAttr(dimensions))});
}

Value StablehloBuilder::reshape(Value operand, llvm::ArrayRef<int64_t> shape) {
  if (typeOf(operand).getShape() == shape)
    return operand;
  assert(typeOf(operand).getNumElements() ==
             mlir::ShapedType::getNumElements(shape) &&
         "a reshape keeps the elements");
  return value("stablehlo.reshape", typeOf(operand).clone(shape), {operand});
}

Value StablehloBuilder::transpose(Value operand,
                                  llvm::ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return operand;
  assert(int64_t(permutation.size()) == typeOf(operand).getRank() &&
         llvm::all_of(llvm::seq<int64_t>(0, permutation.size()),
                      [&](int64_t dim) {
                        return llvm::is_contained(permutation, dim);
                      }) &&
         "dimensions are permuted");
  llvm::SmallVector<int64_t> shape;
  for (int64_t from : permutation)
    shape.push_back(typeOf(operand).getDimSize(from));
  return value("stablehlo.transpose", typeOf(operand).clone(shape), {operand},
               {builder.getNamedAttr(
                   "permutation", builder.getDenseI64ArrayAttr(permutation))});
}

Value StablehloBuilder::slice(Value operand, llvm::ArrayRef<int64_t> starts,
                              llvm::ArrayRef<int64_t> limits,
                              llvm::ArrayRef<int64_t> steps) {
  llvm::SmallVector<int64_t> shape, strides(steps);
  strides.resize(starts.size(), 1);
  for (auto [start, limit, stride] : llvm::zip_equal(starts, limits, strides))
    shape.push_back(llvm::divideCeilSigned(limit - start, stride));
  assert(llvm::all_of(shape, [](int64_t size) { return size >= 0; }) &&
         "a slice ends after its start");
  return value(
      "stablehlo.slice", typeOf(operand).clone(shape), {operand},
      {builder.getNamedAttr("start_indices",
                            builder.getDenseI64ArrayAttr(starts)),
       builder.getNamedAttr("limit_indices",
                            builder.getDenseI64ArrayAttr(limits)),
       builder.getNamedAttr("strides", builder.getDenseI64ArrayAttr(strides))});
}

Value StablehloBuilder::pad(Value operand, llvm::ArrayRef<int64_t> low,
                            llvm::ArrayRef<int64_t> high,
                            llvm::ArrayRef<int64_t> between, Value fill) {
  llvm::SmallVector<int64_t> shape, interior(between);
  interior.resize(low.size(), 0);
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero) &&
      llvm::all_of(interior, isZero))
    return operand;
  RankedTensorType type = typeOf(operand);
  for (auto [size, before, after, inside] :
       llvm::zip_equal(type.getShape(), low, high, interior))
    shape.push_back(before + after +
                    std::max<int64_t>((size - 1) * (inside + 1) + 1, 0));
  if (!fill)
    fill = splat(RankedTensorType::get({}, type.getElementType()), 0);
  return value("stablehlo.pad", type.clone(shape), {operand, fill},
               {builder.getNamedAttr("edge_padding_low",
                                     builder.getDenseI64ArrayAttr(low)),
                builder.getNamedAttr("edge_padding_high",
                                     builder.getDenseI64ArrayAttr(high)),
                builder.getNamedAttr("interior_padding",
                                     builder.getDenseI64ArrayAttr(interior))});
}

Value StablehloBuilder::concatenate(mlir::ValueRange values,
                                    int64_t dimension) {
  llvm::SmallVector<int64_t> shape(typeOf(values.front()).getShape());
  assert(0 <= dimension && dimension < int64_t(shape.size()) &&
         "a dimension of the parts");
  shape[dimension] = 0;
  for (Value part : values)
    shape[dimension] += typeOf(part).getDimSize(dimension);
  return value("stablehlo.concatenate", typeOf(values.front()).clone(shape),
               values,
               {builder.getNamedAttr("dimension",
                                     builder.getI64IntegerAttr(dimension))});
}

Value StablehloBuilder::element(Value vector, int64_t index) {
  return reshape(slice(vector, {index}, {index + 1}), {});
}

Value StablehloBuilder::sum(Value operand, llvm::ArrayRef<int64_t> dimensions) {
  if (dimensions.empty())
    return operand;
  RankedTensorType type = typeOf(operand);
  llvm::SmallVector<int64_t> shape;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(dimensions, d))
      shape.push_back(type.getDimSize(d));
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value zero = splat(scalar, 0);
  mlir::OperationState state(
      location, "stablehlo.reduce", {operand, zero}, {type.clone(shape)},
      {builder.getNamedAttr("dimensions",
                            builder.getDenseI64ArrayAttr(dimensions))});
  mlir::Region *region = state.addRegion();
  mlir::Operation *reduce = nullptr;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    auto *block = new mlir::Block;
    region->push_back(block);
    block->addArguments({scalar, scalar}, {location, location});
    builder.setInsertionPointToStart(block);
    Value total = add(block->getArgument(0), block->getArgument(1));
    op("stablehlo.return", {}, {total});
  }
  reduce = builder.create(state);
  return reduce->getResult(0);
}

Value StablehloBuilder::dotGeneral(Value lhs, Value rhs,
                                   llvm::ArrayRef<int64_t> lhsBatch,
                                   llvm::ArrayRef<int64_t> rhsBatch,
                                   llvm::ArrayRef<int64_t> lhsContracting,
                                   llvm::ArrayRef<int64_t> rhsContracting,
                                   mlir::Type resultElement,
                                   mlir::Attribute precision) {
  llvm::SmallVector<int64_t> shape;
  for (int64_t d : lhsBatch)
    shape.push_back(typeOf(lhs).getDimSize(d));
  auto addFree = [&](Value side, llvm::ArrayRef<int64_t> batch,
                     llvm::ArrayRef<int64_t> contracting) {
    for (int64_t d = 0; d < typeOf(side).getRank(); ++d)
      if (!llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d))
        shape.push_back(typeOf(side).getDimSize(d));
  };
  addFree(lhs, lhsBatch, lhsContracting);
  addFree(rhs, rhsBatch, rhsContracting);
  llvm::SmallVector<mlir::NamedAttribute> attributes = {builder.getNamedAttr(
      "dot_dimension_numbers", hlo::DotDimensionNumbersAttr::get(
                                   builder.getContext(), lhsBatch, rhsBatch,
                                   lhsContracting, rhsContracting))};
  if (precision)
    attributes.push_back(builder.getNamedAttr("precision_config", precision));
  return value("stablehlo.dot_general",
               RankedTensorType::get(shape, resultElement), {lhs, rhs},
               attributes);
}

Value StablehloBuilder::gatherElements(Value operand,
                                       mlir::ValueRange indices) {
  RankedTensorType type = typeOf(operand);
  llvm::ArrayRef<int64_t> shape = typeOf(indices.front()).getShape();
  int64_t rank = type.getRank();
  llvm::SmallVector<int64_t> withOne(shape), all, ones(rank, 1);
  withOne.push_back(1);
  llvm::SmallVector<Value> columns;
  for (Value index : indices)
    columns.push_back(reshape(index, withOne));
  for (int64_t d = 0; d < rank; ++d)
    all.push_back(d);
  Value table = concatenate(columns, shape.size());
  auto numbers = hlo::GatherDimensionNumbersAttr::get(
      builder.getContext(), /*offset_dims=*/{}, /*collapsed_slice_dims=*/all,
      /*operand_batching_dims=*/{}, /*start_indices_batching_dims=*/{},
      /*start_index_map=*/all, /*index_vector_dim=*/shape.size());
  return value(
      "stablehlo.gather", type.clone(shape), {operand, table},
      {builder.getNamedAttr("dimension_numbers", numbers),
       builder.getNamedAttr("slice_sizes", builder.getDenseI64ArrayAttr(ones)),
       builder.getNamedAttr("indices_are_sorted", builder.getBoolAttr(false))});
}

} // namespace xlac::transforms
