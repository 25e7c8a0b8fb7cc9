// The largest index does not wrap around to one inside.
func.func @scatter_far_outside() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %at = stablehlo.constant dense<[[9223372036854775807], [-9223372036854775808], [2]]> : tensor<3x1xi64>
  %updates = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %r = "stablehlo.scatter"(%x, %at, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %sum = stablehlo.add %old, %new : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<3xi32>, tensor<3x1xi64>, tensor<3x2xi32>) -> tensor<3xi32>
  %wanted = stablehlo.constant dense<[1, 2, 53]> : tensor<3xi32>
  check.expect_eq %r, %wanted : tensor<3xi32>
  func.return
}

// -----

// One update a row: of indices outside, nothing remains but the operand. Rows
// have elements of their own, and the window covers a dimension.
func.func @scatter_one_update_a_row() {
  %x = stablehlo.constant dense<5> : tensor<3x4x2xi32>
  %at = stablehlo.constant dense<[[2], [255], [0]]> : tensor<3x1xui8>
  %updates = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %r = "stablehlo.scatter"(%x, %at, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %sum = stablehlo.subtract %new, %old : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<3x4x2xi32>, tensor<3x1xui8>, tensor<3x2xi32>) -> tensor<3x4x2xi32>
  %wanted = stablehlo.constant dense<[[[5, 5], [5, 5], [5, 15], [5, 5]], [[5, 5], [5, 5], [5, 5], [5, 5]], [[45, 55], [5, 5], [5, 5], [5, 5]]]> : tensor<3x4x2xi32>
  check.expect_eq %r, %wanted : tensor<3x4x2xi32>
  func.return
}

// -----

// Sums of rows with one number each, with places outside, and its negation.
func.func @sums_of_one_update_a_row() {
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %at = stablehlo.constant dense<[[2], [-1], [4]]> : tensor<3x1xi32>
  %at0 = stablehlo.optimization_barrier %at : tensor<3x1xi32>
  %updates = stablehlo.constant dense<[1.5, 2.5, 3.5]> : tensor<3xf32>
  %r = "stablehlo.scatter"(%x, %at0, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %sum = stablehlo.add %new, %old : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3x4xf32>
  %n = stablehlo.negate %r : tensor<3x4xf32>
  %a = stablehlo.reduce(%r init: %init) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %b = stablehlo.reduce(%n init: %init) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %wanted_a = stablehlo.constant dense<[1.5, 0.0, 0.0]> : tensor<3xf32>
  %wanted_b = stablehlo.constant dense<[-1.5, 0.0, 0.0]> : tensor<3xf32>
  check.expect_eq %a, %wanted_a : tensor<3xf32>
  check.expect_eq %b, %wanted_b : tensor<3xf32>
  func.return
}
