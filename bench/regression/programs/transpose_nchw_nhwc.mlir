module @jit_transpose_nchw_nhwc attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x96x112x112xf32>, %arg1: tensor<96xf32>, %arg2: tensor<96xf32>) -> (tensor<8x112x112x96xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 3, 1] : (tensor<8x96x112x112xf32>) -> tensor<8x112x112x96xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<8x112x112x96xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<8x112x112x96xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<8x112x112x96xf32>
    %6 = stablehlo.add %3, %5 : tensor<8x112x112x96xf32>
    %7 = call @relu(%6) : (tensor<8x112x112x96xf32>) -> tensor<8x112x112x96xf32>
    return %7 : tensor<8x112x112x96xf32>
  }
  func.func private @relu(%arg0: tensor<8x112x112x96xf32>) -> tensor<8x112x112x96xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x112x112x96xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x112x112x96xf32>
    return %1 : tensor<8x112x112x96xf32>
  }
}
