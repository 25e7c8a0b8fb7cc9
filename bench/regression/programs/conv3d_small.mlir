module @jit_conv3d_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x3x3x3x3xf32>, %arg1: tensor<16xf32>, %arg2: tensor<32x16x3x3x3xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x32x3x3x3xf32>, %arg5: tensor<32xf32>, %arg6: tensor<1x3x16x48x48xf32>) -> (tensor<1x32x8x24x24xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convolution(%arg6, %arg0) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {stride = [1, 1, 1], pad = [[1, 1], [1, 1], [1, 1]], lhs_dilate = [1, 1, 1], rhs_dilate = [1, 1, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x16x48x48xf32>, tensor<16x3x3x3x3xf32>) -> tensor<1x16x16x48x48xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16x1x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3, 4] : (tensor<1x16x1x1x1xf32>) -> tensor<1x16x16x48x48xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x16x16x48x48xf32>
    %4 = call @relu(%3) : (tensor<1x16x16x48x48xf32>) -> tensor<1x16x16x48x48xf32>
    %5 = stablehlo.convolution(%4, %arg2) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {stride = [1, 1, 1], pad = [[1, 1], [1, 1], [1, 1]], lhs_dilate = [1, 1, 1], rhs_dilate = [1, 1, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x48x48xf32>, tensor<32x16x3x3x3xf32>) -> tensor<1x32x16x48x48xf32>
    %6 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<32xf32>) -> tensor<1x32x1x1x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<1x32x1x1x1xf32>) -> tensor<1x32x16x48x48xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x32x16x48x48xf32>
    %9 = call @relu_0(%8) : (tensor<1x32x16x48x48xf32>) -> tensor<1x32x16x48x48xf32>
    %10 = stablehlo.convolution(%9, %arg4) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {stride = [2, 2, 2], pad = [[1, 1], [1, 1], [1, 1]], lhs_dilate = [1, 1, 1], rhs_dilate = [1, 1, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x32x16x48x48xf32>, tensor<32x32x3x3x3xf32>) -> tensor<1x32x8x24x24xf32>
    %11 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<32xf32>) -> tensor<1x32x1x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x32x1x1x1xf32>) -> tensor<1x32x8x24x24xf32>
    %13 = stablehlo.add %10, %12 : tensor<1x32x8x24x24xf32>
    %14 = call @relu_1(%13) : (tensor<1x32x8x24x24xf32>) -> tensor<1x32x8x24x24xf32>
    return %14 : tensor<1x32x8x24x24xf32>
  }
  func.func private @relu(%arg0: tensor<1x16x16x48x48xf32>) -> tensor<1x16x16x48x48xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x16x48x48xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x16x16x48x48xf32>
    return %1 : tensor<1x16x16x48x48xf32>
  }
  func.func private @relu_0(%arg0: tensor<1x32x16x48x48xf32>) -> tensor<1x32x16x48x48xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32x16x48x48xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x32x16x48x48xf32>
    return %1 : tensor<1x32x16x48x48xf32>
  }
  func.func private @relu_1(%arg0: tensor<1x32x8x24x24xf32>) -> tensor<1x32x8x24x24xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32x8x24x24xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x32x8x24x24xf32>
    return %1 : tensor<1x32x8x24x24xf32>
  }
}
