// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry heads --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry narrow --emit llvm | FileCheck %s --check-prefix=NARROW

// Sums over the rows of a cache of keys or values read whole vectors, although
// a row has two dimensions.
func.func @main(%x: tensor<1x2048x12x64xf32>) -> tensor<12x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x2048x12x64xf32>, tensor<f32>) -> tensor<12x64xf32>
  return %0 : tensor<12x64xf32>
}
// CHECK-NOT: extractelement
// CHECK-COUNT-8: load <64 x float>
// CHECK-NOT: extractelement
// CHECK: ret i32

// Each head has its own weights, so that the dimensions cannot be collapsed. A
// vector is within one head.
func.func @heads(%p: tensor<12x2048xf32>, %x: tensor<2048x12x64xf32>) -> tensor<12x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %p, dims = [1, 0] : (tensor<12x2048xf32>) -> tensor<2048x12x64xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<2048x12x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2048x12x64xf32>, tensor<f32>) -> tensor<12x64xf32>
  return %2 : tensor<12x64xf32>
}

// Vectors cross the ends of heads of an odd size where the dimensions collapse.
func.func @narrow(%x: tensor<4096x16x27xf32>) -> tensor<16x27xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x16x27xf32>, tensor<f32>) -> tensor<16x27xf32>
  return %0 : tensor<16x27xf32>
}
// NARROW-NOT: extractelement
// NARROW-COUNT-8: load <16 x float>
// NARROW-NOT: extractelement
// NARROW: ret i32
