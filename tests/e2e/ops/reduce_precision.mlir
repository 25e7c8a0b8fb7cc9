// Formats whose bias is not IEEE's, or that have no infinity to round into.
func.func @reduce_precision_fnuz() {
  %x = stablehlo.constant dense<[1.0, 1.125, -1.125, 16.0]> : tensor<4xf8E4M3B11FNUZ>
  %r = stablehlo.reduce_precision %x, format = e3m1 : tensor<4xf8E4M3B11FNUZ>
  %wide = stablehlo.convert %r : (tensor<4xf8E4M3B11FNUZ>) -> tensor<4xf32>
  %wanted = stablehlo.constant dense<[1.0, 1.0, -1.0, 0x7FC00000]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%wide, %wanted) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  func.return
}

// -----

func.func @reduce_precision_past_the_largest() {
  %x = stablehlo.constant dense<[448.0, -448.0, 384.0, 320.0]> : tensor<4xf8E4M3FN>
  %r = stablehlo.reduce_precision %x, format = e5m1 : tensor<4xf8E4M3FN>
  %wide = stablehlo.convert %r : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %wanted = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 384.0, 256.0]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%wide, %wanted) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  func.return
}

// -----

func.func @reduce_precision_denormals() {
  %x = stablehlo.constant dense<[1.0e-40, 1.0e-44]> : tensor<2xf32>
  %r = stablehlo.reduce_precision %x, format = e8m7 : tensor<2xf32>
  %wanted = stablehlo.constant dense<[9.18355E-41, 0.0]> : tensor<2xf32>
  check.expect_eq %r, %wanted : tensor<2xf32>
  func.return
}

// -----

// Without mantissa bits the tie looks at the exponent's last bit.
func.func @reduce_precision_without_mantissa() {
  %x = stablehlo.constant dense<[3.0, 1.5, 6.0]> : tensor<3xf32>
  %r = stablehlo.reduce_precision %x, format = e8m0 : tensor<3xf32>
  %wanted = stablehlo.constant dense<[2.0, 2.0, 8.0]> : tensor<3xf32>
  check.expect_eq %r, %wanted : tensor<3xf32>
  func.return
}

// -----

func.func @reduce_precision_over_before_under() {
  %x = stablehlo.constant dense<[-30.0, 1.0]> : tensor<2xf8E4M3B11FNUZ>
  %r = stablehlo.reduce_precision %x, format = e1m0 : tensor<2xf8E4M3B11FNUZ>
  %wide = stablehlo.convert %r : (tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf32>
  %wanted = stablehlo.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%wide, %wanted) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  func.return
}

// -----

// An exponent alone: what is too small becomes the least number, for there is
// no zero, and what is too large the NaN, for there is no infinity.
func.func @reduce_precision_f8E8M0FNU() {
  %x = stablehlo.constant dense<[1.0, 2.0, 4.0, 0.5]> : tensor<4xf8E8M0FNU>
  %same = stablehlo.reduce_precision %x, format = e8m3 : tensor<4xf8E8M0FNU>
  check.expect_eq %same, %x : tensor<4xf8E8M0FNU>
  %r = stablehlo.reduce_precision %x, format = e2m0 : tensor<4xf8E8M0FNU>
  %bits = stablehlo.bitcast_convert %r : (tensor<4xf8E8M0FNU>) -> tensor<4xui8>
  %wanted = stablehlo.constant dense<[127, 128, 255, 0]> : tensor<4xui8>
  check.expect_eq %bits, %wanted : tensor<4xui8>
  func.return
}
