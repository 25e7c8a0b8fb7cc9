// The first of several narrow elements has the lowest bits.
func.func @bitcast_convert_narrow_to_wide() {
  %x = stablehlo.constant dense<[[1, 2], [15, 0]]> : tensor<2x2xui4>
  %r = stablehlo.bitcast_convert %x : (tensor<2x2xui4>) -> tensor<2xui8>
  %wanted = stablehlo.constant dense<[33, 15]> : tensor<2xui8>
  check.expect_eq %r, %wanted : tensor<2xui8>
  func.return
}

// -----

func.func @bitcast_convert_wide_to_narrow() {
  %x = stablehlo.constant dense<[156]> : tensor<1xui8>
  %r = stablehlo.bitcast_convert %x : (tensor<1xui8>) -> tensor<1x4xi2>
  %wanted = stablehlo.constant dense<[[0, -1, 1, -2]]> : tensor<1x4xi2>
  check.expect_eq %r, %wanted : tensor<1x4xi2>
  func.return
}
