func.func @multiply_i8_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i8>
  %b = stablehlo.constant dense<0> : tensor<i8>
  %r = stablehlo.multiply %a, %b : tensor<i8>
  %wanted = stablehlo.constant dense<0> : tensor<i8>
  check.expect_eq %r, %wanted : tensor<i8>
  func.return
}

// -----

func.func @multiply_i8_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi8>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi8>
  %r = stablehlo.multiply %a, %b : tensor<3xi8>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xi8>
  check.expect_eq %r, %wanted : tensor<3xi8>
  func.return
}

// -----

func.func @multiply_i8_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi8>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi8>
  %r = stablehlo.multiply %a, %b : tensor<2x19xi8>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, -14, 3, -18, -9, 0, 8, 48, 49, 28, -3, -15, 28, -14, 7, -12], [16, 24, 12, 18, 4, -15, -8, -8, 8, 15, -30, 6, 8, -2, 7, 2, -28, -7, -30]]> : tensor<2x19xi8>
  check.expect_eq %r, %wanted : tensor<2x19xi8>
  func.return
}

// -----

func.func @multiply_i8_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi8>
  %b = stablehlo.constant dense<> : tensor<0x3xi8>
  %r = stablehlo.multiply %a, %b : tensor<0x3xi8>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi8>
  check.expect_eq %r, %wanted : tensor<0x3xi8>
  func.return
}

// -----

func.func @multiply_i16_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i16>
  %b = stablehlo.constant dense<0> : tensor<i16>
  %r = stablehlo.multiply %a, %b : tensor<i16>
  %wanted = stablehlo.constant dense<0> : tensor<i16>
  check.expect_eq %r, %wanted : tensor<i16>
  func.return
}

// -----

func.func @multiply_i16_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi16>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi16>
  %r = stablehlo.multiply %a, %b : tensor<3xi16>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xi16>
  check.expect_eq %r, %wanted : tensor<3xi16>
  func.return
}

// -----

func.func @multiply_i16_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi16>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi16>
  %r = stablehlo.multiply %a, %b : tensor<2x19xi16>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, -14, 3, -18, -9, 0, 8, 48, 49, 28, -3, -15, 28, -14, 7, -12], [16, 24, 12, 18, 4, -15, -8, -8, 8, 15, -30, 6, 8, -2, 7, 2, -28, -7, -30]]> : tensor<2x19xi16>
  check.expect_eq %r, %wanted : tensor<2x19xi16>
  func.return
}

// -----

func.func @multiply_i16_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi16>
  %b = stablehlo.constant dense<> : tensor<0x3xi16>
  %r = stablehlo.multiply %a, %b : tensor<0x3xi16>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi16>
  check.expect_eq %r, %wanted : tensor<0x3xi16>
  func.return
}

// -----

func.func @multiply_i32_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.multiply %a, %b : tensor<i32>
  %wanted = stablehlo.constant dense<0> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

func.func @multiply_i32_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi32>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi32>
  %r = stablehlo.multiply %a, %b : tensor<3xi32>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xi32>
  check.expect_eq %r, %wanted : tensor<3xi32>
  func.return
}

// -----

func.func @multiply_i32_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi32>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi32>
  %r = stablehlo.multiply %a, %b : tensor<2x19xi32>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, -14, 3, -18, -9, 0, 8, 48, 49, 28, -3, -15, 28, -14, 7, -12], [16, 24, 12, 18, 4, -15, -8, -8, 8, 15, -30, 6, 8, -2, 7, 2, -28, -7, -30]]> : tensor<2x19xi32>
  check.expect_eq %r, %wanted : tensor<2x19xi32>
  func.return
}

// -----

func.func @multiply_i32_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi32>
  %b = stablehlo.constant dense<> : tensor<0x3xi32>
  %r = stablehlo.multiply %a, %b : tensor<0x3xi32>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi32>
  check.expect_eq %r, %wanted : tensor<0x3xi32>
  func.return
}

// -----

func.func @multiply_i64_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i64>
  %b = stablehlo.constant dense<0> : tensor<i64>
  %r = stablehlo.multiply %a, %b : tensor<i64>
  %wanted = stablehlo.constant dense<0> : tensor<i64>
  check.expect_eq %r, %wanted : tensor<i64>
  func.return
}

// -----

func.func @multiply_i64_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi64>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi64>
  %r = stablehlo.multiply %a, %b : tensor<3xi64>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xi64>
  check.expect_eq %r, %wanted : tensor<3xi64>
  func.return
}

// -----

func.func @multiply_i64_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi64>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi64>
  %r = stablehlo.multiply %a, %b : tensor<2x19xi64>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, -14, 3, -18, -9, 0, 8, 48, 49, 28, -3, -15, 28, -14, 7, -12], [16, 24, 12, 18, 4, -15, -8, -8, 8, 15, -30, 6, 8, -2, 7, 2, -28, -7, -30]]> : tensor<2x19xi64>
  check.expect_eq %r, %wanted : tensor<2x19xi64>
  func.return
}

// -----

func.func @multiply_i64_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi64>
  %b = stablehlo.constant dense<> : tensor<0x3xi64>
  %r = stablehlo.multiply %a, %b : tensor<0x3xi64>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi64>
  check.expect_eq %r, %wanted : tensor<0x3xi64>
  func.return
}

// -----

func.func @multiply_ui8_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui8>
  %b = stablehlo.constant dense<0> : tensor<ui8>
  %r = stablehlo.multiply %a, %b : tensor<ui8>
  %wanted = stablehlo.constant dense<0> : tensor<ui8>
  check.expect_eq %r, %wanted : tensor<ui8>
  func.return
}

// -----

func.func @multiply_ui8_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui8>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui8>
  %r = stablehlo.multiply %a, %b : tensor<3xui8>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xui8>
  check.expect_eq %r, %wanted : tensor<3xui8>
  func.return
}

// -----

func.func @multiply_ui8_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui8>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui8>
  %r = stablehlo.multiply %a, %b : tensor<2x19xui8>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, 42, 3, 6, 15, 0, 0, 0, 1, 28, 21, 25, 28, 42, 7, 4], [16, 24, 20, 10, 28, 9, 24, 8, 8, 15, 18, 14, 24, 14, 7, 2, 4, 49, 18]]> : tensor<2x19xui8>
  check.expect_eq %r, %wanted : tensor<2x19xui8>
  func.return
}

// -----

func.func @multiply_ui8_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui8>
  %b = stablehlo.constant dense<> : tensor<0x3xui8>
  %r = stablehlo.multiply %a, %b : tensor<0x3xui8>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui8>
  check.expect_eq %r, %wanted : tensor<0x3xui8>
  func.return
}

// -----

func.func @multiply_ui16_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui16>
  %b = stablehlo.constant dense<0> : tensor<ui16>
  %r = stablehlo.multiply %a, %b : tensor<ui16>
  %wanted = stablehlo.constant dense<0> : tensor<ui16>
  check.expect_eq %r, %wanted : tensor<ui16>
  func.return
}

// -----

func.func @multiply_ui16_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui16>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui16>
  %r = stablehlo.multiply %a, %b : tensor<3xui16>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xui16>
  check.expect_eq %r, %wanted : tensor<3xui16>
  func.return
}

// -----

func.func @multiply_ui16_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui16>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui16>
  %r = stablehlo.multiply %a, %b : tensor<2x19xui16>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, 42, 3, 6, 15, 0, 0, 0, 1, 28, 21, 25, 28, 42, 7, 4], [16, 24, 20, 10, 28, 9, 24, 8, 8, 15, 18, 14, 24, 14, 7, 2, 4, 49, 18]]> : tensor<2x19xui16>
  check.expect_eq %r, %wanted : tensor<2x19xui16>
  func.return
}

// -----

func.func @multiply_ui16_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui16>
  %b = stablehlo.constant dense<> : tensor<0x3xui16>
  %r = stablehlo.multiply %a, %b : tensor<0x3xui16>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui16>
  check.expect_eq %r, %wanted : tensor<0x3xui16>
  func.return
}

// -----

func.func @multiply_ui32_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui32>
  %b = stablehlo.constant dense<0> : tensor<ui32>
  %r = stablehlo.multiply %a, %b : tensor<ui32>
  %wanted = stablehlo.constant dense<0> : tensor<ui32>
  check.expect_eq %r, %wanted : tensor<ui32>
  func.return
}

// -----

func.func @multiply_ui32_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui32>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui32>
  %r = stablehlo.multiply %a, %b : tensor<3xui32>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xui32>
  check.expect_eq %r, %wanted : tensor<3xui32>
  func.return
}

// -----

func.func @multiply_ui32_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui32>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui32>
  %r = stablehlo.multiply %a, %b : tensor<2x19xui32>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, 42, 3, 6, 15, 0, 0, 0, 1, 28, 21, 25, 28, 42, 7, 4], [16, 24, 20, 10, 28, 9, 24, 8, 8, 15, 18, 14, 24, 14, 7, 2, 4, 49, 18]]> : tensor<2x19xui32>
  check.expect_eq %r, %wanted : tensor<2x19xui32>
  func.return
}

// -----

func.func @multiply_ui32_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui32>
  %b = stablehlo.constant dense<> : tensor<0x3xui32>
  %r = stablehlo.multiply %a, %b : tensor<0x3xui32>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui32>
  check.expect_eq %r, %wanted : tensor<0x3xui32>
  func.return
}

// -----

func.func @multiply_ui64_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui64>
  %b = stablehlo.constant dense<0> : tensor<ui64>
  %r = stablehlo.multiply %a, %b : tensor<ui64>
  %wanted = stablehlo.constant dense<0> : tensor<ui64>
  check.expect_eq %r, %wanted : tensor<ui64>
  func.return
}

// -----

func.func @multiply_ui64_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui64>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui64>
  %r = stablehlo.multiply %a, %b : tensor<3xui64>
  %wanted = stablehlo.constant dense<[0, 21, 20]> : tensor<3xui64>
  check.expect_eq %r, %wanted : tensor<3xui64>
  func.return
}

// -----

func.func @multiply_ui64_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui64>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui64>
  %r = stablehlo.multiply %a, %b : tensor<2x19xui64>
  %wanted = stablehlo.constant dense<[[0, 21, 20, 0, 42, 3, 6, 15, 0, 0, 0, 1, 28, 21, 25, 28, 42, 7, 4], [16, 24, 20, 10, 28, 9, 24, 8, 8, 15, 18, 14, 24, 14, 7, 2, 4, 49, 18]]> : tensor<2x19xui64>
  check.expect_eq %r, %wanted : tensor<2x19xui64>
  func.return
}

// -----

func.func @multiply_ui64_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui64>
  %b = stablehlo.constant dense<> : tensor<0x3xui64>
  %r = stablehlo.multiply %a, %b : tensor<0x3xui64>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui64>
  check.expect_eq %r, %wanted : tensor<0x3xui64>
  func.return
}

// -----

func.func @multiply_f16_scalar() {
  %a = stablehlo.constant dense<-2.75> : tensor<f16>
  %b = stablehlo.constant dense<-2.0> : tensor<f16>
  %r = stablehlo.multiply %a, %b : tensor<f16>
  %wanted = stablehlo.constant dense<5.5> : tensor<f16>
  check.expect_eq %r, %wanted : tensor<f16>
  func.return
}

// -----

func.func @multiply_f16_3() {
  %a = stablehlo.constant dense<[-2.75, -1.25, -1.0]> : tensor<3xf16>
  %b = stablehlo.constant dense<[-2.0, -0.25, -0.75]> : tensor<3xf16>
  %r = stablehlo.multiply %a, %b : tensor<3xf16>
  %wanted = stablehlo.constant dense<[5.5, 0.3125, 0.75]> : tensor<3xf16>
  check.expect_eq %r, %wanted : tensor<3xf16>
  func.return
}

// -----

func.func @multiply_f16_2x19() {
  %a = stablehlo.constant dense<[[-2.75, -1.25, -1.0, -2.0, 3.75, -1.75, -1.25, -2.75, -0.25, -4.0, 0.0, -3.75, -1.0, -2.25, -0.75, 3.0, -2.5, 2.25, 0.5], [1.0, 3.5, -2.75, 0.5, 1.0, -1.25, 3.0, -1.5, 3.0, 3.25, -0.5, 0.5, -3.0, 1.75, 1.75, -1.75, 0.25, 1.75, 3.5]]> : tensor<2x19xf16>
  %b = stablehlo.constant dense<[[-2.0, -0.25, -0.75, -2.0, 1.5, -1.25, 0.5, -1.25, -2.0, -2.25, -3.5, 0.25, 3.75, -1.25, 1.25, -0.25, 3.75, 3.75, 2.5], [1.0, 3.0, 1.0, -2.75, -2.25, -3.25, -2.5, -3.0, -1.5, -1.25, 0.75, -2.25, -2.5, -1.5, -3.75, 2.5, 3.0, 3.75, -3.25]]> : tensor<2x19xf16>
  %r = stablehlo.multiply %a, %b : tensor<2x19xf16>
  %wanted = stablehlo.constant dense<[[5.5, 0.3125, 0.75, 4.0, 5.625, 2.1875, -0.625, 3.4375, 0.5, 9.0, -0.0, -0.9375, -3.75, 2.8125, -0.9375, -0.75, -9.375, 8.4375, 1.25], [1.0, 10.5, -2.75, -1.375, -2.25, 4.0625, -7.5, 4.5, -4.5, -4.0625, -0.375, -1.125, 7.5, -2.625, -6.5625, -4.375, 0.75, 6.5625, -11.375]]> : tensor<2x19xf16>
  check.expect_eq %r, %wanted : tensor<2x19xf16>
  func.return
}

// -----

func.func @multiply_f16_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xf16>
  %b = stablehlo.constant dense<> : tensor<0x3xf16>
  %r = stablehlo.multiply %a, %b : tensor<0x3xf16>
  %wanted = stablehlo.constant dense<> : tensor<0x3xf16>
  check.expect_eq %r, %wanted : tensor<0x3xf16>
  func.return
}

// -----

func.func @multiply_f32_scalar() {
  %a = stablehlo.constant dense<-2.75> : tensor<f32>
  %b = stablehlo.constant dense<-2.0> : tensor<f32>
  %r = stablehlo.multiply %a, %b : tensor<f32>
  %wanted = stablehlo.constant dense<5.5> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @multiply_f32_3() {
  %a = stablehlo.constant dense<[-2.75, -1.25, -1.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[-2.0, -0.25, -0.75]> : tensor<3xf32>
  %r = stablehlo.multiply %a, %b : tensor<3xf32>
  %wanted = stablehlo.constant dense<[5.5, 0.3125, 0.75]> : tensor<3xf32>
  check.expect_eq %r, %wanted : tensor<3xf32>
  func.return
}

// -----

func.func @multiply_f32_2x19() {
  %a = stablehlo.constant dense<[[-2.75, -1.25, -1.0, -2.0, 3.75, -1.75, -1.25, -2.75, -0.25, -4.0, 0.0, -3.75, -1.0, -2.25, -0.75, 3.0, -2.5, 2.25, 0.5], [1.0, 3.5, -2.75, 0.5, 1.0, -1.25, 3.0, -1.5, 3.0, 3.25, -0.5, 0.5, -3.0, 1.75, 1.75, -1.75, 0.25, 1.75, 3.5]]> : tensor<2x19xf32>
  %b = stablehlo.constant dense<[[-2.0, -0.25, -0.75, -2.0, 1.5, -1.25, 0.5, -1.25, -2.0, -2.25, -3.5, 0.25, 3.75, -1.25, 1.25, -0.25, 3.75, 3.75, 2.5], [1.0, 3.0, 1.0, -2.75, -2.25, -3.25, -2.5, -3.0, -1.5, -1.25, 0.75, -2.25, -2.5, -1.5, -3.75, 2.5, 3.0, 3.75, -3.25]]> : tensor<2x19xf32>
  %r = stablehlo.multiply %a, %b : tensor<2x19xf32>
  %wanted = stablehlo.constant dense<[[5.5, 0.3125, 0.75, 4.0, 5.625, 2.1875, -0.625, 3.4375, 0.5, 9.0, -0.0, -0.9375, -3.75, 2.8125, -0.9375, -0.75, -9.375, 8.4375, 1.25], [1.0, 10.5, -2.75, -1.375, -2.25, 4.0625, -7.5, 4.5, -4.5, -4.0625, -0.375, -1.125, 7.5, -2.625, -6.5625, -4.375, 0.75, 6.5625, -11.375]]> : tensor<2x19xf32>
  check.expect_eq %r, %wanted : tensor<2x19xf32>
  func.return
}

// -----

func.func @multiply_f32_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xf32>
  %b = stablehlo.constant dense<> : tensor<0x3xf32>
  %r = stablehlo.multiply %a, %b : tensor<0x3xf32>
  %wanted = stablehlo.constant dense<> : tensor<0x3xf32>
  check.expect_eq %r, %wanted : tensor<0x3xf32>
  func.return
}

// -----

func.func @multiply_f64_scalar() {
  %a = stablehlo.constant dense<-2.75> : tensor<f64>
  %b = stablehlo.constant dense<-2.0> : tensor<f64>
  %r = stablehlo.multiply %a, %b : tensor<f64>
  %wanted = stablehlo.constant dense<5.5> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @multiply_f64_3() {
  %a = stablehlo.constant dense<[-2.75, -1.25, -1.0]> : tensor<3xf64>
  %b = stablehlo.constant dense<[-2.0, -0.25, -0.75]> : tensor<3xf64>
  %r = stablehlo.multiply %a, %b : tensor<3xf64>
  %wanted = stablehlo.constant dense<[5.5, 0.3125, 0.75]> : tensor<3xf64>
  check.expect_eq %r, %wanted : tensor<3xf64>
  func.return
}

// -----

func.func @multiply_f64_2x19() {
  %a = stablehlo.constant dense<[[-2.75, -1.25, -1.0, -2.0, 3.75, -1.75, -1.25, -2.75, -0.25, -4.0, 0.0, -3.75, -1.0, -2.25, -0.75, 3.0, -2.5, 2.25, 0.5], [1.0, 3.5, -2.75, 0.5, 1.0, -1.25, 3.0, -1.5, 3.0, 3.25, -0.5, 0.5, -3.0, 1.75, 1.75, -1.75, 0.25, 1.75, 3.5]]> : tensor<2x19xf64>
  %b = stablehlo.constant dense<[[-2.0, -0.25, -0.75, -2.0, 1.5, -1.25, 0.5, -1.25, -2.0, -2.25, -3.5, 0.25, 3.75, -1.25, 1.25, -0.25, 3.75, 3.75, 2.5], [1.0, 3.0, 1.0, -2.75, -2.25, -3.25, -2.5, -3.0, -1.5, -1.25, 0.75, -2.25, -2.5, -1.5, -3.75, 2.5, 3.0, 3.75, -3.25]]> : tensor<2x19xf64>
  %r = stablehlo.multiply %a, %b : tensor<2x19xf64>
  %wanted = stablehlo.constant dense<[[5.5, 0.3125, 0.75, 4.0, 5.625, 2.1875, -0.625, 3.4375, 0.5, 9.0, -0.0, -0.9375, -3.75, 2.8125, -0.9375, -0.75, -9.375, 8.4375, 1.25], [1.0, 10.5, -2.75, -1.375, -2.25, 4.0625, -7.5, 4.5, -4.5, -4.0625, -0.375, -1.125, 7.5, -2.625, -6.5625, -4.375, 0.75, 6.5625, -11.375]]> : tensor<2x19xf64>
  check.expect_eq %r, %wanted : tensor<2x19xf64>
  func.return
}

// -----

func.func @multiply_f64_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xf64>
  %b = stablehlo.constant dense<> : tensor<0x3xf64>
  %r = stablehlo.multiply %a, %b : tensor<0x3xf64>
  %wanted = stablehlo.constant dense<> : tensor<0x3xf64>
  check.expect_eq %r, %wanted : tensor<0x3xf64>
  func.return
}
