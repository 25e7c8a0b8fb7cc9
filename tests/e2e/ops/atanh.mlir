// Beside the poles, where squares of distances vanish.
func.func @atanh_complex_poles() {
  %x = stablehlo.constant dense<[(-1.0, 4.9406564584124654E-324), (1.0, -4.9406564584124654E-324), (1.0, 1.0E-200), (1.0, 0.0)]> : tensor<4xcomplex<f64>>
  %r = chlo.atanh %x : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %wanted = stablehlo.constant dense<[(-372.56660955097055, 0.78539816339744828), (372.56660955097055, -0.78539816339744828), (230.60508288968455, 0.78539816339744828), (0x7FF0000000000000, 0.0)]> : tensor<4xcomplex<f64>>
  check.expect_almost_eq %r, %wanted : tensor<4xcomplex<f64>>
  func.return
}
