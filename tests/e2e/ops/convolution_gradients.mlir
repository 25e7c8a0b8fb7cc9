// Convolutions of training steps that other ops replace, beside the same
// convolutions in a form that stays.
func.func @depthwise_weights_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<2160xi32>
  %xa = stablehlo.constant dense<37> : tensor<2160xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2160xi32>
  %xm = stablehlo.constant dense<5> : tensor<2160xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2160xi32>
  %xc = stablehlo.convert %xr : (tensor<2160xi32>) -> tensor<2160xf32>
  %x = stablehlo.reshape %xc : (tensor<2160xf32>) -> tensor<3x9x10x8xf32>
  %gi = stablehlo.iota dim = 0 : tensor<2160xi32>
  %ga = stablehlo.constant dense<29> : tensor<2160xi32>
  %gp = stablehlo.multiply %gi, %ga : tensor<2160xi32>
  %gm = stablehlo.constant dense<7> : tensor<2160xi32>
  %gr = stablehlo.remainder %gp, %gm : tensor<2160xi32>
  %gc = stablehlo.convert %gr : (tensor<2160xi32>) -> tensor<2160xf32>
  %g = stablehlo.reshape %gc : (tensor<2160xf32>) -> tensor<3x9x10x8xf32>
  %y = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64} : (tensor<3x9x10x8xf32>, tensor<3x9x10x8xf32>) -> tensor<3x3x1x8xf32>
  %x0 = stablehlo.slice %x [0:3, 0:9, 0:10, 0:4] : (tensor<3x9x10x8xf32>) -> tensor<3x9x10x4xf32>
  %g0 = stablehlo.slice %g [0:3, 0:9, 0:10, 0:4] : (tensor<3x9x10x8xf32>) -> tensor<3x9x10x4xf32>
  %y0 = stablehlo.convolution(%x0, %g0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<3x9x10x4xf32>, tensor<3x9x10x4xf32>) -> tensor<3x3x1x4xf32>
  %x1 = stablehlo.slice %x [0:3, 0:9, 0:10, 4:8] : (tensor<3x9x10x8xf32>) -> tensor<3x9x10x4xf32>
  %g1 = stablehlo.slice %g [0:3, 0:9, 0:10, 4:8] : (tensor<3x9x10x8xf32>) -> tensor<3x9x10x4xf32>
  %y1 = stablehlo.convolution(%x1, %g1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<3x9x10x4xf32>, tensor<3x9x10x4xf32>) -> tensor<3x3x1x4xf32>
  %wanted = stablehlo.concatenate %y0, %y1, dim = 3 : (tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) -> tensor<3x3x1x8xf32>
  check.expect_eq %y, %wanted : tensor<3x3x1x8xf32>
  func.return
}

// -----

func.func @depthwise_weights_strided_f64() {
  %xi = stablehlo.iota dim = 0 : tensor<2640xi32>
  %xa = stablehlo.constant dense<37> : tensor<2640xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2640xi32>
  %xm = stablehlo.constant dense<5> : tensor<2640xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2640xi32>
  %xc = stablehlo.convert %xr : (tensor<2640xi32>) -> tensor<2640xf64>
  %x = stablehlo.reshape %xc : (tensor<2640xf64>) -> tensor<2x11x12x10xf64>
  %gi = stablehlo.iota dim = 0 : tensor<400xi32>
  %ga = stablehlo.constant dense<29> : tensor<400xi32>
  %gp = stablehlo.multiply %gi, %ga : tensor<400xi32>
  %gm = stablehlo.constant dense<7> : tensor<400xi32>
  %gr = stablehlo.remainder %gp, %gm : tensor<400xi32>
  %gc = stablehlo.convert %gr : (tensor<400xi32>) -> tensor<400xf64>
  %g = stablehlo.reshape %gc : (tensor<400xf64>) -> tensor<2x4x5x10xf64>
  %y = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 2], pad = [[2, 0], [0, 1]], rhs_dilate = [3, 2]} {batch_group_count = 10 : i64, feature_group_count = 1 : i64} : (tensor<2x11x12x10xf64>, tensor<2x4x5x10xf64>) -> tensor<4x3x1x10xf64>
  %x0 = stablehlo.slice %x [0:2, 0:11, 0:12, 0:5] : (tensor<2x11x12x10xf64>) -> tensor<2x11x12x5xf64>
  %g0 = stablehlo.slice %g [0:2, 0:4, 0:5, 0:5] : (tensor<2x4x5x10xf64>) -> tensor<2x4x5x5xf64>
  %y0 = stablehlo.convolution(%x0, %g0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 2], pad = [[2, 0], [0, 1]], rhs_dilate = [3, 2]} {batch_group_count = 5 : i64, feature_group_count = 1 : i64} : (tensor<2x11x12x5xf64>, tensor<2x4x5x5xf64>) -> tensor<4x3x1x5xf64>
  %x1 = stablehlo.slice %x [0:2, 0:11, 0:12, 5:10] : (tensor<2x11x12x10xf64>) -> tensor<2x11x12x5xf64>
  %g1 = stablehlo.slice %g [0:2, 0:4, 0:5, 5:10] : (tensor<2x4x5x10xf64>) -> tensor<2x4x5x5xf64>
  %y1 = stablehlo.convolution(%x1, %g1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 2], pad = [[2, 0], [0, 1]], rhs_dilate = [3, 2]} {batch_group_count = 5 : i64, feature_group_count = 1 : i64} : (tensor<2x11x12x5xf64>, tensor<2x4x5x5xf64>) -> tensor<4x3x1x5xf64>
  %wanted = stablehlo.concatenate %y0, %y1, dim = 3 : (tensor<4x3x1x5xf64>, tensor<4x3x1x5xf64>) -> tensor<4x3x1x10xf64>
  check.expect_eq %y, %wanted : tensor<4x3x1x10xf64>
  func.return
}

// -----

func.func @depthwise_weights_other_order_bf16() {
  %xi = stablehlo.iota dim = 0 : tensor<672xi32>
  %xa = stablehlo.constant dense<37> : tensor<672xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<672xi32>
  %xm = stablehlo.constant dense<5> : tensor<672xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<672xi32>
  %xc = stablehlo.convert %xr : (tensor<672xi32>) -> tensor<672xbf16>
  %x = stablehlo.reshape %xc : (tensor<672xbf16>) -> tensor<2x6x7x8xbf16>
  %gi = stablehlo.iota dim = 0 : tensor<480xi32>
  %ga = stablehlo.constant dense<29> : tensor<480xi32>
  %gp = stablehlo.multiply %gi, %ga : tensor<480xi32>
  %gm = stablehlo.constant dense<7> : tensor<480xi32>
  %gr = stablehlo.remainder %gp, %gm : tensor<480xi32>
  %gc = stablehlo.convert %gr : (tensor<480xi32>) -> tensor<480xbf16>
  %g = stablehlo.reshape %gc : (tensor<480xbf16>) -> tensor<2x5x6x8xbf16>
  %y = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[f, 1, b, 0], window = {stride = [1, 1], pad = [[0, 0], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64} : (tensor<2x6x7x8xbf16>, tensor<2x5x6x8xbf16>) -> tensor<8x3x1x2xbf16>
  %x0 = stablehlo.slice %x [0:2, 0:6, 0:7, 0:4] : (tensor<2x6x7x8xbf16>) -> tensor<2x6x7x4xbf16>
  %g0 = stablehlo.slice %g [0:2, 0:5, 0:6, 0:4] : (tensor<2x5x6x8xbf16>) -> tensor<2x5x6x4xbf16>
  %y0 = stablehlo.convolution(%x0, %g0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[f, 1, b, 0], window = {stride = [1, 1], pad = [[0, 0], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<2x6x7x4xbf16>, tensor<2x5x6x4xbf16>) -> tensor<4x3x1x2xbf16>
  %x1 = stablehlo.slice %x [0:2, 0:6, 0:7, 4:8] : (tensor<2x6x7x8xbf16>) -> tensor<2x6x7x4xbf16>
  %g1 = stablehlo.slice %g [0:2, 0:5, 0:6, 4:8] : (tensor<2x5x6x8xbf16>) -> tensor<2x5x6x4xbf16>
  %y1 = stablehlo.convolution(%x1, %g1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[f, 1, b, 0], window = {stride = [1, 1], pad = [[0, 0], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<2x6x7x4xbf16>, tensor<2x5x6x4xbf16>) -> tensor<4x3x1x2xbf16>
  %wanted = stablehlo.concatenate %y0, %y1, dim = 0 : (tensor<4x3x1x2xbf16>, tensor<4x3x1x2xbf16>) -> tensor<8x3x1x2xbf16>
  check.expect_eq %y, %wanted : tensor<8x3x1x2xbf16>
  func.return
}

// -----

func.func @patches_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<120xi32>
  %xa = stablehlo.constant dense<37> : tensor<120xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<120xi32>
  %xm = stablehlo.constant dense<5> : tensor<120xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<120xi32>
  %xc = stablehlo.convert %xr : (tensor<120xi32>) -> tensor<120xf32>
  %x = stablehlo.reshape %xc : (tensor<120xf32>) -> tensor<2x3x4x5xf32>
  %wi = stablehlo.iota dim = 0 : tensor<750xi32>
  %wa = stablehlo.constant dense<29> : tensor<750xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<750xi32>
  %wm = stablehlo.constant dense<7> : tensor<750xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<750xi32>
  %wc = stablehlo.convert %wr : (tensor<750xi32>) -> tensor<750xf32>
  %w = stablehlo.reshape %wc : (tensor<750xf32>) -> tensor<5x5x5x6xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[4, 4], [4, 4]], lhs_dilate = [5, 5]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<5x5x5x6xf32>) -> tensor<2x15x20x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 4, 4, 0] : (tensor<2x3x4x5xf32>, tensor<f32>) -> tensor<2x11x16x5xf32>
  %wanted = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[4, 4], [4, 4]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x11x16x5xf32>, tensor<5x5x5x6xf32>) -> tensor<2x15x20x6xf32>
  check.expect_eq %y, %wanted : tensor<2x15x20x6xf32>
  func.return
}

// -----

func.func @reversed_patches_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<120xi32>
  %xa = stablehlo.constant dense<37> : tensor<120xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<120xi32>
  %xm = stablehlo.constant dense<5> : tensor<120xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<120xi32>
  %xc = stablehlo.convert %xr : (tensor<120xi32>) -> tensor<120xf32>
  %x = stablehlo.reshape %xc : (tensor<120xf32>) -> tensor<2x3x4x5xf32>
  %wi = stablehlo.iota dim = 0 : tensor<900xi32>
  %wa = stablehlo.constant dense<29> : tensor<900xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<900xi32>
  %wm = stablehlo.constant dense<7> : tensor<900xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<900xi32>
  %wc = stablehlo.convert %wr : (tensor<900xi32>) -> tensor<900xf32>
  %w = stablehlo.reshape %wc : (tensor<900xf32>) -> tensor<5x6x5x6xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[4, 4], [5, 5]], lhs_dilate = [5, 6], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<5x6x5x6xf32>) -> tensor<2x15x24x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 4, 5, 0] : (tensor<2x3x4x5xf32>, tensor<f32>) -> tensor<2x11x19x5xf32>
  %wanted = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[4, 4], [5, 5]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x11x19x5xf32>, tensor<5x6x5x6xf32>) -> tensor<2x15x24x6xf32>
  check.expect_eq %y, %wanted : tensor<2x15x24x6xf32>
  func.return
}

// -----

func.func @small_windows_i32() {
  %xi = stablehlo.iota dim = 0 : tensor<48xi32>
  %xa = stablehlo.constant dense<37> : tensor<48xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<48xi32>
  %xm = stablehlo.constant dense<5> : tensor<48xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<48xi32>
  %xc = stablehlo.convert %xr : (tensor<48xi32>) -> tensor<48xi32>
  %x = stablehlo.reshape %xc : (tensor<48xi32>) -> tensor<2x3x2x4xi32>
  %wi = stablehlo.iota dim = 0 : tensor<144xi32>
  %wa = stablehlo.constant dense<29> : tensor<144xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<144xi32>
  %wm = stablehlo.constant dense<7> : tensor<144xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<144xi32>
  %wc = stablehlo.convert %wr : (tensor<144xi32>) -> tensor<144xi32>
  %w = stablehlo.reshape %wc : (tensor<144xi32>) -> tensor<3x4x4x3xi32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [3, 3]], lhs_dilate = [5, 4]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x2x4xi32>, tensor<3x4x4x3xi32>) -> tensor<2x13x8x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 4, 3, 0] : (tensor<2x3x2x4xi32>, tensor<i32>) -> tensor<2x11x5x4xi32>
  %wanted = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x11x5x4xi32>, tensor<3x4x4x3xi32>) -> tensor<2x13x8x3xi32>
  check.expect_eq %y, %wanted : tensor<2x13x8x3xi32>
  func.return
}

// -----

func.func @cut_patches_f64() {
  %xi = stablehlo.iota dim = 0 : tensor<36xi32>
  %xa = stablehlo.constant dense<37> : tensor<36xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<36xi32>
  %xm = stablehlo.constant dense<5> : tensor<36xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<36xi32>
  %xc = stablehlo.convert %xr : (tensor<36xi32>) -> tensor<36xf64>
  %x = stablehlo.reshape %xc : (tensor<36xf64>) -> tensor<1x4x3x3xf64>
  %wi = stablehlo.iota dim = 0 : tensor<300xi32>
  %wa = stablehlo.constant dense<29> : tensor<300xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<300xi32>
  %wm = stablehlo.constant dense<7> : tensor<300xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<300xi32>
  %wc = stablehlo.convert %wr : (tensor<300xi32>) -> tensor<300xf64>
  %w = stablehlo.reshape %wc : (tensor<300xf64>) -> tensor<5x5x3x4xf64>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 4], [3, 1]], lhs_dilate = [5, 5]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3x3xf64>, tensor<5x5x3x4xf64>) -> tensor<1x18x11x4xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %z = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 4, 4, 0] : (tensor<1x4x3x3xf64>, tensor<f64>) -> tensor<1x16x11x3xf64>
  %wanted = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 4], [3, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x11x3xf64>, tensor<5x5x3x4xf64>) -> tensor<1x18x11x4xf64>
  check.expect_eq %y, %wanted : tensor<1x18x11x4xf64>
  func.return
}

// -----

func.func @channels_first_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<120xi32>
  %xa = stablehlo.constant dense<37> : tensor<120xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<120xi32>
  %xm = stablehlo.constant dense<5> : tensor<120xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<120xi32>
  %xc = stablehlo.convert %xr : (tensor<120xi32>) -> tensor<120xf32>
  %x = stablehlo.reshape %xc : (tensor<120xf32>) -> tensor<2x5x3x4xf32>
  %wi = stablehlo.iota dim = 0 : tensor<600xi32>
  %wa = stablehlo.constant dense<29> : tensor<600xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<600xi32>
  %wm = stablehlo.constant dense<7> : tensor<600xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<600xi32>
  %wc = stablehlo.convert %wr : (tensor<600xi32>) -> tensor<600xf32>
  %w = stablehlo.reshape %wc : (tensor<600xf32>) -> tensor<6x5x4x5xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[3, 3], [4, 4]], lhs_dilate = [4, 5]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x3x4xf32>, tensor<6x5x4x5xf32>) -> tensor<2x6x12x20xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 3, 4] : (tensor<2x5x3x4xf32>, tensor<f32>) -> tensor<2x5x9x16xf32>
  %wanted = stablehlo.convolution(%z, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[3, 3], [4, 4]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x9x16xf32>, tensor<6x5x4x5xf32>) -> tensor<2x6x12x20xf32>
  check.expect_eq %y, %wanted : tensor<2x6x12x20xf32>
  func.return
}
