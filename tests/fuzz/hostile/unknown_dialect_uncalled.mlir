// error: 'foo.bar' is an op of the dialect 'foo', which is not supported
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @other(%a: tensor<0xf32>) -> tensor<0xf32> {
  %r = "foo.bar"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}
