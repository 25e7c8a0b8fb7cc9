module @jit_groupnorm_silu_conv attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128xf32>, %arg1: tensor<128xf32>, %arg2: tensor<3x3x128x128xf32>, %arg3: tensor<128xf32>, %arg4: tensor<128xf32>, %arg5: tensor<128xf32>, %arg6: tensor<3x3x128x128xf32>, %arg7: tensor<128xf32>, %arg8: tensor<2x64x64x128xf32>) -> (tensor<2x64x64x128xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.reshape %arg8 : (tensor<2x64x64x128xf32>) -> tensor<2x64x64x32x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x64x64x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<2x32xf32>) -> tensor<2x1x1x32x1xf32>
    %cst_0 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x1x1x32x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = call @_var(%0, %c) : (tensor<2x64x64x32x4xf32>, tensor<i32>) -> tensor<2x1x1x32x1xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x32x1xf32>) -> tensor<2x64x64x32x4xf32>
    %7 = stablehlo.subtract %0, %6 : tensor<2x64x64x32x4xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %9 = stablehlo.add %5, %8 : tensor<2x1x1x32x1xf32>
    %10 = stablehlo.rsqrt %9 : tensor<2x1x1x32x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x32x1xf32>) -> tensor<2x64x64x32x4xf32>
    %12 = stablehlo.multiply %7, %11 : tensor<2x64x64x32x4xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x64x64x32x4xf32>) -> tensor<2x64x64x128xf32>
    %14 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<2x64x64x128xf32>
    %16 = stablehlo.multiply %13, %15 : tensor<2x64x64x128xf32>
    %17 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<2x64x64x128xf32>
    %19 = stablehlo.add %16, %18 : tensor<2x64x64x128xf32>
    %20 = call @silu(%19) : (tensor<2x64x64x128xf32>) -> tensor<2x64x64x128xf32>
    %21 = stablehlo.convolution(%20, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x64x64x128xf32>, tensor<3x3x128x128xf32>) -> tensor<2x64x64x128xf32>
    %22 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<2x64x64x128xf32>
    %24 = stablehlo.add %21, %23 : tensor<2x64x64x128xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x64x64x128xf32>) -> tensor<2x64x64x32x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x64x64x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 3] : (tensor<2x32xf32>) -> tensor<2x1x1x32x1xf32>
    %cst_3 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %29 = stablehlo.divide %27, %28 : tensor<2x1x1x32x1xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %30 = call @_var(%25, %c_4) : (tensor<2x64x64x32x4xf32>, tensor<i32>) -> tensor<2x1x1x32x1xf32>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x32x1xf32>) -> tensor<2x64x64x32x4xf32>
    %32 = stablehlo.subtract %25, %31 : tensor<2x64x64x32x4xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %34 = stablehlo.add %30, %33 : tensor<2x1x1x32x1xf32>
    %35 = stablehlo.rsqrt %34 : tensor<2x1x1x32x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x32x1xf32>) -> tensor<2x64x64x32x4xf32>
    %37 = stablehlo.multiply %32, %36 : tensor<2x64x64x32x4xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x64x64x32x4xf32>) -> tensor<2x64x64x128xf32>
    %39 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<2x64x64x128xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<2x64x64x128xf32>
    %42 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<2x64x64x128xf32>
    %44 = stablehlo.add %41, %43 : tensor<2x64x64x128xf32>
    %45 = call @silu(%44) : (tensor<2x64x64x128xf32>) -> tensor<2x64x64x128xf32>
    %46 = stablehlo.convolution(%45, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x64x64x128xf32>, tensor<3x3x128x128xf32>) -> tensor<2x64x64x128xf32>
    %47 = stablehlo.broadcast_in_dim %arg7, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<2x64x64x128xf32>
    %49 = stablehlo.add %46, %48 : tensor<2x64x64x128xf32>
    %50 = stablehlo.add %arg8, %49 : tensor<2x64x64x128xf32>
    return %50 : tensor<2x64x64x128xf32>
  }
  func.func private @_var(%arg0: tensor<2x64x64x32x4xf32>, %arg1: tensor<i32>) -> tensor<2x1x1x32x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x64x64x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<2x32xf32>) -> tensor<2x1x1x32x1xf32>
    %cst_0 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x1x1x32x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x32x1xf32>) -> tensor<2x64x64x32x4xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x64x64x32x4xf32>
    %6 = chlo.square %5 : tensor<2x64x64x32x4xf32> -> tensor<2x64x64x32x4xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x64x64x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 3] : (tensor<2x32xf32>) -> tensor<2x1x1x32x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x1x1x32x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x1x1x32x1xf32>, tensor<f32>) -> tensor<2x1x1x32x1xf32>
    return %14 : tensor<2x1x1x32x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x1x1x32x1xf32>, %arg2: tensor<f32>) -> tensor<2x1x1x32x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1x1x32x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x1x1x32x1xf32>
    return %2 : tensor<2x1x1x32x1xf32>
  }
  func.func private @silu(%arg0: tensor<2x64x64x128xf32>) -> tensor<2x64x64x128xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x64x64x128xf32>
    %1 = stablehlo.exponential %0 : tensor<2x64x64x128xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x64x64x128xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x64x64x128xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x64x64x128xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x64x64x128xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x64x64x128xf32>
    return %6 : tensor<2x64x64x128xf32>
  }
}
