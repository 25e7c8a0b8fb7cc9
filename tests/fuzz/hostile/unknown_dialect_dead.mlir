// error: 'foo.bar' is an op of the dialect 'foo', which is not supported
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  "foo.bar"() : () -> ()
  return %a : tensor<4xf32>
}
