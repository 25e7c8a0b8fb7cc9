module @jit_bf16_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<768xbf16>, %arg1: tensor<768xbf16>, %arg2: tensor<768xbf16>, %arg3: tensor<768xbf16>, %arg4: tensor<768x2304xbf16>, %arg5: tensor<2304xbf16>, %arg6: tensor<768x768xbf16>, %arg7: tensor<768xbf16>, %arg8: tensor<768x3072xbf16>, %arg9: tensor<3072xbf16>, %arg10: tensor<3072x768xbf16>, %arg11: tensor<768xbf16>, %arg12: tensor<4x128x768xbf16>) -> (tensor<4x128x768xbf16> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convert %arg12 : (tensor<4x128x768xbf16>) -> tensor<4x128x768xf32>
    %1 = stablehlo.convert %arg0 : (tensor<768xbf16>) -> tensor<768xf32>
    %2 = stablehlo.convert %arg1 : (tensor<768xbf16>) -> tensor<768xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x128x768xf32>, tensor<f32>) -> tensor<4x128xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x128xf32>) -> tensor<4x128x1xf32>
    %cst_0 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x128x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4x128x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x128x1xf32>) -> tensor<4x128x768xf32>
    %8 = stablehlo.subtract %0, %7 : tensor<4x128x768xf32>
    %9 = chlo.square %8 : tensor<4x128x768xf32> -> tensor<4x128x768xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x128x768xf32>, tensor<f32>) -> tensor<4x128xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<4x128xf32>) -> tensor<4x128x1xf32>
    %cst_2 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x128x1xf32>
    %13 = stablehlo.divide %11, %12 : tensor<4x128x1xf32>
    %14 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x128x1xf32>) -> tensor<4x128x768xf32>
    %15 = stablehlo.subtract %0, %14 : tensor<4x128x768xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x128x1xf32>
    %17 = stablehlo.add %13, %16 : tensor<4x128x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<4x128x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x128x1xf32>) -> tensor<4x128x768xf32>
    %20 = stablehlo.multiply %15, %19 : tensor<4x128x768xf32>
    %21 = stablehlo.broadcast_in_dim %1, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<4x128x768xf32>
    %24 = stablehlo.broadcast_in_dim %2, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %26 = stablehlo.add %23, %25 : tensor<4x128x768xf32>
    %27 = stablehlo.convert %26 : (tensor<4x128x768xf32>) -> tensor<4x128x768xbf16>
    %28 = stablehlo.dot_general %27, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x128x768xbf16>, tensor<768x2304xbf16>) -> tensor<4x128x2304xbf16>
    %29 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<2304xbf16>) -> tensor<1x1x2304xbf16>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x2304xbf16>) -> tensor<4x128x2304xbf16>
    %31 = stablehlo.add %28, %30 : tensor<4x128x2304xbf16>
    %32 = stablehlo.slice %31 [0:4, 0:128, 0:768] : (tensor<4x128x2304xbf16>) -> tensor<4x128x768xbf16>
    %33 = stablehlo.slice %31 [0:4, 0:128, 768:1536] : (tensor<4x128x2304xbf16>) -> tensor<4x128x768xbf16>
    %34 = stablehlo.slice %31 [0:4, 0:128, 1536:2304] : (tensor<4x128x2304xbf16>) -> tensor<4x128x768xbf16>
    %35 = stablehlo.reshape %32 : (tensor<4x128x768xbf16>) -> tensor<4x128x12x64xbf16>
    %36 = stablehlo.transpose %35, dims = [0, 2, 1, 3] : (tensor<4x128x12x64xbf16>) -> tensor<4x12x128x64xbf16>
    %37 = stablehlo.reshape %33 : (tensor<4x128x768xbf16>) -> tensor<4x128x12x64xbf16>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<4x128x12x64xbf16>) -> tensor<4x12x128x64xbf16>
    %39 = stablehlo.reshape %34 : (tensor<4x128x768xbf16>) -> tensor<4x128x12x64xbf16>
    %40 = stablehlo.transpose %39, dims = [0, 2, 1, 3] : (tensor<4x128x12x64xbf16>) -> tensor<4x12x128x64xbf16>
    %41 = stablehlo.dot_general %36, %38, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x12x128x64xbf16>, tensor<4x12x128x64xbf16>) -> tensor<4x12x128x128xf32>
    %cst_4 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x12x128x128xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<4x12x128x128xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<4x12x128x128xf32>, tensor<f32>) -> tensor<4x12x128xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x12x128xf32>
    %46 = stablehlo.maximum %45, %44 : tensor<4x12x128xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<4x12x128xf32>) -> tensor<4x12x128x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<4x12x128x1xf32>) -> tensor<4x12x128x128xf32>
    %49 = stablehlo.subtract %43, %48 : tensor<4x12x128x128xf32>
    %50 = stablehlo.exponential %49 : tensor<4x12x128x128xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<4x12x128x128xf32>, tensor<f32>) -> tensor<4x12x128xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<4x12x128xf32>) -> tensor<4x12x128x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<4x12x128x1xf32>) -> tensor<4x12x128x128xf32>
    %54 = stablehlo.divide %50, %53 : tensor<4x12x128x128xf32>
    %55 = stablehlo.convert %54 : (tensor<4x12x128x128xf32>) -> tensor<4x12x128x128xbf16>
    %56 = stablehlo.dot_general %55, %40, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x12x128x128xbf16>, tensor<4x12x128x64xbf16>) -> tensor<4x12x128x64xbf16>
    %57 = stablehlo.transpose %56, dims = [0, 2, 1, 3] : (tensor<4x12x128x64xbf16>) -> tensor<4x128x12x64xbf16>
    %58 = stablehlo.reshape %57 : (tensor<4x128x12x64xbf16>) -> tensor<4x128x768xbf16>
    %59 = stablehlo.dot_general %58, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x128x768xbf16>, tensor<768x768xbf16>) -> tensor<4x128x768xbf16>
    %60 = stablehlo.add %arg12, %59 : tensor<4x128x768xbf16>
    %61 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<768xbf16>) -> tensor<1x1x768xbf16>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<1x1x768xbf16>) -> tensor<4x128x768xbf16>
    %63 = stablehlo.add %60, %62 : tensor<4x128x768xbf16>
    %64 = stablehlo.convert %63 : (tensor<4x128x768xbf16>) -> tensor<4x128x768xf32>
    %65 = stablehlo.convert %arg2 : (tensor<768xbf16>) -> tensor<768xf32>
    %66 = stablehlo.convert %arg3 : (tensor<768xbf16>) -> tensor<768xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%64 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x128x768xf32>, tensor<f32>) -> tensor<4x128xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<4x128xf32>) -> tensor<4x128x1xf32>
    %cst_9 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x128x1xf32>
    %70 = stablehlo.divide %68, %69 : tensor<4x128x1xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<4x128x1xf32>) -> tensor<4x128x768xf32>
    %72 = stablehlo.subtract %64, %71 : tensor<4x128x768xf32>
    %73 = chlo.square %72 : tensor<4x128x768xf32> -> tensor<4x128x768xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x128x768xf32>, tensor<f32>) -> tensor<4x128xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<4x128xf32>) -> tensor<4x128x1xf32>
    %cst_11 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x128x1xf32>
    %77 = stablehlo.divide %75, %76 : tensor<4x128x1xf32>
    %78 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<4x128x1xf32>) -> tensor<4x128x768xf32>
    %79 = stablehlo.subtract %64, %78 : tensor<4x128x768xf32>
    %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x128x1xf32>
    %81 = stablehlo.add %77, %80 : tensor<4x128x1xf32>
    %82 = stablehlo.rsqrt %81 : tensor<4x128x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<4x128x1xf32>) -> tensor<4x128x768xf32>
    %84 = stablehlo.multiply %79, %83 : tensor<4x128x768xf32>
    %85 = stablehlo.broadcast_in_dim %65, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %87 = stablehlo.multiply %84, %86 : tensor<4x128x768xf32>
    %88 = stablehlo.broadcast_in_dim %66, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %90 = stablehlo.add %87, %89 : tensor<4x128x768xf32>
    %91 = stablehlo.convert %90 : (tensor<4x128x768xf32>) -> tensor<4x128x768xbf16>
    %92 = stablehlo.dot_general %91, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x128x768xbf16>, tensor<768x3072xbf16>) -> tensor<4x128x3072xbf16>
    %93 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<3072xbf16>) -> tensor<1x1x3072xbf16>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x3072xbf16>) -> tensor<4x128x3072xbf16>
    %95 = stablehlo.add %92, %94 : tensor<4x128x3072xbf16>
    %96 = stablehlo.multiply %95, %95 : tensor<4x128x3072xbf16>
    %97 = stablehlo.multiply %96, %95 : tensor<4x128x3072xbf16>
    %cst_13 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %98 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<4x128x3072xbf16>
    %99 = stablehlo.multiply %98, %97 : tensor<4x128x3072xbf16>
    %100 = stablehlo.add %95, %99 : tensor<4x128x3072xbf16>
    %cst_14 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %101 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<4x128x3072xbf16>
    %102 = stablehlo.multiply %101, %100 : tensor<4x128x3072xbf16>
    %103 = stablehlo.tanh %102 : tensor<4x128x3072xbf16>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %104 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<4x128x3072xbf16>
    %105 = stablehlo.add %104, %103 : tensor<4x128x3072xbf16>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %106 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<4x128x3072xbf16>
    %107 = stablehlo.multiply %106, %105 : tensor<4x128x3072xbf16>
    %108 = stablehlo.multiply %95, %107 : tensor<4x128x3072xbf16>
    %109 = stablehlo.dot_general %108, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x128x3072xbf16>, tensor<3072x768xbf16>) -> tensor<4x128x768xbf16>
    %110 = stablehlo.add %63, %109 : tensor<4x128x768xbf16>
    %111 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<768xbf16>) -> tensor<1x1x768xbf16>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x768xbf16>) -> tensor<4x128x768xbf16>
    %113 = stablehlo.add %110, %112 : tensor<4x128x768xbf16>
    return %113 : tensor<4x128x768xbf16>
  }
}
