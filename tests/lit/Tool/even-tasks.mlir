// RUN: xlac compile %s --target avx512 --emit kernels | FileCheck %s

// Twelve tiles of rows are four equal tasks, so that two cores finish together.
// CHECK: <contraction, tasks = [4],
func.func @main(%a: tensor<1x576x7x7xf32>, %b: tensor<160x576x1x1xf32>) -> tensor<1x160x7x7xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x576x7x7xf32>, tensor<160x576x1x1xf32>) -> tensor<1x160x7x7xf32>
  return %0 : tensor<1x160x7x7xf32>
}
