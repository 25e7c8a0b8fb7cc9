// Narrow floats are solved and factored in f32 and rounded once.

func.func @solve_bf16() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [1.0, 4.0]]> : tensor<2x2xbf16>
  %b = stablehlo.constant dense<[[4.0, 1.0, 0.0], [10.0, 2.5, 8.0]]> : tensor<2x3xbf16>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %0, dense<[[2.0, 0.5, 0.0], [2.0, 0.5, 2.0]]> : tensor<2x3xbf16>
  return
}

func.func @solve_f16_from_the_right_transposed() {
  %a = stablehlo.constant dense<[[[2.0, 0.0], [1.0, 4.0]], [[1.0, 0.0], [-1.0, 2.0]]]> : tensor<2x2x2xf16>
  %b = stablehlo.constant dense<[[[4.0, 10.0]], [[3.0, 1.0]]]> : tensor<2x1x2xf16>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2x2xf16>, tensor<2x1x2xf16>) -> tensor<2x1x2xf16>
  check.expect_eq_const %0, dense<[[[2.0, 2.0]], [[3.0, 2.0]]]> : tensor<2x1x2xf16>
  return
}

// In bf16 throughout, the sum that the last row takes away would be 1 + 2^-8
// rounded to 1.
func.func @solve_bf16_rounds_once() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]> : tensor<3x3xbf16>
  %b = stablehlo.constant dense<[[1.0], [0.00390625], [1.0]]> : tensor<3x1xbf16>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x1xbf16>) -> tensor<3x1xbf16>
  check.expect_eq_const %0, dense<[[1.0], [0.00390625], [-0.00390625]]> : tensor<3x1xbf16>
  return
}

func.func @factor_bf16() {
  %a = stablehlo.constant dense<[[4.0, 0.0], [2.0, 10.0]]> : tensor<2x2xbf16>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xbf16>
  check.expect_eq_const %0, dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xbf16>
  return
}

func.func @factor_f16_of_the_upper_triangle() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [0.0, 10.0]]> : tensor<2x2xf16>
  %0 = stablehlo.cholesky %a, lower = false : tensor<2x2xf16>
  check.expect_eq_const %0, dense<[[2.0, 1.0], [0.0, 3.0]]> : tensor<2x2xf16>
  return
}
