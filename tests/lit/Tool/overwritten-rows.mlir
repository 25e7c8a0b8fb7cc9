// RUN: split-file %s %t
// RUN: xlac compile --emit kernels %t/softmax.mlir | FileCheck %s --check-prefix=SOFTMAX
// RUN: xlac compile --emit kernels %t/again.mlir | FileCheck %s --check-prefix=AGAIN

// The softmax of a product is written over it.
// SOFTMAX: xlac.launch @dot{{.*}} -> (%[[ROWS:[0-9]+]])
// SOFTMAX: xlac.launch @reduce{{.*}}(%[[ROWS]]) -> (%[[ROWS]])

// The kernel keeps exponentials in its result, and reads the product again.
// AGAIN-NOT: may_overwrite
// AGAIN: xlac.launch @dot{{.*}} -> (%[[ROWS:[0-9]+]])
// AGAIN-NOT: xlac.launch @reduce{{.*}}(%[[ROWS]]) -> (%[[ROWS]])

//--- softmax.mlir
func.func @main(%q: tensor<64x32xf32>, %k: tensor<32x64xf32>, %v: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.exponential %0 : tensor<64x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.divide %1, %3 : tensor<64x64xf32>
  %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %5 : tensor<64x8xf32>
}

//--- again.mlir
func.func @main(%q: tensor<64x32xf32>, %k: tensor<32x64xf32>, %v: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.exponential %0 : tensor<64x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.divide %1, %3 : tensor<64x64xf32>
  %5 = stablehlo.subtract %4, %0 : tensor<64x64xf32>
  %6 = stablehlo.dot_general %5, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %6 : tensor<64x8xf32>
}
