// Floats at and beyond the limits of integer types: the limits replace what is
// beyond them, and 0 replaces NaN. There are enough elements for vectors and a rest.

func.func @f32_to_i4() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 8.0, 7.999999523162842, 8.000000953674316, -8.0, -8.000000953674316, -7.999999523162842, -9.0, 7.5, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xi4>
  check.expect_eq_const %2, dense<[0, 7, -8, 0, 0, 0, 0, -1, 1, 7, 7, 7, -8, -8, -7, -8, 7, 7, -8]> : tensor<19xi4>
  func.return
}

func.func @f32_to_ui4() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 16.0, 15.999999046325684, 16.000001907348633, 0.0, 0.0, 0.0, -1.0, 15.5, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xui4>
  check.expect_eq_const %2, dense<[0, 15, 0, 0, 0, 0, 0, 0, 1, 15, 15, 15, 0, 0, 0, 0, 15, 15, 0]> : tensor<19xui4>
  func.return
}

func.func @f32_to_i8() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 128.0, 127.99999237060547, 128.00001525878906, -128.0, -128.00001525878906, -127.99999237060547, -129.0, 127.5, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xi8>
  check.expect_eq_const %2, dense<[0, 127, -128, 0, 0, 0, 0, -1, 1, 127, 127, 127, -128, -128, -127, -128, 127, 127, -128]> : tensor<19xi8>
  func.return
}

func.func @f32_to_ui8() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 256.0, 255.99998474121094, 256.0000305175781, 0.0, 0.0, 0.0, -1.0, 255.5, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xui8>
  check.expect_eq_const %2, dense<[0, 255, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 0, 0, 0, 0, 255, 255, 0]> : tensor<19xui8>
  func.return
}

func.func @f32_to_i16() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 32768.0, 32767.998046875, 32768.00390625, -32768.0, -32768.00390625, -32767.998046875, -32769.0, 16384.0, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xi16>
  check.expect_eq_const %2, dense<[0, 32767, -32768, 0, 0, 0, 0, -1, 1, 32767, 32767, 32767, -32768, -32768, -32767, -32768, 16384, 32767, -32768]> : tensor<19xi16>
  func.return
}

func.func @f32_to_ui16() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 65536.0, 65535.99609375, 65536.0078125, 0.0, 0.0, 0.0, -1.0, 32768.0, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xui16>
  check.expect_eq_const %2, dense<[0, 65535, 0, 0, 0, 0, 0, 0, 1, 65535, 65535, 65535, 0, 0, 0, 0, 32768, 65535, 0]> : tensor<19xui16>
  func.return
}

func.func @f32_to_i32() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 2147483648.0, 2147483520.0, 2147483904.0, -2147483648.0, -2147483904.0, -2147483520.0, -2147483648.0, 1073741824.0, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xi32>
  check.expect_eq_const %2, dense<[0, 2147483647, -2147483648, 0, 0, 0, 0, -1, 1, 2147483647, 2147483520, 2147483647, -2147483648, -2147483648, -2147483520, -2147483648, 1073741824, 2147483647, -2147483648]> : tensor<19xi32>
  func.return
}

func.func @f32_to_ui32() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 4294967296.0, 4294967040.0, 4294967808.0, 0.0, 0.0, 0.0, -1.0, 2147483648.0, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xui32>
  check.expect_eq_const %2, dense<[0, 4294967295, 0, 0, 0, 0, 0, 0, 1, 4294967295, 4294967040, 4294967295, 0, 0, 0, 0, 2147483648, 4294967295, 0]> : tensor<19xui32>
  func.return
}

func.func @f32_to_i64() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 9.22337203685477581e+18, 9.22337148709896192e+18, 9.22337313636640358e+18, -9.22337203685477581e+18, -9.22337313636640358e+18, -9.22337148709896192e+18, -9.22337203685477581e+18, 4.61168601842738790e+18, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xi64>
  check.expect_eq_const %2, dense<[0, 9223372036854775807, -9223372036854775808, 0, 0, 0, 0, -1, 1, 9223372036854775807, 9223371487098961920, 9223372036854775807, -9223372036854775808, -9223372036854775808, -9223371487098961920, -9223372036854775808, 4611686018427387904, 9223372036854775807, -9223372036854775808]> : tensor<19xi64>
  func.return
}

func.func @f32_to_ui64() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 1.84467440737095516e+19, 1.84467429741979238e+19, 1.84467462727328072e+19, 0.0, 0.0, 0.0, -1.0, 9.22337203685477581e+18, 3.00000000549775576e+38, -3.00000000549775576e+38]> : tensor<19xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf32>
  %2 = stablehlo.convert %1 : (tensor<19xf32>) -> tensor<19xui64>
  check.expect_eq_const %2, dense<[0, 18446744073709551615, 0, 0, 0, 0, 0, 0, 1, 18446744073709551615, 18446742974197923840, 18446744073709551615, 0, 0, 0, 0, 9223372036854775808, 18446744073709551615, 0]> : tensor<19xui64>
  func.return
}

func.func @f64_to_i4() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 8.0, 7.999999999999999, 8.000000000000002, -8.0, -8.000000000000002, -7.999999999999999, -9.0, 7.5, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xi4>
  check.expect_eq_const %2, dense<[0, 7, -8, 0, 0, 0, 0, -1, 1, 7, 7, 7, -8, -8, -7, -8, 7, 7, -8]> : tensor<19xi4>
  func.return
}

func.func @f64_to_ui4() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 16.0, 15.999999999999998, 16.000000000000004, 0.0, 0.0, 0.0, -1.0, 15.5, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xui4>
  check.expect_eq_const %2, dense<[0, 15, 0, 0, 0, 0, 0, 0, 1, 15, 15, 15, 0, 0, 0, 0, 15, 15, 0]> : tensor<19xui4>
  func.return
}

func.func @f64_to_i8() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 128.0, 127.99999999999999, 128.00000000000003, -128.0, -128.00000000000003, -127.99999999999999, -129.0, 127.5, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xi8>
  check.expect_eq_const %2, dense<[0, 127, -128, 0, 0, 0, 0, -1, 1, 127, 127, 127, -128, -128, -127, -128, 127, 127, -128]> : tensor<19xi8>
  func.return
}

func.func @f64_to_ui8() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 256.0, 255.99999999999997, 256.00000000000006, 0.0, 0.0, 0.0, -1.0, 255.5, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xui8>
  check.expect_eq_const %2, dense<[0, 255, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 0, 0, 0, 0, 255, 255, 0]> : tensor<19xui8>
  func.return
}

func.func @f64_to_i16() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 32768.0, 32767.999999999996, 32768.00000000001, -32768.0, -32768.00000000001, -32767.999999999996, -32769.0, 16384.0, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xi16>
  check.expect_eq_const %2, dense<[0, 32767, -32768, 0, 0, 0, 0, -1, 1, 32767, 32767, 32767, -32768, -32768, -32767, -32768, 16384, 32767, -32768]> : tensor<19xi16>
  func.return
}

func.func @f64_to_ui16() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 65536.0, 65535.99999999999, 65536.00000000001, 0.0, 0.0, 0.0, -1.0, 32768.0, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xui16>
  check.expect_eq_const %2, dense<[0, 65535, 0, 0, 0, 0, 0, 0, 1, 65535, 65535, 65535, 0, 0, 0, 0, 32768, 65535, 0]> : tensor<19xui16>
  func.return
}

func.func @f64_to_i32() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 2147483648.0, 2147483647.9999998, 2147483648.0000005, -2147483648.0, -2147483648.0000005, -2147483647.9999998, -2147483649.0, 1073741824.0, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xi32>
  check.expect_eq_const %2, dense<[0, 2147483647, -2147483648, 0, 0, 0, 0, -1, 1, 2147483647, 2147483647, 2147483647, -2147483648, -2147483648, -2147483647, -2147483648, 1073741824, 2147483647, -2147483648]> : tensor<19xi32>
  func.return
}

func.func @f64_to_ui32() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 4294967296.0, 4294967295.9999995, 4294967296.000001, 0.0, 0.0, 0.0, -1.0, 2147483648.0, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xui32>
  check.expect_eq_const %2, dense<[0, 4294967295, 0, 0, 0, 0, 0, 0, 1, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 2147483648, 4294967295, 0]> : tensor<19xui32>
  func.return
}

func.func @f64_to_i64() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 9.22337203685477581e+18, 9.22337203685477478e+18, 9.22337203685477786e+18, -9.22337203685477581e+18, -9.22337203685477786e+18, -9.22337203685477478e+18, -9.22337203685477581e+18, 4.61168601842738790e+18, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xi64>
  check.expect_eq_const %2, dense<[0, 9223372036854775807, -9223372036854775808, 0, 0, 0, 0, -1, 1, 9223372036854775807, 9223372036854774784, 9223372036854775807, -9223372036854775808, -9223372036854775808, -9223372036854774784, -9223372036854775808, 4611686018427387904, 9223372036854775807, -9223372036854775808]> : tensor<19xi64>
  func.return
}

func.func @f64_to_ui64() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.75, -0.75, -1.0, 1.5, 1.84467440737095516e+19, 1.84467440737095496e+19, 1.84467440737095557e+19, 0.0, 0.0, 0.0, -1.0, 9.22337203685477581e+18, 3.00000000000000012e+38, -3.00000000000000012e+38]> : tensor<19xf64>
  %1 = stablehlo.optimization_barrier %0 : tensor<19xf64>
  %2 = stablehlo.convert %1 : (tensor<19xf64>) -> tensor<19xui64>
  check.expect_eq_const %2, dense<[0, 18446744073709551615, 0, 0, 0, 0, 0, 0, 1, 18446744073709551615, 18446744073709549568, 18446744073709551615, 0, 0, 0, 0, 9223372036854775808, 18446744073709551615, 0]> : tensor<19xui64>
  func.return
}
