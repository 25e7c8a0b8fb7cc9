#include "DescribeKernels.h"

using namespace mlir;

namespace xlac::compiler {

std::string sourceOps(ir::KernelOp kernel) {
  std::string names;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<ir::YieldOp, ir::PackedOp, ir::AbsentOp>(op) ||
        op->hasTrait<OpTrait::ConstantLike>() ||
        op->getParentOp() != kernel.getOperation())
      return;
    if (!names.empty())
      names += ' ';
    names += op->getName().stripDialect();
  });
  return names;
}

/// Prints the text between the angle brackets of a tensor type, without the
/// encoding.
static void printType(llvm::raw_ostream &os, mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    os << type;
    return;
  }
  for (int64_t size : tensor.getShape())
    if (ShapedType::isDynamic(size))
      os << "?x";
    else
      os << size << 'x';
  os << tensor.getElementType();
}

std::string typesText(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (types.size() != 1)
    os << '(';
  llvm::interleaveComma(types, os,
                        [&](mlir::Type type) { printType(os, type); });
  if (types.size() != 1)
    os << ')';
  return text;
}

std::string signatureText(ir::KernelOp kernel) {
  return typesText(kernel.getBody().front().getArgumentTypes()) + " -> " +
         typesText(kernel.getYield()->getOperandTypes());
}

} // namespace xlac::compiler
