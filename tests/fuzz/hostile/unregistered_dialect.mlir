// error: 'llvm.call' is an op of the dialect 'llvm', which is not supported
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "llvm.call"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
