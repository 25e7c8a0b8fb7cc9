module @jit_gru_200 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x768xf32>, %arg1: tensor<256x768xf32>, %arg2: tensor<768xf32>, %arg3: tensor<768xf32>, %arg4: tensor<200x16x256xf32>, %arg5: tensor<16x256xf32>) -> (tensor<200x16x256xf32> {jax.result_info = "result[0]"}, tensor<16x256xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<200x16x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:8 = stablehlo.while(%iterArg = %arg4, %iterArg_0 = %arg0, %iterArg_1 = %arg2, %iterArg_2 = %arg1, %iterArg_3 = %arg3, %iterArg_4 = %c, %iterArg_5 = %arg5, %iterArg_6 = %0) : tensor<200x16x256xf32>, tensor<256x768xf32>, tensor<768xf32>, tensor<256x768xf32>, tensor<768xf32>, tensor<i32>, tensor<16x256xf32>, tensor<200x16x256xf32>
    cond {
      %c_7 = stablehlo.constant dense<200> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_4) : (tensor<200x16x256xf32>, tensor<i32>) -> tensor<16x256xf32>
      %3:2 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_5, %2) : (tensor<256x768xf32>, tensor<768xf32>, tensor<256x768xf32>, tensor<768xf32>, tensor<16x256xf32>, tensor<16x256xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>)
      %4 = func.call @dynamic_update_index_in_dim(%iterArg_6, %3#1, %iterArg_4) : (tensor<200x16x256xf32>, tensor<16x256xf32>, tensor<i32>) -> tensor<200x16x256xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %5, %3#0, %4 : tensor<200x16x256xf32>, tensor<256x768xf32>, tensor<768xf32>, tensor<256x768xf32>, tensor<768xf32>, tensor<i32>, tensor<16x256xf32>, tensor<200x16x256xf32>
    }
    return %1#7, %1#6 : tensor<200x16x256xf32>, tensor<16x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<200x16x256xf32>, %arg1: tensor<i32>) -> tensor<16x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 256] : (tensor<200x16x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x256xf32>) -> tensor<16x256xf32>
    return %1 : tensor<16x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<256x768xf32>, %arg1: tensor<768xf32>, %arg2: tensor<256x768xf32>, %arg3: tensor<768xf32>, %arg4: tensor<16x256xf32>, %arg5: tensor<16x256xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<256x768xf32>) -> tensor<16x768xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<16x768xf32>
    %3 = stablehlo.add %0, %2 : tensor<16x768xf32>
    %4 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<256x768xf32>) -> tensor<16x768xf32>
    %5 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<16x768xf32>
    %7 = stablehlo.add %4, %6 : tensor<16x768xf32>
    %8 = stablehlo.slice %3 [0:16, 0:256] : (tensor<16x768xf32>) -> tensor<16x256xf32>
    %9 = stablehlo.slice %7 [0:16, 0:256] : (tensor<16x768xf32>) -> tensor<16x256xf32>
    %10 = stablehlo.add %8, %9 : tensor<16x256xf32>
    %11 = stablehlo.negate %10 : tensor<16x256xf32>
    %12 = stablehlo.exponential %11 : tensor<16x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %14 = stablehlo.add %13, %12 : tensor<16x256xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %16 = stablehlo.divide %15, %14 : tensor<16x256xf32>
    %17 = stablehlo.slice %3 [0:16, 256:512] : (tensor<16x768xf32>) -> tensor<16x256xf32>
    %18 = stablehlo.slice %7 [0:16, 256:512] : (tensor<16x768xf32>) -> tensor<16x256xf32>
    %19 = stablehlo.add %17, %18 : tensor<16x256xf32>
    %20 = stablehlo.negate %19 : tensor<16x256xf32>
    %21 = stablehlo.exponential %20 : tensor<16x256xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %23 = stablehlo.add %22, %21 : tensor<16x256xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %25 = stablehlo.divide %24, %23 : tensor<16x256xf32>
    %26 = stablehlo.slice %3 [0:16, 512:768] : (tensor<16x768xf32>) -> tensor<16x256xf32>
    %27 = stablehlo.slice %7 [0:16, 512:768] : (tensor<16x768xf32>) -> tensor<16x256xf32>
    %28 = stablehlo.multiply %16, %27 : tensor<16x256xf32>
    %29 = stablehlo.add %26, %28 : tensor<16x256xf32>
    %30 = stablehlo.tanh %29 : tensor<16x256xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %32 = stablehlo.subtract %31, %25 : tensor<16x256xf32>
    %33 = stablehlo.multiply %32, %30 : tensor<16x256xf32>
    %34 = stablehlo.multiply %25, %arg4 : tensor<16x256xf32>
    %35 = stablehlo.add %33, %34 : tensor<16x256xf32>
    return %35, %35 : tensor<16x256xf32>, tensor<16x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<200x16x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<i32>) -> tensor<200x16x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x256xf32>) -> tensor<1x16x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<200x16x256xf32>, tensor<1x16x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<200x16x256xf32>
    return %1 : tensor<200x16x256xf32>
  }
}
