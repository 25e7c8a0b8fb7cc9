// f8E8M0FNU has no zero: its least number is no neutral element.
func.func @add_least_e8m0() {
  %codes = stablehlo.constant dense<[0, 127]> : tensor<2xui8>
  %x = stablehlo.bitcast_convert %codes : (tensor<2xui8>) -> tensor<2xf8E8M0FNU>
  %least = stablehlo.constant dense<5.8774717541114375e-39> : tensor<2xf8E8M0FNU>
  %sum = stablehlo.add %x, %least : tensor<2xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %sum : (tensor<2xf8E8M0FNU>) -> tensor<2xui8>
  %wanted = stablehlo.constant dense<[1, 127]> : tensor<2xui8>
  check.expect_eq %r, %wanted : tensor<2xui8>
  func.return
}
