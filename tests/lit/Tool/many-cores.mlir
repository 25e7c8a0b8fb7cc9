// Kernels are divided for the number of threads. Results have the same bits for
// every number.
// RUN: rm -rf %t.2 %t.64 && mkdir -p %t.2 %t.64
// RUN: xlac bench %s --inputs random:1 --iters 1 --no-cache --threads 2 --outputs %t.2 --kernels | FileCheck %s
// RUN: xlac bench %s --inputs random:1 --iters 1 --no-cache --threads 64 --outputs %t.64 --kernels | FileCheck %s
// RUN: cmp %t.2/out_000.npy %t.64/out_000.npy
// RUN: cmp %t.2/out_001.npy %t.64/out_001.npy
// RUN: cmp %t.2/out_002.npy %t.64/out_002.npy

// CHECK-DAG: contraction convolution
// CHECK-DAG: contraction dot_general
// CHECK-DAG: reduction
// CHECK: the parallel efficiency of {{2|64}} threads
func.func @main(%image: tensor<1x32x28x28xf32>, %weights: tensor<64x32x3x3xf32>, %a: tensor<128x700xf32>, %b: tensor<700x520xf32>) -> (tensor<1x64x26x26xf32>, tensor<128x520xf32>, tensor<520xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%image, %weights) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x32x28x28xf32>, tensor<64x32x3x3xf32>) -> tensor<1x64x26x26xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x700xf32>, tensor<700x520xf32>) -> tensor<128x520xf32>
  %2 = stablehlo.exponential %b : tensor<700x520xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<700x520xf32>, tensor<f32>) -> tensor<520xf32>
  return %0, %1, %3 : tensor<1x64x26x26xf32>, tensor<128x520xf32>, tensor<520xf32>
}
