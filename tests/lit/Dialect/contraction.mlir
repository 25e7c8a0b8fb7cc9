// RUN: xlac-opt %s | xlac-opt | FileCheck %s

// CHECK-LABEL: func @convolution
// CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = {{\[\[}}1, 0], [0, 1]], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
func.func @convolution(%a: tensor<1x8x8x3xf32>, %w: tensor<2x2x3x4xf32>) -> tensor<1x4x4x4xf32> {
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 0], [0, 1]], reverse = [0, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<2x2x3x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func @dot
// CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT] :
func.func @dot(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @numbers
// CHECK-SAME: conv = #stablehlo.conv<raw input_batch_dimension = 7, input_feature_dimension = 7,
// CHECK-SAME: gather = #stablehlo.gather<offset_dims = [1], start_index_map = [0]>
func.func @numbers() attributes {
  conv = #stablehlo.conv<raw input_batch_dimension = 7, input_feature_dimension = 7>,
  gather = #stablehlo.gather<start_index_map = [0], index_vector_dim = 0, offset_dims = [1]>
} {
  return
}
