// error: operand 0 is i1[2], i1[] expected
func.func @main(%a: tensor<2xi1>) {
  stablehlo.custom_call @shape_assertion(%a) {error_message = "no", has_side_effect = true} : (tensor<2xi1>) -> ()
  return
}
