// The Hurwitz zeta function: at q <= 0 a pole where q is whole (infinite if x
// is even, for then both its sides agree), nothing where x is not whole, else
// the sum over all terms.
func.func @zeta() {
  %x = stablehlo.constant dense<[2.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0, 2.5, 1.0, 0.5]> : tensor<10xf64>
  %q = stablehlo.constant dense<[1.0, -1.0, -1.0, -0.5, -0.5, -10.5, -10.25, -0.5, -2.0, 2.0]> : tensor<10xf64>
  %0 = chlo.zeta %x, %q : tensor<10xf64>, tensor<10xf64> -> tensor<10xf64>
  check.expect_almost_eq_const %0, dense<[1.6449340668482264, 0x7FF0000000000000, 0x7FF8000000000000, 8.9348022005446793, 0.41439832211715998, 9.7787577398148124, -62.008236010743555, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  return
}
