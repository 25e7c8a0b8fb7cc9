module @jit_program attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16x16xf32> {mhlo.sharding = "{devices=[8,1,1]<=[8]}"}, %arg1: tensor<8x16xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, %arg2: tensor<5x4x16xf32> {mhlo.sharding = "{replicated}"}, %arg3: tensor<5x4x16xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x16x16xf32> {jax.result_info = "result[0]"}, tensor<8x16xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %2 = stablehlo.concatenate %arg2, %0, dim = 0 : (tensor<5x4x16xf32>, tensor<7x4x16xf32>) -> tensor<12x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12x4x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12x8x4x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12x8x4x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12x8x4x16xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %9:10 = stablehlo.while(%iterArg = %2, %iterArg_16 = %3, %iterArg_17 = %arg0, %iterArg_18 = %4, %iterArg_19 = %c_5, %iterArg_20 = %1, %iterArg_21 = %5, %iterArg_22 = %6, %iterArg_23 = %7, %iterArg_24 = %8) : tensor<12x4x16xf32>, tensor<1xi32>, tensor<8x16x16xf32>, tensor<8x1x16xf32>, tensor<i32>, tensor<8x4x16xf32>, tensor<12x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>
    cond {
      %c_25 = stablehlo.constant dense<12> : tensor<i32>
      %27 = stablehlo.compare LT, %iterArg_19, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %27 : tensor<i1>
    } do {
      %27 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_19) : (tensor<12x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %28:5 = func.call @closed_call(%iterArg_16, %iterArg_17, %iterArg_18, %iterArg_20, %27) : (tensor<1xi32>, tensor<8x16x16xf32>, tensor<8x1x16xf32>, tensor<8x4x16xf32>, tensor<4x16xf32>) -> (tensor<8x4x16xf32>, tensor<4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>)
      %29 = func.call @dynamic_update_index_in_dim(%iterArg_21, %28#1, %iterArg_19) : (tensor<12x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<12x4x16xf32>
      %30 = func.call @dynamic_update_index_in_dim_0(%iterArg_22, %28#2, %iterArg_19) : (tensor<12x8x4x16xf32>, tensor<8x4x16xf32>, tensor<i32>) -> tensor<12x8x4x16xf32>
      %31 = func.call @dynamic_update_index_in_dim_0(%iterArg_23, %28#3, %iterArg_19) : (tensor<12x8x4x16xf32>, tensor<8x4x16xf32>, tensor<i32>) -> tensor<12x8x4x16xf32>
      %32 = func.call @dynamic_update_index_in_dim_0(%iterArg_24, %28#4, %iterArg_19) : (tensor<12x8x4x16xf32>, tensor<8x4x16xf32>, tensor<i32>) -> tensor<12x8x4x16xf32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.add %iterArg_19, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %33, %28#0, %29, %30, %31, %32 : tensor<12x4x16xf32>, tensor<1xi32>, tensor<8x16x16xf32>, tensor<8x1x16xf32>, tensor<i32>, tensor<8x4x16xf32>, tensor<12x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>
    }
    %10 = stablehlo.slice %9#6 [7:12, 0:4, 0:16] : (tensor<12x4x16xf32>) -> tensor<5x4x16xf32>
    %11 = stablehlo.subtract %10, %arg3 : tensor<5x4x16xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<5x4x16xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x4x16xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<5x4x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%12 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<5x4x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<3.200000e+02> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<3.200000e+02> : tensor<f32>
    %17 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<5x4x16xf32>
    %19 = stablehlo.multiply %18, %14 : tensor<5x4x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.pad %19, %cst_11, low = [7, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<5x4x16xf32>, tensor<f32>) -> tensor<12x4x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x16x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %24:10 = stablehlo.while(%iterArg = %20, %iterArg_16 = %9#7, %iterArg_17 = %9#8, %iterArg_18 = %9#9, %iterArg_19 = %3, %iterArg_20 = %arg0, %iterArg_21 = %c_15, %iterArg_22 = %22, %iterArg_23 = %23, %iterArg_24 = %21) : tensor<12x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>, tensor<1xi32>, tensor<8x16x16xf32>, tensor<i32>, tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x4x16xf32>
    cond {
      %c_25 = stablehlo.constant dense<12> : tensor<i32>
      %27 = stablehlo.compare LT, %iterArg_21, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %27 : tensor<i1>
    } do {
      %c_25 = stablehlo.constant dense<12> : tensor<i32>
      %27 = stablehlo.subtract %c_25, %iterArg_21 : tensor<i32>
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.subtract %27, %c_26 : tensor<i32>
      %29 = func.call @dynamic_index_in_dim(%iterArg, %28) : (tensor<12x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %30 = func.call @dynamic_index_in_dim_1(%iterArg_16, %28) : (tensor<12x8x4x16xf32>, tensor<i32>) -> tensor<8x4x16xf32>
      %31 = func.call @dynamic_index_in_dim_1(%iterArg_17, %28) : (tensor<12x8x4x16xf32>, tensor<i32>) -> tensor<8x4x16xf32>
      %32 = func.call @dynamic_index_in_dim_1(%iterArg_18, %28) : (tensor<12x8x4x16xf32>, tensor<i32>) -> tensor<8x4x16xf32>
      %33:3 = func.call @closed_call_2(%iterArg_19, %iterArg_20, %iterArg_22, %iterArg_23, %iterArg_24, %29, %30, %31, %32) : (tensor<1xi32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x4x16xf32>, tensor<4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> (tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x4x16xf32>)
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_21, %c_27 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %34, %33#0, %33#1, %33#2 : tensor<12x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>, tensor<12x8x4x16xf32>, tensor<1xi32>, tensor<8x16x16xf32>, tensor<i32>, tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x4x16xf32>
    }
    %25 = stablehlo.subtract %arg0, %24#7 : tensor<8x16x16xf32>
    %26 = stablehlo.subtract %arg1, %24#8 : tensor<8x16xf32>
    return %25, %26, %16 : tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<12x4x16xf32>, %arg1: tensor<i32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 16] : (tensor<12x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<1xi32>, %arg1: tensor<8x16x16xf32>, %arg2: tensor<8x1x16xf32>, %arg3: tensor<8x4x16xf32>, %arg4: tensor<4x16xf32>) -> (tensor<8x4x16xf32>, tensor<4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>) {
    %0 = call @_roll_static(%arg3) : (tensor<8x4x16xf32>) -> tensor<8x4x16xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      stablehlo.return %arg6 : tensor<f32>
    }) : (tensor<8x4x16xf32>, tensor<1xi32>, tensor<4x16xf32>) -> tensor<8x4x16xf32>
    %2 = stablehlo.dot_general %1, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x16x16xf32>) -> tensor<8x4x16xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<8x1x16xf32>) -> tensor<8x4x16xf32>
    %4 = stablehlo.add %2, %3 : tensor<8x4x16xf32>
    %5 = stablehlo.tanh %4 : tensor<8x4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<8x4x16xf32>
    %8 = stablehlo.add %1, %5 : tensor<8x4x16xf32>
    %9 = stablehlo.slice %8 [7:8, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %8, %10, %1, %5, %7 : tensor<8x4x16xf32>, tensor<4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>, tensor<8x4x16xf32>
  }
  func.func private @_roll_static(%arg0: tensor<8x4x16xf32>) -> tensor<8x4x16xf32> {
    %0 = stablehlo.slice %arg0 [7:8, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.slice %arg0 [0:7, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<7x4x16xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x4x16xf32>, tensor<7x4x16xf32>) -> tensor<8x4x16xf32>
    return %2 : tensor<8x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<12x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> tensor<12x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x4x16xf32>
    return %1 : tensor<12x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<12x8x4x16xf32>, %arg1: tensor<8x4x16xf32>, %arg2: tensor<i32>) -> tensor<12x8x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<12x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x4x16xf32>
    return %1 : tensor<12x8x4x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<12x8x4x16xf32>, %arg1: tensor<i32>) -> tensor<8x4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 4, 16] : (tensor<12x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4x16xf32>) -> tensor<8x4x16xf32>
    return %1 : tensor<8x4x16xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<1xi32>, %arg1: tensor<8x16x16xf32>, %arg2: tensor<8x16x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<8x4x16xf32>, %arg5: tensor<4x16xf32>, %arg6: tensor<8x4x16xf32>, %arg7: tensor<8x4x16xf32>, %arg8: tensor<8x4x16xf32>) -> (tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x4x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg5, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %0, %cst, low = [7, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %2 = stablehlo.add %arg4, %1 : tensor<8x4x16xf32>
    %3 = stablehlo.multiply %2, %arg8 : tensor<8x4x16xf32>
    %4 = stablehlo.multiply %3, %arg7 : tensor<8x4x16xf32>
    %5 = stablehlo.add %3, %4 : tensor<8x4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<8x4x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %7 = stablehlo.reshape %6 : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x1x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.add %arg3, %8 : tensor<8x16xf32>
    %10 = stablehlo.dot_general %5, %arg6, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x16x16xf32>
    %11 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %12 = stablehlo.add %arg2, %11 : tensor<8x16x16xf32>
    %13 = stablehlo.dot_general %5, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x16x16xf32>) -> tensor<8x4x16xf32>
    %14 = stablehlo.add %2, %13 : tensor<8x4x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %16 = "stablehlo.scatter"(%14, %arg0, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      stablehlo.return %arg10 : tensor<f32>
    }) : (tensor<8x4x16xf32>, tensor<1xi32>, tensor<4x16xf32>) -> tensor<8x4x16xf32>
    %17 = call @_roll_static_3(%16) : (tensor<8x4x16xf32>) -> tensor<8x4x16xf32>
    return %12, %9, %17 : tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x4x16xf32>
  }
  func.func private @_roll_static_3(%arg0: tensor<8x4x16xf32>) -> tensor<8x4x16xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.slice %arg0 [1:8, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<7x4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.pad %1, %cst, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<7x4x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.pad %0, %cst_0, low = [7, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %4 = stablehlo.add %2, %3 : tensor<8x4x16xf32>
    return %4 : tensor<8x4x16xf32>
  }
}
