#include "CellProducts.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace xlac::codegen {

/// Returns the intrinsic for a register of `lanes` sums.
static Intrinsic::ID intrinsicOf(CellProducts::Kind kind, unsigned lanes) {
  unsigned width = lanes == 4 ? 0 : lanes == 8 ? 1 : 2;
  assert(4u << width == lanes && "registers have 128, 256 or 512 bits");
  constexpr Intrinsic::ID bytes[] = {Intrinsic::x86_avx512_vpdpbusd_128,
                                     Intrinsic::x86_avx512_vpdpbusd_256,
                                     Intrinsic::x86_avx512_vpdpbusd_512};
  constexpr Intrinsic::ID fused[] = {Intrinsic::x86_avx512_vpdpwssd_128,
                                     Intrinsic::x86_avx512_vpdpwssd_256,
                                     Intrinsic::x86_avx512_vpdpwssd_512};
  constexpr Intrinsic::ID words[] = {Intrinsic::x86_sse2_pmadd_wd,
                                     Intrinsic::x86_avx2_pmadd_wd,
                                     Intrinsic::x86_avx512_pmaddw_d_512};
  return kind == CellProducts::Bytes        ? bytes[width]
         : kind == CellProducts::FusedWords ? fused[width]
                                            : words[width];
}

Value *emitCellProducts(IRBuilder<> &ir, const CellProducts &products,
                        Value *sum, Value *a, Value *b) {
  assert(products.kind != CellProducts::None && "cells have products");
  unsigned lanes = cast<FixedVectorType>(sum->getType())->getNumElements();
  bool areBytes = products.kind == CellProducts::Bytes;
  auto *parts = FixedVectorType::get(
      areBytes ? ir.getInt8Ty() : ir.getInt16Ty(), lanes * (areBytes ? 4 : 2));
  a = ir.CreateBitCast(a, parts);
  b = ir.CreateBitCast(b, parts);
  Intrinsic::ID id = intrinsicOf(products.kind, lanes);
  if (products.kind == CellProducts::Words)
    return ir.CreateAdd(sum, ir.CreateIntrinsic(id, {}, {a, b}));
  if (areBytes && products.unsignedB) // the unsigned side comes first
    std::swap(a, b);
  return ir.CreateIntrinsic(id, {}, {sum, a, b});
}

} // namespace xlac::codegen
