// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry sums --emit kernels | FileCheck %s --check-prefix=SUMS

// A vector covers two rows of four elements. It loads the two values that the
// rows read, and shuffles them.
func.func @main(%x: tensor<512x32x4xf32>, %m: tensor<32xf32>) -> tensor<512x32x4xf32> {
  %0 = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<32xf32>) -> tensor<512x32x4xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<512x32x4xf32>
  return %1 : tensor<512x32x4xf32>
}
// CHECK-DAG: load <2 x float>
// CHECK-DAG: load <8 x float>
// CHECK-NOT: extractelement
// CHECK: store <8 x float>

// Sums over pixels and the channels of a group: first over pixels, as vectors
// of channels, with a task for each part of them.
func.func @sums(%x: tensor<2x64x64x32x4xf32>) -> tensor<2x32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x64x64x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}
// SUMS-DAG: across dimensions = [1, 2]
// SUMS-DAG: across dimensions = [2] : (tensor<2x32x4xf32>
