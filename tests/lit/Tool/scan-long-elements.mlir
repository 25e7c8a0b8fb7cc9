// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry cheap --emit llvm | FileCheck %s --check-prefix=CHEAP

// A running sum of elements that each take a long sequence of instructions
// computes two vectors of columns at a time.
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<64x4096xf32>
  %0 = "stablehlo.reduce_window"(%e, %zero) <{
      padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 64, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64x4096xf32>
  return %0 : tensor<64x4096xf32>
}
// CHECK-LABEL: define {{.*}} @reduce_window
// CHECK-COUNT-2: store <8 x float>
// CHECK-NOT: store <8 x float>
// CHECK-LABEL: define {{.*}} @xlac_entry

// Of other elements, it computes eight.
func.func @cheap(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{
      padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 64, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64x4096xf32>
  return %0 : tensor<64x4096xf32>
}
// CHEAP-LABEL: define {{.*}} @reduce_window
// CHEAP-COUNT-8: store <8 x float>
