// What is outside of a group does not reach its result.
func.func @ragged_dot_contracted_infinity() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 0x7F800000]]> : tensor<1x3xf32>
  %y = stablehlo.constant dense<[[10.0], [0x7FC00000], [3.0]]> : tensor<3x1xf32>
  %sizes = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %r = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<1x3xf32>, tensor<3x1xf32>, tensor<3xi32>) -> tensor<3x1x1xf32>
  %wanted = stablehlo.constant dense<[[[10.0]], [[0.0]], [[0x7FC00000]]]> : tensor<3x1x1xf32>
  check.expect_eq %r, %wanted : tensor<3x1x1xf32>
  func.return
}
