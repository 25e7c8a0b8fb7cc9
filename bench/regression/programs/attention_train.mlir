module @jit_attention_train attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x1536xf32>, %arg1: tensor<512x512xf32>, %arg2: tensor<4x256x512xf32>, %arg3: tensor<4x256x512xf32>) -> (tensor<512x1536xf32> {jax.result_info = "result[0]"}, tensor<512x512xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x256x512xf32>, tensor<512x1536xf32>) -> tensor<4x256x1536xf32>
    %1 = stablehlo.slice %0 [0:4, 0:256, 0:512] : (tensor<4x256x1536xf32>) -> tensor<4x256x512xf32>
    %2 = stablehlo.slice %0 [0:4, 0:256, 512:1024] : (tensor<4x256x1536xf32>) -> tensor<4x256x512xf32>
    %3 = stablehlo.slice %0 [0:4, 0:256, 1024:1536] : (tensor<4x256x1536xf32>) -> tensor<4x256x512xf32>
    %4 = stablehlo.reshape %1 : (tensor<4x256x512xf32>) -> tensor<4x256x8x64xf32>
    %5 = stablehlo.transpose %4, dims = [0, 2, 1, 3] : (tensor<4x256x8x64xf32>) -> tensor<4x8x256x64xf32>
    %6 = stablehlo.reshape %2 : (tensor<4x256x512xf32>) -> tensor<4x256x8x64xf32>
    %7 = stablehlo.transpose %6, dims = [0, 2, 1, 3] : (tensor<4x256x8x64xf32>) -> tensor<4x8x256x64xf32>
    %8 = stablehlo.reshape %3 : (tensor<4x256x512xf32>) -> tensor<4x256x8x64xf32>
    %9 = stablehlo.transpose %8, dims = [0, 2, 1, 3] : (tensor<4x256x8x64xf32>) -> tensor<4x8x256x64xf32>
    %10 = stablehlo.dot_general %5, %7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x256x64xf32>, tensor<4x8x256x64xf32>) -> tensor<4x8x256x256xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x256x256xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<4x8x256x256xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
    %14 = call @tril(%13) : (tensor<256x256xi1>) -> tensor<256x256xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %15:3 = call @_where(%14, %12, %cst_0) : (tensor<256x256xi1>, tensor<4x8x256x256xf32>, tensor<f32>) -> (tensor<4x8x256x256xf32>, tensor<4x8x256x256xi1>, tensor<4x8x256x256xf32>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x8x256x256xf32>, tensor<f32>) -> tensor<4x8x256xf32>
    %17 = stablehlo.reshape %16 : (tensor<4x8x256xf32>) -> tensor<4x8x256x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<4x8x256x1xf32>) -> tensor<4x8x256x256xf32>
    %19 = stablehlo.compare EQ, %15#0, %18, FLOAT : (tensor<4x8x256x256xf32>, tensor<4x8x256x256xf32>) -> tensor<4x8x256x256xi1>
    %20 = stablehlo.convert %19 : (tensor<4x8x256x256xi1>) -> tensor<4x8x256x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<4x8x256x256xf32>, tensor<f32>) -> tensor<4x8x256xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x256xf32>
    %23 = stablehlo.maximum %22, %16 : tensor<4x8x256xf32>
    %24 = stablehlo.compare EQ, %16, %23, FLOAT : (tensor<4x8x256xf32>, tensor<4x8x256xf32>) -> tensor<4x8x256xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x256xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x256xf32>
    %27 = stablehlo.select %24, %25, %26 : tensor<4x8x256xi1>, tensor<4x8x256xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8x256xf32>
    %29 = stablehlo.compare EQ, %28, %23, FLOAT : (tensor<4x8x256xf32>, tensor<4x8x256xf32>) -> tensor<4x8x256xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8x256xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x256xf32>
    %32 = stablehlo.select %29, %30, %31 : tensor<4x8x256xi1>, tensor<4x8x256xf32>
    %33 = stablehlo.divide %27, %32 : tensor<4x8x256xf32>
    %34 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<4x8x256xf32>) -> tensor<4x8x256x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<4x8x256x1xf32>) -> tensor<4x8x256x256xf32>
    %36 = stablehlo.subtract %15#0, %35 : tensor<4x8x256x256xf32>
    %37 = stablehlo.exponential %36 : tensor<4x8x256x256xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<4x8x256x256xf32>, tensor<f32>) -> tensor<4x8x256xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<4x8x256xf32>) -> tensor<4x8x256x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<4x8x256x1xf32>) -> tensor<4x8x256x256xf32>
    %41 = stablehlo.divide %37, %40 : tensor<4x8x256x256xf32>
    %42 = stablehlo.multiply %39, %39 : tensor<4x8x256x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8x256x1xf32>
    %44 = stablehlo.divide %43, %42 : tensor<4x8x256x1xf32>
    %45 = stablehlo.dot_general %41, %9, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x256x256xf32>, tensor<4x8x256x64xf32>) -> tensor<4x8x256x64xf32>
    %46 = stablehlo.transpose %45, dims = [0, 2, 1, 3] : (tensor<4x8x256x64xf32>) -> tensor<4x256x8x64xf32>
    %47 = stablehlo.reshape %46 : (tensor<4x256x8x64xf32>) -> tensor<4x256x512xf32>
    %48 = stablehlo.dot_general %47, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x256x512xf32>, tensor<512x512xf32>) -> tensor<4x256x512xf32>
    %49 = stablehlo.subtract %48, %arg3 : tensor<4x256x512xf32>
    %50 = stablehlo.multiply %49, %49 : tensor<4x256x512xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x256x512xf32>
    %52 = stablehlo.multiply %51, %49 : tensor<4x256x512xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%50 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x256x512xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<5.242880e+05> : tensor<f32>
    %54 = stablehlo.divide %53, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<5.242880e+05> : tensor<f32>
    %55 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [] : (tensor<f32>) -> tensor<4x256x512xf32>
    %57 = stablehlo.multiply %56, %52 : tensor<4x256x512xf32>
    %58 = stablehlo.dot_general %57, %47, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<512x512xf32>
    %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %60 = stablehlo.dot_general %57, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x256x512xf32>, tensor<512x512xf32>) -> tensor<4x256x512xf32>
    %61 = stablehlo.reshape %60 : (tensor<4x256x512xf32>) -> tensor<4x256x8x64xf32>
    %62 = stablehlo.transpose %61, dims = [0, 2, 1, 3] : (tensor<4x256x8x64xf32>) -> tensor<4x8x256x64xf32>
    %63 = stablehlo.dot_general %62, %41, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x256x64xf32>, tensor<4x8x256x256xf32>) -> tensor<4x8x64x256xf32>
    %64 = stablehlo.transpose %63, dims = [0, 1, 3, 2] : (tensor<4x8x64x256xf32>) -> tensor<4x8x256x64xf32>
    %65 = stablehlo.dot_general %62, %9, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x256x64xf32>, tensor<4x8x256x64xf32>) -> tensor<4x8x256x256xf32>
    %66 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<4x8x256x1xf32>) -> tensor<4x8x256x256xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<4x8x256x256xf32>
    %68 = stablehlo.multiply %67, %37 : tensor<4x8x256x256xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<4x8x256x256xf32>, tensor<f32>) -> tensor<4x8x256xf32>
    %70 = stablehlo.reshape %69 : (tensor<4x8x256xf32>) -> tensor<4x8x256x1xf32>
    %71 = stablehlo.negate %70 : tensor<4x8x256x1xf32>
    %72 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<4x8x256x1xf32>) -> tensor<4x8x256x256xf32>
    %73 = stablehlo.divide %65, %72 : tensor<4x8x256x256xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%71 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<4x8x256x1xf32>, tensor<f32>) -> tensor<4x8x256xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x8x256xf32>) -> tensor<4x8x256x256xf32>
    %76 = stablehlo.add %73, %75 : tensor<4x8x256x256xf32>
    %77 = stablehlo.multiply %76, %37 : tensor<4x8x256x256xf32>
    %78 = call @_where_0(%15#1, %15#2, %77) : (tensor<4x8x256x256xi1>, tensor<4x8x256x256xf32>, tensor<4x8x256x256xf32>) -> tensor<4x8x256x256xf32>
    %cst_18 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x256x256xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<4x8x256x256xf32>
    %81 = stablehlo.dot_general %80, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x256x256xf32>, tensor<4x8x256x64xf32>) -> tensor<4x8x256x64xf32>
    %82 = stablehlo.dot_general %80, %7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x256x256xf32>, tensor<4x8x256x64xf32>) -> tensor<4x8x256x64xf32>
    %83 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<4x8x256x64xf32>) -> tensor<4x256x8x64xf32>
    %84 = stablehlo.reshape %83 : (tensor<4x256x8x64xf32>) -> tensor<4x256x512xf32>
    %85 = stablehlo.transpose %81, dims = [0, 2, 1, 3] : (tensor<4x8x256x64xf32>) -> tensor<4x256x8x64xf32>
    %86 = stablehlo.reshape %85 : (tensor<4x256x8x64xf32>) -> tensor<4x256x512xf32>
    %87 = stablehlo.transpose %82, dims = [0, 2, 1, 3] : (tensor<4x8x256x64xf32>) -> tensor<4x256x8x64xf32>
    %88 = stablehlo.reshape %87 : (tensor<4x256x8x64xf32>) -> tensor<4x256x512xf32>
    %89 = stablehlo.concatenate %88, %86, %84, dim = 2 : (tensor<4x256x512xf32>, tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x1536xf32>
    %90 = stablehlo.dot_general %89, %arg2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x256x1536xf32>, tensor<4x256x512xf32>) -> tensor<1536x512xf32>
    %91 = stablehlo.transpose %90, dims = [1, 0] : (tensor<1536x512xf32>) -> tensor<512x1536xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<512x1536xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<512x1536xf32>
    %94 = stablehlo.subtract %arg0, %93 : tensor<512x1536xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %96 = stablehlo.multiply %95, %59 : tensor<512x512xf32>
    %97 = stablehlo.subtract %arg1, %96 : tensor<512x512xf32>
    return %94, %97, %54 : tensor<512x1536xf32>, tensor<512x512xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<256x256xi1>) -> tensor<256x256xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<256x256xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<256x256xi32>
    %2 = stablehlo.add %0, %1 : tensor<256x256xi32>
    %3 = stablehlo.iota dim = 1 : tensor<256x256xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<256x256xi1>, tensor<256x256xi1>
    return %6 : tensor<256x256xi1>
  }
  func.func private @_where(%arg0: tensor<256x256xi1>, %arg1: tensor<4x8x256x256xf32>, %arg2: tensor<f32>) -> (tensor<4x8x256x256xf32>, tensor<4x8x256x256xi1>, tensor<4x8x256x256xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<256x256xi1>) -> tensor<4x8x256x256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x256x256xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x8x256x256xi1>, tensor<4x8x256x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x256x256xf32>
    return %3, %1, %4 : tensor<4x8x256x256xf32>, tensor<4x8x256x256xi1>, tensor<4x8x256x256xf32>
  }
  func.func private @_where_0(%arg0: tensor<4x8x256x256xi1>, %arg1: tensor<4x8x256x256xf32>, %arg2: tensor<4x8x256x256xf32>) -> tensor<4x8x256x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x256x256xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<4x8x256x256xi1>, tensor<4x8x256x256xf32>
    return %1 : tensor<4x8x256x256xf32>
  }
}
