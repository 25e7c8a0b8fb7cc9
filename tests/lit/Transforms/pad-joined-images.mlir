// RUN: xlac-opt %s --xlac-pad-joined-images --split-input-file | FileCheck %s

// The loop that joins the pieces pads the image.
// CHECK-LABEL: func @joined
// CHECK: %[[IMAGE:.*]] = stablehlo.concatenate
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[IMAGE]], %{{.*}}, low = [0, 0, 1, 0], high = [0, 0, 2, 0], interior = [0, 0, 0, 0] : (tensor<1x8x4x2xf32>, tensor<f32>) -> tensor<1x8x7x2xf32>
// CHECK: stablehlo.convolution(%[[PADDED]], %{{.*}})
// CHECK-NOT: pad =
// CHECK: return
func.func @joined(%a: tensor<1x2x4x2xf32>, %b: tensor<1x6x4x2xf32>, %w: tensor<3x4x2x5xf32>) -> tensor<1x6x4x5xf32> {
  %image = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x2x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x8x4x2xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [1, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x2xf32>, tensor<3x4x2x5xf32>) -> tensor<1x6x4x5xf32>
  return %0 : tensor<1x6x4x5xf32>
}

// -----

// Another reader needs the image as it is.
// CHECK-LABEL: func @two_readers
// CHECK-NOT: stablehlo.pad
func.func @two_readers(%a: tensor<1x2x4x2xf32>, %b: tensor<1x6x4x2xf32>, %w: tensor<3x3x2x5xf32>) -> (tensor<1x6x4x5xf32>, tensor<1x8x4x2xf32>) {
  %image = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x2x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x8x4x2xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x4x5xf32>
  return %0, %image : tensor<1x6x4x5xf32>, tensor<1x8x4x2xf32>
}

// -----

// Negative padding removes elements, and dilated images have zeros between
// their elements: the kernel copies these.
// CHECK-LABEL: func @cropped
// CHECK-NOT: stablehlo.pad
func.func @cropped(%a: tensor<1x2x4x2xf32>, %b: tensor<1x6x4x2xf32>, %w: tensor<3x3x2x5xf32>) -> tensor<1x6x2x5xf32> {
  %image = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x2x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x8x4x2xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [1, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x2x5xf32>
  return %0 : tensor<1x6x2x5xf32>
}

// -----

// CHECK-LABEL: func @dilated
// CHECK-NOT: stablehlo.pad
func.func @dilated(%a: tensor<1x2x4x2xf32>, %b: tensor<1x6x4x2xf32>, %w: tensor<3x3x2x5xf32>) -> tensor<1x6x7x5xf32> {
  %image = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x2x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x8x4x2xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [1, 1]], lhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x7x5xf32>
  return %0 : tensor<1x6x7x5xf32>
}

// -----

// Without padding there is nothing to do.
// CHECK-LABEL: func @unpadded
// CHECK-NOT: stablehlo.pad
func.func @unpadded(%a: tensor<1x2x4x2xf32>, %b: tensor<1x6x4x2xf32>, %w: tensor<3x3x2x5xf32>) -> tensor<1x6x2x5xf32> {
  %image = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x2x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x8x4x2xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x2x5xf32>
  return %0 : tensor<1x6x2x5xf32>
}

// -----

// In the branch, a kernel of its own would pad the image.
// CHECK-LABEL: func @branch
// CHECK-NOT: stablehlo.pad
func.func @branch(%a: tensor<1x2x4x2xf32>, %b: tensor<1x6x4x2xf32>, %w: tensor<3x3x2x5xf32>, %p: tensor<i1>) -> tensor<1x6x4x5xf32> {
  %image = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x2x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x8x4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1x6x4x5xf32>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.convolution(%image, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x4x5xf32>
    stablehlo.return %1 : tensor<1x6x4x5xf32>
  }, {
    stablehlo.return %zero : tensor<1x6x4x5xf32>
  }) : (tensor<i1>) -> tensor<1x6x4x5xf32>
  return %0 : tensor<1x6x4x5xf32>
}
