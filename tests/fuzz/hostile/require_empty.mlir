// error: operand 0 is i1[0], i1[] expected
func.func @main(%a: tensor<0xi1>) -> tensor<0xi1> {
  %r = stablehlo.custom_call @xlac.require(%a) {has_side_effect = true} : (tensor<0xi1>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}
