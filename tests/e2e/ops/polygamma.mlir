// Derivatives of digamma, also where the factorial by itself is no number and
// the sum by itself is 0; the order must be an integer.
func.func @polygamma() {
  %n = stablehlo.constant dense<[0.0, 1.0, 3.0, 21.0, 40.0, 170.0, 200.0, 1000.0, 200.0, 1.0e300, 2.5, -1.0]> : tensor<12xf64>
  %x = stablehlo.constant dense<[2.0, 1.0, 2.5, 0.75, -2.5, 1000.0, 1000.0, 500.25, 0.5, 1.0e305, 2.0, 2.0]> : tensor<12xf64>
  %0 = chlo.polygamma %n, %x : tensor<12xf64>, tensor<12xf64> -> tensor<12xf64>
  check.expect_almost_eq_const %0, dense<[0.42278433509846714, 1.6449340668482264, 0.22390584881725205, 2.864152384535023e+22, -4.025963223635952e+25, -4.642275481885541e-206, -4.3508192705971016e-228, -6.048150364868072e-135, 0xFFF0000000000000, 0.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  return
}
