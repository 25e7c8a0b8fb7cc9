// RUN: xlac compile %s --target avx512 --emit kernels | FileCheck %s

// The reduced dimensions count as one of 1,024 slices, in sixteen equal chunks.
// CHECK: <reduction, tasks = [16, {{[0-9]+}}],
func.func @main(%a: tensor<8x128x768xf32>) -> tensor<768xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128x768xf32>, tensor<f32>) -> tensor<768xf32>
  return %0 : tensor<768xf32>
}
