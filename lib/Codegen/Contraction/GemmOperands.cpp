#include "GemmOperands.h"

using namespace llvm;

namespace xlac::codegen {

Type *accumulatorType(IRBuilder<> &ir, const Gemm &gemm) {
  if (gemm.isInteger)
    return gemm.isDouble ? ir.getInt64Ty() : ir.getInt32Ty();
  return gemm.isDouble ? ir.getDoubleTy() : ir.getFloatTy();
}

Type *memoryType(IRBuilder<> &ir, const Gemm &gemm, NumberFormat format) {
  switch (format) {
  case NumberFormat::Plain:
    break;
  case NumberFormat::BF16:
  case NumberFormat::F16:
  case NumberFormat::I16:
    return ir.getInt16Ty();
  case NumberFormat::F8:
  case NumberFormat::I8:
    return ir.getInt8Ty();
  case NumberFormat::I32:
    return ir.getInt32Ty();
  }
  return accumulatorType(ir, gemm);
}

} // namespace xlac::codegen
