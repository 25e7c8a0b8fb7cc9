module @jit_black_scholes attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4194304xf32>, %arg1: tensor<4194304xf32>, %arg2: tensor<4194304xf32>, %arg3: tensor<4194304xf32>, %arg4: tensor<4194304xf32>) -> (tensor<4194304xf32> {jax.result_info = "result[0]"}, tensor<4194304xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.sqrt %arg2 : tensor<4194304xf32>
    %1 = stablehlo.multiply %arg4, %0 : tensor<4194304xf32>
    %2 = stablehlo.divide %arg0, %arg1 : tensor<4194304xf32>
    %3 = stablehlo.log %2 : tensor<4194304xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %5 = stablehlo.multiply %4, %arg4 : tensor<4194304xf32>
    %6 = stablehlo.multiply %5, %arg4 : tensor<4194304xf32>
    %7 = stablehlo.add %arg3, %6 : tensor<4194304xf32>
    %8 = stablehlo.multiply %7, %arg2 : tensor<4194304xf32>
    %9 = stablehlo.add %3, %8 : tensor<4194304xf32>
    %10 = stablehlo.divide %9, %1 : tensor<4194304xf32>
    %11 = stablehlo.subtract %10, %1 : tensor<4194304xf32>
    %12 = stablehlo.negate %arg3 : tensor<4194304xf32>
    %13 = stablehlo.multiply %12, %arg2 : tensor<4194304xf32>
    %14 = stablehlo.exponential %13 : tensor<4194304xf32>
    %15 = stablehlo.multiply %arg1, %14 : tensor<4194304xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %17 = stablehlo.multiply %10, %16 : tensor<4194304xf32>
    %18 = chlo.erf %17 : tensor<4194304xf32> -> tensor<4194304xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %20 = stablehlo.add %19, %18 : tensor<4194304xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<4194304xf32>
    %23 = stablehlo.multiply %arg0, %22 : tensor<4194304xf32>
    %cst_3 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %25 = stablehlo.multiply %11, %24 : tensor<4194304xf32>
    %26 = chlo.erf %25 : tensor<4194304xf32> -> tensor<4194304xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %28 = stablehlo.add %27, %26 : tensor<4194304xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<4194304xf32>
    %31 = stablehlo.multiply %15, %30 : tensor<4194304xf32>
    %32 = stablehlo.subtract %23, %31 : tensor<4194304xf32>
    %33 = stablehlo.negate %11 : tensor<4194304xf32>
    %cst_6 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<4194304xf32>
    %36 = chlo.erf %35 : tensor<4194304xf32> -> tensor<4194304xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %38 = stablehlo.add %37, %36 : tensor<4194304xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<4194304xf32>
    %41 = stablehlo.multiply %15, %40 : tensor<4194304xf32>
    %42 = stablehlo.negate %10 : tensor<4194304xf32>
    %cst_9 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %44 = stablehlo.multiply %42, %43 : tensor<4194304xf32>
    %45 = chlo.erf %44 : tensor<4194304xf32> -> tensor<4194304xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %47 = stablehlo.add %46, %45 : tensor<4194304xf32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<4194304xf32>
    %50 = stablehlo.multiply %arg0, %49 : tensor<4194304xf32>
    %51 = stablehlo.subtract %41, %50 : tensor<4194304xf32>
    return %32, %51 : tensor<4194304xf32>, tensor<4194304xf32>
  }
}
