// error: result 0 is f32[4096], i1[] expected
func.func @main(%a: tensor<i1>) -> tensor<4096xf32> {
  %r = stablehlo.custom_call @xlac.require(%a) : (tensor<i1>) -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
