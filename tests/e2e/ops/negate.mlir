func.func @negate_i8_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i8>
  %r = stablehlo.negate %a : tensor<i8>
  %wanted = stablehlo.constant dense<-2> : tensor<i8>
  check.expect_eq %r, %wanted : tensor<i8>
  func.return
}

// -----

func.func @negate_i8_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi8>
  %r = stablehlo.negate %a : tensor<21xi8>
  %wanted = stablehlo.constant dense<[-2, 0, -1, 5, 0, 0, 8, 3, -5, 5, -2, -3, -1, -1, -2, 3, 1, 2, 8, 4, -4]> : tensor<21xi8>
  check.expect_eq %r, %wanted : tensor<21xi8>
  func.return
}

// -----

func.func @negate_i8_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi8>
  %r = stablehlo.negate %a : tensor<2x0xi8>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi8>
  check.expect_eq %r, %wanted : tensor<2x0xi8>
  func.return
}

// -----

func.func @negate_i32_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.negate %a : tensor<i32>
  %wanted = stablehlo.constant dense<-2> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

func.func @negate_i32_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi32>
  %r = stablehlo.negate %a : tensor<21xi32>
  %wanted = stablehlo.constant dense<[-2, 0, -1, 5, 0, 0, 8, 3, -5, 5, -2, -3, -1, -1, -2, 3, 1, 2, 8, 4, -4]> : tensor<21xi32>
  check.expect_eq %r, %wanted : tensor<21xi32>
  func.return
}

// -----

func.func @negate_i32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi32>
  %r = stablehlo.negate %a : tensor<2x0xi32>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi32>
  check.expect_eq %r, %wanted : tensor<2x0xi32>
  func.return
}

// -----

func.func @negate_i64_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i64>
  %r = stablehlo.negate %a : tensor<i64>
  %wanted = stablehlo.constant dense<-2> : tensor<i64>
  check.expect_eq %r, %wanted : tensor<i64>
  func.return
}

// -----

func.func @negate_i64_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi64>
  %r = stablehlo.negate %a : tensor<21xi64>
  %wanted = stablehlo.constant dense<[-2, 0, -1, 5, 0, 0, 8, 3, -5, 5, -2, -3, -1, -1, -2, 3, 1, 2, 8, 4, -4]> : tensor<21xi64>
  check.expect_eq %r, %wanted : tensor<21xi64>
  func.return
}

// -----

func.func @negate_i64_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi64>
  %r = stablehlo.negate %a : tensor<2x0xi64>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi64>
  check.expect_eq %r, %wanted : tensor<2x0xi64>
  func.return
}

// -----

func.func @negate_f16_scalar() {
  %a = stablehlo.constant dense<-1.5> : tensor<f16>
  %r = stablehlo.negate %a : tensor<f16>
  %wanted = stablehlo.constant dense<1.5> : tensor<f16>
  check.expect_eq %r, %wanted : tensor<f16>
  func.return
}

// -----

func.func @negate_f16_21() {
  %a = stablehlo.constant dense<[-1.5, 2.0, 2.25, -3.25, 2.0, -2.0, -4.0, 1.25, 3.25, 0.75, -1.5, -1.25, 2.25, -1.75, -1.5, 1.25, 1.75, -2.5, -4.0, 1.0, -1.0]> : tensor<21xf16>
  %r = stablehlo.negate %a : tensor<21xf16>
  %wanted = stablehlo.constant dense<[1.5, -2.0, -2.25, 3.25, -2.0, 2.0, 4.0, -1.25, -3.25, -0.75, 1.5, 1.25, -2.25, 1.75, 1.5, -1.25, -1.75, 2.5, 4.0, -1.0, 1.0]> : tensor<21xf16>
  check.expect_eq %r, %wanted : tensor<21xf16>
  func.return
}

// -----

func.func @negate_f16_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf16>
  %r = stablehlo.negate %a : tensor<2x0xf16>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf16>
  check.expect_eq %r, %wanted : tensor<2x0xf16>
  func.return
}

// -----

func.func @negate_f32_scalar() {
  %a = stablehlo.constant dense<-1.5> : tensor<f32>
  %r = stablehlo.negate %a : tensor<f32>
  %wanted = stablehlo.constant dense<1.5> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @negate_f32_21() {
  %a = stablehlo.constant dense<[-1.5, 2.0, 2.25, -3.25, 2.0, -2.0, -4.0, 1.25, 3.25, 0.75, -1.5, -1.25, 2.25, -1.75, -1.5, 1.25, 1.75, -2.5, -4.0, 1.0, -1.0]> : tensor<21xf32>
  %r = stablehlo.negate %a : tensor<21xf32>
  %wanted = stablehlo.constant dense<[1.5, -2.0, -2.25, 3.25, -2.0, 2.0, 4.0, -1.25, -3.25, -0.75, 1.5, 1.25, -2.25, 1.75, 1.5, -1.25, -1.75, 2.5, 4.0, -1.0, 1.0]> : tensor<21xf32>
  check.expect_eq %r, %wanted : tensor<21xf32>
  func.return
}

// -----

func.func @negate_f32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.negate %a : tensor<2x0xf32>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf32>
  check.expect_eq %r, %wanted : tensor<2x0xf32>
  func.return
}

// -----

func.func @negate_f64_scalar() {
  %a = stablehlo.constant dense<-1.5> : tensor<f64>
  %r = stablehlo.negate %a : tensor<f64>
  %wanted = stablehlo.constant dense<1.5> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @negate_f64_21() {
  %a = stablehlo.constant dense<[-1.5, 2.0, 2.25, -3.25, 2.0, -2.0, -4.0, 1.25, 3.25, 0.75, -1.5, -1.25, 2.25, -1.75, -1.5, 1.25, 1.75, -2.5, -4.0, 1.0, -1.0]> : tensor<21xf64>
  %r = stablehlo.negate %a : tensor<21xf64>
  %wanted = stablehlo.constant dense<[1.5, -2.0, -2.25, 3.25, -2.0, 2.0, 4.0, -1.25, -3.25, -0.75, 1.5, 1.25, -2.25, 1.75, 1.5, -1.25, -1.75, 2.5, 4.0, -1.0, 1.0]> : tensor<21xf64>
  check.expect_eq %r, %wanted : tensor<21xf64>
  func.return
}

// -----

func.func @negate_f64_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf64>
  %r = stablehlo.negate %a : tensor<2x0xf64>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf64>
  check.expect_eq %r, %wanted : tensor<2x0xf64>
  func.return
}

// -----

func.func @negate_complex_f32_scalar() {
  %a = stablehlo.constant dense<(-1.5, 2.5)> : tensor<complex<f32>>
  %r = stablehlo.negate %a : tensor<complex<f32>>
  %wanted = stablehlo.constant dense<(1.5, -2.5)> : tensor<complex<f32>>
  check.expect_eq %r, %wanted : tensor<complex<f32>>
  func.return
}

// -----

func.func @negate_complex_f32_21() {
  %a = stablehlo.constant dense<[(-1.5, 2.5), (2.0, -0.5), (2.25, 1.75), (-3.25, -2.75), (2.0, -3.75), (-2.0, -2.0), (-4.0, 1.75), (1.25, -2.0), (3.25, 0.5), (0.75, -1.75), (-1.5, 2.5), (-1.25, 3.0), (2.25, -2.25), (-1.75, -0.75), (-1.5, 3.5), (1.25, 1.75), (1.75, 1.75), (-2.5, 2.25), (-4.0, -2.0), (1.0, -3.0), (-1.0, 0.5)]> : tensor<21xcomplex<f32>>
  %r = stablehlo.negate %a : tensor<21xcomplex<f32>>
  %wanted = stablehlo.constant dense<[(1.5, -2.5), (-2.0, 0.5), (-2.25, -1.75), (3.25, 2.75), (-2.0, 3.75), (2.0, 2.0), (4.0, -1.75), (-1.25, 2.0), (-3.25, -0.5), (-0.75, 1.75), (1.5, -2.5), (1.25, -3.0), (-2.25, 2.25), (1.75, 0.75), (1.5, -3.5), (-1.25, -1.75), (-1.75, -1.75), (2.5, -2.25), (4.0, 2.0), (-1.0, 3.0), (1.0, -0.5)]> : tensor<21xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<21xcomplex<f32>>
  func.return
}

// -----

func.func @negate_complex_f32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
  %r = stablehlo.negate %a : tensor<2x0xcomplex<f32>>
  %wanted = stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<2x0xcomplex<f32>>
  func.return
}

// -----

// No number of f8E8M0FNU is negative: what was negated stays NaN.
func.func @negate_f8E8M0FNU_twice() {
  %codes = stablehlo.constant dense<[0, 127, 254]> : tensor<3xui8>
  %x = stablehlo.bitcast_convert %codes : (tensor<3xui8>) -> tensor<3xf8E8M0FNU>
  %once = stablehlo.negate %x : tensor<3xf8E8M0FNU>
  %twice = stablehlo.negate %once : tensor<3xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %twice : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  %wanted = stablehlo.constant dense<255> : tensor<3xui8>
  check.expect_eq %r, %wanted : tensor<3xui8>
  func.return
}
