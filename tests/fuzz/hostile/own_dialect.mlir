// error: 'xlac.tensor_collective' op is the compiler's own, which programs cannot have
func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>) {
  %0:2 = xlac.tensor_collective <custom_call, cross_replica, groups = [0], columns = 1, channel = 1, dimension = 1, concat = 1, fill = [1], dynamic_root = true, host = true, body = 1, target = "Qr", config = {}, layouts = [array<i64: 100000, 1>, array<i64: 1, 0>, array<i64: 0>]>(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2xf32>
}
