func.func @and_i8_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i8>
  %b = stablehlo.constant dense<0> : tensor<i8>
  %r = stablehlo.and %a, %b : tensor<i8>
  %wanted = stablehlo.constant dense<0> : tensor<i8>
  check.expect_eq %r, %wanted : tensor<i8>
  func.return
}

// -----

func.func @and_i8_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi8>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi8>
  %r = stablehlo.and %a, %b : tensor<3xi8>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xi8>
  check.expect_eq %r, %wanted : tensor<3xi8>
  func.return
}

// -----

func.func @and_i8_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi8>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi8>
  %r = stablehlo.and %a, %b : tensor<2x19xi8>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, -8, -8, -7, 4, 3, 5, 4, 6, 1, 2], [-4, 4, -4, -8, -4, 3, 4, 0, 0, 1, 2, -6, -4, 2, -7, 0, 0, 7, 2]]> : tensor<2x19xi8>
  check.expect_eq %r, %wanted : tensor<2x19xi8>
  func.return
}

// -----

func.func @and_i8_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi8>
  %b = stablehlo.constant dense<> : tensor<0x3xi8>
  %r = stablehlo.and %a, %b : tensor<0x3xi8>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi8>
  check.expect_eq %r, %wanted : tensor<0x3xi8>
  func.return
}

// -----

func.func @and_i16_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i16>
  %b = stablehlo.constant dense<0> : tensor<i16>
  %r = stablehlo.and %a, %b : tensor<i16>
  %wanted = stablehlo.constant dense<0> : tensor<i16>
  check.expect_eq %r, %wanted : tensor<i16>
  func.return
}

// -----

func.func @and_i16_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi16>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi16>
  %r = stablehlo.and %a, %b : tensor<3xi16>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xi16>
  check.expect_eq %r, %wanted : tensor<3xi16>
  func.return
}

// -----

func.func @and_i16_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi16>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi16>
  %r = stablehlo.and %a, %b : tensor<2x19xi16>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, -8, -8, -7, 4, 3, 5, 4, 6, 1, 2], [-4, 4, -4, -8, -4, 3, 4, 0, 0, 1, 2, -6, -4, 2, -7, 0, 0, 7, 2]]> : tensor<2x19xi16>
  check.expect_eq %r, %wanted : tensor<2x19xi16>
  func.return
}

// -----

func.func @and_i16_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi16>
  %b = stablehlo.constant dense<> : tensor<0x3xi16>
  %r = stablehlo.and %a, %b : tensor<0x3xi16>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi16>
  check.expect_eq %r, %wanted : tensor<0x3xi16>
  func.return
}

// -----

func.func @and_i32_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.and %a, %b : tensor<i32>
  %wanted = stablehlo.constant dense<0> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

func.func @and_i32_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi32>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi32>
  %r = stablehlo.and %a, %b : tensor<3xi32>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xi32>
  check.expect_eq %r, %wanted : tensor<3xi32>
  func.return
}

// -----

func.func @and_i32_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi32>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi32>
  %r = stablehlo.and %a, %b : tensor<2x19xi32>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, -8, -8, -7, 4, 3, 5, 4, 6, 1, 2], [-4, 4, -4, -8, -4, 3, 4, 0, 0, 1, 2, -6, -4, 2, -7, 0, 0, 7, 2]]> : tensor<2x19xi32>
  check.expect_eq %r, %wanted : tensor<2x19xi32>
  func.return
}

// -----

func.func @and_i32_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi32>
  %b = stablehlo.constant dense<> : tensor<0x3xi32>
  %r = stablehlo.and %a, %b : tensor<0x3xi32>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi32>
  check.expect_eq %r, %wanted : tensor<0x3xi32>
  func.return
}

// -----

func.func @and_i64_scalar() {
  %a = stablehlo.constant dense<-3> : tensor<i64>
  %b = stablehlo.constant dense<0> : tensor<i64>
  %r = stablehlo.and %a, %b : tensor<i64>
  %wanted = stablehlo.constant dense<0> : tensor<i64>
  check.expect_eq %r, %wanted : tensor<i64>
  func.return
}

// -----

func.func @and_i64_3() {
  %a = stablehlo.constant dense<[-3, 3, 4]> : tensor<3xi64>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xi64>
  %r = stablehlo.and %a, %b : tensor<3xi64>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xi64>
  check.expect_eq %r, %wanted : tensor<3xi64>
  func.return
}

// -----

func.func @and_i64_2x19() {
  %a = stablehlo.constant dense<[[-3, 3, 4, 0, 7, 1, 3, -3, 7, -8, -8, -7, 4, -1, 5, 4, -2, 1, -6], [-4, 6, -3, -6, -4, 3, 4, 2, 4, 5, 6, -6, -4, -1, -1, 1, -7, -1, 6]]> : tensor<2x19xi64>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, -2, 3, -6, 3, 0, -1, -6, -7, 7, 3, -3, 7, 7, 7, 2], [-4, 4, -4, -3, -1, -5, -2, -4, 2, 3, -5, -1, -2, 2, -7, 2, 4, 7, -5]]> : tensor<2x19xi64>
  %r = stablehlo.and %a, %b : tensor<2x19xi64>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, -8, -8, -7, 4, 3, 5, 4, 6, 1, 2], [-4, 4, -4, -8, -4, 3, 4, 0, 0, 1, 2, -6, -4, 2, -7, 0, 0, 7, 2]]> : tensor<2x19xi64>
  check.expect_eq %r, %wanted : tensor<2x19xi64>
  func.return
}

// -----

func.func @and_i64_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi64>
  %b = stablehlo.constant dense<> : tensor<0x3xi64>
  %r = stablehlo.and %a, %b : tensor<0x3xi64>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi64>
  check.expect_eq %r, %wanted : tensor<0x3xi64>
  func.return
}

// -----

func.func @and_ui8_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui8>
  %b = stablehlo.constant dense<0> : tensor<ui8>
  %r = stablehlo.and %a, %b : tensor<ui8>
  %wanted = stablehlo.constant dense<0> : tensor<ui8>
  check.expect_eq %r, %wanted : tensor<ui8>
  func.return
}

// -----

func.func @and_ui8_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui8>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui8>
  %r = stablehlo.and %a, %b : tensor<3xui8>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xui8>
  check.expect_eq %r, %wanted : tensor<3xui8>
  func.return
}

// -----

func.func @and_ui8_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui8>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui8>
  %r = stablehlo.and %a, %b : tensor<2x19xui8>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, 0, 0, 1, 4, 3, 5, 4, 6, 1, 2], [4, 4, 4, 0, 4, 3, 4, 0, 0, 1, 2, 2, 4, 2, 1, 0, 0, 7, 2]]> : tensor<2x19xui8>
  check.expect_eq %r, %wanted : tensor<2x19xui8>
  func.return
}

// -----

func.func @and_ui8_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui8>
  %b = stablehlo.constant dense<> : tensor<0x3xui8>
  %r = stablehlo.and %a, %b : tensor<0x3xui8>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui8>
  check.expect_eq %r, %wanted : tensor<0x3xui8>
  func.return
}

// -----

func.func @and_ui16_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui16>
  %b = stablehlo.constant dense<0> : tensor<ui16>
  %r = stablehlo.and %a, %b : tensor<ui16>
  %wanted = stablehlo.constant dense<0> : tensor<ui16>
  check.expect_eq %r, %wanted : tensor<ui16>
  func.return
}

// -----

func.func @and_ui16_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui16>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui16>
  %r = stablehlo.and %a, %b : tensor<3xui16>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xui16>
  check.expect_eq %r, %wanted : tensor<3xui16>
  func.return
}

// -----

func.func @and_ui16_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui16>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui16>
  %r = stablehlo.and %a, %b : tensor<2x19xui16>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, 0, 0, 1, 4, 3, 5, 4, 6, 1, 2], [4, 4, 4, 0, 4, 3, 4, 0, 0, 1, 2, 2, 4, 2, 1, 0, 0, 7, 2]]> : tensor<2x19xui16>
  check.expect_eq %r, %wanted : tensor<2x19xui16>
  func.return
}

// -----

func.func @and_ui16_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui16>
  %b = stablehlo.constant dense<> : tensor<0x3xui16>
  %r = stablehlo.and %a, %b : tensor<0x3xui16>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui16>
  check.expect_eq %r, %wanted : tensor<0x3xui16>
  func.return
}

// -----

func.func @and_ui32_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui32>
  %b = stablehlo.constant dense<0> : tensor<ui32>
  %r = stablehlo.and %a, %b : tensor<ui32>
  %wanted = stablehlo.constant dense<0> : tensor<ui32>
  check.expect_eq %r, %wanted : tensor<ui32>
  func.return
}

// -----

func.func @and_ui32_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui32>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui32>
  %r = stablehlo.and %a, %b : tensor<3xui32>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xui32>
  check.expect_eq %r, %wanted : tensor<3xui32>
  func.return
}

// -----

func.func @and_ui32_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui32>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui32>
  %r = stablehlo.and %a, %b : tensor<2x19xui32>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, 0, 0, 1, 4, 3, 5, 4, 6, 1, 2], [4, 4, 4, 0, 4, 3, 4, 0, 0, 1, 2, 2, 4, 2, 1, 0, 0, 7, 2]]> : tensor<2x19xui32>
  check.expect_eq %r, %wanted : tensor<2x19xui32>
  func.return
}

// -----

func.func @and_ui32_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui32>
  %b = stablehlo.constant dense<> : tensor<0x3xui32>
  %r = stablehlo.and %a, %b : tensor<0x3xui32>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui32>
  check.expect_eq %r, %wanted : tensor<0x3xui32>
  func.return
}

// -----

func.func @and_ui64_scalar() {
  %a = stablehlo.constant dense<5> : tensor<ui64>
  %b = stablehlo.constant dense<0> : tensor<ui64>
  %r = stablehlo.and %a, %b : tensor<ui64>
  %wanted = stablehlo.constant dense<0> : tensor<ui64>
  check.expect_eq %r, %wanted : tensor<ui64>
  func.return
}

// -----

func.func @and_ui64_3() {
  %a = stablehlo.constant dense<[5, 3, 4]> : tensor<3xui64>
  %b = stablehlo.constant dense<[0, 7, 5]> : tensor<3xui64>
  %r = stablehlo.and %a, %b : tensor<3xui64>
  %wanted = stablehlo.constant dense<[0, 3, 4]> : tensor<3xui64>
  check.expect_eq %r, %wanted : tensor<3xui64>
  func.return
}

// -----

func.func @and_ui64_2x19() {
  %a = stablehlo.constant dense<[[5, 3, 4, 0, 7, 1, 3, 5, 7, 0, 0, 1, 4, 7, 5, 4, 6, 1, 2], [4, 6, 5, 2, 4, 3, 4, 2, 4, 5, 6, 2, 4, 7, 7, 1, 1, 7, 6]]> : tensor<2x19xui64>
  %b = stablehlo.constant dense<[[0, 7, 5, 0, 6, 3, 2, 3, 0, 7, 2, 1, 7, 3, 5, 7, 7, 7, 2], [4, 4, 4, 5, 7, 3, 6, 4, 2, 3, 3, 7, 6, 2, 1, 2, 4, 7, 3]]> : tensor<2x19xui64>
  %r = stablehlo.and %a, %b : tensor<2x19xui64>
  %wanted = stablehlo.constant dense<[[0, 3, 4, 0, 6, 1, 2, 1, 0, 0, 0, 1, 4, 3, 5, 4, 6, 1, 2], [4, 4, 4, 0, 4, 3, 4, 0, 0, 1, 2, 2, 4, 2, 1, 0, 0, 7, 2]]> : tensor<2x19xui64>
  check.expect_eq %r, %wanted : tensor<2x19xui64>
  func.return
}

// -----

func.func @and_ui64_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xui64>
  %b = stablehlo.constant dense<> : tensor<0x3xui64>
  %r = stablehlo.and %a, %b : tensor<0x3xui64>
  %wanted = stablehlo.constant dense<> : tensor<0x3xui64>
  check.expect_eq %r, %wanted : tensor<0x3xui64>
  func.return
}

// -----

func.func @and_i1_scalar() {
  %a = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.and %a, %b : tensor<i1>
  %wanted = stablehlo.constant dense<false> : tensor<i1>
  check.expect_eq %r, %wanted : tensor<i1>
  func.return
}

// -----

func.func @and_i1_3() {
  %a = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %b = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %r = stablehlo.and %a, %b : tensor<3xi1>
  %wanted = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  check.expect_eq %r, %wanted : tensor<3xi1>
  func.return
}

// -----

func.func @and_i1_2x19() {
  %a = stablehlo.constant dense<[[true, true, false, false, true, true, true, true, true, false, false, true, false, true, true, false, false, true, false], [false, false, true, false, false, true, false, false, false, true, false, false, false, true, true, true, true, true, false]]> : tensor<2x19xi1>
  %b = stablehlo.constant dense<[[false, true, true, false, false, true, false, true, false, true, false, true, true, true, true, true, true, true, false], [false, false, false, true, true, true, false, false, false, true, true, true, false, false, true, false, false, true, true]]> : tensor<2x19xi1>
  %r = stablehlo.and %a, %b : tensor<2x19xi1>
  %wanted = stablehlo.constant dense<[[false, true, false, false, false, true, false, true, false, false, false, true, false, true, true, false, false, true, false], [false, false, false, false, false, true, false, false, false, true, false, false, false, false, true, false, false, true, false]]> : tensor<2x19xi1>
  check.expect_eq %r, %wanted : tensor<2x19xi1>
  func.return
}

// -----

func.func @and_i1_0x3() {
  %a = stablehlo.constant dense<> : tensor<0x3xi1>
  %b = stablehlo.constant dense<> : tensor<0x3xi1>
  %r = stablehlo.and %a, %b : tensor<0x3xi1>
  %wanted = stablehlo.constant dense<> : tensor<0x3xi1>
  check.expect_eq %r, %wanted : tensor<0x3xi1>
  func.return
}
