module @jit_mlp_b1 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x4096xf32>, %arg1: tensor<4096xf32>, %arg2: tensor<4096x4096xf32>, %arg3: tensor<4096xf32>, %arg4: tensor<4096x1000xf32>, %arg5: tensor<1000xf32>, %arg6: tensor<1x1024xf32>) -> (tensor<1x1000xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.dot_general %arg6, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024xf32>, tensor<1024x4096xf32>) -> tensor<1x4096xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4096xf32>) -> tensor<1x4096xf32>
    %2 = stablehlo.add %0, %1 : tensor<1x4096xf32>
    %3 = call @relu(%2) : (tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %4 = stablehlo.dot_general %3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
    %5 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<4096xf32>) -> tensor<1x4096xf32>
    %6 = stablehlo.add %4, %5 : tensor<1x4096xf32>
    %7 = call @relu(%6) : (tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %8 = stablehlo.dot_general %7, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4096xf32>, tensor<4096x1000xf32>) -> tensor<1x1000xf32>
    %9 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %10 = stablehlo.add %8, %9 : tensor<1x1000xf32>
    return %10 : tensor<1x1000xf32>
  }
  func.func private @relu(%arg0: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4096xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4096xf32>
    return %1 : tensor<1x4096xf32>
  }
}
