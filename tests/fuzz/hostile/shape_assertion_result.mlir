// error: takes 1 or more operands and gives 0 results, not 1 and 1
func.func @main(%a: tensor<i1>) -> tensor<4096xf32> {
  %r = stablehlo.custom_call @shape_assertion(%a) {error_message = "no"} : (tensor<i1>) -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
