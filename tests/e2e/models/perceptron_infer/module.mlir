module @perceptron_infer {
  func.func public @main(%arg0: tensor<32x24xf32>, %arg1: tensor<24x40xf32>, %arg2: tensor<40xf32>, %arg3: tensor<40x10xf32>, %arg4: tensor<10xf32>) -> (tensor<32x10xf32>, tensor<32x10xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<32x24xf32>, tensor<24x40xf32>) -> tensor<32x40xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<40xf32>) -> tensor<32x40xf32>
    %2 = stablehlo.add %0, %1 : tensor<32x40xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<32x40xf32>
    %5 = stablehlo.maximum %2, %4 : tensor<32x40xf32>
    %6 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0] : (tensor<32x40xf32>, tensor<40x10xf32>) -> tensor<32x10xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<10xf32>) -> tensor<32x10xf32>
    %8 = stablehlo.add %6, %7 : tensor<32x10xf32>
    %9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.maximum across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<32xf32>) -> tensor<32x10xf32>
    %12 = stablehlo.subtract %8, %11 : tensor<32x10xf32>
    %13 = stablehlo.exponential %12 : tensor<32x10xf32>
    %14 = stablehlo.constant dense<0.0> : tensor<f32>
    %15 = stablehlo.reduce(%13 init: %14) applies stablehlo.add across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<32xf32>) -> tensor<32x10xf32>
    %17 = stablehlo.divide %13, %16 : tensor<32x10xf32>
    return %17, %8 : tensor<32x10xf32>, tensor<32x10xf32>
  }
}
