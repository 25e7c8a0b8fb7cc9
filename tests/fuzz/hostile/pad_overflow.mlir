// error: edge_padding_low has -9223372036854775808, which is beyond 2^56
func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.pad %a, %z, low = [-9223372036854775808], high = [1], interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
