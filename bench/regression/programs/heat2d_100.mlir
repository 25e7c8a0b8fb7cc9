module @jit_heat2d_100 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x512xf32>) -> (tensor<512x512xf32> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<512x512xf32>
    cond {
      %c_3 = stablehlo.constant dense<100> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<512x512xf32>) -> (tensor<i32>, tensor<512x512xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<512x512xf32>
    }
    return %0#2 : tensor<512x512xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<512x512xf32>) -> (tensor<i32>, tensor<512x512xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg1 [2:512, 1:511] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %2 = stablehlo.slice %arg1 [0:510, 1:511] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %3 = stablehlo.add %1, %2 : tensor<510x510xf32>
    %4 = stablehlo.slice %arg1 [1:511, 2:512] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %5 = stablehlo.add %3, %4 : tensor<510x510xf32>
    %6 = stablehlo.slice %arg1 [1:511, 0:510] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %7 = stablehlo.add %5, %6 : tensor<510x510xf32>
    %8 = stablehlo.slice %arg1 [1:511, 1:511] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<510x510xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<510x510xf32>
    %11 = stablehlo.subtract %7, %10 : tensor<510x510xf32>
    %cst_0 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<510x510xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<510x510xf32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %14, %15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = "stablehlo.scatter"(%arg1, %16, %13) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %18 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %18 : tensor<f32>
    }) : (tensor<512x512xf32>, tensor<2xi32>, tensor<510x510xf32>) -> tensor<512x512xf32>
    return %0, %17 : tensor<i32>, tensor<512x512xf32>
  }
}
