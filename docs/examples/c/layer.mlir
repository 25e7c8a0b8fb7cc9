// A layer with its weights: relu(x w + b).
func.func @main(%x: tensor<2x4xf32> loc("x"))
    -> (tensor<2x3xf32> {jax.result_info = "y"}) {
  %w = stablehlo.constant dense<[[1.0, -1.0, 0.5], [2.0, 0.0, -0.5],
                                 [0.0, 1.0, 1.0], [-1.0, 3.0, 0.25]]> : tensor<4x3xf32>
  %b = stablehlo.constant dense<[0.5, -2.0, 0.0]> : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}
