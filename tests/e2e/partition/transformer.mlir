module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64x256xf32>, %arg7: tensor<256xf32>, %arg8: tensor<256x64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64x64xf32>, %arg11: tensor<64x64xf32>, %arg12: tensor<64x64xf32>, %arg13: tensor<64x64xf32>, %arg14: tensor<64x256xf32>, %arg15: tensor<256xf32>, %arg16: tensor<256x64xf32>, %arg17: tensor<64xf32>, %arg18: tensor<8x16xi32>, %arg19: tensor<8x16xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<256x64xf32> {jax.result_info = "result[1][0]"}, tensor<16x64xf32> {jax.result_info = "result[1][1]"}, tensor<64x64xf32> {jax.result_info = "result[1][2]"}, tensor<64x64xf32> {jax.result_info = "result[1][3]"}, tensor<64x64xf32> {jax.result_info = "result[1][4]"}, tensor<64x64xf32> {jax.result_info = "result[1][5]"}, tensor<64x256xf32> {jax.result_info = "result[1][6]"}, tensor<256xf32> {jax.result_info = "result[1][7]"}, tensor<256x64xf32> {jax.result_info = "result[1][8]"}, tensor<64xf32> {jax.result_info = "result[1][9]"}, tensor<64x64xf32> {jax.result_info = "result[1][10]"}, tensor<64x64xf32> {jax.result_info = "result[1][11]"}, tensor<64x64xf32> {jax.result_info = "result[1][12]"}, tensor<64x64xf32> {jax.result_info = "result[1][13]"}, tensor<64x256xf32> {jax.result_info = "result[1][14]"}, tensor<256xf32> {jax.result_info = "result[1][15]"}, tensor<256x64xf32> {jax.result_info = "result[1][16]"}, tensor<64xf32> {jax.result_info = "result[1][17]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %1 = stablehlo.compare LT, %arg18, %0, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %3 = stablehlo.add %arg18, %2 : tensor<8x16xi32>
    %4 = stablehlo.select %1, %3, %arg18 : tensor<8x16xi1>, tensor<8x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<8x16x1xi32>) -> tensor<8x16x64xf32>
    %7 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x16x64xf32>) -> tensor<8x16x64xf32>
    %9 = stablehlo.add %6, %8 : tensor<8x16x64xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %11 = call @tril(%10) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<8x16x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %17 = stablehlo.subtract %9, %16 : tensor<8x16x64xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %18:5 = call @_var(%9, %c_3) : (tensor<8x16x64xf32>, tensor<i32>) -> (tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>)
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %20 = stablehlo.add %18#0, %19 : tensor<8x16x1xf32>
    %21 = stablehlo.rsqrt %20 : tensor<8x16x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<8x16x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<8x16x1xf32>
    %25 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %26 = stablehlo.multiply %17, %25 : tensor<8x16x64xf32>
    %27 = stablehlo.dot_general %26, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %28 = stablehlo.reshape %27 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %29 = stablehlo.transpose %28, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %30 = stablehlo.dot_general %26, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %31 = stablehlo.reshape %30 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %32 = stablehlo.transpose %31, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %33 = stablehlo.transpose %32, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %34 = stablehlo.dot_general %29, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %36 = stablehlo.divide %34, %35 : tensor<8x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %37:3 = call @_where_0(%11, %36, %cst_7) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>)
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.reduce(%37#0 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %39 = stablehlo.reshape %38 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %41 = stablehlo.compare EQ, %37#0, %40, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %42 = stablehlo.convert %41 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %45 = stablehlo.maximum %44, %38 : tensor<8x4x16xf32>
    %46 = stablehlo.compare EQ, %38, %45, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %49 = stablehlo.select %46, %47, %48 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %51 = stablehlo.compare EQ, %50, %45, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %54 = stablehlo.select %51, %52, %53 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %55 = stablehlo.divide %49, %54 : tensor<8x4x16xf32>
    %56 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %58 = stablehlo.subtract %37#0, %57 : tensor<8x4x16x16xf32>
    %59 = stablehlo.exponential %58 : tensor<8x4x16x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %63 = stablehlo.divide %59, %62 : tensor<8x4x16x16xf32>
    %64 = stablehlo.multiply %61, %61 : tensor<8x4x16x1xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %66 = stablehlo.divide %65, %64 : tensor<8x4x16x1xf32>
    %67 = stablehlo.dot_general %26, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %68 = stablehlo.reshape %67 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %69 = stablehlo.transpose %68, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %70 = stablehlo.dot_general %63, %69, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %71 = stablehlo.transpose %70, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %72 = stablehlo.reshape %71 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %73 = stablehlo.dot_general %72, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %74 = stablehlo.add %9, %73 : tensor<8x16x64xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_19 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %78 = stablehlo.divide %76, %77 : tensor<8x16x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %80 = stablehlo.subtract %74, %79 : tensor<8x16x64xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %81:5 = call @_var(%74, %c_20) : (tensor<8x16x64xf32>, tensor<i32>) -> (tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>)
    %cst_21 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %83 = stablehlo.add %81#0, %82 : tensor<8x16x1xf32>
    %84 = stablehlo.rsqrt %83 : tensor<8x16x1xf32>
    %85 = stablehlo.divide %84, %83 : tensor<8x16x1xf32>
    %cst_22 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<8x16x1xf32>
    %88 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %89 = stablehlo.multiply %80, %88 : tensor<8x16x64xf32>
    %90 = stablehlo.dot_general %89, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x256xf32>) -> tensor<8x16x256xf32>
    %91 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x16x256xf32>
    %93 = stablehlo.add %90, %92 : tensor<8x16x256xf32>
    %94 = stablehlo.multiply %93, %93 : tensor<8x16x256xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<8x16x256xf32>
    %96 = stablehlo.multiply %93, %93 : tensor<8x16x256xf32>
    %cst_23 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<8x16x256xf32>
    %cst_24 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %100 = stablehlo.multiply %99, %95 : tensor<8x16x256xf32>
    %101 = stablehlo.add %93, %100 : tensor<8x16x256xf32>
    %cst_25 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<8x16x256xf32>
    %104 = stablehlo.tanh %103 : tensor<8x16x256xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %106 = stablehlo.subtract %105, %104 : tensor<8x16x256xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %108 = stablehlo.add %107, %104 : tensor<8x16x256xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %110 = stablehlo.multiply %109, %108 : tensor<8x16x256xf32>
    %111 = stablehlo.multiply %93, %110 : tensor<8x16x256xf32>
    %112 = stablehlo.dot_general %111, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<256x64xf32>) -> tensor<8x16x64xf32>
    %113 = stablehlo.add %74, %112 : tensor<8x16x64xf32>
    %114 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<8x16x64xf32>
    %116 = stablehlo.add %113, %115 : tensor<8x16x64xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_30 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %120 = stablehlo.divide %118, %119 : tensor<8x16x1xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %122 = stablehlo.subtract %116, %121 : tensor<8x16x64xf32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %123:5 = call @_var(%116, %c_31) : (tensor<8x16x64xf32>, tensor<i32>) -> (tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>)
    %cst_32 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %125 = stablehlo.add %123#0, %124 : tensor<8x16x1xf32>
    %126 = stablehlo.rsqrt %125 : tensor<8x16x1xf32>
    %127 = stablehlo.divide %126, %125 : tensor<8x16x1xf32>
    %cst_33 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %129 = stablehlo.multiply %128, %127 : tensor<8x16x1xf32>
    %130 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %131 = stablehlo.multiply %122, %130 : tensor<8x16x64xf32>
    %132 = stablehlo.dot_general %131, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %133 = stablehlo.reshape %132 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %134 = stablehlo.transpose %133, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %135 = stablehlo.dot_general %131, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %136 = stablehlo.reshape %135 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %137 = stablehlo.transpose %136, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %138 = stablehlo.transpose %137, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %139 = stablehlo.dot_general %134, %138, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_34 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %141 = stablehlo.divide %139, %140 : tensor<8x4x16x16xf32>
    %cst_35 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %142:3 = call @_where_0(%11, %141, %cst_35) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>)
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %143 = stablehlo.reduce(%142#0 init: %cst_36) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %144 = stablehlo.reshape %143 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %146 = stablehlo.compare EQ, %142#0, %145, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %147 = stablehlo.convert %146 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_37) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_38 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %150 = stablehlo.maximum %149, %143 : tensor<8x4x16xf32>
    %151 = stablehlo.compare EQ, %143, %150, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %154 = stablehlo.select %151, %152, %153 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_41 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %156 = stablehlo.compare EQ, %155, %150, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_42 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %159 = stablehlo.select %156, %157, %158 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %160 = stablehlo.divide %154, %159 : tensor<8x4x16xf32>
    %161 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %163 = stablehlo.subtract %142#0, %162 : tensor<8x4x16x16xf32>
    %164 = stablehlo.exponential %163 : tensor<8x4x16x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%164 init: %cst_44) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %168 = stablehlo.divide %164, %167 : tensor<8x4x16x16xf32>
    %169 = stablehlo.multiply %166, %166 : tensor<8x4x16x1xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %171 = stablehlo.divide %170, %169 : tensor<8x4x16x1xf32>
    %172 = stablehlo.dot_general %131, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %173 = stablehlo.reshape %172 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %174 = stablehlo.transpose %173, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %175 = stablehlo.dot_general %168, %174, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %176 = stablehlo.transpose %175, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %177 = stablehlo.reshape %176 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %178 = stablehlo.dot_general %177, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %179 = stablehlo.add %116, %178 : tensor<8x16x64xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.reduce(%179 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_47 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %183 = stablehlo.divide %181, %182 : tensor<8x16x1xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %185 = stablehlo.subtract %179, %184 : tensor<8x16x64xf32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %186:5 = call @_var(%179, %c_48) : (tensor<8x16x64xf32>, tensor<i32>) -> (tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>)
    %cst_49 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %188 = stablehlo.add %186#0, %187 : tensor<8x16x1xf32>
    %189 = stablehlo.rsqrt %188 : tensor<8x16x1xf32>
    %190 = stablehlo.divide %189, %188 : tensor<8x16x1xf32>
    %cst_50 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %192 = stablehlo.multiply %191, %190 : tensor<8x16x1xf32>
    %193 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %194 = stablehlo.multiply %185, %193 : tensor<8x16x64xf32>
    %195 = stablehlo.dot_general %194, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x256xf32>) -> tensor<8x16x256xf32>
    %196 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x16x256xf32>
    %198 = stablehlo.add %195, %197 : tensor<8x16x256xf32>
    %199 = stablehlo.multiply %198, %198 : tensor<8x16x256xf32>
    %200 = stablehlo.multiply %199, %198 : tensor<8x16x256xf32>
    %201 = stablehlo.multiply %198, %198 : tensor<8x16x256xf32>
    %cst_51 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %203 = stablehlo.multiply %202, %201 : tensor<8x16x256xf32>
    %cst_52 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %205 = stablehlo.multiply %204, %200 : tensor<8x16x256xf32>
    %206 = stablehlo.add %198, %205 : tensor<8x16x256xf32>
    %cst_53 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %208 = stablehlo.multiply %207, %206 : tensor<8x16x256xf32>
    %209 = stablehlo.tanh %208 : tensor<8x16x256xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %211 = stablehlo.subtract %210, %209 : tensor<8x16x256xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %213 = stablehlo.add %212, %209 : tensor<8x16x256xf32>
    %cst_56 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %215 = stablehlo.multiply %214, %213 : tensor<8x16x256xf32>
    %216 = stablehlo.multiply %198, %215 : tensor<8x16x256xf32>
    %217 = stablehlo.dot_general %216, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<256x64xf32>) -> tensor<8x16x64xf32>
    %218 = stablehlo.add %179, %217 : tensor<8x16x64xf32>
    %219 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<8x16x64xf32>
    %221 = stablehlo.add %218, %220 : tensor<8x16x64xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.reduce(%221 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_58 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %225 = stablehlo.divide %223, %224 : tensor<8x16x1xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %227 = stablehlo.subtract %221, %226 : tensor<8x16x64xf32>
    %c_59 = stablehlo.constant dense<0> : tensor<i32>
    %228:5 = call @_var(%221, %c_59) : (tensor<8x16x64xf32>, tensor<i32>) -> (tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>)
    %cst_60 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %230 = stablehlo.add %228#0, %229 : tensor<8x16x1xf32>
    %231 = stablehlo.rsqrt %230 : tensor<8x16x1xf32>
    %232 = stablehlo.divide %231, %230 : tensor<8x16x1xf32>
    %cst_61 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %234 = stablehlo.multiply %233, %232 : tensor<8x16x1xf32>
    %235 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %236 = stablehlo.multiply %227, %235 : tensor<8x16x64xf32>
    %237 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %238 = stablehlo.dot_general %236, %237, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x256xf32>) -> tensor<8x16x256xf32>
    %239:3 = call @log_softmax(%238) : (tensor<8x16x256xf32>) -> (tensor<8x16x256xf32>, tensor<8x16x256xf32>, tensor<8x16x1xf32>)
    %240 = stablehlo.broadcast_in_dim %arg19, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %241:2 = call @take_along_axis(%239#0, %240) : (tensor<8x16x256xf32>, tensor<8x16x1xi32>) -> (tensor<8x16x1xf32>, tensor<8x16x1x1xi32>)
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.reduce(%241#0 init: %cst_62) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_63 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %243 = stablehlo.divide %242, %cst_63 : tensor<f32>
    %244 = stablehlo.negate %243 : tensor<f32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %245 = stablehlo.negate %cst_64 : tensor<f32>
    %cst_65 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %246 = stablehlo.divide %245, %cst_65 : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %248 = call @take_along_axis_1(%241#1, %247) : (tensor<8x16x1x1xi32>, tensor<8x16x1xf32>) -> tensor<8x16x256xf32>
    %249 = call @log_softmax_2(%239#1, %239#2, %248) : (tensor<8x16x256xf32>, tensor<8x16x1xf32>, tensor<8x16x256xf32>) -> tensor<8x16x256xf32>
    %250 = stablehlo.dot_general %249, %236, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<8x16x64xf32>) -> tensor<256x64xf32>
    %251 = stablehlo.transpose %250, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %252 = stablehlo.dot_general %249, %237, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<64x256xf32>) -> tensor<8x16x64xf32>
    %253 = stablehlo.transpose %251, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %254 = stablehlo.multiply %227, %252 : tensor<8x16x64xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.reduce(%254 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %256 = stablehlo.reshape %255 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %257 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %258 = stablehlo.multiply %252, %257 : tensor<8x16x64xf32>
    %259 = stablehlo.multiply %256, %234 : tensor<8x16x1xf32>
    %260 = call @_var_3(%228#1, %228#2, %228#3, %228#4, %259) : (tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %261 = stablehlo.negate %258 : tensor<8x16x64xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.reduce(%261 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %263 = stablehlo.reshape %262 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %264 = stablehlo.add %260, %258 : tensor<8x16x64xf32>
    %cst_68 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %266 = stablehlo.divide %263, %265 : tensor<8x16x1xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %269 = stablehlo.add %264, %268 : tensor<8x16x64xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %270 = stablehlo.reduce(%269 init: %cst_70) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<64xf32>
    %271 = stablehlo.reshape %270 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %272 = stablehlo.reduce(%271 init: %cst_71) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %273 = stablehlo.dot_general %269, %216, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x256xf32>) -> tensor<64x256xf32>
    %274 = stablehlo.transpose %273, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %275 = stablehlo.dot_general %269, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<256x64xf32>) -> tensor<8x16x256xf32>
    %276 = stablehlo.multiply %198, %275 : tensor<8x16x256xf32>
    %277 = stablehlo.multiply %275, %215 : tensor<8x16x256xf32>
    %cst_72 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %279 = stablehlo.multiply %278, %276 : tensor<8x16x256xf32>
    %280 = stablehlo.multiply %279, %211 : tensor<8x16x256xf32>
    %281 = stablehlo.multiply %280, %209 : tensor<8x16x256xf32>
    %282 = stablehlo.add %280, %281 : tensor<8x16x256xf32>
    %cst_73 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %284 = stablehlo.multiply %283, %282 : tensor<8x16x256xf32>
    %285 = stablehlo.add %277, %284 : tensor<8x16x256xf32>
    %cst_74 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %287 = stablehlo.multiply %286, %284 : tensor<8x16x256xf32>
    %288 = stablehlo.multiply %287, %203 : tensor<8x16x256xf32>
    %289 = stablehlo.add %285, %288 : tensor<8x16x256xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_75) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x256xf32>, tensor<f32>) -> tensor<256xf32>
    %291 = stablehlo.reshape %290 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.reduce(%291 init: %cst_76) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %293 = stablehlo.dot_general %289, %194, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<8x16x64xf32>) -> tensor<256x64xf32>
    %294 = stablehlo.transpose %293, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %295 = stablehlo.dot_general %289, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<64x256xf32>) -> tensor<8x16x64xf32>
    %296 = stablehlo.multiply %185, %295 : tensor<8x16x64xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%296 init: %cst_77) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %298 = stablehlo.reshape %297 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %299 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %300 = stablehlo.multiply %295, %299 : tensor<8x16x64xf32>
    %301 = stablehlo.multiply %298, %192 : tensor<8x16x1xf32>
    %302 = call @_var_3(%186#1, %186#2, %186#3, %186#4, %301) : (tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %303 = stablehlo.add %269, %302 : tensor<8x16x64xf32>
    %304 = stablehlo.negate %300 : tensor<8x16x64xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.reduce(%304 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %306 = stablehlo.reshape %305 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %307 = stablehlo.add %303, %300 : tensor<8x16x64xf32>
    %cst_79 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %309 = stablehlo.divide %306, %308 : tensor<8x16x1xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %310 = stablehlo.reduce(%309 init: %cst_80) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %312 = stablehlo.add %307, %311 : tensor<8x16x64xf32>
    %313 = stablehlo.dot_general %312, %177, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %314 = stablehlo.transpose %313, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %315 = stablehlo.dot_general %312, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %316 = stablehlo.reshape %315 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %317 = stablehlo.transpose %316, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %318 = stablehlo.dot_general %317, %168, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %319 = stablehlo.transpose %318, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %320 = stablehlo.dot_general %317, %174, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %321 = stablehlo.transpose %319, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %322 = stablehlo.reshape %321 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %323 = stablehlo.dot_general %322, %131, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %324 = stablehlo.transpose %323, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %325 = stablehlo.dot_general %322, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %326 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %327 = stablehlo.multiply %320, %326 : tensor<8x4x16x16xf32>
    %328 = stablehlo.multiply %327, %164 : tensor<8x4x16x16xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %329 = stablehlo.reduce(%328 init: %cst_81) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %330 = stablehlo.reshape %329 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %331 = stablehlo.negate %330 : tensor<8x4x16x1xf32>
    %332 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %333 = stablehlo.divide %320, %332 : tensor<8x4x16x16xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.reduce(%331 init: %cst_82) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %336 = stablehlo.add %333, %335 : tensor<8x4x16x16xf32>
    %337 = stablehlo.multiply %336, %164 : tensor<8x4x16x16xf32>
    %338 = call @_where_5(%142#1, %142#2, %337) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_83 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %340 = stablehlo.divide %338, %339 : tensor<8x4x16x16xf32>
    %341 = stablehlo.dot_general %340, %134, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %342 = stablehlo.transpose %341, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %343 = stablehlo.dot_general %340, %138, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %344 = stablehlo.transpose %342, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %345 = stablehlo.transpose %344, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %346 = stablehlo.reshape %345 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %347 = stablehlo.dot_general %346, %131, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %348 = stablehlo.transpose %347, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %349 = stablehlo.dot_general %346, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %350 = stablehlo.add %325, %349 : tensor<8x16x64xf32>
    %351 = stablehlo.transpose %343, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %352 = stablehlo.reshape %351 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %353 = stablehlo.dot_general %352, %131, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %354 = stablehlo.transpose %353, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %355 = stablehlo.dot_general %352, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %356 = stablehlo.add %350, %355 : tensor<8x16x64xf32>
    %357 = stablehlo.multiply %122, %356 : tensor<8x16x64xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %358 = stablehlo.reduce(%357 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %359 = stablehlo.reshape %358 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %360 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %361 = stablehlo.multiply %356, %360 : tensor<8x16x64xf32>
    %362 = stablehlo.multiply %359, %129 : tensor<8x16x1xf32>
    %363 = call @_var_3(%123#1, %123#2, %123#3, %123#4, %362) : (tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %364 = stablehlo.add %312, %363 : tensor<8x16x64xf32>
    %365 = stablehlo.negate %361 : tensor<8x16x64xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.reduce(%365 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %367 = stablehlo.reshape %366 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %368 = stablehlo.add %364, %361 : tensor<8x16x64xf32>
    %cst_86 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %370 = stablehlo.divide %367, %369 : tensor<8x16x1xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%370 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %372 = stablehlo.broadcast_in_dim %371, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %373 = stablehlo.add %368, %372 : tensor<8x16x64xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %374 = stablehlo.reduce(%373 init: %cst_88) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<64xf32>
    %375 = stablehlo.reshape %374 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %376 = stablehlo.reduce(%375 init: %cst_89) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %377 = stablehlo.dot_general %373, %111, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x256xf32>) -> tensor<64x256xf32>
    %378 = stablehlo.transpose %377, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %379 = stablehlo.dot_general %373, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<256x64xf32>) -> tensor<8x16x256xf32>
    %380 = stablehlo.multiply %93, %379 : tensor<8x16x256xf32>
    %381 = stablehlo.multiply %379, %110 : tensor<8x16x256xf32>
    %cst_90 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %382 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %383 = stablehlo.multiply %382, %380 : tensor<8x16x256xf32>
    %384 = stablehlo.multiply %383, %106 : tensor<8x16x256xf32>
    %385 = stablehlo.multiply %384, %104 : tensor<8x16x256xf32>
    %386 = stablehlo.add %384, %385 : tensor<8x16x256xf32>
    %cst_91 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %387 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %388 = stablehlo.multiply %387, %386 : tensor<8x16x256xf32>
    %389 = stablehlo.add %381, %388 : tensor<8x16x256xf32>
    %cst_92 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %391 = stablehlo.multiply %390, %388 : tensor<8x16x256xf32>
    %392 = stablehlo.multiply %391, %98 : tensor<8x16x256xf32>
    %393 = stablehlo.add %389, %392 : tensor<8x16x256xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %394 = stablehlo.reduce(%393 init: %cst_93) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x256xf32>, tensor<f32>) -> tensor<256xf32>
    %395 = stablehlo.reshape %394 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %396 = stablehlo.reduce(%395 init: %cst_94) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %397 = stablehlo.dot_general %393, %89, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<8x16x64xf32>) -> tensor<256x64xf32>
    %398 = stablehlo.transpose %397, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %399 = stablehlo.dot_general %393, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x256xf32>, tensor<64x256xf32>) -> tensor<8x16x64xf32>
    %400 = stablehlo.multiply %80, %399 : tensor<8x16x64xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.reduce(%400 init: %cst_95) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %402 = stablehlo.reshape %401 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %403 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %404 = stablehlo.multiply %399, %403 : tensor<8x16x64xf32>
    %405 = stablehlo.multiply %402, %87 : tensor<8x16x1xf32>
    %406 = call @_var_3(%81#1, %81#2, %81#3, %81#4, %405) : (tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %407 = stablehlo.add %373, %406 : tensor<8x16x64xf32>
    %408 = stablehlo.negate %404 : tensor<8x16x64xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %409 = stablehlo.reduce(%408 init: %cst_96) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %410 = stablehlo.reshape %409 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %411 = stablehlo.add %407, %404 : tensor<8x16x64xf32>
    %cst_97 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %413 = stablehlo.divide %410, %412 : tensor<8x16x1xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %414 = stablehlo.reduce(%413 init: %cst_98) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %415 = stablehlo.broadcast_in_dim %414, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %416 = stablehlo.add %411, %415 : tensor<8x16x64xf32>
    %417 = stablehlo.dot_general %416, %72, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %418 = stablehlo.transpose %417, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %419 = stablehlo.dot_general %416, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %420 = stablehlo.reshape %419 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %421 = stablehlo.transpose %420, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %422 = stablehlo.dot_general %421, %63, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %423 = stablehlo.transpose %422, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %424 = stablehlo.dot_general %421, %69, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %425 = stablehlo.transpose %423, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %426 = stablehlo.reshape %425 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %427 = stablehlo.dot_general %426, %26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %428 = stablehlo.transpose %427, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %429 = stablehlo.dot_general %426, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %430 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %431 = stablehlo.multiply %424, %430 : tensor<8x4x16x16xf32>
    %432 = stablehlo.multiply %431, %59 : tensor<8x4x16x16xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %433 = stablehlo.reduce(%432 init: %cst_99) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %434 = stablehlo.reshape %433 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %435 = stablehlo.negate %434 : tensor<8x4x16x1xf32>
    %436 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %437 = stablehlo.divide %424, %436 : tensor<8x4x16x16xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.reduce(%435 init: %cst_100) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %439 = stablehlo.broadcast_in_dim %438, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %440 = stablehlo.add %437, %439 : tensor<8x4x16x16xf32>
    %441 = stablehlo.multiply %440, %59 : tensor<8x4x16x16xf32>
    %442 = call @_where_5(%37#1, %37#2, %441) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_101 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %444 = stablehlo.divide %442, %443 : tensor<8x4x16x16xf32>
    %445 = stablehlo.dot_general %444, %29, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %446 = stablehlo.transpose %445, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %447 = stablehlo.dot_general %444, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %448 = stablehlo.transpose %446, dims = [0, 1, 3, 2] : (tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %449 = stablehlo.transpose %448, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %450 = stablehlo.reshape %449 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %451 = stablehlo.dot_general %450, %26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %452 = stablehlo.transpose %451, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %453 = stablehlo.dot_general %450, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %454 = stablehlo.add %429, %453 : tensor<8x16x64xf32>
    %455 = stablehlo.transpose %447, dims = [0, 2, 1, 3] : (tensor<8x4x16x16xf32>) -> tensor<8x16x4x16xf32>
    %456 = stablehlo.reshape %455 : (tensor<8x16x4x16xf32>) -> tensor<8x16x64xf32>
    %457 = stablehlo.dot_general %456, %26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<64x64xf32>
    %458 = stablehlo.transpose %457, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %459 = stablehlo.dot_general %456, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    %460 = stablehlo.add %454, %459 : tensor<8x16x64xf32>
    %461 = stablehlo.multiply %17, %460 : tensor<8x16x64xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %462 = stablehlo.reduce(%461 init: %cst_102) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %463 = stablehlo.reshape %462 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %464 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %465 = stablehlo.multiply %460, %464 : tensor<8x16x64xf32>
    %466 = stablehlo.multiply %463, %24 : tensor<8x16x1xf32>
    %467 = call @_var_3(%18#1, %18#2, %18#3, %18#4, %466) : (tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %468 = stablehlo.add %416, %467 : tensor<8x16x64xf32>
    %469 = stablehlo.negate %465 : tensor<8x16x64xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %470 = stablehlo.reduce(%469 init: %cst_103) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %471 = stablehlo.reshape %470 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %472 = stablehlo.add %468, %465 : tensor<8x16x64xf32>
    %cst_104 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %474 = stablehlo.divide %471, %473 : tensor<8x16x1xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %475 = stablehlo.reduce(%474 init: %cst_105) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %476 = stablehlo.broadcast_in_dim %475, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %477 = stablehlo.add %472, %476 : tensor<8x16x64xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.reduce(%477 init: %cst_106) applies stablehlo.add across dimensions = [0] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
    %479 = stablehlo.reshape %478 : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %480 = stablehlo.reduce(%479 init: %cst_107) applies stablehlo.add across dimensions = [0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %482 = "stablehlo.scatter"(%481, %5, %477) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %538 = stablehlo.add %arg20, %arg21 : tensor<f32>
      stablehlo.return %538 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<8x16x1xi32>, tensor<8x16x64xf32>) -> tensor<256x64xf32>
    %483 = stablehlo.add %253, %482 : tensor<256x64xf32>
    %cst_109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %484 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %485 = stablehlo.multiply %484, %483 : tensor<256x64xf32>
    %486 = stablehlo.subtract %arg0, %485 : tensor<256x64xf32>
    %cst_110 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %487 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %488 = stablehlo.multiply %487, %480 : tensor<16x64xf32>
    %489 = stablehlo.subtract %arg1, %488 : tensor<16x64xf32>
    %cst_111 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %491 = stablehlo.multiply %490, %458 : tensor<64x64xf32>
    %492 = stablehlo.subtract %arg2, %491 : tensor<64x64xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %494 = stablehlo.multiply %493, %452 : tensor<64x64xf32>
    %495 = stablehlo.subtract %arg3, %494 : tensor<64x64xf32>
    %cst_113 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %497 = stablehlo.multiply %496, %428 : tensor<64x64xf32>
    %498 = stablehlo.subtract %arg4, %497 : tensor<64x64xf32>
    %cst_114 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %499 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %500 = stablehlo.multiply %499, %418 : tensor<64x64xf32>
    %501 = stablehlo.subtract %arg5, %500 : tensor<64x64xf32>
    %cst_115 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %503 = stablehlo.multiply %502, %398 : tensor<64x256xf32>
    %504 = stablehlo.subtract %arg6, %503 : tensor<64x256xf32>
    %cst_116 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %506 = stablehlo.multiply %505, %396 : tensor<256xf32>
    %507 = stablehlo.subtract %arg7, %506 : tensor<256xf32>
    %cst_117 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %509 = stablehlo.multiply %508, %378 : tensor<256x64xf32>
    %510 = stablehlo.subtract %arg8, %509 : tensor<256x64xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %512 = stablehlo.multiply %511, %376 : tensor<64xf32>
    %513 = stablehlo.subtract %arg9, %512 : tensor<64xf32>
    %cst_119 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %515 = stablehlo.multiply %514, %354 : tensor<64x64xf32>
    %516 = stablehlo.subtract %arg10, %515 : tensor<64x64xf32>
    %cst_120 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %518 = stablehlo.multiply %517, %348 : tensor<64x64xf32>
    %519 = stablehlo.subtract %arg11, %518 : tensor<64x64xf32>
    %cst_121 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %521 = stablehlo.multiply %520, %324 : tensor<64x64xf32>
    %522 = stablehlo.subtract %arg12, %521 : tensor<64x64xf32>
    %cst_122 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %524 = stablehlo.multiply %523, %314 : tensor<64x64xf32>
    %525 = stablehlo.subtract %arg13, %524 : tensor<64x64xf32>
    %cst_123 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %527 = stablehlo.multiply %526, %294 : tensor<64x256xf32>
    %528 = stablehlo.subtract %arg14, %527 : tensor<64x256xf32>
    %cst_124 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %530 = stablehlo.multiply %529, %292 : tensor<256xf32>
    %531 = stablehlo.subtract %arg15, %530 : tensor<256xf32>
    %cst_125 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %533 = stablehlo.multiply %532, %274 : tensor<256x64xf32>
    %534 = stablehlo.subtract %arg16, %533 : tensor<256x64xf32>
    %cst_126 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %536 = stablehlo.multiply %535, %272 : tensor<64xf32>
    %537 = stablehlo.subtract %arg17, %536 : tensor<64xf32>
    return %244, %486, %489, %492, %495, %498, %501, %504, %507, %510, %513, %516, %519, %522, %525, %528, %531, %534, %537 : tensor<f32>, tensor<256x64xf32>, tensor<16x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_var(%arg0: tensor<8x16x64xf32>, %arg1: tensor<i32>) -> (tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<8x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x16x64xf32>
    %6 = chlo.square %5 : tensor<8x16x64xf32> -> tensor<8x16x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<8x16x64xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<8x16x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16:2 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<8x16x1xf32>, tensor<f32>) -> (tensor<8x16x1xf32>, tensor<8x16x1xf32>)
    return %16#0, %8, %10, %15, %16#1 : tensor<8x16x1xf32>, tensor<8x16x64xf32>, tensor<f32>, tensor<i1>, tensor<8x16x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8x16x1xf32>, %arg2: tensor<f32>) -> (tensor<8x16x1xf32>, tensor<8x16x1xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8x16x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    return %2, %3 : tensor<8x16x1xf32>, tensor<8x16x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<8x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    return %3, %1, %4 : tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
  }
  func.func private @log_softmax(%arg0: tensor<8x16x256xf32>) -> (tensor<8x16x256xf32>, tensor<8x16x256xf32>, tensor<8x16x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x16x256xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x256xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x16x256xf32>
    %6 = stablehlo.exponential %5 : tensor<8x16x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x16x256xf32>, tensor<f32>) -> tensor<8x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %9 = stablehlo.log %8 : tensor<8x16x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x256xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x16x256xf32>
    return %11, %6, %8 : tensor<8x16x256xf32>, tensor<8x16x256xf32>, tensor<8x16x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x16x256xf32>, %arg1: tensor<8x16x1xi32>) -> (tensor<8x16x1xf32>, tensor<8x16x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x16x1xi32>, tensor<8x16x1xi32>) -> tensor<8x16x1xi1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x16x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x16x1xi1>, tensor<8x16x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x16x1xi32>) -> tensor<8x16x1x1xi32>
    %c_1 = stablehlo.constant dense<255> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x16x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x16x1x1xi32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x16x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x16x1x1xi32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x16x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x16x1x1xi1>, tensor<i1>) -> tensor<8x16x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x16x256xf32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x16x1xi1>, tensor<8x16x1xf32>
    return %15, %5 : tensor<8x16x1xf32>, tensor<8x16x1x1xi32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<8x16x1x1xi32>, %arg1: tensor<8x16x1xf32>) -> tensor<8x16x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x256xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x16x256xf32>, tensor<8x16x1x1xi32>, tensor<8x16x1xf32>) -> tensor<8x16x256xf32>
    return %1 : tensor<8x16x256xf32>
  }
  func.func private @log_softmax_2(%arg0: tensor<8x16x256xf32>, %arg1: tensor<8x16x1xf32>, %arg2: tensor<8x16x256xf32>) -> tensor<8x16x256xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x16x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x256xf32>, tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x16x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x256xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x16x256xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x16x256xf32>
    return %7 : tensor<8x16x256xf32>
  }
  func.func private @_var_3(%arg0: tensor<8x16x64xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8x16x1xf32>, %arg4: tensor<8x16x1xf32>) -> tensor<8x16x64xf32> {
    %0 = call @_where_4(%arg2, %arg3, %arg4) : (tensor<i1>, tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8x16x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<8x16x64xf32>
    %6 = stablehlo.negate %5 : tensor<8x16x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<8x16x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %13 = stablehlo.add %5, %12 : tensor<8x16x64xf32>
    return %13 : tensor<8x16x64xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<8x16x1xf32>, %arg2: tensor<8x16x1xf32>) -> tensor<8x16x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<i1>, tensor<8x16x1xf32>
    return %1 : tensor<8x16x1xf32>
  }
  func.func private @_where_5(%arg0: tensor<8x4x16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %1 : tensor<8x4x16x16xf32>
  }
}
