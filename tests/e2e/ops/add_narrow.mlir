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

// -----

func.func @add_imag_of_e8m0() {
  %codes = stablehlo.constant dense<[0, 127]> : tensor<2xui8>
  %x = stablehlo.bitcast_convert %codes : (tensor<2xui8>) -> tensor<2xf8E8M0FNU>
  %imag = stablehlo.imag %x : (tensor<2xf8E8M0FNU>) -> tensor<2xf8E8M0FNU>
  %sum = stablehlo.add %imag, %x : tensor<2xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %sum : (tensor<2xf8E8M0FNU>) -> tensor<2xui8>
  %wanted = stablehlo.constant dense<[1, 127]> : tensor<2xui8>
  check.expect_eq %r, %wanted : tensor<2xui8>
  func.return
}

// -----

func.func @negate_constant_e8m0() {
  %x = stablehlo.constant dense<4.0> : tensor<1xf8E8M0FNU>
  %minus = stablehlo.negate %x : tensor<1xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %minus : (tensor<1xf8E8M0FNU>) -> tensor<1xui8>
  %wanted = stablehlo.constant dense<255> : tensor<1xui8>
  check.expect_eq %r, %wanted : tensor<1xui8>
  func.return
}

// -----

func.func @next_after_e8m0() {
  %codes = stablehlo.constant dense<[130, 130, 0]> : tensor<3xui8>
  %goals = stablehlo.constant dense<[1, 200, 5]> : tensor<3xui8>
  %x = stablehlo.bitcast_convert %codes : (tensor<3xui8>) -> tensor<3xf8E8M0FNU>
  %y = stablehlo.bitcast_convert %goals : (tensor<3xui8>) -> tensor<3xf8E8M0FNU>
  %next = chlo.next_after %x, %y : tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU> -> tensor<3xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %next : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  %wanted = stablehlo.constant dense<[129, 131, 1]> : tensor<3xui8>
  check.expect_eq %r, %wanted : tensor<3xui8>
  func.return
}
