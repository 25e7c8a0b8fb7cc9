// A linear layer whose arguments have names, as exporters write them.
func.func @main(%w: tensor<3x2xf32> loc("params['weight']"), %b: tensor<2xf32> loc("params['bias']"), %x: tensor<?x3xf32> loc("x")) -> (tensor<?x2xf32> {jax.result_info = "result['y']"}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %rows1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %shape = stablehlo.concatenate %rows1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %shape, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}
