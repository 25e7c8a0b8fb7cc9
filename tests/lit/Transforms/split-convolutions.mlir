// RUN: xlac-opt %s --xlac-expand-rare-ops --split-input-file | FileCheck %s

// Results at even places see one of the three weights, those at odd ones two.
// CHECK-LABEL: @halves
// CHECK-SAME: %[[X:.*]]: tensor<1x1024x64xf32>, %[[W:.*]]: tensor<1024x32x3xf32>
func.func @halves(%x: tensor<1x1024x64xf32>, %w: tensor<1024x32x3xf32>) -> tensor<1x32x128xf32> {
  // CHECK: %[[EVEN:.*]] = stablehlo.slice %[[W]] [0:1024, 0:32, 1:2:2]
  // CHECK: stablehlo.convolution(%[[X]], %[[EVEN]])
  // CHECK-SAME: pad = {{\[\[}}0, 0]], lhs_dilate = [1]
  // CHECK: %[[ODD:.*]] = stablehlo.slice %[[W]] [0:1024, 0:32, 0:3:2]
  // CHECK: stablehlo.convolution(%[[X]], %[[ODD]])
  // CHECK-SAME: pad = {{\[\[}}0, 1]], lhs_dilate = [1]
  // CHECK: stablehlo.concatenate {{.*}} dim = 3
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1024x64xf32>, tensor<1024x32x3xf32>) -> tensor<1x32x128xf32>
  func.return %r : tensor<1x32x128xf32>
}

// -----

// Small ones, and those with strides as well, stay.
// CHECK-LABEL: @stays
func.func @stays(%x: tensor<1x8x8xf32>, %w: tensor<8x4x3xf32>, %y: tensor<1x1024x64xf32>, %v: tensor<1024x64x3xf32>) -> (tensor<1x4x16xf32>, tensor<1x64x64xf32>) {
  // CHECK-COUNT-2: lhs_dilate = [2]
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8xf32>, tensor<8x4x3xf32>) -> tensor<1x4x16xf32>
  %s = stablehlo.convolution(%y, %v) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1024x64xf32>, tensor<1024x64x3xf32>) -> tensor<1x64x64xf32>
  func.return %r, %s : tensor<1x4x16xf32>, tensor<1x64x64xf32>
}
