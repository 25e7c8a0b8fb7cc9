// The scores of a list in descending order.
func.func @main(%scores: tensor<?xf32> loc("scores"))
    -> (tensor<?xf32> {jax.result_info = "sorted"}) {
  %0 = "stablehlo.sort"(%scores) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
