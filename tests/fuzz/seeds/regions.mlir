func.func @main(%x: tensor<4x8xf32>, %i: tensor<2x1xi32>, %u: tensor<2x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %z = stablehlo.constant dense<"0x00000000"> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %s = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}
    : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %e = chlo.erf %s : tensor<4x8xf32> -> tensor<4x8xf32>
  %c = stablehlo.convolution(%e, %e) dim_numbers = [b, f]x[o, i]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r, %e : tensor<4xf32>, tensor<4x8xf32>
}
