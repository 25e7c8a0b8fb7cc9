// RUN: xlac-opt %s --xlac-channels-last=packs-weights=true --split-input-file | FileCheck %s
// RUN: xlac-opt %s --xlac-channels-last --split-input-file | FileCheck %s --check-prefix=READ

// Channels fill the panels of a GEMM. The weights stay as they are, because
// they are packed in any order; if they were not, the images would stay too.
// CHECK-LABEL: func.func @full
// CHECK: %[[X:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1]
// CHECK: %[[A:.*]] = stablehlo.convolution(%[[X]], %arg1) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f]
// CHECK: %[[B:.*]] = stablehlo.maximum %[[A]]
// CHECK: %[[C:.*]] = stablehlo.convolution(%[[B]], %arg2) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f]
// CHECK: stablehlo.reduce(%[[C]] {{.*}} across dimensions = [1, 2]
// READ-LABEL: func.func @full
// READ-NOT: transpose
func.func @full(%x: tensor<1x3x28x28xf32>, %w: tensor<64x3x3x3xf32>, %v: tensor<64x64x1x1xf32>) -> tensor<1x64xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant dense<0.0> : tensor<1x64x28x28xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x28x28xf32>, tensor<64x3x3x3xf32>) -> tensor<1x64x28x28xf32>
  %1 = stablehlo.maximum %0, %s : tensor<1x64x28x28xf32>
  %2 = stablehlo.convolution(%1, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x28x28xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x28x28xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x64x28x28xf32>, tensor<f32>) -> tensor<1x64xf32>
  return %3 : tensor<1x64xf32>
}

// -----

// The last panel of 40 channels is half empty.
// CHECK-LABEL: func.func @partial
// CHECK-NOT: transpose
func.func @partial(%x: tensor<1x3x28x28xf32>, %w: tensor<40x3x3x3xf32>) -> tensor<1x40xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x28x28xf32>, tensor<40x3x3x3xf32>) -> tensor<1x40x28x28xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x40x28x28xf32>, tensor<f32>) -> tensor<1x40xf32>
  return %1 : tensor<1x40xf32>
}

// -----

// A training step also reads the image to compute the gradient of the weights.
// CHECK-LABEL: func.func @gradient
// CHECK-NOT: transpose
func.func @gradient(%x: tensor<8x3x14x14xf32>, %w: tensor<64x3x3x3xf32>, %g: tensor<8x64x14x14xf32>) -> (tensor<8x64xf32>, tensor<64x64x3x3xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x3x14x14xf32>, tensor<64x3x3x3xf32>) -> tensor<8x64x14x14xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<8x64x14x14xf32>, tensor<f32>) -> tensor<8x64xf32>
  %2 = stablehlo.convolution(%0, %g) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x64x14x14xf32>, tensor<8x64x14x14xf32>) -> tensor<64x64x3x3xf32>
  return %1, %2 : tensor<8x64xf32>, tensor<64x64x3x3xf32>
}
