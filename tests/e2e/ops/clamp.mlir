// clamp is minimum(maximum(operand, min), max), with their order of zeros.
func.func @clamp_zeros() {
  %low = stablehlo.constant dense<[0.0, -0.0, -0.0]> : tensor<3xf32>
  %x = stablehlo.constant dense<[-0.0, 0.0, -0.0]> : tensor<3xf32>
  %high = stablehlo.constant dense<[2.0, -0.0, 2.0]> : tensor<3xf32>
  %r = stablehlo.clamp %low, %x, %high : tensor<3xf32>
  %wanted = stablehlo.constant dense<[0.0, -0.0, -0.0]> : tensor<3xf32>
  check.expect_eq %r, %wanted : tensor<3xf32>
  func.return
}

// -----

func.func @clamp_nan() {
  %low = stablehlo.constant dense<[0x7FC00000, 0.0, 0.0]> : tensor<3xf32>
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 1.0]> : tensor<3xf32>
  %high = stablehlo.constant dense<[2.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %r = stablehlo.clamp %low, %x, %high : tensor<3xf32>
  %wanted = stablehlo.constant dense<0x7FC00000> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%r, %wanted) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  func.return
}
