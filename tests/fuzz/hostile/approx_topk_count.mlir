// error: of which it may only take fewer in dimension 1
func.func @main(%a: tensor<4x8xf32>, %i: tensor<4x8xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %k = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %z, %k) {called_computations = [@cmp], mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 3 : i64, recall_target = 0.9 : f32, aggregate_to_topk = true, reduction_input_size_override = -1 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %r#0, %r#1 : tensor<4x2xf32>, tensor<4x2xi32>
}
func.func private @cmp(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>) -> tensor<i1> {
  %l = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %l : tensor<i1>
}
