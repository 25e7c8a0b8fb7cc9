module @jit_unet_up_nhwc attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4x256x128xf32>, %arg1: tensor<4x4x128x64xf32>, %arg2: tensor<4x4x64x3xf32>, %arg3: tensor<8x8x8x256xf32>) -> (tensor<8x64x64x3xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convolution(%arg3, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x256xf32>, tensor<4x4x256x128xf32>) -> tensor<8x16x16x128xf32>
    %1 = call @relu(%0) : (tensor<8x16x16x128xf32>) -> tensor<8x16x16x128xf32>
    %2 = stablehlo.convolution(%1, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x128xf32>, tensor<4x4x128x64xf32>) -> tensor<8x32x32x64xf32>
    %3 = call @relu_0(%2) : (tensor<8x32x32x64xf32>) -> tensor<8x32x32x64xf32>
    %4 = stablehlo.convolution(%3, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x32x64xf32>, tensor<4x4x64x3xf32>) -> tensor<8x64x64x3xf32>
    %5 = stablehlo.tanh %4 : tensor<8x64x64x3xf32>
    return %5 : tensor<8x64x64x3xf32>
  }
  func.func private @relu(%arg0: tensor<8x16x16x128xf32>) -> tensor<8x16x16x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x16x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x16x16x128xf32>
    return %1 : tensor<8x16x16x128xf32>
  }
  func.func private @relu_0(%arg0: tensor<8x32x32x64xf32>) -> tensor<8x32x32x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x32x32x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x32x32x64xf32>
    return %1 : tensor<8x32x32x64xf32>
  }
}
