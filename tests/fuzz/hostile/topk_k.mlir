// error: asks for 3 elements and gives 'tensor<2xf32>'
func.func @main(%a: tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %r:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 3 : i64, largest = true}} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
}
