module @convolution_infer {
  func.func public @main(%arg0: tensor<2x3x17x19xf32>, %arg1: tensor<8x3x3x3xf32>, %arg2: tensor<8xf32>) -> (tensor<2x8x9x10xf32>, tensor<2x8xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x17x19xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x9x10xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<2x8x9x10xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x8x9x10xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x8x9x10xf32>
    %5 = stablehlo.maximum %2, %4 : tensor<2x8x9x10xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%5 init: %6) applies stablehlo.add across dimensions = [3] : (tensor<2x8x9x10xf32>, tensor<f32>) -> tensor<2x8x9xf32>
    %8 = stablehlo.constant dense<0.0> : tensor<f32>
    %9 = stablehlo.reduce(%7 init: %8) applies stablehlo.add across dimensions = [2] : (tensor<2x8x9xf32>, tensor<f32>) -> tensor<2x8xf32>
    %10 = stablehlo.constant dense<90.0> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %12 = stablehlo.divide %9, %11 : tensor<2x8xf32>
    return %5, %12 : tensor<2x8x9x10xf32>, tensor<2x8xf32>
  }
}
