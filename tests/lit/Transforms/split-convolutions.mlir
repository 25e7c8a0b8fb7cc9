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

// -----

// Each pixel gives a patch of five by five pixels: one convolution with 25
// times as many features, whose result is transposed.
// CHECK-LABEL: @patches
// CHECK: %[[P:.*]] = stablehlo.reshape %arg1 : (tensor<5x5x7x6xf32>) -> tensor<1x5x1x5x7x1x6xf32>
// CHECK: %[[R:.*]] = stablehlo.reverse %[[P]], dims = [1, 3]
// CHECK: stablehlo.transpose %[[R]], dims = [0, 2, 4, 5, 1, 3, 6]
// CHECK: stablehlo.convolution(%arg0, {{.*}} -> tensor<8x30x40x150xf32>
// CHECK: stablehlo.transpose {{.*}}, dims = [0, 1, 4, 2, 5, 3, 6]
// CHECK: stablehlo.reshape {{.*}} -> tensor<8x150x200x6xf32>
func.func @patches(%x: tensor<8x30x40x7xf32>, %w: tensor<5x5x7x6xf32>) -> tensor<8x150x200x6xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[4, 4], [4, 4]], lhs_dilate = [5, 5]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x30x40x7xf32>, tensor<5x5x7x6xf32>) -> tensor<8x150x200x6xf32>
  func.return %r : tensor<8x150x200x6xf32>
}

// -----

// Windows of twice the dilation, reversed: two positions see each result. One
// place more than the result has is computed at both ends.
// CHECK-LABEL: @overlap
// CHECK: %[[P:.*]] = stablehlo.reshape %arg1 : (tensor<64x32x4xf32>) -> tensor<64x1x32x2x2xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[P]], dims = [0, 1, 2, 4, 3]
// CHECK: %[[W:.*]] = stablehlo.reshape %[[T]] : {{.*}} -> tensor<64x64x2xf32>
// CHECK: stablehlo.convolution(%arg0, %[[W]]){{.*}}pad = {{\[\[}}1, 1]]{{.*}}reverse = [true]{{.*}} -> tensor<2x64x101xf32>
// CHECK: stablehlo.slice {{.*}} [0:2, 0:32, 1:201]
func.func @overlap(%x: tensor<2x64x100xf32>, %w: tensor<64x32x4xf32>) -> tensor<2x32x200xf32> {
  %v = stablehlo.reverse %w, dims = [2] : tensor<64x32x4xf32>
  %r = stablehlo.convolution(%x, %v) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {pad = [[2, 2]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x100xf32>, tensor<64x32x4xf32>) -> tensor<2x32x200xf32>
  func.return %r : tensor<2x32x200xf32>
}

// -----

// All results see an image of one pixel.
// CHECK-LABEL: @one_pixel
// CHECK: stablehlo.convolution(%arg0, {{.*}} -> tensor<16x1024x1x1xf32>
func.func @one_pixel(%x: tensor<16x32x1x1xf32>, %w: tensor<32x64x4x4xf32>) -> tensor<16x64x4x4xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x32x1x1xf32>, tensor<32x64x4x4xf32>) -> tensor<16x64x4x4xf32>
  func.return %r : tensor<16x64x4x4xf32>
}
