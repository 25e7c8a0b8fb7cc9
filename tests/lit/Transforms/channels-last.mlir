// RUN: xlac-opt %s --xlac-channels-last --split-input-file | FileCheck %s

// A depthwise convolution and what surrounds it. The image is transposed once,
// and so are the weights that lanes read by channels; the sum over places
// returns to the order of the program.
// CHECK-LABEL: func.func @separable
// CHECK: %[[X:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1]
// CHECK: %[[WIDE:.*]] = stablehlo.convolution(%[[X]], %arg1) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f]
// CHECK-SAME: -> tensor<1x28x28x64xf32>
// CHECK: %[[BIAS:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<64xf32>) -> tensor<1x28x28x64xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %[[WIDE]], %[[BIAS]]
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[SUM]], %{{.*}}, low = [0, 1, 1, 0], high = [0, 1, 1, 0]
// CHECK: %[[W:.*]] = stablehlo.transpose %arg3, dims = [2, 3, 1, 0]
// CHECK: %[[DEPTH:.*]] = stablehlo.convolution(%[[PADDED]], %[[W]]) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK: %[[TOTAL:.*]] = stablehlo.reduce(%[[DEPTH]] {{.*}} across dimensions = [1, 2]
// CHECK: return %[[TOTAL]]
func.func @separable(%x: tensor<1x3x28x28xf32>, %w: tensor<64x3x1x1xf32>, %b: tensor<64xf32>, %d: tensor<64x1x3x3xf32>) -> tensor<1x64xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x28x28xf32>, tensor<64x3x1x1xf32>) -> tensor<1x64x28x28xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<1x64x28x28xf32>
  %2 = stablehlo.add %0, %1 : tensor<1x64x28x28xf32>
  %3 = stablehlo.pad %2, %z, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<1x64x28x28xf32>, tensor<f32>) -> tensor<1x64x30x30xf32>
  %4 = stablehlo.convolution(%3, %d) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 64 : i64} : (tensor<1x64x30x30xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x28x28xf32>
  %5 = stablehlo.reduce(%4 init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x64x28x28xf32>, tensor<f32>) -> tensor<1x64xf32>
  return %5 : tensor<1x64xf32>
}

// -----

// Alone, both transpositions would move as much as the convolution.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: transpose
func.func @alone(%x: tensor<1x64x30x30xf32>, %d: tensor<64x1x3x3xf32>) -> tensor<1x64x28x28xf32> {
  %0 = stablehlo.convolution(%x, %d) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 64 : i64} : (tensor<1x64x30x30xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// -----

// Eight channels do not fill a vector.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: transpose
func.func @narrow(%x: tensor<1x1x30x30xf32>, %w: tensor<8x1x1x1xf32>, %d: tensor<8x1x3x3xf32>) -> tensor<1x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x30x30xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x30x30xf32>
  %1 = stablehlo.convolution(%0, %d) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<1x8x30x30xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x28x28xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x8x28x28xf32>, tensor<f32>) -> tensor<1x8xf32>
  return %2 : tensor<1x8xf32>
}
