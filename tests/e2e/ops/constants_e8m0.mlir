// f8E8M0FNU, which has no zero, in every form that a constant's text may have.
func.func @number() {
  %a = stablehlo.constant dense<1.0> : tensor<f8E8M0FNU>
  %bits = stablehlo.bitcast_convert %a : (tensor<f8E8M0FNU>) -> tensor<ui8>
  check.expect_eq_const %bits, dense<127> : tensor<ui8>
  %f = stablehlo.convert %a : (tensor<f8E8M0FNU>) -> tensor<f32>
  check.expect_eq_const %f, dense<1.0> : tensor<f32>
  return
}

// -----

func.func @decimals() {
  %a = stablehlo.constant dense<[1.0, 2.0, 0.5, 5.8774717541114375e-39]> : tensor<4xf8E8M0FNU>
  %bits = stablehlo.bitcast_convert %a : (tensor<4xf8E8M0FNU>) -> tensor<4xui8>
  check.expect_eq_const %bits, dense<[127, 128, 126, 0]> : tensor<4xui8>
  return
}

// -----

func.func @splats() {
  %a = stablehlo.constant dense<1.0> : tensor<3xf8E8M0FNU>
  %b = stablehlo.constant dense<0x7F> : tensor<3xf8E8M0FNU>
  %c = stablehlo.constant dense<"0x7F"> : tensor<3xf8E8M0FNU>
  %x = stablehlo.bitcast_convert %a : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  %y = stablehlo.bitcast_convert %b : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  %z = stablehlo.bitcast_convert %c : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  check.expect_eq_const %x, dense<127> : tensor<3xui8>
  check.expect_eq_const %y, dense<127> : tensor<3xui8>
  check.expect_eq_const %z, dense<127> : tensor<3xui8>
  return
}

// -----

func.func @lists() {
  %a = stablehlo.constant dense<[0x7F, 0x80, 0x00]> : tensor<3xf8E8M0FNU>
  %b = stablehlo.constant dense<"0x7F8000"> : tensor<3xf8E8M0FNU>
  %x = stablehlo.bitcast_convert %a : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  %y = stablehlo.bitcast_convert %b : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  check.expect_eq_const %x, dense<[127, 128, 0]> : tensor<3xui8>
  check.expect_eq_const %y, dense<[127, 128, 0]> : tensor<3xui8>
  return
}

// -----

func.func @resource() {
  %a = stablehlo.constant dense_resource<numbers> : tensor<3xf8E8M0FNU>
  %x = stablehlo.bitcast_convert %a : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  check.expect_eq_const %x, dense<[127, 128, 0]> : tensor<3xui8>
  return
}

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x010000007F8000"
    }
  }
#-}
