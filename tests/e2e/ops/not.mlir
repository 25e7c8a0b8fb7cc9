func.func @not_i8_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i8>
  %r = stablehlo.not %a : tensor<i8>
  %wanted = stablehlo.constant dense<-3> : tensor<i8>
  check.expect_eq %r, %wanted : tensor<i8>
  func.return
}

// -----

func.func @not_i8_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi8>
  %r = stablehlo.not %a : tensor<21xi8>
  %wanted = stablehlo.constant dense<[-3, -1, -2, 4, -1, -1, 7, 2, -6, 4, -3, -4, -2, -2, -3, 2, 0, 1, 7, 3, -5]> : tensor<21xi8>
  check.expect_eq %r, %wanted : tensor<21xi8>
  func.return
}

// -----

func.func @not_i8_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi8>
  %r = stablehlo.not %a : tensor<2x0xi8>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi8>
  check.expect_eq %r, %wanted : tensor<2x0xi8>
  func.return
}

// -----

func.func @not_i16_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i16>
  %r = stablehlo.not %a : tensor<i16>
  %wanted = stablehlo.constant dense<-3> : tensor<i16>
  check.expect_eq %r, %wanted : tensor<i16>
  func.return
}

// -----

func.func @not_i16_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi16>
  %r = stablehlo.not %a : tensor<21xi16>
  %wanted = stablehlo.constant dense<[-3, -1, -2, 4, -1, -1, 7, 2, -6, 4, -3, -4, -2, -2, -3, 2, 0, 1, 7, 3, -5]> : tensor<21xi16>
  check.expect_eq %r, %wanted : tensor<21xi16>
  func.return
}

// -----

func.func @not_i16_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi16>
  %r = stablehlo.not %a : tensor<2x0xi16>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi16>
  check.expect_eq %r, %wanted : tensor<2x0xi16>
  func.return
}

// -----

func.func @not_i32_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.not %a : tensor<i32>
  %wanted = stablehlo.constant dense<-3> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

func.func @not_i32_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi32>
  %r = stablehlo.not %a : tensor<21xi32>
  %wanted = stablehlo.constant dense<[-3, -1, -2, 4, -1, -1, 7, 2, -6, 4, -3, -4, -2, -2, -3, 2, 0, 1, 7, 3, -5]> : tensor<21xi32>
  check.expect_eq %r, %wanted : tensor<21xi32>
  func.return
}

// -----

func.func @not_i32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi32>
  %r = stablehlo.not %a : tensor<2x0xi32>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi32>
  check.expect_eq %r, %wanted : tensor<2x0xi32>
  func.return
}

// -----

func.func @not_i64_scalar() {
  %a = stablehlo.constant dense<2> : tensor<i64>
  %r = stablehlo.not %a : tensor<i64>
  %wanted = stablehlo.constant dense<-3> : tensor<i64>
  check.expect_eq %r, %wanted : tensor<i64>
  func.return
}

// -----

func.func @not_i64_21() {
  %a = stablehlo.constant dense<[2, 0, 1, -5, 0, 0, -8, -3, 5, -5, 2, 3, 1, 1, 2, -3, -1, -2, -8, -4, 4]> : tensor<21xi64>
  %r = stablehlo.not %a : tensor<21xi64>
  %wanted = stablehlo.constant dense<[-3, -1, -2, 4, -1, -1, 7, 2, -6, 4, -3, -4, -2, -2, -3, 2, 0, 1, 7, 3, -5]> : tensor<21xi64>
  check.expect_eq %r, %wanted : tensor<21xi64>
  func.return
}

// -----

func.func @not_i64_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi64>
  %r = stablehlo.not %a : tensor<2x0xi64>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi64>
  check.expect_eq %r, %wanted : tensor<2x0xi64>
  func.return
}

// -----

func.func @not_ui8_scalar() {
  %a = stablehlo.constant dense<2> : tensor<ui8>
  %r = stablehlo.not %a : tensor<ui8>
  %wanted = stablehlo.constant dense<253> : tensor<ui8>
  check.expect_eq %r, %wanted : tensor<ui8>
  func.return
}

// -----

func.func @not_ui8_21() {
  %a = stablehlo.constant dense<[2, 0, 1, 3, 0, 0, 0, 5, 5, 3, 2, 3, 1, 1, 2, 5, 7, 6, 0, 4, 4]> : tensor<21xui8>
  %r = stablehlo.not %a : tensor<21xui8>
  %wanted = stablehlo.constant dense<[253, 255, 254, 252, 255, 255, 255, 250, 250, 252, 253, 252, 254, 254, 253, 250, 248, 249, 255, 251, 251]> : tensor<21xui8>
  check.expect_eq %r, %wanted : tensor<21xui8>
  func.return
}

// -----

func.func @not_ui8_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xui8>
  %r = stablehlo.not %a : tensor<2x0xui8>
  %wanted = stablehlo.constant dense<> : tensor<2x0xui8>
  check.expect_eq %r, %wanted : tensor<2x0xui8>
  func.return
}

// -----

func.func @not_ui16_scalar() {
  %a = stablehlo.constant dense<2> : tensor<ui16>
  %r = stablehlo.not %a : tensor<ui16>
  %wanted = stablehlo.constant dense<65533> : tensor<ui16>
  check.expect_eq %r, %wanted : tensor<ui16>
  func.return
}

// -----

func.func @not_ui16_21() {
  %a = stablehlo.constant dense<[2, 0, 1, 3, 0, 0, 0, 5, 5, 3, 2, 3, 1, 1, 2, 5, 7, 6, 0, 4, 4]> : tensor<21xui16>
  %r = stablehlo.not %a : tensor<21xui16>
  %wanted = stablehlo.constant dense<[65533, 65535, 65534, 65532, 65535, 65535, 65535, 65530, 65530, 65532, 65533, 65532, 65534, 65534, 65533, 65530, 65528, 65529, 65535, 65531, 65531]> : tensor<21xui16>
  check.expect_eq %r, %wanted : tensor<21xui16>
  func.return
}

// -----

func.func @not_ui16_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xui16>
  %r = stablehlo.not %a : tensor<2x0xui16>
  %wanted = stablehlo.constant dense<> : tensor<2x0xui16>
  check.expect_eq %r, %wanted : tensor<2x0xui16>
  func.return
}

// -----

func.func @not_ui32_scalar() {
  %a = stablehlo.constant dense<2> : tensor<ui32>
  %r = stablehlo.not %a : tensor<ui32>
  %wanted = stablehlo.constant dense<4294967293> : tensor<ui32>
  check.expect_eq %r, %wanted : tensor<ui32>
  func.return
}

// -----

func.func @not_ui32_21() {
  %a = stablehlo.constant dense<[2, 0, 1, 3, 0, 0, 0, 5, 5, 3, 2, 3, 1, 1, 2, 5, 7, 6, 0, 4, 4]> : tensor<21xui32>
  %r = stablehlo.not %a : tensor<21xui32>
  %wanted = stablehlo.constant dense<[4294967293, 4294967295, 4294967294, 4294967292, 4294967295, 4294967295, 4294967295, 4294967290, 4294967290, 4294967292, 4294967293, 4294967292, 4294967294, 4294967294, 4294967293, 4294967290, 4294967288, 4294967289, 4294967295, 4294967291, 4294967291]> : tensor<21xui32>
  check.expect_eq %r, %wanted : tensor<21xui32>
  func.return
}

// -----

func.func @not_ui32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xui32>
  %r = stablehlo.not %a : tensor<2x0xui32>
  %wanted = stablehlo.constant dense<> : tensor<2x0xui32>
  check.expect_eq %r, %wanted : tensor<2x0xui32>
  func.return
}

// -----

func.func @not_ui64_scalar() {
  %a = stablehlo.constant dense<2> : tensor<ui64>
  %r = stablehlo.not %a : tensor<ui64>
  %wanted = stablehlo.constant dense<18446744073709551613> : tensor<ui64>
  check.expect_eq %r, %wanted : tensor<ui64>
  func.return
}

// -----

func.func @not_ui64_21() {
  %a = stablehlo.constant dense<[2, 0, 1, 3, 0, 0, 0, 5, 5, 3, 2, 3, 1, 1, 2, 5, 7, 6, 0, 4, 4]> : tensor<21xui64>
  %r = stablehlo.not %a : tensor<21xui64>
  %wanted = stablehlo.constant dense<[18446744073709551613, 18446744073709551615, 18446744073709551614, 18446744073709551612, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551610, 18446744073709551610, 18446744073709551612, 18446744073709551613, 18446744073709551612, 18446744073709551614, 18446744073709551614, 18446744073709551613, 18446744073709551610, 18446744073709551608, 18446744073709551609, 18446744073709551615, 18446744073709551611, 18446744073709551611]> : tensor<21xui64>
  check.expect_eq %r, %wanted : tensor<21xui64>
  func.return
}

// -----

func.func @not_ui64_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xui64>
  %r = stablehlo.not %a : tensor<2x0xui64>
  %wanted = stablehlo.constant dense<> : tensor<2x0xui64>
  check.expect_eq %r, %wanted : tensor<2x0xui64>
  func.return
}

// -----

func.func @not_i1_scalar() {
  %a = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.not %a : tensor<i1>
  %wanted = stablehlo.constant dense<true> : tensor<i1>
  check.expect_eq %r, %wanted : tensor<i1>
  func.return
}

// -----

func.func @not_i1_21() {
  %a = stablehlo.constant dense<[false, false, true, true, false, false, false, true, true, true, false, true, true, true, false, true, true, false, false, false, false]> : tensor<21xi1>
  %r = stablehlo.not %a : tensor<21xi1>
  %wanted = stablehlo.constant dense<[true, true, false, false, true, true, true, false, false, false, true, false, false, false, true, false, false, true, true, true, true]> : tensor<21xi1>
  check.expect_eq %r, %wanted : tensor<21xi1>
  func.return
}

// -----

func.func @not_i1_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xi1>
  %r = stablehlo.not %a : tensor<2x0xi1>
  %wanted = stablehlo.constant dense<> : tensor<2x0xi1>
  check.expect_eq %r, %wanted : tensor<2x0xi1>
  func.return
}
