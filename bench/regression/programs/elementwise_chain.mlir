module @jit_elementwise_chain attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16777216xf32>, %arg1: tensor<16777216xf32>) -> (tensor<16777216xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16777216xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<16777216xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<16777216xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16777216xf32>
    %4 = stablehlo.maximum %2, %3 : tensor<16777216xf32>
    %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16777216xf32>
    %6 = stablehlo.subtract %4, %5 : tensor<16777216xf32>
    %7 = stablehlo.abs %6 : tensor<16777216xf32>
    %8 = stablehlo.sqrt %7 : tensor<16777216xf32>
    %9 = stablehlo.multiply %8, %arg0 : tensor<16777216xf32>
    %10 = stablehlo.add %9, %2 : tensor<16777216xf32>
    %11 = stablehlo.multiply %arg1, %arg1 : tensor<16777216xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16777216xf32>
    %13 = stablehlo.add %11, %12 : tensor<16777216xf32>
    %14 = stablehlo.divide %10, %13 : tensor<16777216xf32>
    %15 = stablehlo.tanh %14 : tensor<16777216xf32>
    return %15 : tensor<16777216xf32>
  }
}
