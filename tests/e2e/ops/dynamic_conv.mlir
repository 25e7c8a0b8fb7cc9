// Amounts that are no constants, and a result without elements.
func.func @dynamic_conv_run_time_padding() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %padding = stablehlo.optimization_barrier %one : tensor<i32>
  %amounts = stablehlo.broadcast_in_dim %padding, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%x, %k, %amounts) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x4x1xf32>
  %wanted = stablehlo.constant dense<[[[10.0], [21.0], [32.0], [3.0]]]> : tensor<1x4x1xf32>
  check.expect_eq %r, %wanted : tensor<1x4x1xf32>
  func.return
}

// -----

func.func @dynamic_conv_nothing() {
  %x = stablehlo.constant dense<1.0> : tensor<1x1x1xf32>
  %k = stablehlo.constant dense<1.0> : tensor<1x1x1xf32>
  %minus = stablehlo.constant dense<[[-1, 0]]> : tensor<1x2xi32>
  %amounts = stablehlo.optimization_barrier %minus : tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%x, %k, %amounts) <{window_strides = array<i64: 3>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x2xi32>) -> tensor<1x0x1xf32>
  %wanted = stablehlo.constant dense<> : tensor<1x0x1xf32>
  check.expect_eq %r, %wanted : tensor<1x0x1xf32>
  func.return
}

// -----

// The type of the operands has no zero to pad with.
func.func @dynamic_conv_e8m0() {
  %codes = stablehlo.constant dense<[[[127], [128]]]> : tensor<1x2x1xui8>
  %one = stablehlo.constant dense<127> : tensor<1x1x1xui8>
  %x = stablehlo.bitcast_convert %codes : (tensor<1x2x1xui8>) -> tensor<1x2x1xf8E8M0FNU>
  %k = stablehlo.bitcast_convert %one : (tensor<1x1x1xui8>) -> tensor<1x1x1xf8E8M0FNU>
  %zeros = stablehlo.constant dense<0> : tensor<1x2xi32>
  %amounts = stablehlo.optimization_barrier %zeros : tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%x, %k, %amounts) <{lhs_dilation = array<i64: 2>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x2x1xf8E8M0FNU>, tensor<1x1x1xf8E8M0FNU>, tensor<1x2xi32>) -> tensor<1x3x1xf32>
  %wanted = stablehlo.constant dense<[[[1.0], [0.0], [2.0]]]> : tensor<1x3x1xf32>
  check.expect_eq %r, %wanted : tensor<1x3x1xf32>
  func.return
}
