// Sums of no products are zero, also where the image is only padding.
func.func @padding_alone() {
  %x = stablehlo.constant dense<> : tensor<2x9x0x4xbf16>
  %w = stablehlo.constant dense<1.0> : tensor<4x5x2x4xbf16>
  %xb, %wb = stablehlo.optimization_barrier %x, %w : tensor<2x9x0x4xbf16>, tensor<4x5x2x4xbf16>
  %0 = stablehlo.convolution(%xb, %wb) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[10, 8], [7, 13]], lhs_dilate = [1, 2], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x0x4xbf16>, tensor<4x5x2x4xbf16>) -> tensor<2x24x12x4xbf16>
  check.expect_eq_const %0, dense<0.0> : tensor<2x24x12x4xbf16>
  func.return
}

func.func @empty_kernel() {
  %x = stablehlo.constant dense<1.0> : tensor<1x4x4x2xf32>
  %w = stablehlo.constant dense<> : tensor<0x3x2x3xf32>
  %xb, %wb = stablehlo.optimization_barrier %x, %w : tensor<1x4x4x2xf32>, tensor<0x3x2x3xf32>
  %0 = stablehlo.convolution(%xb, %wb) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<0x3x2x3xf32>) -> tensor<1x5x2x3xf32>
  check.expect_eq_const %0, dense<0.0> : tensor<1x5x2x3xf32>
  func.return
}

func.func @no_features() {
  %x = stablehlo.constant dense<> : tensor<1x4x4x0xf64>
  %w = stablehlo.constant dense<> : tensor<3x3x0x3xf64>
  %xb, %wb = stablehlo.optimization_barrier %x, %w : tensor<1x4x4x0xf64>, tensor<3x3x0x3xf64>
  %0 = stablehlo.convolution(%xb, %wb) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x0xf64>, tensor<3x3x0x3xf64>) -> tensor<1x4x4x3xf64>
  check.expect_eq_const %0, dense<0.0> : tensor<1x4x4x3xf64>
  func.return
}

func.func @complex_product() {
  %x = stablehlo.constant dense<> : tensor<3x0xcomplex<f32>>
  %w = stablehlo.constant dense<> : tensor<0x4xcomplex<f32>>
  %xb, %wb = stablehlo.optimization_barrier %x, %w : tensor<3x0xcomplex<f32>>, tensor<0x4xcomplex<f32>>
  %0 = stablehlo.dot_general %xb, %wb, contracting_dims = [1] x [0] : (tensor<3x0xcomplex<f32>>, tensor<0x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  check.expect_eq_const %0, dense<(0.0, 0.0)> : tensor<3x4xcomplex<f32>>
  func.return
}

// f8E8M0FNU has no zero: a sum of nothing is its least number, which an addition
// in the same kernel doubles.
func.func @no_features_e8m0() {
  %x = stablehlo.constant dense<> : tensor<1x4x0xf8E8M0FNU>
  %w = stablehlo.constant dense<> : tensor<3x0x2xf8E8M0FNU>
  %xb, %wb = stablehlo.optimization_barrier %x, %w : tensor<1x4x0xf8E8M0FNU>, tensor<3x0x2xf8E8M0FNU>
  %codes = stablehlo.constant dense<0> : tensor<1x2x2xui8>
  %y = stablehlo.bitcast_convert %codes : (tensor<1x2x2xui8>) -> tensor<1x2x2xf8E8M0FNU>
  %0 = stablehlo.convolution(%xb, %wb) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x0xf8E8M0FNU>, tensor<3x0x2xf8E8M0FNU>) -> tensor<1x2x2xf8E8M0FNU>
  %1 = stablehlo.add %y, %0 : tensor<1x2x2xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %1 : (tensor<1x2x2xf8E8M0FNU>) -> tensor<1x2x2xui8>
  %wanted = stablehlo.constant dense<1> : tensor<1x2x2xui8>
  check.expect_eq %r, %wanted : tensor<1x2x2xui8>
  func.return
}

func.func @no_columns_e8m0() {
  %x = stablehlo.constant dense<> : tensor<3x0xf8E8M0FNU>
  %w = stablehlo.constant dense<> : tensor<0x4xf8E8M0FNU>
  %xb, %wb = stablehlo.optimization_barrier %x, %w : tensor<3x0xf8E8M0FNU>, tensor<0x4xf8E8M0FNU>
  %codes = stablehlo.constant dense<0> : tensor<3x4xui8>
  %y = stablehlo.bitcast_convert %codes : (tensor<3x4xui8>) -> tensor<3x4xf8E8M0FNU>
  %0 = stablehlo.dot_general %xb, %wb, contracting_dims = [1] x [0] : (tensor<3x0xf8E8M0FNU>, tensor<0x4xf8E8M0FNU>) -> tensor<3x4xf8E8M0FNU>
  %1 = stablehlo.add %y, %0 : tensor<3x4xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %1 : (tensor<3x4xf8E8M0FNU>) -> tensor<3x4xui8>
  %wanted = stablehlo.constant dense<1> : tensor<3x4xui8>
  check.expect_eq %r, %wanted : tensor<3x4xui8>
  func.return
}
