// Kernels that compute reductions of rows, what follows from them, and sums over
// rows, in one pass over memory. All numbers are small integers, so that sums are
// exact in any order.

// Lanes are left over in rows, rows in the last chunk, and the sums are read by
// ops of their own.
func.func @rows_and_sums() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<299xf32>
  %i = stablehlo.iota dim = 0 : tensor<1013x299xf32>
  %j = stablehlo.iota dim = 1 : tensor<1013x299xf32>
  %two = stablehlo.constant dense<2.0> : tensor<1013x299xf32>
  %r = stablehlo.remainder %i, %two : tensor<1013x299xf32>
  %c = stablehlo.remainder %j, %two : tensor<1013x299xf32>
  %barrier:2 = stablehlo.optimization_barrier %r, %c : tensor<1013x299xf32>, tensor<1013x299xf32>
  %sum = stablehlo.reduce(%barrier#1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1013x299xf32>, tensor<f32>) -> tensor<1013xf32>
  %most = stablehlo.reduce(%barrier#0 init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<1013x299xf32>, tensor<f32>) -> tensor<1013xf32>
  %wide = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<1013xf32>) -> tensor<1013x299xf32>
  %high = stablehlo.broadcast_in_dim %most, dims = [0] : (tensor<1013xf32>) -> tensor<1013x299xf32>
  %full = stablehlo.subtract %wide, %high : tensor<1013x299xf32>
  %columns = stablehlo.reduce(%full init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1013x299xf32>, tensor<f32>) -> tensor<299xf32>
  %plus = stablehlo.add %columns, %one : tensor<299xf32>
  %greatest = stablehlo.reduce(%barrier#1 init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<1013x299xf32>, tensor<f32>) -> tensor<299xf32>
  // 149 odd columns; every second row has the maximum 1.
  %wanted_sum = stablehlo.constant dense<149.0> : tensor<1013xf32>
  %wanted_full_a = stablehlo.constant dense<149.0> : tensor<1013x299xf32>
  %wanted_full = stablehlo.subtract %wanted_full_a, %r : tensor<1013x299xf32>
  // 1013 * 149 - 506 + 1
  %wanted_plus = stablehlo.constant dense<150432.0> : tensor<299xf32>
  %k = stablehlo.iota dim = 0 : tensor<299xf32>
  %twos = stablehlo.constant dense<2.0> : tensor<299xf32>
  %wanted_greatest = stablehlo.remainder %k, %twos : tensor<299xf32>
  check.expect_eq %sum, %wanted_sum : tensor<1013xf32>
  check.expect_eq %full, %wanted_full : tensor<1013x299xf32>
  check.expect_eq %plus, %wanted_plus : tensor<299xf32>
  check.expect_eq %greatest, %wanted_greatest : tensor<299xf32>
  func.return
}

// -----

// As many rows as columns: a sum of a row and a sum over rows have the same
// shape. Narrow numbers are added in narrow ones.
func.func @square() {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %j = stablehlo.iota dim = 1 : tensor<512x512xi32>
  %last = stablehlo.constant dense<511> : tensor<512x512xi32>
  %hit = stablehlo.compare EQ, %j, %last : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
  %x = stablehlo.convert %hit : (tensor<512x512xi1>) -> tensor<512x512xbf16>
  %x0 = stablehlo.optimization_barrier %x : tensor<512x512xbf16>
  %rows = stablehlo.reduce(%x0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512xbf16>, tensor<bf16>) -> tensor<512xbf16>
  %wide = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<512xbf16>) -> tensor<512x512xbf16>
  %full = stablehlo.add %x0, %wide : tensor<512x512xbf16>
  %columns = stablehlo.reduce(%x0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x512xbf16>, tensor<bf16>) -> tensor<512xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<512xbf16>
  %ones = stablehlo.constant dense<1.0> : tensor<512x512xbf16>
  %wanted = stablehlo.add %x, %ones : tensor<512x512xbf16>
  %k = stablehlo.iota dim = 0 : tensor<512xi32>
  %end = stablehlo.constant dense<511> : tensor<512xi32>
  %at = stablehlo.compare EQ, %k, %end : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
  %count = stablehlo.constant dense<512.0> : tensor<512xbf16>
  %none = stablehlo.constant dense<0.0> : tensor<512xbf16>
  %wanted_columns = stablehlo.select %at, %count, %none : tensor<512xi1>, tensor<512xbf16>
  check.expect_eq %rows, %one : tensor<512xbf16>
  check.expect_eq %full, %wanted : tensor<512x512xbf16>
  check.expect_eq %columns, %wanted_columns : tensor<512xbf16>
  func.return
}

// -----

// Rows of two dimensions, complex numbers and integers.
func.func @rows_of_a_cube() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %x = stablehlo.iota dim = 2 : tensor<32x16x80xi64>
  %x0 = stablehlo.optimization_barrier %x : tensor<32x16x80xi64>
  %rows = stablehlo.reduce(%x0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x16x80xi64>, tensor<i64>) -> tensor<32x16xi64>
  %wide = stablehlo.broadcast_in_dim %rows, dims = [0, 1] : (tensor<32x16xi64>) -> tensor<32x16x80xi64>
  %full = stablehlo.subtract %wide, %x0 : tensor<32x16x80xi64>
  %columns = stablehlo.reduce(%full init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16x80xi64>, tensor<i64>) -> tensor<80xi64>
  %others = stablehlo.reduce(%x0 init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<32x16x80xi64>, tensor<i64>) -> tensor<80xi64>
  %all = stablehlo.constant dense<3160> : tensor<80xi64>
  %each = stablehlo.constant dense<512> : tensor<80xi64>
  %k = stablehlo.iota dim = 0 : tensor<80xi64>
  %left = stablehlo.subtract %all, %k : tensor<80xi64>
  %wanted = stablehlo.multiply %left, %each : tensor<80xi64>
  %wanted_rows = stablehlo.constant dense<3160> : tensor<32x16xi64>
  check.expect_eq %rows, %wanted_rows : tensor<32x16xi64>
  check.expect_eq %columns, %wanted : tensor<80xi64>
  check.expect_eq %others, %k : tensor<80xi64>
  func.return
}
