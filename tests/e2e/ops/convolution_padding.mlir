// A type without zero is padded with zeros all the same.
func.func @padded_f8E8M0FNU() {
  %x = stablehlo.constant dense<2.0> : tensor<1x1x1xf8E8M0FNU>
  %w = stablehlo.constant dense<4.0> : tensor<1x1x1xf8E8M0FNU>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1xf8E8M0FNU>, tensor<1x1x1xf8E8M0FNU>) -> tensor<1x1x3xf32>
  check.expect_eq_const %0, dense<[[[0.0, 8.0, 0.0]]]> : tensor<1x1x3xf32>
  func.return
}
