module @jit_moe_gather attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x8xf32>, %arg1: tensor<8x256x512xf32>, %arg2: tensor<8x512x256xf32>, %arg3: tensor<1024x256xf32>) -> (tensor<1024x256xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xf32>, tensor<256x8xf32>) -> tensor<1024x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x8xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<1024xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<1024x8xf32>
    %7 = stablehlo.exponential %6 : tensor<1024x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1024x8xf32>, tensor<f32>) -> tensor<1024xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<1024x8xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<1024x8xf32> -> (tensor<1024x2xf32>, tensor<1024x2xi32>)
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%values init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<1024x2xf32>, tensor<f32>) -> tensor<1024xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x2xf32>
    %15 = stablehlo.divide %values, %14 : tensor<1024x2xf32>
    %16 = stablehlo.transpose %indices, dims = [1, 0] : (tensor<1024x2xi32>) -> tensor<2x1024xi32>
    %17 = stablehlo.reshape %16 : (tensor<2x1024xi32>) -> tensor<2048xi32>
    %18 = call @_one_hot(%17) : (tensor<2048xi32>) -> tensor<2048x8xi32>
    %19 = call @cumsum(%18) : (tensor<2048x8xi32>) -> tensor<2048x8xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2048x8xi32>
    %21 = stablehlo.subtract %19, %20 : tensor<2048x8xi32>
    %22 = stablehlo.multiply %21, %18 : tensor<2048x8xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.reduce(%22 init: %c_3) applies stablehlo.add across dimensions = [1] : (tensor<2048x8xi32>, tensor<i32>) -> tensor<2048xi32>
    %c_4 = stablehlo.constant dense<320> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %25 = stablehlo.compare LT, %23, %24, SIGNED : (tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048xi1>
    %26 = stablehlo.transpose %15, dims = [1, 0] : (tensor<1024x2xf32>) -> tensor<2x1024xf32>
    %27 = stablehlo.reshape %26 : (tensor<2x1024xf32>) -> tensor<2048xf32>
    %28 = stablehlo.convert %25 : (tensor<2048xi1>) -> tensor<2048xf32>
    %29 = stablehlo.multiply %27, %28 : tensor<2048xf32>
    %30 = stablehlo.iota dim = 0 : tensor<1024xi32>
    %31 = stablehlo.reshape %30 : (tensor<1024xi32>) -> tensor<1x1024xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<1x1024xi32>) -> tensor<2x1024xi32>
    %33 = stablehlo.reshape %32 : (tensor<2x1024xi32>) -> tensor<2048xi32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x320x256xf32>
    %35 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<2048xi1>) -> tensor<2048x1xi1>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %37 = stablehlo.compare LT, %33, %36, SIGNED : (tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048xi1>
    %c_7 = stablehlo.constant dense<1024> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %39 = stablehlo.add %33, %38 : tensor<2048xi32>
    %40 = stablehlo.select %37, %39, %33 : tensor<2048xi1>, tensor<2048xi32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %42 = "stablehlo.gather"(%arg3, %41) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<1024x256xf32>, tensor<2048x1xi32>) -> tensor<2048x256xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = call @_where(%35, %42, %cst_8) : (tensor<2048x1xi1>, tensor<2048x256xf32>, tensor<f32>) -> tensor<2048x256xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %45 = stablehlo.compare LT, %17, %44, SIGNED : (tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048xi1>
    %c_10 = stablehlo.constant dense<8> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %47 = stablehlo.add %17, %46 : tensor<2048xi32>
    %48 = stablehlo.select %45, %47, %17 : tensor<2048xi1>, tensor<2048xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %50 = stablehlo.compare LT, %23, %49, SIGNED : (tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048xi1>
    %c_12 = stablehlo.constant dense<320> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %52 = stablehlo.add %23, %51 : tensor<2048xi32>
    %53 = stablehlo.select %50, %52, %23 : tensor<2048xi1>, tensor<2048xi32>
    %54 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %55 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %56 = stablehlo.concatenate %54, %55, dim = 1 : (tensor<2048x1xi32>, tensor<2048x1xi32>) -> tensor<2048x2xi32>
    %57 = "stablehlo.scatter"(%34, %56, %43) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %80 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<8x320x256xf32>, tensor<2048x2xi32>, tensor<2048x256xf32>) -> tensor<8x320x256xf32>
    %58 = stablehlo.dot_general %57, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x320x256xf32>, tensor<8x256x512xf32>) -> tensor<8x320x512xf32>
    %59 = call @silu(%58) : (tensor<8x320x512xf32>) -> tensor<8x320x512xf32>
    %60 = stablehlo.dot_general %59, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x320x512xf32>, tensor<8x512x256xf32>) -> tensor<8x320x256xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %62 = stablehlo.compare LT, %17, %61, SIGNED : (tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048xi1>
    %c_14 = stablehlo.constant dense<8> : tensor<i32>
    %63 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %64 = stablehlo.add %17, %63 : tensor<2048xi32>
    %65 = stablehlo.select %62, %64, %17 : tensor<2048xi1>, tensor<2048xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %67 = stablehlo.compare LT, %23, %66, SIGNED : (tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048xi1>
    %c_16 = stablehlo.constant dense<320> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2048xi32>
    %69 = stablehlo.add %23, %68 : tensor<2048xi32>
    %70 = stablehlo.select %67, %69, %23 : tensor<2048xi1>, tensor<2048xi32>
    %71 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %72 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %73 = stablehlo.concatenate %71, %72, dim = 1 : (tensor<2048x1xi32>, tensor<2048x1xi32>) -> tensor<2048x2xi32>
    %74 = "stablehlo.gather"(%60, %73) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 256>}> : (tensor<8x320x256xf32>, tensor<2048x2xi32>) -> tensor<2048x256xf32>
    %75 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x256xf32>
    %77 = stablehlo.multiply %74, %76 : tensor<2048x256xf32>
    %78 = stablehlo.reshape %77 : (tensor<2048x256xf32>) -> tensor<2x1024x256xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<2x1024x256xf32>, tensor<f32>) -> tensor<1024x256xf32>
    return %79 : tensor<1024x256xf32>
  }
  func.func private @_one_hot(%arg0: tensor<2048xi32>) -> tensor<2048x8xi32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2048x1xi32>) -> tensor<2048x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<2048x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2048x8xi32>, tensor<2048x8xi32>) -> tensor<2048x8xi1>
    %5 = stablehlo.convert %4 : (tensor<2048x8xi1>) -> tensor<2048x8xi32>
    return %5 : tensor<2048x8xi32>
  }
  func.func private @cumsum(%arg0: tensor<2048x8xi32>) -> tensor<2048x8xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2048x8xi32>) -> tensor<2048x8xi32>
    return %0 : tensor<2048x8xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<2048x8xi32>) -> tensor<2048x8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2047, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2048, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2048x8xi32>, tensor<i32>) -> tensor<2048x8xi32>
    return %1 : tensor<2048x8xi32>
  }
  func.func private @_where(%arg0: tensor<2048x1xi1>, %arg1: tensor<2048x256xf32>, %arg2: tensor<f32>) -> tensor<2048x256xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2048x1xi1>) -> tensor<2048x256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2048x256xi1>, tensor<2048x256xf32>
    return %3 : tensor<2048x256xf32>
  }
  func.func private @silu(%arg0: tensor<8x320x512xf32>) -> tensor<8x320x512xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8x320x512xf32>
    %1 = stablehlo.exponential %0 : tensor<8x320x512xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x320x512xf32>
    %3 = stablehlo.add %2, %1 : tensor<8x320x512xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x320x512xf32>
    %5 = stablehlo.divide %4, %3 : tensor<8x320x512xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<8x320x512xf32>
    return %6 : tensor<8x320x512xf32>
  }
}
