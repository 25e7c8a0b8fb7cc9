// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry short --emit llvm | FileCheck %s --check-prefix=ONE
// RUN: xlac compile %s --target avx512 --emit llvm | FileCheck %s --check-prefix=ONE

// A loop over elements that each need a long chain of ops is divided in two: a
// strip of 64 quotients is stored, from which the second loop computes tanh.
func.func @main(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.abs %x : tensor<4096xf32>
  %1 = stablehlo.sqrt %0 : tensor<4096xf32>
  %2 = stablehlo.divide %1, %y : tensor<4096xf32>
  %3 = stablehlo.tanh %2 : tensor<4096xf32>
  return %3 : tensor<4096xf32>
}
// CHECK: alloca [4 x <16 x float>], align 64
// CHECK: fdiv <16 x float>
// CHECK: store <16 x float>
// CHECK: load <16 x float>
// CHECK: fdiv <16 x float>

// Chains that are not long enough stay in one loop, as do all with AVX-512.
func.func @short(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4096xf32>
  %1 = stablehlo.tanh %0 : tensor<4096xf32>
  return %1 : tensor<4096xf32>
}
// ONE-NOT: alloca
// ONE: ret
