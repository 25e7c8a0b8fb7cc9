#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"

namespace mlir::stablehlo {

LogicalResult inferTypes(StringRef name, MLIRContext *context,
                         std::optional<Location> location, ValueRange operands,
                         DictionaryAttr attributes, OpaqueProperties properties,
                         RegionRange regions, SmallVectorImpl<Type> &types) {
  StringRef op = name.substr(name.find('.') + 1);
  auto tensor = operands.empty()
                    ? RankedTensorType()
                    : dyn_cast<RankedTensorType>(operands.front().getType());
  auto real = [](Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    return complex ? complex.getElementType() : type;
  };
  if (op == "constant") {
    types.push_back(
        properties.as<ConstantOp::Properties *>()->value.getType());
  } else if (op == "partition_id" || op == "replica_id") {
    types.push_back(
        RankedTensorType::get({}, IntegerType::get(context, 32,
                                                   IntegerType::Unsigned)));
  } else if (op == "create_token" || op == "after_all") {
    types.push_back(TokenType::get(context));
  } else if (op == "tuple") {
    types.push_back(TupleType::get(context, operands.getTypes()));
  } else if (op == "while" || op == "optimization_barrier" || op == "sort") {
    llvm::append_range(types, operands.getTypes());
  } else if (op == "compare" || op == "is_finite" || op == "is_inf" ||
             op == "is_pos_inf" || op == "is_neg_inf") {
    types.push_back(tensor.clone(IntegerType::get(context, 1)));
  } else if (op == "abs" || op == "real" || op == "imag") {
    types.push_back(tensor.clone(real(tensor.getElementType())));
  } else if (op == "complex") {
    types.push_back(tensor.clone(ComplexType::get(tensor.getElementType())));
  } else if (op == "select" || op == "clamp") {
    types.push_back(operands[1].getType());
  } else {
    types.push_back(tensor);
  }
  return success();
}

} // namespace mlir::stablehlo
