// RUN: xlac-opt %s --xlac-simplify --split-input-file | FileCheck %s

// The weights of a depthwise convolution's gradient get their channels last.
// CHECK-LABEL: @depthwise_image
// CHECK: %[[W:.*]] = stablehlo.reshape %arg1 : (tensor<3x3x16x1xf32>) -> tensor<3x3x1x16xf32>
// CHECK: stablehlo.convolution(%arg0, %[[W]]) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
func.func @depthwise_image(%x: tensor<2x8x8x16xf32>, %w: tensor<3x3x16x1xf32>) -> tensor<2x6x6x16xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<2x8x8x16xf32>, tensor<3x3x16x1xf32>) -> tensor<2x6x6x16xf32>
  func.return %r : tensor<2x6x6x16xf32>
}

// -----

// One sum for each place of the window.
// CHECK-LABEL: @depthwise_weights
// CHECK-NOT: stablehlo.convolution
// CHECK: %[[IN:.*]]:2 = stablehlo.optimization_barrier %arg0, %arg1
// CHECK: %[[FIRST:.*]] = stablehlo.slice %[[IN]]#0 [0:2, 0:7, 0:8, 0:16]
// CHECK: stablehlo.multiply %[[FIRST]], %[[IN]]#1
// CHECK: stablehlo.reduce
// CHECK: %[[SECOND:.*]] = stablehlo.slice %[[IN]]#0 [0:2, 1:8, 0:8, 0:16]
// CHECK: stablehlo.multiply %[[SECOND]], %[[IN]]#1
// CHECK: stablehlo.reduce
// CHECK-NOT: stablehlo.reduce
func.func @depthwise_weights(%x: tensor<2x8x8x16xf32>, %g: tensor<2x7x8x16xf32>) -> tensor<2x1x1x16xf32> {
  %r = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 16 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x16xf32>, tensor<2x7x8x16xf32>) -> tensor<2x1x1x16xf32>
  func.return %r : tensor<2x1x1x16xf32>
}

// -----

// The same with rows last.
// CHECK-LABEL: @depthwise_weights_of_rows
// CHECK-COUNT-2: stablehlo.reduce({{.*}} dimensions = [0, 2, 3] : (tensor<2x16x7x8xf32>
func.func @depthwise_weights_of_rows(%x: tensor<2x16x8x8xf32>, %g: tensor<2x16x7x8xf32>) -> tensor<16x1x2x1xf32> {
  %r = stablehlo.convolution(%x, %g) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {} {batch_group_count = 16 : i64, feature_group_count = 1 : i64} : (tensor<2x16x8x8xf32>, tensor<2x16x7x8xf32>) -> tensor<16x1x2x1xf32>
  func.return %r : tensor<16x1x2x1xf32>
}
